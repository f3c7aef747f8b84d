//! Parsing and checking, compared with `wirefilter-engine` 0.6.1 where it can parse the same text.
//!
//! Only ratios within one run are meaningful: `cargo bench -p zonewright-expression`.

use criterion::{Criterion, criterion_group, criterion_main};
use std::{fmt::Write as _, hint::black_box};
use wirefilter::Scheme;
use zonewright_expression::{Options, analyze, check};

struct Case {
    name: &'static str,
    /// The text for this engine.
    zonewright: String,
    /// The text for wirefilter, which has no functions.
    wirefilter: String,
}

fn cases() -> Vec<Case> {
    let unchanged = |name, text: String| Case { name, wirefilter: text.clone(), zonewright: text };
    let chain: Vec<String> = (0..60)
        .map(|n| format!("http.request.uri.path contains \"/wp-content/plugins/some-plugin-{n:03}/\""))
        .collect();
    let mut addresses = String::from("ip.src in {");
    for n in 0..500 {
        let _ = write!(addresses, "198.{}.{}.{} ", 51 + n % 7, n / 4, n % 256);
    }
    addresses.push('}');
    let regex_source = |user_agent: &str| {
        format!(
            "(http.host eq \"www.example.com\" and http.request.uri.path matches \"^/api/v[0-9]+/\") or \
             ({user_agent} contains \"bot\" and not ssl)"
        )
    };
    vec![
        unchanged("address", "ip.src eq 1.2.3.4".into()),
        unchanged(
            "contains_and_in",
            "http.request.uri.path contains \"/admin\" and ip.src in {192.0.2.1 198.51.100.7}".into(),
        ),
        Case {
            name: "regex_and_lower",
            zonewright: regex_source("lower(http.user_agent)"),
            wirefilter: regex_source("http.user_agent"),
        },
        unchanged("chain_4kb", chain.join(" or ")),
        unchanged("set_of_500", addresses),
    ]
}

fn scheme() -> Scheme {
    Scheme! {
        http.host: Bytes,
        http.request.uri.path: Bytes,
        http.user_agent: Bytes,
        ip.src: Ip,
        ssl: Bool,
    }
}

fn benchmark_cases(criterion: &mut Criterion) {
    let scheme = scheme();
    let options = Options { max_length: usize::MAX, ..Options::default() };
    for case in cases() {
        assert!(check(&case.zonewright, &options).program.is_some(), "{}", case.name);
        assert!(scheme.parse(&case.wirefilter).is_ok(), "{}", case.name);
        let mut group = criterion.benchmark_group(case.name);
        group.bench_function("check", |b| b.iter(|| check(black_box(&case.zonewright), &options)));
        group.bench_function("analyze", |b| b.iter(|| analyze(black_box(&case.zonewright), &options)));
        group.bench_function("wirefilter_parse", |b| b.iter(|| scheme.parse(black_box(&case.wirefilter)).is_ok()));
        group.finish();
    }
}

criterion_group!(benches, benchmark_cases);
criterion_main!(benches);
