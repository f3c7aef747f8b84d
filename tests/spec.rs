//! The language as cases: runs every file of `spec/`, whose README describes the form.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test spec` writes the answers of the engine into the
//! files; read the difference before you keep it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use zonewright_expression::{Options, Record};
use zonewright_tests::equivalence;
use zonewright_tests::evaluation::{answer, record};
use zonewright_tests::expression::{at_cursor, diagnostics, fixed, line, options, verdict};
use zonewright_tests::markdown::{Block, Piece, answer_files};
use zonewright_tests::words;

/// Fewer cases than this mean that files got lost.
const FEWEST_CASES: usize = 300;

#[test]
fn cases() {
    let mut run = Run::default();
    let update = answer_files("spec", |file, pieces| run.file(file, pieces));
    println!("{} cases", run.cases);
    assert!(run.cases >= FEWEST_CASES, "only {} cases", run.cases);
    if !update || run.wrong_form {
        let failures = run.failures.len();
        assert!(run.failures.is_empty(), "{}\n\n{failures} of {} cases failed", run.failures.join("\n\n"), run.cases);
    }
}

#[derive(Default)]
struct Run {
    cases: usize,
    failures: Vec<String>,
    /// Whether a file has a mistake that an update cannot mend.
    wrong_form: bool,
}

