//! `/{zones|accounts}/{id}/logpush/jobs`: the specification's part A, and what clients of such services
//! send and read.

use crate::app::TestApp;
use serde_json::{Value, json};

const JOBS: &str = "/logpush/jobs";
/// A destination that needs no network as long as no job is enabled.
const DESTINATION: &str = "s3://logs/{DATE}?region=us-west-2&access-key-id=AKID&secret-access-key=hunter2";
const FILTER: &str = r#"{"where":{"and":[{"key":"ClientRequestPath","operator":"contains","value":"/static"},{"key":"ClientRequestHost","operator":"eq","value":"example.com"}]}}"#;

/// The addresses of both scopes, with a dataset that each has.
fn scopes(app: &TestApp) -> [(String, &'static str); 2] {
    [(app.zone(JOBS), "http_requests"), (app.account(JOBS), "audit_logs")]
}

/// A job that is right for the dataset.
fn job(dataset: &str) -> Value {
    json!({"name": "a.job_1-x", "dataset": dataset, "destination_conf": DESTINATION})
}

async fn created(app: &TestApp, path: &str, body: Value) -> String {
    let answer = app.post(path, body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    format!("{path}/{}", answer.body["result"]["id"])
}

#[tokio::test]
async fn rule_1_1_jobs_send_the_lines_of_a_dataset_and_may_carry_a_filter() {
    let app = TestApp::start().await;
    let mut body = job("http_requests");
    body["filter"] = json!(FILTER);
    let answer = app.post(&app.zone(JOBS), body).await;
    assert_eq!((answer.status, &answer.body["result"]["filter"]), (200, &json!(FILTER)));
    assert!(app.post(&app.zone(JOBS), job("firewall_events")).await.body["result"].get("filter").is_none());
}

#[tokio::test]
async fn section_2_1_every_answer_is_an_envelope() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let path_of_one = created(&app, &path, job(dataset)).await;
        for answer in [app.get(&path).await, app.get(&path_of_one).await, app.delete(&path_of_one).await] {
            let envelope = (&answer.body["success"], &answer.body["errors"], &answer.body["messages"]);
            assert_eq!(envelope, (&json!(true), &json!([]), &json!([])));
        }
    }
}

#[tokio::test]
async fn section_2_2_a_job_has_every_member_of_the_specification() {
    let app = TestApp::start().await;
    let body = json!({
        "name": "static-assets",
        "destination_conf": DESTINATION,
        "dataset": "http_requests",
        "output_options": {
            "field_names": ["ClientIP", "EdgeStartTimestamp", "RayID"],
            "sample_rate": 0.1,
            "timestamp_format": "rfc3339",
            "CVE-2021-44228": "true",
        },
        "filter": FILTER,
    });
    let answer = app.post(&app.zone(JOBS), body.clone()).await;
    for (name, sent) in body.as_object().unwrap() {
        assert_eq!(&answer.body["result"][name], sent, "{name}");
    }
}

#[tokio::test]
async fn a_job_that_says_little_is_answered_as_it_was_recorded() {
    let app = TestApp::start().await;
    for (number, (path, dataset)) in (1..).zip(scopes(&app)) {
        let mut body = job(dataset);
        body.as_object_mut().unwrap().remove("name");
        let expected = json!({
            "dataset": dataset, "destination_conf": DESTINATION, "enabled": false, "error_message": null,
            "frequency": "high", "id": number, "kind": "", "last_complete": null, "last_error": null, "name": null,
            "time_created": "[time]"
        });
        app.post(&path, body).await.assert_result(expected.clone());
        app.get(&path).await.assert_result(json!([expected]));
        app.get(&format!("{path}/{number}")).await.assert_result(expected);
    }
}

#[tokio::test]
async fn the_dataset_is_that_of_requests_unless_another_is_named() {
    let app = TestApp::start().await;
    let answer = app.post(&app.zone(JOBS), json!({"destination_conf": DESTINATION})).await;
    assert_eq!((answer.status, &answer.body["result"]["dataset"]), (200, &json!("http_requests")));
}

#[tokio::test]
async fn section_2_3_a_filter_is_kept_to_the_letter() {
    let app = TestApp::start().await;
    let filters = [
        r#"{"where":{"key":"ClientRequestHost","operator":"eq","value":"example.com"}}"#,
        r#"  { "where" : {"or":[{"key":"ClientCountry","operator":"eq","value":"\u0061"},{"and":[{"key":"ClientASN","operator":"gt","value":1},{"key":"RayID","operator":"contains","value":"é"}]}]} } "#,
    ];
    for filter in filters {
        let mut body = job("http_requests");
        body["filter"] = json!(filter);
        let path = created(&app, &app.zone(JOBS), body).await;
        assert_eq!(app.get(&path).await.body["result"]["filter"], json!(filter));
    }
}

