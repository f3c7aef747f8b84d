//! Tests of fixes: for syntax of other languages, for missing operators, and for names of lists.

use super::MAX_SUGGESTION_LOOKUPS;
use crate::{ListKind, Options, check, code};
use zonewright_diagnostic::{Applicability, apply_fix};

#[test]
fn foreign_spellings_get_one_unsafe_fix() {
    let cases = [
        ("tolower(http.host) eq \"a\"", "lower"),
        ("ip.src.asnum eq AS13335", "13335"),
        ("ip.src.asnum in {AS13335}", "13335"),
        ("ip.src in {192.0.2.1-192.0.2.9}", "192.0.2.1..192.0.2.9"),
        ("ip.src in office", "$office"),
    ];
    for (source, expected) in cases {
        let found = check(source, &Options::default()).diagnostics;
        let fixes: Vec<_> = found.iter().flat_map(|diagnostic| &diagnostic.fixes).collect();
        let [fix] = fixes.as_slice() else { panic!("{source}: {fixes:?}") };
        assert_eq!((fix.edits[0].text.as_str(), fix.applicability), (expected, Applicability::Unsafe), "{source}");
    }
}

/// Asserts that the first fix of the first diagnostic is unsafe and produces the expected text without errors.
fn assert_suggested(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        let found = check(source, &Options::default()).diagnostics;
        let Some(fix) = found.first().and_then(|first| first.fixes.first()) else { panic!("{source}: {found:?}") };
        assert_eq!(
            (apply_fix(source, fix).as_str(), fix.applicability),
            (*expected, Applicability::Unsafe),
            "{source}"
        );
        let left = check(expected, &Options::default()).diagnostics;
        assert!(!left.iter().any(|diagnostic| diagnostic.is_error()), "{expected}: {left:?}");
    }
}

#[test]
fn foreign_methods_get_suggested_functions_or_operators() {
    assert_suggested(&[
        ("http.host.lower() eq \"a\"", "lower(http.host) eq \"a\""),
        ("http.host.toLowerCase() eq \"a\"", "lower(http.host) eq \"a\""),
        ("http.host.upper() eq \"A\"", "upper(http.host) eq \"A\""),
        ("http.host.startsWith(\"x\")", "starts_with(http.host, \"x\")"),
        ("not http.host.ends_with(\"x\")", "not ends_with(http.host, \"x\")"),
        ("http.host.contains(\"x\") and ssl", "http.host contains \"x\" and ssl"),
        ("http.host.matches(\"^x\")", "http.host matches \"^x\""),
        ("http.host.equals(\"x\")", "http.host eq \"x\""),
        ("http.host.length gt 3", "len(http.host) gt 3"),
        ("http.host.len() gt 3", "len(http.host) gt 3"),
        ("strings.lower(http.host) eq \"a\"", "lower(http.host) eq \"a\""),
        ("http.host.start_with(\"x\")", "starts_with(http.host, \"x\")"),
        ("http.host.urlDecode() eq \"a\"", "url_decode(http.host) eq \"a\""),
        ("http.request.headers.names.includes(\"x\")", "any(http.request.headers.names[*] eq \"x\")"),
        ("http.request.headers.has(\"x\")", "has_key(http.request.headers, \"x\")"),
        ("http.request.headers[\"a\"][0].lower() eq \"b\"", "lower(http.request.headers[\"a\"][0]) eq \"b\""),
        ("http.request.headers[\"a\"].length gt 1", "len(http.request.headers[\"a\"]) gt 1"),
        ("lower(http.host).startsWith(\"x\")", "starts_with(lower(http.host), \"x\")"),
        ("ssl and not lower(http.host).contains(\"x\")", "ssl and not lower(http.host) contains \"x\""),
        ("http.host.toLowerCase().contains(\"x\")", "lower(http.host) contains \"x\""),
        ("http.host.lower().substring(1).startsWith(\"x\")", "starts_with(substring(lower(http.host), 1), \"x\")"),
    ]);
}

