//! Evaluation, compared with `wirefilter-engine` 0.6.1 on filters that both can parse, and with handwritten closures.
//!
//! Only ratios within one run are meaningful: `cargo bench -p zonewright-expression --bench evaluate`. The table at the
//! end has the ratios. Each figure is the fastest of many short rounds, and the sides alternate so that other load
//! affects both equally.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a benchmark may fail")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::{
    fmt::Write as _,
    hint::black_box,
    net::IpAddr,
    time::{Duration, Instant},
};
use wirefilter::{ExecutionContext, Filter, Scheme};
use zonewright_expression::{MissingPolicy, Options, Outcome, Program, Record, Value, check};

const HOST: &str = "www.example.com";
const PATH: &str = "/api/v2/accounts/7c5dae5552338874e5053f2534d2767a/items";
const QUERY: &str = "page=3&per_page=50&order=created_at&direction=desc&filter=active";
const AGENT: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const METHOD: &str = "POST";
const COUNTRY: &str = "DE";
const PORT: i64 = 443;
const ASN: i64 = 64_512;
const ADDRESS: &str = "198.51.100.77";

/// The number of rounds of a measurement.
const MEASUREMENT_ROUNDS: usize = 400;
/// The minimum duration of a round.
const ROUND_DURATION: Duration = Duration::from_micros(300);

/// A name, a filter, and whether the request matches it.
type Case = (&'static str, String, bool);

fn cases() -> Vec<Case> {
    let hosts: Vec<String> = (0..50).map(|n| format!("\"shop-{n:02}.example.com\"")).collect();
    let networks: Vec<String> = (0..200).map(|n| format!("198.18.{n}.0/24")).collect();
    let chain: Vec<String> = (0..20).map(|n| format!("http.request.uri.path contains \"/plugin-{n:02}/\"")).collect();
    let case = |name, source: &str, matches| (name, source.to_owned(), matches);
    vec![
        case("flag, hit", "ssl", true),
        case("negated flag, miss", "not ssl", false),
        case("integer, hit", "tcp.dstport eq 443", true),
        case("integer order, miss", "tcp.dstport lt 443", false),
        case("integer set, hit", "tcp.dstport in {80 443 2052..2096 8080 8443 8880}", true),
        case("integer set, miss", "ip.src.asnum in {13335 15169 16509 20940 32934 54113}", false),
        case("sparse integer set, hit", "ip.src.asnum in {13335 15169 16509 20940 64512 136907 200651 396982}", true),
        case("bits, hit", "tcp.dstport & 1", true),
        case("address, miss", "ip.src eq 198.51.100.78", false),
        case("address order, hit", "ip.src ge 198.51.100.0", true),
        case("few networks, hit", "ip.src in {10.0.0.0/8 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24}", true),
        ("200 networks, miss", format!("ip.src in {{{}}}", networks.join(" ")), false),
        case("text, hit", "http.host eq \"www.example.com\"", true),
        case("text, miss", "http.host ne \"www.example.com\"", false),
        case("text set, hit", "http.request.method in {\"POST\" \"PUT\" \"PATCH\" \"DELETE\"}", true),
        ("50 texts, miss", format!("http.host in {{{}}}", hosts.join(" ")), false),
        case("text order, hit", "http.request.uri.path ge \"/api/\"", true),
        case("contains, hit", "http.user_agent contains \"Chrome/\"", true),
        case("contains, miss", "http.request.uri.query contains \"<script\"", false),
        case("anchored pattern, hit", "http.request.uri.path matches \"^/api/v[0-9]+/\"", true),
        case("anchored pattern, miss", "http.request.uri.path matches \"^/(admin|login)/[a-z]+$\"", false),
        case("pattern, miss", "http.user_agent matches \"(curl|wget|python-requests)/[0-9.]+\"", false),
        case("caseless pattern, miss", "http.user_agent matches \"(?i)bot\"", false),
        case(
            "and of four, hit",
            "ssl and http.request.method eq \"POST\" and tcp.dstport eq 443 and http.request.uri.path contains \"/items\"",
            true,
        ),
        case(
            "or of and, miss",
            "(http.host eq \"a.example.com\" and ssl) or (ip.src.country in {\"AT\" \"CH\"} and not ssl) or tcp.dstport eq 80",
            false,
        ),
        case("xor, hit", "ssl xor http.request.method eq \"GET\"", true),
        ("20 contains, miss", chain.join(" or "), false),
        case(
            "login from abroad, miss",
            "http.request.method eq \"POST\" and http.request.uri.path contains \"/wp-login.php\" and \
             not ip.src.country in {\"AT\" \"CH\" \"DE\"}",
            false,
        ),
        case(
            "write to the API, hit",
            "ssl and http.host in {\"www.example.com\" \"example.com\" \"api.example.com\"} and \
             http.request.uri.path matches \"^/api/v[0-9]+/\" and \
             http.request.method in {\"POST\" \"PUT\" \"PATCH\" \"DELETE\"}",
            true,
        ),
        (
            "networks, agents or a provider, miss",
            format!(
                "ip.src in {{{}}} or http.user_agent contains \"curl/\" or http.user_agent contains \"Wget\" or \
                 http.user_agent contains \"python-requests\" or ip.src.asnum in {{14061 16276 24940 63949}}",
                networks.join(" ")
            ),
            false,
        ),
        case(
            "attacks in the query, miss",
            "http.request.uri.query contains \"<script\" or http.request.uri.query contains \"../\" or \
             http.request.uri.query matches \"(?i)union.+select\" or http.request.uri.path contains \"/.env\"",
            false,
        ),
    ]
}

fn scheme() -> Scheme {
    Scheme! {
        http.host: Bytes,
        http.request.method: Bytes,
        http.request.uri.path: Bytes,
        http.request.uri.query: Bytes,
        http.user_agent: Bytes,
        ip.src: Ip,
        ip.src.asnum: Int,
        ip.src.country: Bytes,
        ssl: Bool,
        tcp.dstport: Int,
    }
}

/// Returns the request for wirefilter.
fn wirefilter_context(scheme: &Scheme) -> ExecutionContext<'_> {
    let mut context = ExecutionContext::new(scheme);
    for (name, text) in TEXTS {
        context.set_field_value(name, text).unwrap();
    }
    context.set_field_value("ip.src", ADDRESS.parse::<IpAddr>().unwrap()).unwrap();
    context.set_field_value("ip.src.asnum", i32::try_from(ASN).unwrap()).unwrap();
    context.set_field_value("ssl", true).unwrap();
    context.set_field_value("tcp.dstport", i32::try_from(PORT).unwrap()).unwrap();
    context
}

