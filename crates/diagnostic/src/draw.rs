//! A diagnostic drawn under the line it is about.

use crate::{Diagnostic, Severity, Span, position};

/// How a diagnostic is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only, for files, logs and JSON.
    Plain,
    /// With ANSI colours, for terminals.
    Coloured,
}

/// Longest piece of a source line that is shown; the rest is cut around the span.
const WINDOW: usize = 160;

/// One diagnostic as text of several lines, ending in a newline:
///
/// ```text
/// error[unknown-field]: unknown field `http.hots`
///   --> rule.txt:1:1
///    |
///  1 | http.hots eq "a"
///    | ^^^^^^^^^ no field has this name
///    = help: did you mean `http.host`?
/// ```
pub fn draw(source: &str, name: &str, diagnostic: &Diagnostic, style: Style) -> String {
    let paint = Paint { style };
    let place = position(source, diagnostic.span.start);
    let width = place.line.to_string().len();
    let margin = " ".repeat(width);
    let colour = severity_colour(diagnostic.severity);
    let mut text = format!(
        "{}: {}\n{margin} {} {name}:{}:{}\n",
        paint.with(colour, &format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code)),
        paint.with(BOLD, &printable(&diagnostic.message)),
        paint.with(BLUE, "-->"),
        place.line,
        place.column
    );
    let bar = paint.with(BLUE, "|");
    let (line, before, marked) = line_window(source, diagnostic.span);
    text.push_str(&format!("{margin}  {bar}\n {} {bar} {line}\n", paint.with(BLUE, &place.line.to_string())));
    let underline = format!("{} {}", "^".repeat(marked.max(1)), printable(&diagnostic.label));
    text.push_str(&format!("{margin}  {bar} {}{}\n", " ".repeat(before), paint.with(colour, underline.trim_end())));
    for related in &diagnostic.related {
        let at = position(source, related.span.start);
        let note = format!("note: {} ({}:{})", printable(&related.message), at.line, at.column);
        text.push_str(&format!("{margin}  {} {note}\n", paint.with(BLUE, "=")));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("{margin}  {} help: {}\n", paint.with(BLUE, "="), printable(help)));
    }
    for fix in &diagnostic.fixes {
        text.push_str(&format!("{margin}  {} fix: {}\n", paint.with(BLUE, "="), printable(&fix.title)));
    }
    text
}

/// All diagnostics, one after the other, with an empty line between.
pub fn draw_all(source: &str, name: &str, diagnostics: &[Diagnostic], style: Style) -> String {
    let drawn: Vec<String> = diagnostics.iter().map(|one| draw(source, name, one, style)).collect();
    drawn.join("\n")
}

/// The shown piece of the span's first line, the width before the span in it, and the span's width.
fn line_window(source: &str, span: Span) -> (String, usize, usize) {
    let start = source.get(..span.start).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
    let rest = source.get(start..).unwrap_or_default();
    let line: Vec<char> = rest.split(['\n', '\r']).next().unwrap_or_default().chars().collect();
    let before = Span::new(start, span.start).text(source).chars().count();
    let marked = span.text(source).split(['\n', '\r']).next().unwrap_or_default().chars().count();
    let first = before.saturating_sub(WINDOW / 3);
    let shown: String = line.iter().skip(first).take(WINDOW).collect();
    let mut before = before - first;
    let mut text = printable(&shown);
    if first > 0 {
        text.insert(0, '…');
        before += 1;
    }
    if line.len() > first + WINDOW {
        text.push('…');
    }
    (text, before, marked.min(WINDOW.saturating_sub(before.saturating_sub(1))))
}

/// Control characters would disturb a terminal; each is shown as one visible character.
fn printable(text: &str) -> String {
    let visible = |c: char| match c {
        '\t' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    };
    text.chars().map(visible).collect()
}

const BOLD: &str = "1";
const BLUE: &str = "34";

fn severity_colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Hint => "1;36",
    }
}

struct Paint {
    style: Style,
}

impl Paint {
    fn with(&self, colour: &str, text: &str) -> String {
        match self.style {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(source: &str, span: Span) -> String {
        let problem = Diagnostic::error("some-code", span, "what is wrong").with_label("here").with_help("do this");
        draw(source, "rule.txt", &problem, Style::Plain)
    }

    #[test]
    fn underlines_the_span_on_its_own_line() {
        let expected = "\
error[some-code]: what is wrong
  --> rule.txt:2:5
   |
 2 | and é eq 1
   |     ^ here
   = help: do this
";
        assert_eq!(drawn("ssl\nand é eq 1", Span::new(8, 10)), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let source = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let text = drawn(&source, Span::new(5000, 5001));
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[4].find('^').unwrap();
        assert_eq!(lines[3].replace('…', ".").as_bytes()[column], b'X');
        assert!(lines[3].chars().count() < 200);
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        let text = drawn("a\u{1b}[31m\u{0}\u{202e}", Span::new(1, 2));
        assert!(!text.contains(['\u{1b}', '\u{0}', '\u{202e}']), "{text:?}");
    }
}
