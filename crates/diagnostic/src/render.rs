//! Renders diagnostics as text, each under its source line.

use crate::{Diagnostic, Positions, Severity, Span};

/// Whether the rendered text has colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderStyle {
    /// No escape sequences, for files, logs and JSON.
    Plain,
    /// ANSI colors, for terminals.
    Colored,
}

/// The maximum number of characters of a rendered source line. Longer lines are cut around the span.
const MAX_LINE_CHARS: usize = 160;

/// Renders one diagnostic as several lines with a trailing line break. `name` is the displayed name of the source, such
/// as a file name.
///
/// ```text
/// error[unknown-field]: unknown field `http.hots`
///   --> rule.txt:1:1
///    |
///  1 | http.hots eq "a"
///    | ^^^^^^^^^ no field has this name
///    = help: did you mean `http.host`?
/// ```
pub fn render(source: &str, name: &str, diagnostic: &Diagnostic, style: RenderStyle) -> String {
    Renderer::new(source, name, style).render(diagnostic)
}

/// Renders all diagnostics, separated by empty lines.
pub fn render_all(source: &str, name: &str, diagnostics: &[Diagnostic], style: RenderStyle) -> String {
    let mut renderer = Renderer::new(source, name, style);
    let rendered: Vec<String> = diagnostics.iter().map(|diagnostic| renderer.render(diagnostic)).collect();
    rendered.join("\n")
}

/// Renders the diagnostics of one source in a single pass over it.
struct Renderer<'a> {
    source: &'a str,
    name: &'a str,
    painter: Painter,
    primary_positions: Positions<'a>,
    /// A separate pass, because related spans may precede or follow the primary spans.
    related_positions: Positions<'a>,
}

impl<'a> Renderer<'a> {
    fn new(source: &'a str, name: &'a str, style: RenderStyle) -> Self {
        let (primary_positions, related_positions) = (Positions::new(source), Positions::new(source));
        Renderer { source, name, painter: Painter { style }, primary_positions, related_positions }
    }

    fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let Renderer { source, name, painter, .. } = self;
        let position = self.primary_positions.position_at(diagnostic.span.start);
        let width = position.line.to_string().len();
        let margin = " ".repeat(width);
        let color = severity_color(diagnostic.severity);
        let mut text = format!(
            "{}: {}\n{margin} {} {name}:{}:{}\n",
            painter.paint(color, &format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code)),
            painter.paint(SGR_BOLD, &make_printable(&diagnostic.message)),
            painter.paint(SGR_BLUE, "-->"),
            position.line,
            position.column
        );
        let bar = painter.paint(SGR_BLUE, "|");
        let (line, underline_start, underline_width) = excerpt_line(source, diagnostic.span);
        text.push_str(&format!(
            "{margin}  {bar}\n {} {bar} {line}\n",
            painter.paint(SGR_BLUE, &position.line.to_string())
        ));
        let underline = format!("{} {}", "^".repeat(underline_width.max(1)), make_printable(&diagnostic.label));
        text.push_str(&format!(
            "{margin}  {bar} {}{}\n",
            " ".repeat(underline_start),
            painter.paint(color, underline.trim_end())
        ));
        for related in &diagnostic.related {
            let position = self.related_positions.position_at(related.span.start);
            let note = format!("note: {} ({}:{})", make_printable(&related.message), position.line, position.column);
            text.push_str(&format!("{margin}  {} {note}\n", painter.paint(SGR_BLUE, "=")));
        }
        if let Some(help) = &diagnostic.help {
            text.push_str(&format!("{margin}  {} help: {}\n", painter.paint(SGR_BLUE, "="), make_printable(help)));
        }
        for fix in &diagnostic.fixes {
            text.push_str(&format!("{margin}  {} fix: {}\n", painter.paint(SGR_BLUE, "="), make_printable(&fix.title)));
        }
        text
    }
}