const TEXTS: [(&str, &str); 6] = [
    ("http.host", HOST),
    ("http.request.method", METHOD),
    ("http.request.uri.path", PATH),
    ("http.request.uri.query", QUERY),
    ("http.user_agent", AGENT),
    ("ip.src.country", COUNTRY),
];

/// Returns the same request for this engine.
fn record() -> Record {
    let mut record = Record::new(MissingPolicy::Absent);
    for (name, text) in TEXTS {
        record.set(name, Value::Text(text.into())).unwrap();
    }
    record.set("ip.src", Value::Ip(ADDRESS.parse().unwrap())).unwrap();
    record.set("ip.src.asnum", Value::Integer(ASN)).unwrap();
    record.set("ssl", Value::Boolean(true)).unwrap();
    record.set("tcp.dstport", Value::Integer(PORT)).unwrap();
    record
}

fn program(source: &str) -> Program {
    let checked = check(source, &Options { max_length: usize::MAX, ..Options::default() });
    checked.program.unwrap_or_else(|| panic!("{source}: {:?}", checked.diagnostics))
}

// Inlined into each closure, like the call of wirefilter.
#[inline(always)]
fn evaluates_true(program: &Program, record: &Record) -> bool {
    matches!(program.evaluate(record), Outcome::True)
}

/// Returns the times of two functions in nanoseconds, each from the fastest round.
fn time_pair(ours: impl Fn() -> bool, theirs: impl Fn() -> bool) -> (f64, f64) {
    let (our_iterations, their_iterations) = (iterations_per_round(&ours), iterations_per_round(&theirs));
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..MEASUREMENT_ROUNDS {
        best.0 = best.0.min(time_round(&ours, our_iterations));
        best.1 = best.1.min(time_round(&theirs, their_iterations));
    }
    best
}

/// Returns how many times a function is called in a round.
fn iterations_per_round(function: &impl Fn() -> bool) -> u32 {
    let mut iterations = 1;
    while time_round(function, iterations) * f64::from(iterations) < ROUND_DURATION.as_nanos() as f64 {
        iterations *= 2;
    }
    iterations
}

/// Returns the mean time of one call in nanoseconds.
fn time_round(function: &impl Fn() -> bool, iterations: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..iterations {
        black_box(function());
    }
    start.elapsed().as_nanos() as f64 / f64::from(iterations)
}

/// Appends a row to the table and returns the ratio.
fn write_row(table: &mut String, name: &str, (ours, theirs): (f64, f64)) -> f64 {
    let ratio = ours / theirs;
    let _ = writeln!(table, "{name:<44} {ours:>9.1} {theirs:>9.1} {ratio:>7.2}");
    ratio
}

