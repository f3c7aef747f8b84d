//! Log push jobs: secrets never leak, and rendered lines can be parsed.

use crate::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use zonewright_api::logpush::JobSettings;
use zonewright_logpush::destination::Scheme;
use zonewright_logpush::{
    Dataset, Destination, FieldType, JobRules, JobScope, Renderer, check_template, read_job, read_update, redact,
};
use zonewright_tests::generate::Choices;

proptest! {
    #![proptest_config(config(2048))]

    #[test]
    fn redacted_destination_leaks_no_secret(choices in vec(any::<u8>(), 300..400)) {
        let mut choices = Choices::new(&choices);
        let secrets: Vec<String> = (0..3).map(|_| secret(&mut choices)).collect();
        let address = damage_url(destination_url(&mut choices, &secrets), &mut choices);
        // A substring of a secret counts as a leak.
        let leaks = |text: &str| secrets.iter().any(|secret| (0..=secret.len() - 6).any(|start| text.contains(&secret[start..start + 6])));
        let redacted = redact(&address);
        prop_assert!(!leaks(&redacted), "{} gives {}", address, redacted);
        match Destination::parse(&address) {
            Ok(destination) => {
                let output = format!("{destination:?} {}", destination.redacted());
                prop_assert!(!leaks(&output), "{} gives {}", address, output);
            }
            Err(errors) => prop_assert!(!leaks(&format!("{errors:?}")), "{} gives {:?}", address, errors),
        }
    }

    #[test]
    fn arbitrary_destination_or_template_never_panics(text in ".{0,60}", scheme in 0..=Scheme::ALL.len()) {
        let scheme = Scheme::ALL.get(scheme).map_or("", |scheme| scheme.name());
        let address = format!("{scheme}://{text}");
        for text in [&text, &address] {
            redact(text);
            if let Ok(destination) = Destination::parse(text) {
                destination.object_key(i64::MIN, i64::MAX, "hash");
            }
            for problem in check_template(&format!("{{{{{text}")) {
                prop_assert!(problem.span.end <= text.len() + 2);
            }
        }
    }

    #[test]
    fn rendered_json_has_exactly_the_requested_fields(choices in vec(any::<u8>(), 0..400)) {
        let mut choices = Choices::new(&choices);
        let (dataset, names, line) = dataset_fields_and_line(&mut choices);
        let text = line.to_string();
        let options = json!({
            "field_names": names,
            "timestamp_format": choices.pick(&["unixnano", "unix", "rfc3339", "rfc3339ms", "rfc3339ns"]),
            "CVE-2021-44228": choices.index_below(2) == 1,
        });
        let batch = render(dataset, options.clone(), &text);
        prop_assert!(batch.ends_with("}\n") && batch.matches('\n').count() == 1, "{}", batch);
        let read: Value = serde_json::from_str(&batch).map_err(|error| TestCaseError::fail(format!("{error}: {batch}")))?;
        let mut rendered_names: Vec<&String> = read.as_object().unwrap().keys().collect();
        let mut expected: Vec<&String> = names.iter().collect();
        expected.sort();
        expected.dedup();
        rendered_names.sort();
        prop_assert_eq!(rendered_names, expected);
        let replaces = options["CVE-2021-44228"] == true;
        prop_assert!(!replaces || !batch.contains("${"), "{}", batch);
        for (name, value) in line.as_object().unwrap().iter().filter(|(name, _)| names.contains(name)) {
            if dataset.field(name).unwrap().ty != FieldType::Timestamp && !replaces {
                prop_assert_eq!(&read[name], value, "{}", batch);
            }
        }
    }

    #[test]
    fn rendered_csv_parses_to_the_values_of_the_line(choices in vec(any::<u8>(), 0..400)) {
        let mut choices = Choices::new(&choices);
        let (dataset, names, line) = dataset_fields_and_line(&mut choices);
        let batch = render(dataset, json!({"field_names": names, "output_type": "csv"}), &line.to_string());
        let cells = parse_csv(batch.strip_suffix('\n').unwrap());
        prop_assert_eq!(cells.len(), names.len(), "{}", batch);
        for (name, cell) in names.iter().zip(cells) {
            if dataset.field(name).unwrap().ty == FieldType::Timestamp {
                continue;
            }
            match line.get(name) {
                Some(Value::String(text)) => prop_assert_eq!(text, &cell),
                Some(Value::Null) => prop_assert_eq!("", cell),
                Some(value) => prop_assert_eq!(value.to_string(), cell),
                None => {}
            }
        }
    }

    #[test]
    fn job_round_trips_through_json(choices in vec(any::<u8>(), 0..80)) {
        let mut choices = Choices::new(&choices);
        let rules = JobRules::documented(JobScope::Zone);
        let Ok(job) = read_job(&body(&mut choices), &rules) else { return Ok(()) };
        let sent = serde_json::to_value(&job.settings).unwrap();
        let reread_settings = read_update(&sent, &job.settings, &rules).map(|job| job.settings);
        prop_assert_eq!(reread_settings.as_ref(), Ok(&job.settings));
        prop_assert!(Renderer::new(&job.settings).is_ok());
    }
}