impl Run {
    /// Runs the cases of a file and gives the file as it should be.
    fn file(&mut self, file: &str, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut answered = Vec::new();
        let mut name = String::new();
        let mut given = Record::default();
        let mut pieces = pieces.into_iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Heading(_, ref heading) => {
                    name.clone_from(heading);
                    answered.push(piece);
                }
                Piece::Block(block) => {
                    let place = format!("{file}:{} {name}", block.line);
                    if block.holds == "record" {
                        given =
                            record(&block.options, &block.text).unwrap_or_else(|problem| panic!("{place}: {problem}"));
                        answered.push(Piece::Block(block));
                        continue;
                    }
                    if let "formats" | "explanations" = block.holds.as_str() {
                        answered.push(Piece::Block(self.short(&place, block)));
                        continue;
                    }
                    let options = options(&block.options).unwrap_or_else(|problem| panic!("{place}: {problem}"));
                    match block.holds.as_str() {
                        "expression" => {
                            let mut answers = Vec::new();
                            while let Some(Piece::Block(answer)) = pieces.next_if(is_answer) {
                                answers.push(answer);
                            }
                            answered.extend(self.expression(&place, block, &options, &answers));
                        }
                        "expressions" => {
                            self.accepted(&place, &block, &options);
                            answered.push(Piece::Block(block));
                        }
                        "refused" => answered.push(Piece::Block(self.refused(&place, block, &options))),
                        "equivalent" | "subsumes" => {
                            let ask = |question: &str| equivalence::verdict(&block.holds, question, &options);
                            answered.push(Piece::Block(self.answers(&place, &block, ask)));
                        }
                        "complete" | "hover" | "signature" => {
                            let ask = |marked: &str| at_cursor(&block.holds, marked, &options);
                            let ask = |marked: &str| ask(marked).ok_or_else(|| "no cursor".to_owned());
                            answered.push(Piece::Block(self.answers(&place, &block, ask)));
                        }
                        "evaluated" => {
                            let ask = |source: &str| {
                                let got = answer(source, &options, &given);
                                if got.starts_with("refused") { Err(got) } else { Ok(got) }
                            };
                            answered.push(Piece::Block(self.answers(&place, &block, ask)));
                        }
                        "suspicious" => answered.push(Piece::Block(self.suspicious(&place, block, &options))),
                        "diagnostics" | "fixed" | "formatted" | "explained" => {
                            self.wrong_form = true;
                            self.failures.push(format!("{place}: no expression stands right above"));
                        }
                        _ => answered.push(Piece::Block(block)),
                    }
                }
                Piece::Line(_) => answered.push(piece),
            }
        }
        answered
    }

    fn expression(&mut self, place: &str, block: Block, options: &Options, answers: &[Block]) -> Vec<Piece> {
        let found = diagnostics(&block.text, options);
        let lines: Vec<_> = found.iter().map(|diagnostic| line(&block.text, diagnostic)).collect();
        let mended = fixed(&block.text, options);
        let changed = mended != block.text;
        let mut pieces = Vec::new();
        let source = block.text.clone();
        pieces.push(Piece::Block(block));
        for (holds, got) in [
            ("diagnostics", Some(lines.join("\n")).filter(|text| !text.is_empty())),
            ("fixed", changed.then_some(mended)),
        ] {
            let expected = answers.iter().find(|answer| answer.holds == holds).map(|answer| answer.text.clone());
            self.compare(&format!("{place} ({holds})"), &source, expected.as_deref(), got.as_deref());
            pieces.extend(got.map(|got| Piece::Block(Block::new(holds, got))));
        }
        // Two parts are two comparisons, and one case.
        self.cases -= 1;
        for answer in answers.iter().filter(|answer| matches!(answer.holds.as_str(), "formatted" | "explained")) {
            let place = format!("{place} ({} {})", answer.holds, answer.options);
            let got = words::answer(&answer.holds, &answer.options, &source, options);
            let got = got.unwrap_or_else(|problem| panic!("{place}: {problem}"));
            self.compare(&place, &source, Some(&answer.text), got.as_deref());
            pieces.extend(got.map(|text| Piece::Block(Block { text, ..answer.clone() })));
        }
        pieces
    }

    /// Many short cases: an expression, then what it becomes.
    fn short(&mut self, place: &str, block: Block) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (source, expected) = text.split_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let got = words::short_answer(&block.holds, &block.options, source);
            let got = got.unwrap_or_else(|problem| panic!("{place}: {problem}"));
            self.compare(place, source, Some(expected), Some(&got));
            lines.push(format!("{source} ⇒ {got}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    fn accepted(&mut self, place: &str, block: &Block, options: &Options) {
        for source in block.text.lines() {
            let found = diagnostics(source, options);
            let lines: Vec<_> = found.iter().map(|diagnostic| line(source, diagnostic)).collect();
            self.wrong_form |= !lines.is_empty();
            self.compare(place, source, None, Some(lines.join("\n")).as_deref().filter(|text| !text.is_empty()));
        }
    }

    fn refused(&mut self, place: &str, block: Block, options: &Options) -> Block {
        self.verdicts(place, block, options, true)
    }

    fn suspicious(&mut self, place: &str, block: Block, options: &Options) -> Block {
        self.verdicts(place, block, options, false)
    }

    /// Cases of one line with everything that is found; with errors, or with none.
    fn verdicts(&mut self, place: &str, block: Block, options: &Options, refused: bool) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (source, expected) = text.rsplit_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let found = diagnostics(source, options);
            let got = verdict(source, &found);
            if found.is_empty() || found.iter().any(|diagnostic| diagnostic.is_error()) != refused {
                self.wrong_form = true;
                let got = if refused { "accepted" } else { "refused, or nothing is found" };
                self.failures.push(format!("{place}\n  {source}\n  is {got}"));
            }
            self.compare(place, source, Some(expected), Some(&got));
            lines.push(format!("{source} ⇒ {got}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    /// A question a line, with its answer behind the arrow.
    fn answers(&mut self, place: &str, block: &Block, ask: impl Fn(&str) -> Result<String, String>) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (question, expected) = text.rsplit_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let got = ask(question).unwrap_or_else(|problem| {
                self.wrong_form = true;
                problem
            });
            self.compare(place, question, Some(expected), Some(&got));
            lines.push(format!("{question} ⇒ {got}").trim_end().to_owned());
        }
        Block { text: lines.join("\n"), ..block.clone() }
    }

    fn compare(&mut self, place: &str, source: &str, expected: Option<&str>, got: Option<&str>) {
        self.cases += 1;
        if expected != got {
            let show = |text: Option<&str>| text.unwrap_or("nothing").replace('\n', "\n            ");
            let (expected, got) = (show(expected), show(got));
            self.failures.push(format!("{place}\n  {source}\n  expected: {expected}\n  got:      {got}"));
        }
    }
}

fn is_answer(piece: &Piece) -> bool {
    let Piece::Block(block) = piece else { return false };
    matches!(block.holds.as_str(), "diagnostics" | "fixed" | "formatted" | "explained")
}