#[test]
fn foreign_map_entries_get_suggested_fields() {
    let any = "any(http.request.headers[\"x-api-key\"][*] eq \"a\")";
    assert_suggested(&[
        ("headers.x-api-key eq \"a\"", any),
        ("request.headers.X-Api-Key eq \"a\"", any),
        ("http.request.headers.x-api-key eq \"a\"", any),
        ("headers[\"x-api-key\"] eq \"a\"", any),
        ("http.request.headers[\"x-api-key\"] eq \"a\"", any),
        ("headers[\"x-api-key\"][0] eq \"a\"", "http.request.headers[\"x-api-key\"][0] eq \"a\""),
        ("any(headers.x-api-key[*] eq \"a\")", any),
        ("len(headers.x-api-key) gt 1", "len(http.request.headers[\"x-api-key\"][0]) gt 1"),
        ("headers.x-api-key.lower() eq \"a\"", "lower(http.request.headers[\"x-api-key\"][0]) eq \"a\""),
        ("headers.get(\"X-Api-Key\") eq \"a\"", "http.request.headers[\"x-api-key\"][0] eq \"a\""),
        ("headers.x-api-key ne \"a\"", "not any(http.request.headers[\"x-api-key\"][*] eq \"a\")"),
        ("headers.x-api-key in {\"a\" \"b\"}", "any(http.request.headers[\"x-api-key\"][*] in {\"a\" \"b\"})"),
        ("cookies.sid eq \"a\"", "any(http.request.cookies[\"sid\"][*] eq \"a\")"),
        ("http.cookie.sid eq \"a\"", "any(http.request.cookies[\"sid\"][*] eq \"a\")"),
        ("http.request.uri.args.Q eq \"a\"", "any(http.request.uri.args[\"Q\"][*] eq \"a\")"),
        ("query[\"q\"] contains \"a\"", "any(http.request.uri.args[\"q\"][*] contains \"a\")"),
        ("response.headers.server eq \"a\"", "any(http.response.headers[\"server\"][*] eq \"a\")"),
        ("headers[\"user-agent\"] contains \"a\"", "http.user_agent contains \"a\""),
        ("http.request.headers.host eq \"a\"", "http.host eq \"a\""),
        ("http.request.headers.name[0] eq \"a\"", "http.request.headers.names[0] eq \"a\""),
    ]);
}

#[test]
fn malformed_list_names_get_only_valid_suggestions() {
    let long = format!("ip.src in ${}", "A".repeat(51));
    let cases = [
        ("ip.src in $My-Office", Some("ip.src in $my_office")),
        ("ip.src in $.Office", None),
        ("ip.src in $Office.", None),
        (long.as_str(), None),
    ];
    for (source, expected) in cases {
        let found = check(source, &Options::default()).diagnostics;
        let [diagnostic] = found.as_slice() else { panic!("{source}: {found:?}") };
        let fixed = diagnostic.fixes.first().map(|fix| apply_fix(source, fix));
        assert_eq!((diagnostic.code, fixed.as_deref()), (code::MALFORMED_LIST, expected), "{source}");
    }
}

#[test]
fn malformed_indexes_are_explained() {
    let range = "not a number from 0 to 4294967295";
    let octal = "octal because it starts with 0, but octal digits only go up to 7";
    let cases =
        [("-1", range, None), ("4294967296", range, None), ("08", octal, Some("8")), ("09999999999", octal, None)];
    for (index, label, expected) in cases {
        let source = format!("http.request.headers.names[{index}] eq \"a\"");
        let found = check(&source, &Options::default()).diagnostics;
        let [diagnostic] = found.as_slice() else { panic!("{source}: {found:?}") };
        assert_eq!(diagnostic.label, label, "{source}");
        let fix = diagnostic.fixes.first().map(|fix| (fix.edits[0].text.as_str(), fix.applicability));
        assert_eq!(fix, expected.map(|text| (text, Applicability::Unsafe)), "{source}");
    }
}

#[test]
fn searches_for_similar_list_names_are_limited() {
    let options = Options { lists: Some([("office".to_owned(), ListKind::Ip)].into()), ..Options::default() };
    let source = vec!["ip.src in $ofice"; MAX_SUGGESTION_LOOKUPS + 1].join(" or ");
    let found = check(&source, &options).diagnostics;
    assert_eq!(found.len(), MAX_SUGGESTION_LOOKUPS + 1);
    let suggested = found.iter().filter(|diagnostic| !diagnostic.fixes.is_empty()).count();
    assert_eq!(suggested, MAX_SUGGESTION_LOOKUPS);
}

#[test]
fn strings_after_in_become_items_or_substrings() {
    let found = check("http.host in \"b\"", &Options::default()).diagnostics;
    let fixes: Vec<_> = found.iter().flat_map(|diagnostic| &diagnostic.fixes).collect();
    let texts: Vec<_> = fixes.iter().map(|fix| (apply_fix("http.host in \"b\"", fix), fix.applicability)).collect();
    let expected = ["http.host in {\"b\"}", "http.host contains \"b\""];
    assert_eq!(texts, expected.map(|text| (text.to_owned(), Applicability::Unsafe)));
}

#[test]
fn adjacent_values_get_a_suggested_comparison_operator() {
    assert_suggested(&[
        ("http.host \"a\"", "http.host eq \"a\""),
        ("ssl and not http.host \"a\" or ssl", "ssl and not http.host eq \"a\" or ssl"),
        ("(lower(http.host) \"a\")", "(lower(http.host) eq \"a\")"),
        ("ip.src {1.2.3.4}", "ip.src in {1.2.3.4}"),
        ("ip.src $office", "ip.src in $office"),
        ("ip.src 1.2.3.4", "ip.src eq 1.2.3.4"),
        ("ip.src 10.0.0.0/8", "ip.src in {10.0.0.0/8}"),
        ("http.response.code 200", "http.response.code eq 200"),
        ("http.response.code 200..299", "http.response.code in {200..299}"),
        ("any(http.request.headers.names[*] {\"a\"})", "any(http.request.headers.names[*] in {\"a\"})"),
    ]);
}
