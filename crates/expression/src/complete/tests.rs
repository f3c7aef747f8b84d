use super::*;
use crate::{Kind, ListKind, schema::Phase};

/// Completes at the `|` of a source. Returns the source without the `|`, and the completions.
fn complete_at(marked: &str, options: &Options) -> (String, Completions) {
    let offset = marked.find('|').unwrap();
    let source = marked.replacen('|', "", 1);
    let found = complete(&source, offset, options);
    assert!(source.get(found.span.start..found.span.end).is_some(), "{marked}");
    for item in &found.items {
        assert!(item.insert.is_char_boundary(item.cursor), "{marked}: {item:?}");
    }
    (source, found)
}

/// Returns the labels at the `|` of a source.
fn labels(marked: &str) -> Vec<String> {
    complete_at(marked, &Options::default()).1.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn best_candidate_comes_first() {
    let cases = [
        ("|", "http.host"),
        ("http.ho|", "http.host"),
        ("path|", "http.request.uri.path"),
        ("uri|", "http.request.uri"),
        ("HOST|", "http.host"),
        ("http.method|", "http.request.method"),
        ("ip.geoip.coun|", "ip.src.country"),
        ("ssl and ip.src.cou|", "ip.src.country"),
        ("ssl and (start|", "starts_with"),
        ("lower(|", "http.host"),
        ("lower(http.user_|", "http.user_agent"),
        ("concat(http.host, http.ref|", "http.referer"),
        ("concat(http.host, |", "\"…\""),
        ("len(http.request.headers.n|", "http.request.headers.names"),
        ("http.host |", "eq"),
        ("http.host cont|", "contains"),
        ("ip.src |", "eq"),
        ("lower(http.host) st|", "strict wildcard"),
        ("lower(http.host)|", "eq"),
        ("http.host strict w|", "strict wildcard"),
        ("any(http.request.headers.names[*] |", "eq"),
        ("any(http.request.hea|", "http.request.headers"),
        ("any(lower(|", "http.host"),
        ("any((http.request.headers.names[*] eq \"a\" |", "and"),
        ("(http.host |", "eq"),
        ("ssl |", "and"),
        ("http.host eq \"a\" |", "and"),
        ("http.host eq \"a\"|", "and"),
        ("http.host eq \"a\" o|", "or"),
        ("http.host eq http.referer |", "and"),
        ("(ssl) |", "and"),
        ("ip.src in {1.2.3.4} |", "and"),
        ("ip.src in |", "{…}"),
        ("ip.src in $cf.v|", "$cf.vpn"),
        ("ip.src in v|", "$cf.vpn"),
        ("http.host eq |", "\"…\""),
        ("http.host eq http.ref|", "http.referer"),
        ("http.host eq low|", "lower"),
        ("ip.src.country eq |", "AD"),
        ("ip.src.country eq D|", "DE"),
        ("ip.src.country eq ger|", "DE"),
        ("ip.src.country eq \"D|\"", "DE"),
        ("ip.src.country eq \"united s|\"", "US"),
        ("ip.src.country in {\"DE\" \"F|\"}", "FI"),
        ("ip.src.continent in {|", "AF"),
        ("http.request.method eq \"|", "GET"),
        ("http.response.code eq |", "200"),
        ("http.response.code in {40|", "400"),
        ("http.response.code eq not|", "304"),
        ("http.request.headers[|", "user-agent"),
        ("http.request.headers[\"acc|\"]", "accept"),
        ("http.request.headers[\"host\"][|", "0"),
        ("has_key(http.request.headers, \"x-|\")", "x-requested-with"),
        ("url_decode(http.host, \"|\")", "r"),
        ("url_decode(http.host, |", "r"),
        ("remove_query_args(|", "http.request.uri.query"),
        ("cidr(ip.src, |", "24"),
        ("not |", "http.host"),
        ("! |", "http.host"),
        ("ssl && |", "http.host"),
        ("ssl And |", "http.host"),
        ("ssl oR |", "http.host"),
        ("ip.src in {1.2.3.4} Xor |", "http.host"),
        ("ssl and Not |", "http.host"),
        ("ssl and n|", "not"),
        ("http.host eq \"unclosed and ( |", ""),
        ("ssl) and http.ho|", "http.host"),
        ("foo bar baz and http.ho|", "http.host"),
        ("@ # http.ho|", "http.host"),
        ("(((((ip.src.co|", "ip.src.country"),
        ("ip.src in {1.2.3.4 and ssl|", ""),
    ];
    let mut failures = Vec::new();
    for (marked, first) in cases {
        let found = labels(marked);
        if found.first().map_or("", String::as_str) != first {
            failures.push(format!("{marked}: {:?}", found.get(..found.len().min(5))));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn invalid_candidates_are_not_offered() {
    let cases = [
        ("http.host eq \"ht|", "http.host"),
        ("http.host contains |", "http.host"),
        ("ip.src |", "contains"),
        ("ip.src con|", "contains"),
        ("http.host in |", "$cf.vpn"),
        ("lower(http.host |", "eq"),
        ("lower(ip.s|", "ip.src"),
        ("lower(|", "ssl"),
        ("lower(|", "\"…\""),
        ("lower(|", "not"),
        ("starts_with(http.host, \"a\", |", "http.host"),
        ("ip.src.country in {\"DE\" |", "DE"),
        ("http.host eq http.ho|", "http.host"),
        ("ip.geoip|", "ip.geoip.country"),
        ("ssl |", "eq"),
        ("split(http.host, \".\", |", "24"),
        ("\u{0}|", "contains"),
    ];
    for (marked, label) in cases {
        let found = labels(marked);
        assert!(!found.contains(&label.to_owned()), "{marked}: {found:?}");
    }
}

/// Each case has a source, the label of the accepted completion, and the resulting source. An empty label accepts the
/// first completion.
#[test]
fn accepted_candidate_inserts_text_and_moves_the_cursor() {
    let cases = [
        ("start|", "", "starts_with(|)"),
        ("start|(http.host, \"a\")", "", "starts_with|(http.host, \"a\")"),
        ("http.host |", "", "http.host eq \"|\""),
        ("http.host con|", "", "http.host contains \"|\""),
        ("http.host con| \"a\"", "", "http.host contains| \"a\""),
        ("http.host con|\"a\"", "", "http.host contains |\"a\""),
        ("(http.host |) and ssl", "", "(http.host eq \"|\") and ssl"),
        ("http.host | and ssl", "eq", "http.host eq \"|\" and ssl"),
        ("lower(http.host)|", "contains", "lower(http.host) contains \"|\""),
        ("ip.src.country |", "", "ip.src.country eq |"),
        ("ip.src |", "in", "ip.src in |"),
        ("ip.src in |", "", "ip.src in {|}"),
        ("http.host |", "in", "http.host in {\"|\"}"),
        ("ip.src.country eq U|", "US", "ip.src.country eq \"US\"|"),
        ("ip.src.country eq \"U|", "US", "ip.src.country eq \"US\"|"),
        ("ip.src.country eq \"U|X\"", "US", "ip.src.country eq \"US|\""),
        ("any(http.request.headers.na|", "", "any(http.request.headers.names[*]|"),
        ("any(http.request.headers|", "http.request.headers", "any(http.request.headers[\"|\"][*]"),
        ("lower(http.request.headers|", "http.request.headers", "lower(http.request.headers[\"|\"][0]"),
        ("http.ho|st eq", "", "http.host| eq"),
        ("lo|http.host", "lower", "lower(|)http.host"),
        ("ssl |", "and", "ssl and |"),
        ("ssl an|", "", "ssl and |"),
        ("(ssl)an|", "", "(ssl) and |"),
        ("ip.src in $cf.v|", "", "ip.src in $cf.vpn|"),
        ("http.request.headers[|]", "host", "http.request.headers[\"host\"|]"),
    ];
    let mut failures = Vec::new();
    for (marked, label, expected) in cases {
        let (mut source, found) = complete_at(marked, &Options::default());
        let item = found.items.iter().find(|item| label.is_empty() || item.label == label);
        let item = item.unwrap_or_else(|| panic!("{marked}: no {label}"));
        let mut insert = item.insert.clone();
        insert.insert(item.cursor, '|');
        source.replace_range(found.span.start..found.span.end, &insert);
        if source != expected {
            failures.push(format!("{marked}: {source}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn completion_retriggers_when_next_candidates_are_known() {
    let cases = [
        ("lower|", "lower", true),
        ("lower|(http.host)", "lower", false),
        ("ip.src.country |", "eq", true),
        ("ip.src.country |", "contains", false),
        ("ip.src.country | \"DE\"", "eq", false),
        ("ip.src |", "in", true),
        ("ip.src |", "eq", false),
        ("ssl |", "and", false),
        ("ip.src.country in |", "{…}", true),
        ("lower(|", "http.request.headers", true),
        ("lower(|", "http.host", false),
    ];
    for (marked, label, retriggers) in cases {
        let found = complete_at(marked, &Options::default()).1.items.into_iter().find(|item| item.label == label);
        assert_eq!(found.map(|item| item.retrigger), Some(retriggers), "{marked} {label}");
    }
}

#[test]
fn phase_kind_and_lists_restrict_candidates() {
    let has = |marked: &str, options: &Options, label: &str| {
        complete_at(marked, options).1.items.iter().any(|item| item.label == label)
    };
    let phase = |phase| Options { phase: Some(phase), ..Options::default() };
    assert!(!has("http.resp|", &phase(Phase::HttpRequestFirewallCustom), "http.response.code"));
    assert!(has("http.resp|", &phase(Phase::HttpCustomErrors), "http.response.code"));
    assert!(!has("http.resp|", &phase(Phase::HttpRatelimit), "http.response.code"));
    let counting = Options { kind: Kind::Counting, ..phase(Phase::HttpRatelimit) };
    assert!(has("http.resp|", &counting, "http.response.code") && has("n|", &counting, "not"));
    assert!(!has("regex|", &phase(Phase::HttpRequestFirewallCustom), "regex_replace"));
    let lists = [("office".to_owned(), ListKind::Ip), ("hosts".to_owned(), ListKind::Hostname)];
    let lists = Options { lists: Some(lists.into()), ..Options::default() };
    assert!(has("ip.src in |", &lists, "$office") && !has("ip.src in |", &lists, "$hosts"));
    assert!(has("http.host in |", &lists, "$hosts") && !has("http.host in |", &lists, "$office"));
    let value = Options { kind: Kind::Value, ..Options::default() };
    assert!(has("conc|", &value, "concat") && !has("no|", &value, "not"));
    assert!(!has("http.host |", &value, "eq") && has("any(http.request.headers.names[*] |", &value, "eq"));
}

#[test]
fn completion_handles_long_repeated_text() {
    for fragment in ["(", "lower(", "[", "{", "http.host eq \"a\" and ", "\"", "'", ")", "r#"] {
        let source = fragment.repeat(20_000);
        complete(&source, source.len(), &Options::default());
    }
}