/// A secret of at least 12 typical characters, so that no substring of it is a word.
fn secret(choices: &mut Choices<'_>) -> String {
    let letters: Vec<char> = "Q7xZ9kW3vJ5qY8".chars().collect();
    let rare: Vec<char> = "///+_-.=:&?#;%@ ".chars().collect();
    let length = 12 + choices.index_below(30);
    let mut secret: String = (0..length).map(|_| letters[choices.index_below(letters.len())]).collect();
    if choices.index_below(2) == 0 {
        secret.insert(6 + choices.index_below(6), choices.pick(&rare));
    }
    secret
}

/// A destination URL of every kind, with secrets in it.
fn destination_url(choices: &mut Choices<'_>, secrets: &[String]) -> String {
    let urls = destination_urls(secrets);
    urls[choices.index_below(urls.len())].clone()
}

/// A URL of every scheme that has secrets.
fn destination_urls(secrets: &[String]) -> Vec<String> {
    let [a, b, c] = [&secrets[0], &secrets[1], &secrets[2]];
    vec![
        format!("s3://bucket/logs/{{DATE}}?region=us-west-2&access-key-id={a}&secret-access-key={b}"),
        format!(
            "s3://bucket/date={{DATE}}?access-key-id={a}&region=us-west-2&secret-access-key={b}&endpoint=s3.example.com"
        ),
        format!("r2://bucket?account-id=abc&access-key-id={a}&secret-access-key={b}"),
        format!("azure://account.blob.core.windows.net/container/logs?sv=2022-11-02&sig={a}&se={b}"),
        format!("datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY={a}&ddsource=web&service=web"),
        format!(
            "splunk://host:8088/services/collector/raw?channel=f4f6f4d2-7a0e-4f0e-9c3c-5e2f6a2b1c0d\
             &insecure-skip-verify=false&sourcetype=cloudflare:json&header_Authorization=Splunk%20{a}"
        ),
        format!("sumo://endpoint.example.com/receiver/v1/http/{a}"),
        format!("https://log-api.newrelic.com/log/v1?Api-Key={a}&format=cloudflare"),
        format!("https://logs.example.com/ingest?header_Authorization=Basic%20{a}&token={b}&header_X-Own={c}"),
        format!("https://user:{a}@logs.example.com/ingest?key={b}"),
        format!("http://user:{a}@logs.example.com?token={b}"),
        format!("bq://projects/p/datasets/d/tables/t?credentials=base64:{a}"),
        format!("kinesis://stream?region=us-west-2&access-key-id={a}&secret-access-key={b}"),
        format!("ibmcl://i.ingress.us-south.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key={a}"),
    ]
}

#[test]
fn destination_urls_have_every_scheme_with_secrets() {
    let urls = destination_urls(&["a", "b", "c"].map(str::to_owned));
    let without_secrets = [Scheme::File, Scheme::Gcs];
    for scheme in Scheme::ALL.iter().filter(|scheme| !without_secrets.contains(scheme)) {
        assert!(urls.iter().any(|url| url.starts_with(&format!("{scheme}://"))), "{scheme}");
    }
}

/// The URL unchanged, truncated, or with one delimiter removed or replaced.
fn damage_url(mut address: String, choices: &mut Choices<'_>) -> String {
    let marks: Vec<usize> = address.match_indices([':', '/', '?', '&', '=', '@']).map(|(index, _)| index).collect();
    match choices.index_below(6) {
        0 => {
            address.remove(choices.pick(&marks));
        }
        1 => address.truncate(choices.wide_index_below(address.len())),
        // Without the question mark, all parameters seem to be part of the path.
        2 => address = address.replacen('?', "", 1),
        3 => {
            let index = choices.pick(&marks);
            address.replace_range(index..=index, choices.pick(&["?", "&", ";", "#", " ", "/", "=", "%3D"]));
        }
        _ => {}
    }
    address
}

