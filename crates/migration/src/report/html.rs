//! Renders a report as one HTML file without scripts or external resources, for screen and paper.

use super::ReportBlock;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;width:100%;margin:1rem 0}\
th,td{border:1px solid;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
pre{border:1px solid;padding:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}\
@media print{body{max-width:none;margin:0}tr{break-inside:avoid}h2{break-after:avoid}}";

/// Renders a report as HTML.
pub(super) fn write(title: &str, blocks: &[ReportBlock]) -> String {
    let title = escape(title);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    for block in blocks {
        match block {
            ReportBlock::Heading(heading) => text.push_str(&format!("<h2>{}</h2>\n", escape(heading))),
            ReportBlock::Paragraph(paragraph) => text.push_str(&format!("<p>{}</p>\n", escape(paragraph))),
            ReportBlock::Table(heads, rows) => {
                let heads: String =
                    heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
                text.push_str(&format!("<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n"));
                for row in rows {
                    let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
                    text.push_str(&format!("<tr>{cells}</tr>\n"));
                }
                text.push_str("</tbody>\n</table>\n");
            }
            ReportBlock::Code(code) => text.push_str(&format!("<pre>{}</pre>\n", escape(code))),
        }
    }
    text.push_str("</html>\n");
    text
}

/// Escapes a text for HTML content and attributes.
fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            other if other.is_control() && other != '\n' && other != '\t' => {}
            other => result.push(other),
        }
    }
    result
}
