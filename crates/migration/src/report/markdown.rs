//! Renders a report as GitHub-flavored Markdown.

use super::ReportBlock;

/// Renders a report as Markdown.
pub(super) fn write(title: &str, blocks: &[ReportBlock]) -> String {
    let mut text = format!("# {}\n", escape(title));
    for block in blocks {
        text.push('\n');
        match block {
            ReportBlock::Heading(heading) => text.push_str(&format!("## {}\n", escape(heading))),
            ReportBlock::Paragraph(paragraph) => text.push_str(&format!("{}\n", escape(paragraph))),
            ReportBlock::Table(heads, rows) => {
                text.push_str(&table_line(heads.iter().map(|head| (*head).to_owned())));
                text.push_str(&table_line(heads.iter().map(|_| "---".to_owned())));
                rows.iter().for_each(|row| text.push_str(&table_line(row.iter().map(|cell| escape(cell)))));
            }
            ReportBlock::Code(code) => {
                let fence = fence(code);
                text.push_str(&format!("{fence}\n{}\n{fence}\n", code.trim_end()));
            }
        }
    }
    text
}

fn table_line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Escapes a text so that it contains no markup and no line breaks.
fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' | '\r' | '\t' => result.push(' '),
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => {
                result.push('\\');
                result.push(char);
            }
            other if other.is_control() => {}
            other => result.push(other),
        }
    }
    result
}

/// Returns a fence that is longer than every run of backticks in the code.
fn fence(code: &str) -> String {
    let longest = code.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}
