//! Checks the documents of the project: their length, their links, and the commands that they name.
//!
//! Start with [`PAGES`]. A document never links to a file or a heading that does not exist, and never names a command
//! or an option that the programs do not have.

use super::{files, root, text};
use std::collections::BTreeSet;
use std::process::Command;
use zonewright_delivery::is_supported;
use zonewright_expression::schema;
use zonewright_logpush::{Destination, destination::Scheme};
use zonewright_tests::markdown::{MarkdownElement, read};

/// Documents whose links are checked, with all Markdown files in `docs/`.
const PAGES: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "crates/wasm/README.md"];

const MAX_README_LINES: usize = 220;
const MAX_ARCHITECTURE_BYTES: usize = 20 * 1024;
const MAX_CELL_CHARACTERS: usize = 240;

#[test]
fn readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(lines <= MAX_README_LINES, "README.md has {lines} lines, at most {MAX_README_LINES} are allowed");
}

#[test]
fn readme_states_the_size_of_the_schema() {
    let words: Vec<String> = text("README.md").split_whitespace().map(str::to_owned).collect();
    for (count, noun) in [(schema::FIELDS.len(), "fields,"), (schema::FUNCTIONS.len(), "functions,")] {
        let stated = words.windows(2).any(|pair| pair[0] == count.to_string() && pair[1] == noun);
        assert!(stated, "README.md does not say `{count} {noun}`");
    }
}

#[test]
fn destinations_without_delivery_are_documented() {
    let (service, assumptions) = (text("docs/service.md"), text("docs/assumptions.md"));
    let service = service.split_once("It does not deliver to ").unwrap().1.split_once("\n\n").unwrap().0;
    let assumption = assumptions.split_once(". not-delivered\n").unwrap().1.split_once("\n### ").unwrap().0;
    for scheme in Scheme::ALL {
        if !is_supported(&Destination::parse(scheme.example()).unwrap()) {
            let name = format!("`{scheme}://`");
            assert!(service.contains(&name), "docs/service.md does not say that {name} is not delivered");
            assert!(assumption.contains(&name), "the assumption not-delivered does not name {name}");
        }
    }
}

#[test]
fn architecture_is_short() {
    let bytes = text("ARCHITECTURE.md").len();
    assert!(bytes <= MAX_ARCHITECTURE_BYTES, "ARCHITECTURE.md has {bytes} bytes, not at most {MAX_ARCHITECTURE_BYTES}");
}

/// A longer cell belongs into the text around the table.
#[test]
fn table_cells_are_short() {
    let docs = files().into_iter().filter(|path| path.starts_with("docs/") && path.ends_with(".md"));
    let mut long_cells = Vec::new();
    for page in std::iter::once("ARCHITECTURE.md".to_owned()).chain(docs) {
        for block in read(&text(&page)) {
            let MarkdownElement::Line(line) = block else { continue };
            if line.starts_with('|') {
                let cells = line.split('|').map(str::trim).filter(|cell| cell.chars().count() > MAX_CELL_CHARACTERS);
                long_cells.extend(cells.map(|cell| format!("{page}: {cell}")));
            }
        }
    }
    assert!(long_cells.is_empty(), "longer than {MAX_CELL_CHARACTERS} characters:\n{}", long_cells.join("\n"));
}

