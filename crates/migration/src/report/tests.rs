use super::*;
use crate::{plan, read_config};
use serde_json::json;

fn render(config: &serde_json::Value, format: ReportFormat) -> String {
    let config = read_config(config).unwrap();
    render_report(&config, &plan(&config), format)
}

#[test]
fn zone_texts_are_escaped_in_reports() {
    let hostile = "<script>alert(1)</script> | `x` **b** &amp; \u{1b}[1m\n# head";
    let rule = json!({"id": "r", "description": hostile, "action": "bypass", "products": ["waf"],
        "filter": {"id": "f", "expression": format!("http.host eq \"{}\"", "a```b")}});
    let config = json!({"plan": "pro", "zone": hostile, "firewall_rules": [rule]});
    let html = render(&config, ReportFormat::Html);
    assert!(!html.contains("<script") && !html.contains('\u{1b}'), "{html}");
    assert!(html.contains("&lt;script&gt;alert(1)"), "{html}");
    let markdown = render(&config, ReportFormat::Markdown);
    let (prose, code) = markdown.split_once("## New configuration").unwrap();
    assert!(!prose.contains("<script") && !prose.contains("\n# head") && !prose.contains("**b**"), "{prose}");
    assert!(code.contains("\n````\n{"), "the fence must be longer than the backticks in the code: {code}");
}

#[test]
fn summary_reports_eligibility() {
    let blocked = json!({"plan": "enterprise", "overrides": [{"id": "a", "urls": ["example.com/*"]}, {"id": "b"}]});
    let cases = [
        (json!({"plan": "pro"}), "The zone can migrate."),
        (json!({"plan": "free"}), "The zone cannot migrate: it has no previous managed rules."),
        (blocked, "The zone cannot migrate yet: 2 settings block the migration."),
    ];
    for (config, expected) in cases {
        for format in [ReportFormat::Markdown, ReportFormat::Html] {
            let text = render(&config, format);
            assert!(text.contains(expected), "{text}");
        }
    }
}

#[test]
fn table_rows_have_as_many_cells_as_the_header() {
    let text = render(&json!({"plan": "business", "settings": "off"}), ReportFormat::Markdown);
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut head = None;
    let mut tables = 0;
    for line in text.lines() {
        match (line.starts_with('|'), head) {
            (true, None) => {
                tables += 1;
                head = Some(cells(line));
            }
            (true, Some(head)) => assert_eq!(cells(line), head, "{line}"),
            (false, _) => head = None,
        }
    }
    assert!(tables >= 3, "{text}");
}
