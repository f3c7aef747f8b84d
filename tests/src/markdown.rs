//! Reads and writes the subset of Markdown that case files use: headings, fenced blocks and prose.

use std::fmt::Write;
use std::path::Path;

/// An element of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkdownElement {
    /// A heading: its level and its text.
    Heading(usize, String),
    /// A fenced block.
    Block(Block),
    /// Any other line.
    Line(String),
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first word after the fence: the kind of the block.
    pub kind: String,
    /// The other words after the fence.
    pub options: String,
    /// The text between the fences, without the final line break.
    pub text: String,
    /// Line of the opening fence, from 1; 0 for a new block.
    pub line: usize,
}

impl Block {
    /// Creates a block that is not in the file yet.
    pub fn new(kind: &str, text: String) -> Self {
        Block { kind: kind.to_owned(), options: String::new(), text, line: 0 }
    }
}

/// Passes every case file of a directory of this package, all `.md` except its README, through `answer`. When
/// `UPDATE` is set, writes the results to the files and returns true.
///
/// # Panics
///
/// When a file cannot be read or written.
#[allow(clippy::unwrap_used, reason = "tests may panic")]
pub fn rewrite_case_files(
    folder: &str,
    mut answer: impl FnMut(&str, Vec<MarkdownElement>) -> Vec<MarkdownElement>,
) -> bool {
    let update = std::env::var_os("UPDATE").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("README.md"));
    files.sort();
    for path in files {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = write(&answer(&name, read(&source)));
        if update && text != source {
            std::fs::write(&path, text).unwrap();
        }
    }
    update
}

/// Parses a file into its elements, in order.
pub fn read(source: &str) -> Vec<MarkdownElement> {
    let mut elements = Vec::new();
    let mut lines = source.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let fence: String = line.chars().take_while(|c| *c == '`').collect();
            let info = info.trim_start_matches('`');
            let (kind, options) = info.split_once(' ').unwrap_or((info, ""));
            let text: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != fence).collect();
            elements.push(MarkdownElement::Block(Block {
                kind: kind.to_owned(),
                options: options.trim().to_owned(),
                text: text.join("\n"),
                line: number + 1,
            }));
        } else if let Some((marks, text)) = line.split_once(' ').filter(|(marks, _)| is_heading(marks)) {
            elements.push(MarkdownElement::Heading(marks.len(), text.to_owned()));
        } else {
            elements.push(MarkdownElement::Line(line.to_owned()));
        }
    }
    elements
}

fn is_heading(marks: &str) -> bool {
    !marks.is_empty() && marks.chars().all(|c| c == '#')
}

/// Writes elements in the form that [`read`] parses.
pub fn write(elements: &[MarkdownElement]) -> String {
    let mut text = String::new();
    for element in elements {
        // Writing to a string cannot fail.
        let _ = match element {
            MarkdownElement::Heading(level, heading) => writeln!(text, "{} {heading}", "#".repeat(*level)),
            MarkdownElement::Line(line) => writeln!(text, "{line}"),
            MarkdownElement::Block(block) => {
                // The fence must be longer than any fence in the text.
                let longest = block.text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max();
                let fence = "`".repeat(longest.map_or(3, |longest| 3.max(longest + 1)));
                let space = if block.options.is_empty() { "" } else { " " };
                let end = if block.text.is_empty() { "" } else { "\n" };
                writeln!(text, "{fence}{}{space}{}\n{}{end}{fence}", block.kind, block.options, block.text)
            }
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_and_write_round_trip() {
        let source = "# A\n\nprose\n\n### b\n```expression kind=value\n\"a\"\n  b\n```\n````x\n```\n````\n";
        let elements = read(source);
        assert_eq!(write(&elements), source);
        let MarkdownElement::Block(block) = &elements[5] else { panic!("{:?}", elements[5]) };
        assert_eq!((block.kind.as_str(), block.options.as_str()), ("expression", "kind=value"));
        assert_eq!((block.text.as_str(), block.line), ("\"a\"\n  b", 6));
    }
}