/// A dataset, some of its fields, and a line that has some of them.
fn dataset_fields_and_line(choices: &mut Choices<'_>) -> (&'static Dataset, Vec<String>, Value) {
    let all: Vec<&'static Dataset> = Dataset::all().iter().collect();
    let dataset = choices.pick(&all);
    let fields: Vec<_> = dataset.fields.iter().collect();
    let names = (0..=choices.index_below(5)).map(|_| choices.pick(&fields).name.to_owned()).collect::<Vec<_>>();
    let mut line = Map::new();
    for _ in 0..choices.index_below(8) {
        let name = match choices.index_below(4) {
            0 => text(choices),
            1 => choices.pick(&fields).name.to_owned(),
            _ => names[choices.index_below(names.len())].clone(),
        };
        line.insert(name, value(choices, 3));
    }
    (dataset, names, Value::Object(line))
}

fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.index_below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::String(text(choices)),
        1 => json!(choices.wide_index_below(70_000)),
        2 => json!(1_708_213_921_123_456_789_u64 - choices.wide_index_below(60_000) as u64),
        3 => Value::Null,
        4 => json!(choices.index_below(2) == 1),
        5 => json!(-0.5 * choices.wide_index_below(70_000) as f64),
        6 => (0..choices.index_below(3)).map(|_| value(choices, depth - 1)).collect(),
        _ => Value::Object((0..choices.index_below(3)).map(|_| (text(choices), value(choices, depth - 1))).collect()),
    }
}

fn text(choices: &mut Choices<'_>) -> String {
    let pieces =
        ["a", "\"", "\\", "\n", "${", "$", "{", ",", "é", "😀", "\u{1}", "2024-02-17T23:52:01Z", "\\u0024", "", "\t"];
    (0..choices.index_below(5)).map(|_| choices.pick(&pieces)).collect()
}

fn render(dataset: &Dataset, options: Value, line: &str) -> String {
    let settings = JobSettings {
        dataset: dataset.name.to_owned(),
        output_options: serde_json::from_value(options).unwrap(),
        ..JobSettings::default()
    };
    let renderer = Renderer::new(&settings).unwrap();
    let mut batch = Vec::new();
    renderer.append_record(line.as_bytes(), true, &mut batch).unwrap();
    renderer.finish_batch(true, &mut batch);
    String::from_utf8(batch).unwrap()
}

/// Parses the cells of one CSV record (RFC 4180).
fn parse_csv(record: &str) -> Vec<String> {
    let (mut cells, mut rest) = (Vec::new(), record);
    loop {
        let mut cell = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = quoted;
            loop {
                let (before, after) = rest.split_once('"').unwrap();
                cell.push_str(before);
                rest = after;
                match rest.strip_prefix('"') {
                    Some(after) => rest = after,
                    None => break,
                }
                cell.push('"');
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            cell.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        cells.push(cell);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => break,
        }
    }
    assert_eq!(rest, "");
    cells
}

/// The body of a job, which may be invalid.
fn body(choices: &mut Choices<'_>) -> Value {
    let mut body =
        json!({"destination_conf": choices.pick(&["gs://bucket/{DATE}", "s3://b?region=a", "https://host/?a=b"])});
    let members = [
        ("name", json!(["", "a", "a.b"])),
        ("enabled", json!([false, true])),
        ("frequency", json!(["low", "high", null])),
        ("max_upload_bytes", json!([0, 5_000_000])),
        ("filter", json!([r#"{"where":{"key":"ClientIP","operator":"eq","value":"a"}}"#])),
        ("logpull_options", json!(["fields=RayID"])),
        ("subrequest_merging", json!([false, true])),
        ("kind", json!(["", "edge"])),
    ];
    for _ in 0..choices.index_below(8) {
        let (name, value) = pick_member(choices, &members);
        body[name] = value;
    }
    let option_members = [
        ("field_names", json!([["RayID", "ClientIP"]])),
        ("output_type", json!(["csv", "ndjson"])),
        ("record_prefix", json!([text(choices)])),
        ("CVE-2021-44228", json!(["true", "false", true, null])),
        ("record_template", json!(["{{.RayID}}"])),
        ("sample_rate", json!([0.25])),
    ];
    let mut options = Map::new();
    for _ in 0..choices.index_below(6) {
        let (name, value) = pick_member(choices, &option_members);
        options.insert(name.to_owned(), value);
    }
    if !options.is_empty() {
        body["output_options"] = Value::Object(options);
    }
    body
}

/// A member with one of the values in its array.
fn pick_member(choices: &mut Choices<'_>, members: &[(&'static str, Value)]) -> (&'static str, Value) {
    let (name, values) = &members[choices.index_below(members.len())];
    let values = values.as_array().unwrap();
    (name, values[choices.index_below(values.len())].clone())
}
