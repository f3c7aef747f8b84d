//! The document as one HTML page. The page has no script: operations and schemas are linked, and the browser collapses
//! long examples.

mod type_text;

use super::members;
use super::operation::reference_name;
use super::{has_body, is_public};
use serde_json::Value;
use std::fmt::Write;
use type_text::type_text;

/// Methods in display order.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// An operation of the document.
struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    spec: &'a Value,
}

/// Returns the whole page.
pub(super) fn render_page(document: &Value) -> String {
    let mut html = String::new();
    let description = text(document.pointer("/info/description"));
    let version = escape(text(document.pointer("/info/version")));
    html.push_str(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>API – Zonewright</title>\n<link rel=\"stylesheet\" \
         href=\"/docs/api.css\">\n</head>\n<body>\n<a class=\"skip\" href=\"#about\">Skip to content</a>\n",
    );
    put(
        &mut html,
        format_args!(
            "<header><a class=\"name\" href=\"/\">Zonewright</a><h1>API</h1><span class=\"quiet\">version {version}</span>\
         <a class=\"download\" href=\"/client/v4/openapi.json\">OpenAPI document</a></header>\n<div class=\"panes\">\n"
        ),
    );
    render_contents(&mut html, document);
    html.push_str("<main>\n<section id=\"about\">\n<h2>About</h2>\n");
    for paragraph in description.split("\n\n") {
        put(&mut html, format_args!("<p class=\"prose\">{}</p>\n", render_inline_code(paragraph)));
    }
    render_credentials(&mut html, document);
    render_common_errors(&mut html, document);
    html.push_str("</section>\n");
    for tag in tags(document) {
        let name = text(tag.get("name"));
        put(
            &mut html,
            format_args!(
                "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"prose\">{}</p>\n",
                anchor(name),
                escape(name),
                render_inline_code(text(tag.get("description")))
            ),
        );
        for operation in &operations(document, name) {
            render_operation(&mut html, operation, base_url(document, operation));
        }
        html.push_str("</section>\n");
    }
    html.push_str("<section id=\"schemas\">\n<h2>Schemas</h2>\n");
    for (name, schema) in members(document.pointer("/components/schemas")) {
        render_schema(&mut html, name, schema);
    }
    html.push_str("</section>\n</main>\n</div>\n</body>\n</html>\n");
    html
}

/// Writes the table of contents.
fn render_contents(html: &mut String, document: &Value) {
    html.push_str("<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#about\">About</a></li>\n");
    for tag in tags(document) {
        let name = text(tag.get("name"));
        put(html, format_args!("<li><details><summary>{}</summary>\n<ul>\n", escape(name)));
        for operation in operations(document, name) {
            put(
                html,
                format_args!(
                    "<li><a href=\"#{}\">{}</a>{}</li>\n",
                    text(operation.spec.get("operationId")),
                    render_inline_code(text(operation.spec.get("summary"))),
                    owner_suffix(operation.path)
                ),
            );
        }
        html.push_str("</ul></details></li>\n");
    }
    html.push_str("<li><a href=\"#schemas\">Schemas</a></li>\n</ul>\n</nav>\n");
}

/// Returns a label with the owner, where zones and accounts have the same operation.
fn owner_suffix(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("accounts") => " <span class=\"quiet\">account</span>",
        Some("zones") if path.contains("/rulesets") || path.contains("/logpush") => {
            " <span class=\"quiet\">zone</span>"
        }
        _ => "",
    }
}

fn render_credentials(html: &mut String, document: &Value) {
    html.push_str("<h3>Credentials</h3>\n");
    let schemes = document.pointer("/components/securitySchemes");
    if schemes.is_some_and(|schemes| schemes.get("token").is_some()) {
        html.push_str(
            "<p class=\"prose\">Send a token, or an email address and a key. If you send both, the token is \
            used.</p>\n",
        );
    }
    render_table(
        html,
        "Credentials",
        &["Header", "Value"],
        members(schemes).map(|(_, scheme)| {
            let header = match scheme.get("name") {
                Some(name) if scheme.get("in").is_some_and(|location| location == "cookie") => {
                    format!("<code>Cookie: {}=…</code>", escape(text(Some(name))))
                }
                Some(name) => format!("<code>{}</code>", escape(text(Some(name)))),
                None => "<code>Authorization: Bearer …</code>".to_owned(),
            };
            vec![header, render_inline_code(text(scheme.get("description")))]
        }),
    );
}