#[tokio::test]
async fn section_4_1_the_body_is_one_object() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        for body in [json!([job(dataset)]), json!(null), json!("x"), json!(1)] {
            app.post(&path, body).await.assert_errors(400, &[(1002, "")]);
        }
        app.get(&path).await.assert_result(json!([]));
    }
}

#[tokio::test]
async fn section_5_both_schemes_are_accepted_and_nobody_else_is() {
    use axum::http::Request;
    let app = TestApp::start().await;
    for (path, _) in scopes(&app) {
        let request = || Request::get(&path).header("host", "127.0.0.1:1");
        let keyed = request().header("x-auth-email", &app.demo.email).header("x-auth-key", &app.demo.key);
        assert_eq!(app.send(keyed.body("".into()).unwrap()).await.status, 200);
        app.send(request().body("".into()).unwrap()).await.assert_errors(400, &[(9106, "")]);
        let wrong = request().header("authorization", format!("Bearer {}", "a".repeat(40)));
        app.send(wrong.body("".into()).unwrap()).await.assert_errors(403, &[(10000, "")]);
    }
}

#[tokio::test]
async fn secrets_are_answered_to_the_owner() {
    let app = TestApp::start().await;
    let path = created(&app, &app.zone(JOBS), job("http_requests")).await;
    assert_eq!(app.get(&path).await.body["result"]["destination_conf"], json!(DESTINATION));
}

#[tokio::test]
async fn the_list_has_the_order_of_creation_and_only_its_owners_jobs() {
    let app = TestApp::start().await;
    let [(zone, _), (account, _)] = scopes(&app);
    for dataset in ["http_requests", "firewall_events", "dns_logs"] {
        created(&app, &zone, job(dataset)).await;
    }
    created(&app, &account, job("audit_logs")).await;
    let datasets = async |path: &str| {
        let listed = app.get(path).await;
        assert_eq!(listed.body.get("result_info"), None);
        let jobs = listed.body["result"].as_array().unwrap().clone();
        jobs.iter().map(|job| job["dataset"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(datasets(&zone).await, ["http_requests", "firewall_events", "dns_logs"]);
    assert_eq!(datasets(&account).await, ["audit_logs"]);
    assert_eq!(datasets(&app.zone_of("pro", JOBS)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_job_belongs_to_one_owner() {
    let app = TestApp::start().await;
    created(&app, &app.zone(JOBS), job("http_requests")).await;
    for other in [app.account("/logpush/jobs/1"), app.zone_of("pro", "/logpush/jobs/1")] {
        for answer in
            [app.get(&other).await, app.put(&other, json!({"enabled": false})).await, app.delete(&other).await]
        {
            answer.assert_errors(404, &[(10001, "")]);
        }
    }
    assert_eq!(app.get(&app.zone("/logpush/jobs/1")).await.status, 200);
}

#[tokio::test]
async fn an_update_changes_only_what_is_sent() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let mut body = job(dataset);
        body["max_upload_records"] = json!(1000);
        body["output_options"] = json!({"sample_rate": 0.5});
        let path = created(&app, &path, body).await;
        let mut expected = app.get(&path).await.body["result"].clone();
        for (name, value) in [
            ("enabled", json!(true)),
            ("enabled", json!(false)),
            ("name", json!("other")),
            ("frequency", json!("low")),
            ("max_upload_interval_seconds", json!(30)),
            ("output_options", json!({"output_type": "csv"})),
            ("destination_conf", json!("gs://bucket/logs")),
        ] {
            expected[name] = value.clone();
            let answer = app.put(&path, json!({ name: value })).await;
            assert_eq!((answer.status, &answer.body["result"]), (200, &expected), "{name}");
            assert_eq!(app.get(&path).await.body["result"], expected);
        }
    }
}

#[tokio::test]
async fn null_takes_back_what_was_set() {
    let app = TestApp::start().await;
    let mut body = job("http_requests");
    body["filter"] = json!(FILTER);
    body["max_upload_bytes"] = json!(5_000_000);
    body["output_options"] = json!({"sample_rate": 0.5});
    let path = created(&app, &app.zone(JOBS), body).await;
    let nulls = json!({"filter": null, "name": null, "max_upload_bytes": null, "output_options": null});
    let updated = app.put(&path, nulls).await;
    let result = updated.body["result"].as_object().unwrap_or_else(|| panic!("{updated:?}"));
    assert_eq!(result["name"], Value::Null);
    for name in ["filter", "max_upload_bytes", "output_options"] {
        assert!(!result.contains_key(name), "{name}");
    }
}

#[tokio::test]
async fn what_was_answered_can_be_sent_back() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let path = created(&app, &path, job(dataset)).await;
        let job = app.get(&path).await.body["result"].clone();
        let answer = app.put(&path, job.clone()).await;
        assert_eq!((answer.status, &answer.body["result"]), (200, &job));
    }
}

#[tokio::test]
async fn a_refused_update_changes_nothing() {
    let app = TestApp::start().await;
    let path = created(&app, &app.zone(JOBS), job("http_requests")).await;
    let before = app.get(&path).await.body;
    for change in [
        json!({"name": "new", "max_upload_records": 1}),
        json!({"name": "new", "filter": "{"}),
        json!({"name": "new", "destination_conf": null}),
        json!({"name": "new", "enabeld": true}),
    ] {
        assert_eq!(app.put(&path, change.clone()).await.status, 400, "{change}");
        assert_eq!(app.get(&path).await.body, before, "{change}");
    }
}

#[tokio::test]
async fn a_deleted_job_is_gone_and_its_number_is_never_anothers() {
    let app = TestApp::start().await;
    for (number, (path, dataset)) in [1, 3].into_iter().zip(scopes(&app)) {
        let one = created(&app, &path, job(dataset)).await;
        app.delete(&one).await.assert_result(json!({"id": number}));
        for answer in [app.get(&one).await, app.delete(&one).await] {
            answer.assert_errors(404, &[(10001, "")]);
        }
        assert_eq!(created(&app, &path, job(dataset)).await, format!("{path}/{}", number + 1));
    }
}

#[tokio::test]
async fn jobs_are_there_after_a_restart() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        created(&app, &path, job(dataset)).await;
    }
    let before = app.get(&app.zone(JOBS)).await.body;
    let app = app.restart().await;
    assert_eq!(app.get(&app.zone(JOBS)).await.body, before);
    assert_eq!(app.get(&app.account(JOBS)).await.body["result"][0]["id"], json!(2));
}