#[test]
fn relative_links_lead_to_files_and_headings() {
    let docs = files().into_iter().filter(|path| path.starts_with("docs/") && path.ends_with(".md"));
    let mut broken = Vec::new();
    for page in PAGES.map(str::to_owned).into_iter().chain(docs) {
        let source = text(&page);
        let links = links(&source);
        broken.extend(
            links.iter().filter_map(|link| Some(format!("{page}: {link}: {}", find_link_problem(&page, link)?))),
        );
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn glossary_paths_exist() {
    let glossary = text("docs/glossary.md");
    let rows = glossary.lines().filter(|line| line.starts_with("| ") && line.ends_with("` |"));
    let paths: Vec<&str> = rows.filter_map(|row| row.strip_suffix("` |")?.rsplit('`').next()).collect();
    assert!(paths.len() > 100, "only {} rows name a file", paths.len());
    let missing: Vec<_> = paths.into_iter().filter(|path| !root().join(path).is_file()).collect();
    assert!(missing.is_empty(), "docs/glossary.md names files that do not exist:\n{}", missing.join("\n"));
}

#[test]
fn links_outside_of_code_are_found() {
    let page =
        "[a](b.md) `[c](d)` [`e`](f.md#g \"title\")\n```\n[h](i)\n```\n## [j](k)\n<img src=\"l.png\"> <a href='m'>";
    assert_eq!(links(page), ["b.md", "f.md#g", "k", "l.png"]);
}

#[test]
fn repeated_headings_have_numbered_anchors() {
    let page = "# The `run` script, twice\n## A-b_c\n## A-b_c\n```\n# not a heading\n```\n";
    assert_eq!(anchors(page), ["the-run-script-twice", "a-b_c", "a-b_c-1"].map(str::to_owned).into());
}

#[test]
fn cited_assumptions_are_headings() {
    let document = text("docs/assumptions.md");
    let headings = document.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(". "));
    let names: BTreeSet<&str> = headings.map(|(_, name)| name).collect();
    let mut unknown = Vec::new();
    for path in
        files().into_iter().filter(|path| [".rs", ".mjs", ".js", ".ts", ".md"].iter().any(|e| path.ends_with(e)))
    {
        let cited = cited_assumptions(&text(&path));
        unknown.extend(
            cited.into_iter().filter(|name| !names.contains(name.as_str())).map(|name| format!("{path}: {name}")),
        );
    }
    assert!(unknown.is_empty(), "not in docs/assumptions.md:\n{}", unknown.join("\n"));
}

#[test]
fn citations_are_found_across_lines_and_in_lists() {
    // Split, because this file is searched too.
    let mark = "(assumption";
    let source = format!(
        "/// A fact {mark} one-two).\n// More {mark}s three,\n// four-5 and six), not {mark}.name.\n`{mark} NAME)`"
    );
    assert_eq!(cited_assumptions(&source), ["one-two", "three", "four-5", "six"]);
}

/// The names in parentheses after `assumption` or `assumptions`.
fn cited_assumptions(source: &str) -> Vec<String> {
    let is_comment_mark = |word: &&str| ["//", "///", "//!", "*", "#"].contains(word);
    let text: Vec<&str> = source.split_whitespace().filter(|word| !is_comment_mark(word)).collect();
    let text = text.join(" ").replace("(assumptions ", "(assumption ");
    let lists = text.split("(assumption ").skip(1).filter_map(|rest| rest.split_once(')'));
    let names: Vec<String> = lists
        .flat_map(|(list, _)| list.replace(" and ", ", ").split(", ").map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let is_name = |name: &String| {
        !name.is_empty() && name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    names.into_iter().filter(is_name).collect()
}

/// Returns why a link of a page is broken.
fn find_link_problem(page: &str, link: &str) -> Option<&'static str> {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let directory = root().join(page).parent().unwrap().to_owned();
    let target = if path.is_empty() { root().join(page) } else { directory.join(path) };
    if !target.exists() {
        return Some("no such file");
    }
    let anchor = anchor?;
    let has_anchor = std::fs::read_to_string(target).is_ok_and(|text| anchors(&text).contains(anchor));
    (!has_anchor).then_some("the file has no such heading")
}

/// The targets of links and pictures, without those in code.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for block in read(page) {
        let (MarkdownElement::Line(line) | MarkdownElement::Heading(_, line)) = block else { continue };
        // Skips code spans: every second part is between backticks.
        let prose: String = line.split('`').step_by(2).collect();
        for (start, end) in [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"')] {
            for rest in prose.split(start).skip(1) {
                let target = rest.split(end).next().unwrap_or_default();
                links.extend(target.split_whitespace().next().map(str::to_owned));
            }
        }
    }
    links
}