fn bench_against_wirefilter(criterion: &mut Criterion) {
    let mut table = format!("\n{:<44} {:>9} {:>9} {:>7}\n", "", "ours, ns", "other, ns", "ratio");
    let scheme = scheme();
    let (context, record) = (wirefilter_context(&scheme), record());
    let mut ratios = Vec::new();
    for (name, source, matches) in cases() {
        let filter: Filter<'_> = scheme.parse(&source).unwrap_or_else(|error| panic!("{error}")).compile();
        let program = program(&source);
        assert_eq!(filter.execute(&context), Ok(matches), "{name}");
        assert_eq!(evaluates_true(&program, &record), matches, "{name}");
        criterion.bench_function(name, |b| b.iter(|| evaluates_true(&program, black_box(&record))));
        // `black_box` hides both compiled filters from the optimizer. Otherwise, the compiler would hoist parts of the
        // evaluation by wirefilter out of the loop.
        let times = time_pair(
            || evaluates_true(black_box(&program), black_box(&record)),
            || black_box(&filter).execute(black_box(&context)) == Ok(true),
        );
        ratios.push(write_row(&mut table, name, times));
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let _ = writeln!(table, "\ngeometric mean of the ratios to wirefilter {mean:.2}, worst {worst:.2}\n");
    compare_closures(&mut table);
    compare_set(&mut table);
    println!("{table}");
}

/// The request that a closure reads.
struct Request {
    host: Vec<u8>,
    path: Vec<u8>,
    agent: Vec<u8>,
    ssl: bool,
}

/// Compares a condition with two closures: a plain closure that copies the text to lowercase, and an optimized closure.
fn compare_closures(table: &mut String) {
    let source = "(http.host eq \"www.example.com\" and http.request.uri.path matches \"^/api/v[0-9]+/\") or \
                  (lower(http.user_agent) contains \"bot\" and not ssl)";
    let program = program(source);
    let pattern = regex_automata::meta::Regex::builder()
        .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
        .build("^/api/v[0-9]+/")
        .unwrap();
    let plain = |request: &Request| {
        (request.host == b"www.example.com" && pattern.is_match(&request.path))
            || (request.agent.to_ascii_lowercase().windows(3).any(|window| window == b"bot") && !request.ssl)
    };
    let optimized = |request: &Request| {
        (request.host == b"www.example.com" && pattern.is_match(&request.path))
            || (!request.ssl
                && memchr::memchr2_iter(b'b', b'B', &request.agent).any(|offset| {
                    request.agent.get(offset..offset + 3).is_some_and(|found| found.eq_ignore_ascii_case(b"bot"))
                }))
    };
    for (name, host, path) in [
        ("miss by the host", "www.example.org", "/api/v1/users"),
        ("miss by the path", "www.example.com", "/static/app.js"),
    ] {
        let mut record = record();
        record.set("http.host", Value::Text(host.into())).unwrap();
        record.set("http.request.uri.path", Value::Text(path.into())).unwrap();
        record.set("ssl", Value::Boolean(false)).unwrap();
        let request = Request { host: host.into(), path: path.into(), agent: AGENT.into(), ssl: false };
        assert!(!evaluates_true(&program, &record) && !plain(&request) && !optimized(&request));
        let ours = || evaluates_true(&program, black_box(&record));
        write_row(table, &format!("{name}, plain closure"), time_pair(ours, || plain(black_box(&request))));
        write_row(table, &format!("{name}, optimized closure"), time_pair(ours, || optimized(black_box(&request))));
    }
}

/// Compares a set of 10,000 addresses with a binary search in a sorted array.
fn compare_set(table: &mut String) {
    let mut addresses: Vec<u32> = (0..10_000_u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
    let mut source = String::from("ip.src in {");
    for address in &addresses {
        let _ = write!(source, "{} ", std::net::Ipv4Addr::from_bits(*address));
    }
    source.push('}');
    addresses.sort_unstable();
    let program = program(&source);
    // Each round searches many addresses, half of them in the set, so that the branch predictor cannot learn one path.
    let samples: Vec<u32> = (0..128_u32).map(|n| n.wrapping_mul(5).wrapping_mul(2_654_435_761) ^ (n & 1)).collect();
    let records: Vec<Record> = samples
        .iter()
        .map(|address| {
            let mut record = Record::new(MissingPolicy::Absent);
            record.set("ip.src", Value::Ip(std::net::Ipv4Addr::from_bits(*address).into())).unwrap();
            record
        })
        .collect();
    let is_positive = |hits: usize| hits > 0;
    let ours = || is_positive(records.iter().filter(|record| evaluates_true(&program, black_box(record))).count());
    let theirs = || {
        let hit = |record: &&Record| match black_box(record).get("ip.src") {
            Some(Value::Ip(IpAddr::V4(v4))) => addresses.binary_search(&v4.to_bits()).is_ok(),
            _ => false,
        };
        is_positive(records.iter().filter(hit).count())
    };
    let plain =
        || is_positive(samples.iter().filter(|address| addresses.binary_search(black_box(address)).is_ok()).count());
    let per_sample = |(ours, theirs): (f64, f64)| (ours / samples.len() as f64, theirs / samples.len() as f64);
    write_row(table, "10,000 addresses, search from a record", per_sample(time_pair(ours, theirs)));
    write_row(table, "10,000 addresses, search alone", per_sample(time_pair(ours, plain)));
}

criterion_group!(benches, bench_against_wirefilter);
criterion_main!(benches);