#[tokio::test]
async fn creations_at_the_same_time_never_pass_the_limit() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let (mut created, mut refused) = (0, 0);
        let mut requests = tokio::task::JoinSet::new();
        for _ in 0..12 {
            let request = app.request(axum::http::Method::POST, &path, job(dataset).to_string());
            requests.spawn(tower::ServiceExt::oneshot(app.router.clone(), request));
        }
        while let Some(response) = requests.join_next().await {
            match response.unwrap().unwrap().status().as_u16() {
                200 => created += 1,
                400 => refused += 1,
                other => panic!("{other}"),
            }
        }
        assert_eq!((created, refused), (4, 8));
        assert_eq!(app.get(&path).await.body["result"].as_array().map(Vec::len), Some(4));
    }
}

#[tokio::test]
async fn what_a_job_asks_for_without_effect_is_said_when_it_is_kept() {
    let app = TestApp::start().await;
    let kinesis = "kinesis://stream?region=eu-1&access-key-id=a&secret-access-key=b";
    let cases = [
        (json!({"frequency": "low"}), None),
        (json!({"kind": "edge"}), Some(("/kind", "`kind` is not looked at"))),
        (
            json!({"filter_attack_traffic": true}),
            Some(("/filter_attack_traffic", "lines of attacks are not distinguished")),
        ),
        (json!({"filter_attack_traffic": false, "subrequest_merging": false}), None),
        (json!({"subrequest_merging": true}), Some(("/subrequest_merging", "subrequests are not merged"))),
        (
            json!({"output_options": {"merge_subrequests": true}}),
            Some(("/output_options/merge_subrequests", "subrequests are not merged")),
        ),
        (json!({"destination_conf": kinesis}), Some(("/destination_conf", "kinesis:// is not delivered"))),
        (
            json!({"destination_conf": "s3://logs?region=eu-1"}),
            Some(("/destination_conf", "the destination has no keys")),
        ),
        (json!({"destination_conf": "gs://logs"}), Some(("/destination_conf", "the destination has no keys"))),
    ];
    for (members, expected) in cases {
        let mut body = job("http_requests");
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        let made = app.post(&app.zone(JOBS), body).await;
        let path = format!("{}/{}", app.zone(JOBS), made.body["result"]["id"]);
        let changed = app.put(&path, json!({"name": "another"})).await;
        for answer in [made, changed] {
            assert_eq!((answer.status, &answer.body["errors"]), (200, &json!([])), "{answer:?}");
            let messages = answer.body["messages"].as_array().unwrap();
            assert_eq!(messages.len(), usize::from(expected.is_some()), "{messages:?}");
            if let Some((pointer, beginning)) = expected {
                assert_eq!((&messages[0]["code"], &messages[0]["source"]["pointer"]), (&json!(10501), &json!(pointer)));
                assert!(messages[0]["message"].as_str().unwrap().starts_with(beginning), "{messages:?}");
            }
        }
        app.delete(&path).await;
    }
}