/// The anchors of the headings, as GitHub derives them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for block in read(page) {
        let MarkdownElement::Heading(_, heading) = block else { continue };
        let hyphenated = heading.to_lowercase().replace(' ', "-");
        let anchor: String = hyphenated.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !anchors.contains(anchor));
        anchors.extend(free);
    }
    anchors
}

/// Checks README.md and the pages in `docs/`.
#[test]
fn documented_commands_exist() {
    let is_page =
        |path: &str| path.strip_prefix("docs/").is_some_and(|name| name.ends_with(".md") && !name.contains('/'));
    let pages = files().into_iter().filter(|path| path == "README.md" || is_page(path));
    let commands: Vec<_> = pages.flat_map(|page| documented_commands(&text(&page))).collect();
    let calls = |program| commands.iter().filter(move |words: &&Vec<String>| words[0] == program);
    assert!(calls("./run").count() >= 2 && calls("zonewright").count() >= 20, "{commands:?}");

    let cases = cases_of_run(&text("run"));
    for words in calls("./run") {
        if let Some(name) = words.get(1).filter(|word| !word.starts_with('-')) {
            assert!(cases.contains(name), "./run has no command `{name}`, only {cases:?}");
        }
    }
    for words in calls("zonewright") {
        let Some(name) = words.get(1).filter(|word| !word.starts_with('-')) else { continue };
        match std::env::var_os("ZONEWRIGHT_BIN") {
            Some(binary) => {
                let output = Command::new(binary).args(command_path(&words[1..])).arg("--help").output().unwrap();
                assert!(output.status.success(), "zonewright has no command `{name}`");
                let help = String::from_utf8(output.stdout).unwrap();
                for option in words.iter().filter_map(|word| word.split('=').next()).filter(|w| w.starts_with("--")) {
                    let known = help.split_whitespace().any(|word| word.split([',', '[']).next() == Some(option));
                    assert!(known, "zonewright {name} has no option {option}");
                }
            }
            None => {
                let known =
                    root().join("crates/cli/src/commands").join(format!("{}.rs", name.replace('-', "_"))).is_file();
                assert!(known, "zonewright has no command `{name}`");
            }
        }
    }
}

/// The words before the first argument: some commands have commands of their own.
fn command_path(words: &[String]) -> &[String] {
    let group = words.get(1).map_or("", String::as_str);
    let depth = match words.first().map(String::as_str) {
        Some("admin") if ["account", "audit", "user", "zone", "token"].contains(&group) => 3,
        Some("admin" | "logpush" | "migrate") => 2,
        _ => 1,
    };
    &words[..words.len().min(depth)]
}

/// The calls of the script and of the binary, as words: in blocks of shell commands, and in prose between backticks.
fn documented_commands(page: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for block in read(page) {
        match block {
            MarkdownElement::Block(block) if ["sh", "bash", "shell", "console"].contains(&block.kind.as_str()) => {
                lines.extend(block.text.replace("\\\n", " ").lines().map(str::to_owned));
            }
            MarkdownElement::Line(line) => lines.extend(line.split('`').skip(1).step_by(2).map(str::to_owned)),
            _ => {}
        }
    }
    let mut commands = Vec::new();
    for call in lines.iter().flat_map(|line| line.split(['|', ';', '&'])) {
        let mut words = call.split_whitespace().skip_while(|word| *word == "$" || is_assignment(word));
        let program = match words.next() {
            Some("./run") => "./run",
            Some(program) if program.rsplit('/').next() == Some("zonewright") => "zonewright",
            _ => continue,
        };
        let rest = words.take_while(|word| *word != "#").map(str::to_owned);
        commands.push([program.to_owned()].into_iter().chain(rest).collect());
    }
    commands
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase()))
}

/// The patterns of the last `case` in the script.
fn cases_of_run(script: &str) -> BTreeSet<String> {
    let (_, cases) = script.rsplit_once("\ncase ").unwrap();
    let patterns = cases.lines().filter_map(|line| line.split_once(')')).map(|(patterns, _)| patterns);
    let is_word = |word: &&str| word.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase());
    patterns.flat_map(|patterns| patterns.split('|')).map(str::trim).filter(is_word).map(str::to_owned).collect()
}