fn render_common_errors(html: &mut String, document: &Value) {
    html.push_str(
        "<h3>Common errors</h3>\n<p class=\"prose\">Each response has a status and one or more errors with their \
        codes. Operations list their additional errors.</p>\n",
    );
    let responses = members(document.pointer("/components/responses"));
    let mut rows: Vec<Vec<String>> = responses
        .map(|(name, response)| {
            let first_use = METHODS.iter().find_map(|method| {
                let mut all = members(document.get("paths")).filter_map(|(_, item)| item.get(method)?.get("responses"));
                let is_use = |(_, response): &(&String, &Value)| reference_name(response) == Some(name);
                all.find_map(|responses| members(Some(responses)).find(is_use))
            });
            vec![first_use.map_or_else(String::new, |(status, _)| status.clone()), render_response(response)]
        })
        .collect();
    rows.sort();
    render_table(html, "Common errors", &["Status", "Codes and meaning"], rows.into_iter());
}

/// Returns the base URL of an operation.
fn base_url<'a>(document: &'a Value, operation: &Operation<'a>) -> &'a str {
    text(operation.spec.pointer("/servers/0/url").or_else(|| document.pointer("/servers/0/url"))).trim_end_matches('/')
}

fn render_operation(html: &mut String, operation: &Operation, base_url: &str) {
    let Operation { path, method, spec: operation } = operation;
    let id = text(operation.get("operationId"));
    put(
        html,
        format_args!(
            "<article id=\"{id}\">\n<h3><a href=\"#{id}\">{}</a></h3>\n<p class=\"address\"><span class=\"method {method}\">{}</span> <code><span class=\"quiet\">{}</span>{}</code></p>\n",
            render_inline_code(text(operation.get("summary"))),
            method.to_uppercase(),
            escape(base_url),
            escape(path)
        ),
    );
    for paragraph in text(operation.get("description")).split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        put(html, format_args!("<p class=\"prose\">{}</p>\n", render_inline_code(paragraph)));
    }
    put(html, format_args!("<p class=\"permissions\">{}</p>\n", permission_sentence(operation)));
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    render_table(
        html,
        "Parameters",
        &["Parameter", "In", "Type", "Description"],
        parameters.map(|parameter| {
            let required = if parameter.get("required").is_some_and(|required| required == true) {
                " <span class=\"required\">required</span>"
            } else {
                ""
            };
            vec![
                format!("<code>{}</code>{required}", escape(text(parameter.get("name")))),
                escape(text(parameter.get("in"))),
                type_text(parameter.get("schema")),
                render_inline_code(text(parameter.get("description"))),
            ]
        }),
    );
    if has_body(operation) {
        render_request_body(html, operation.get("requestBody"));
    }
    let responses = members(operation.get("responses")).filter(|(_, response)| reference_name(response).is_none());
    render_table(
        html,
        "Responses",
        &["Status", "Response"],
        responses.map(|(status, response)| vec![status.clone(), render_response(response)]),
    );
    html.push_str("</article>\n");
}

/// Returns a sentence with the permissions that an operation requires.
fn permission_sentence(operation: &Value) -> String {
    if is_public(operation) {
        return "Requires no credentials".to_owned();
    }
    let requirements = operation.get("security").and_then(Value::as_array).into_iter().flatten();
    if let Some(session) = requirements.clone().find(|required| required.get("session").is_some()) {
        let csrf = if session.get("csrf").is_some() { " and the header <code>X-CSRF-Token</code>" } else { "" };
        return format!("Requires a session{csrf}");
    }
    let names = requirements.filter_map(|required| required.get("token")).filter_map(Value::as_array).flatten();
    let names: Vec<String> = names.map(|name| format!("<b>{}</b>", escape(text(Some(name))))).collect();
    match names.as_slice() {
        [] => "Requires credentials, but no specific permission".to_owned(),
        [name] => format!("Requires the permission {name}"),
        [first, second] => format!("Requires the permission {first} or {second}"),
        _ => "Requires at least one permission".to_owned(),
    }
}

fn render_request_body(html: &mut String, body: Option<&Value>) {
    for (media, content) in members(body.and_then(|body| body.get("content"))) {
        put(
            html,
            format_args!(
                "<h4>Body</h4>\n<p>{} as <code>{}</code></p>\n",
                type_text(content.get("schema")),
                escape(media)
            ),
        );
        render_example(html, content.get("example"));
    }
}