/// Returns an excerpt of the line in which the span starts, and the widths of the excerpt before the span and of the
/// underlined part, in characters. However long the line is, it reads little more than [`MAX_LINE_CHARS`] on either
/// side.
fn excerpt_line(source: &str, span: Span) -> (String, usize, usize) {
    let (before, after) = source.split_at_checked(span.start).unwrap_or((source, ""));
    let is_same_line = |c: &char| !matches!(c, '\n' | '\r');
    let mut head: Vec<char> = before.chars().rev().take_while(|c| *c != '\n').take(MAX_LINE_CHARS + 1).collect();
    // A line that fits is never cut.
    let fits_in_line =
        head.len() + after.chars().take_while(is_same_line).take(MAX_LINE_CHARS + 1).count() <= MAX_LINE_CHARS;
    let max_chars = if fits_in_line { MAX_LINE_CHARS } else { MAX_LINE_CHARS / 3 };
    let is_cut_before = head.len() > max_chars;
    head.truncate(max_chars);
    let max_after = MAX_LINE_CHARS - head.len();
    let mut tail: Vec<char> = after.chars().take_while(is_same_line).take(max_after + 1).collect();
    let is_cut_after = tail.len() > max_after;
    tail.truncate(max_after);
    let underline_width = span.text(source).chars().take_while(is_same_line).take(max_after).count();

    let excerpt: String = head.iter().rev().chain(&tail).collect();
    let mut text = make_printable(&excerpt);
    if is_cut_before {
        text.insert(0, '…');
    }
    if is_cut_after {
        text.push('…');
    }
    (text, head.len() + usize::from(is_cut_before), underline_width)
}

/// Returns whether a character controls the terminal, reorders the text around it, or is a zero-width space or joiner.
pub fn is_unsafe_for_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Replaces a tab with a space, and every other character for which [`is_unsafe_for_terminal`] is true with one visible
/// character.
pub fn make_printable(text: &str) -> String {
    let visible = |c: char| match c {
        '\t' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        other if is_unsafe_for_terminal(other) => '\u{fffd}',
        other => other,
    };
    text.chars().map(visible).collect()
}

const SGR_BOLD: &str = "1";
const SGR_BLUE: &str = "34";

fn severity_color(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Hint => "1;36",
    }
}

struct Painter {
    style: RenderStyle,
}

impl Painter {
    fn paint(&self, sgr: &str, text: &str) -> String {
        match self.style {
            RenderStyle::Plain => text.to_owned(),
            RenderStyle::Colored => format!("\u{1b}[{sgr}m{text}\u{1b}[0m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render_span(source: &str, span: Span) -> String {
        let problem = Diagnostic::error("some-code", span, "what is wrong").with_label("here").with_help("do this");
        render(source, "rule.txt", &problem, RenderStyle::Plain)
    }

    #[test]
    fn span_is_underlined_below_its_line() {
        let expected = "\
error[some-code]: what is wrong
  --> rule.txt:2:5
   |
 2 | and é eq 1
   |     ^ here
   = help: do this
";
        assert_eq!(render_span("ssl\nand é eq 1", Span::new(8, 10)), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let source = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let text = render_span(&source, Span::new(5000, 5001));
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[4].find('^').unwrap();
        assert_eq!(lines[3].replace('…', ".").as_bytes()[column], b'X');
        assert!(lines[3].chars().count() < 200);
    }

    #[test]
    fn line_of_maximum_length_is_not_cut() {
        let source = "a".repeat(MAX_LINE_CHARS);
        let text = render_span(&source, Span::new(MAX_LINE_CHARS - 1, MAX_LINE_CHARS));
        assert!(!text.contains('…'), "{text}");
        assert!(text.contains(&source), "{text}");
    }

    #[test]
    fn control_characters_are_replaced() {
        let text = render_span("a\u{1b}[31m\u{0}\u{202e}", Span::new(1, 2));
        assert!(!text.contains(['\u{1b}', '\u{0}', '\u{202e}']), "{text:?}");
    }
}