/// Returns the description of a response, with its schema and an example.
fn render_response(response: &Value) -> String {
    let mut html = render_inline_code(text(response.get("description")));
    for (_, content) in members(response.get("content")) {
        if reference_name(content.get("schema").unwrap_or(&Value::Null)) != Some("Failure") {
            put(&mut html, format_args!("<br>{}", type_text(content.get("schema"))));
        }
        if let Some(example) = content.get("example") {
            html.push_str("<details><summary>Example</summary>");
            render_example(&mut html, Some(example));
            html.push_str("</details>");
        }
    }
    html
}

/// Writes an example. A string is written without quotes.
fn render_example(html: &mut String, example: Option<&Value>) {
    let text = match example {
        None => return,
        Some(Value::String(text)) => text.clone(),
        Some(other) => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    put(
        html,
        format_args!("<pre tabindex=\"0\" aria-label=\"Example\"><code>{}</code></pre>\n", escape(text.trim_end())),
    );
}

fn render_schema(html: &mut String, name: &str, schema: &Value) {
    let id = anchor(name);
    put(html, format_args!("<article id=\"schema-{id}\">\n<h3><a href=\"#schema-{id}\">{}</a></h3>\n", escape(name)));
    let description = text(schema.get("description"));
    if !description.is_empty() {
        put(html, format_args!("<p class=\"prose\">{}</p>\n", render_inline_code(description)));
    }
    let all_of = schema.get("allOf").and_then(Value::as_array);
    let parts: Vec<&Value> = all_of.map_or_else(|| vec![schema], |parts| parts.iter().collect());
    for included in parts.iter().filter(|part| reference_name(part).is_some()) {
        put(html, format_args!("<p>All members of {}, and:</p>\n", type_text(Some(included))));
    }
    let rows = parts.iter().flat_map(|part| {
        members(part.get("properties")).map(|(name, member)| {
            let names = part.get("required").and_then(Value::as_array);
            let required = if names.is_some_and(|names| names.iter().any(|other| other == name)) {
                " <span class=\"required\">always</span>"
            } else {
                ""
            };
            vec![
                format!("<code>{}</code>{required}", escape(name)),
                type_text(Some(member)),
                render_inline_code(text(member.get("description"))),
            ]
        })
    });
    render_table(html, name, &["Member", "Type", "Description"], rows);
    if schema.get("properties").is_none() && all_of.is_none() {
        put(html, format_args!("<p>{}</p>\n", type_text(Some(schema))));
    }
    html.push_str("</article>\n");
}

/// Writes a table, or nothing if it has no rows.
fn render_table(html: &mut String, label: &str, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    put(html, format_args!("<table>\n<caption>{}</caption>\n<thead><tr>", escape(label)));
    for heading in headings {
        put(html, format_args!("<th scope=\"col\">{heading}</th>"));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (heading, cell) in headings.iter().zip(row) {
            put(html, format_args!("<td data-label=\"{heading}\"><div>{cell}</div></td>"));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
}

fn tags(document: &Value) -> impl Iterator<Item = &Value> {
    document.get("tags").and_then(Value::as_array).into_iter().flatten()
}

fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let has_tag = |operation: &&Value| {
        operation.get("tags").and_then(Value::as_array).is_some_and(|tags| tags.iter().any(|other| other == tag))
    };
    let path_operations = |(path, item): (&'a String, &'a Value)| {
        let method = move |method: &&'static str| {
            item.get(*method).filter(has_tag).map(|operation| Operation { path, method, spec: operation })
        };
        METHODS.iter().filter_map(method).collect::<Vec<_>>()
    };
    // Operations of zones precede the same operations of accounts.
    let mut operations: Vec<Operation> = members(document.get("paths")).flat_map(path_operations).collect();
    operations.sort_by_key(|operation| operation.path.starts_with("/accounts"));
    operations
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn anchor(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect()
}

/// Converts text with `code` spans to HTML.
fn render_inline_code(text: &str) -> String {
    let segments = escape(text);
    let mut html = String::new();
    for (index, segment) in segments.split('`').enumerate() {
        match index % 2 {
            1 => put(&mut html, format_args!("<code>{segment}</code>")),
            _ => html.push_str(segment),
        }
    }
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Appends formatted text. Writing to a `String` cannot fail.
fn put(html: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(text);
}
