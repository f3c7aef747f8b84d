//! `/{zones|accounts}/{id}/logpush/jobs`: part A of the specification, and the formats of published clients.

use crate::app::TestApp;
use serde_json::{Value, json};

const JOBS: &str = "/logpush/jobs";
/// A destination that needs no network as long as no job is enabled.
const DESTINATION: &str = "s3://logs/{DATE}?region=us-west-2&access-key-id=AKID&secret-access-key=hunter2";
const FILTER: &str = r#"{"where":{"and":[{"key":"ClientRequestPath","operator":"contains","value":"/static"},{"key":"ClientRequestHost","operator":"eq","value":"example.com"}]}}"#;

/// The paths of both scopes, with a dataset of each.
fn scopes(app: &TestApp) -> [(String, &'static str); 2] {
    [(app.zone(JOBS), "http_requests"), (app.account(JOBS), "audit_logs")]
}

/// A valid job for the dataset.
fn job(dataset: &str) -> Value {
    json!({"name": "a.job_1-x", "dataset": dataset, "destination_conf": DESTINATION})
}

async fn create_job(app: &TestApp, path: &str, body: Value) -> String {
    let response = app.post(path, body).await;
    assert_eq!(response.status, 200, "{response:?}");
    format!("{path}/{}", response.body["result"]["id"])
}

#[tokio::test]
async fn spec_1_1_job_has_a_dataset_and_an_optional_filter() {
    let app = TestApp::start().await;
    let mut body = job("http_requests");
    body["filter"] = json!(FILTER);
    let response = app.post(&app.zone(JOBS), body).await;
    assert_eq!((response.status, &response.body["result"]["filter"]), (200, &json!(FILTER)));
    assert!(app.post(&app.zone(JOBS), job("firewall_events")).await.body["result"].get("filter").is_none());
}

#[tokio::test]
async fn section_2_1_every_response_is_an_envelope() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let path_of_one = create_job(&app, &path, job(dataset)).await;
        for response in [app.get(&path).await, app.get(&path_of_one).await, app.delete(&path_of_one).await] {
            let envelope = (&response.body["success"], &response.body["errors"], &response.body["messages"]);
            assert_eq!(envelope, (&json!(true), &json!([]), &json!([])));
        }
    }
}

#[tokio::test]
async fn section_2_2_job_has_every_specified_member() {
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
    let response = app.post(&app.zone(JOBS), body.clone()).await;
    for (name, sent) in body.as_object().unwrap() {
        assert_eq!(&response.body["result"][name], sent, "{name}");
    }
}

#[tokio::test]
async fn minimal_job_response_matches_the_recorded_response() {
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
async fn dataset_defaults_to_http_requests() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone(JOBS), json!({"destination_conf": DESTINATION})).await;
    assert_eq!((response.status, &response.body["result"]["dataset"]), (200, &json!("http_requests")));
}

#[tokio::test]
async fn section_2_3_filter_is_stored_verbatim() {
    let app = TestApp::start().await;
    let filters = [
        r#"{"where":{"key":"ClientRequestHost","operator":"eq","value":"example.com"}}"#,
        r#"  { "where" : {"or":[{"key":"ClientCountry","operator":"eq","value":"\u0061"},{"and":[{"key":"ClientASN","operator":"gt","value":1},{"key":"RayID","operator":"contains","value":"é"}]}]} } "#,
    ];
    for filter in filters {
        let mut body = job("http_requests");
        body["filter"] = json!(filter);
        let path = create_job(&app, &app.zone(JOBS), body).await;
        assert_eq!(app.get(&path).await.body["result"]["filter"], json!(filter));
    }
}

#[tokio::test]
async fn section_4_1_body_is_one_object() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        for body in [json!([job(dataset)]), json!(null), json!("x"), json!(1)] {
            app.post(&path, body).await.assert_errors(400, &[(1002, "")]);
        }
        app.get(&path).await.assert_result(json!([]));
    }
}

#[tokio::test]
async fn section_5_token_and_key_authenticate_and_others_are_rejected() {
    use axum::http::Request;
    let app = TestApp::start().await;
    for (path, _) in scopes(&app) {
        let request = || Request::get(&path).header("host", "127.0.0.1:1");
        let keyed = request().header("x-auth-email", &app.demo.email).header("x-auth-key", &app.demo.key);
        assert_eq!(app.send(keyed.body("".into()).unwrap()).await.status, 200);
        app.send(request().body("".into()).unwrap()).await.assert_errors(400, &[(9106, "")]);
        let invalid = request().header("authorization", format!("Bearer {}", "a".repeat(40)));
        app.send(invalid.body("".into()).unwrap()).await.assert_errors(403, &[(10000, "")]);
    }
}

#[tokio::test]
async fn owner_can_read_destination_secrets() {
    let app = TestApp::start().await;
    let path = create_job(&app, &app.zone(JOBS), job("http_requests")).await;
    assert_eq!(app.get(&path).await.body["result"]["destination_conf"], json!(DESTINATION));
}

#[tokio::test]
async fn list_has_only_jobs_of_the_owner_in_order_of_creation() {
    let app = TestApp::start().await;
    let [(zone, _), (account, _)] = scopes(&app);
    for dataset in ["http_requests", "firewall_events", "dns_logs"] {
        create_job(&app, &zone, job(dataset)).await;
    }
    create_job(&app, &account, job("audit_logs")).await;
    let datasets = async |path: &str| {
        let listed = app.get(path).await;
        assert_eq!(listed.body.get("result_info"), None);
        let jobs = listed.body["result"].as_array().unwrap().clone();
        jobs.iter().map(|job| job["dataset"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(datasets(&zone).await, ["http_requests", "firewall_events", "dns_logs"]);
    assert_eq!(datasets(&account).await, ["audit_logs"]);
    assert_eq!(datasets(&app.zone_on_plan("pro", JOBS)).await, Vec::<String>::new());
}

#[tokio::test]
async fn job_of_another_owner_is_404() {
    let app = TestApp::start().await;
    create_job(&app, &app.zone(JOBS), job("http_requests")).await;
    for other in [app.account("/logpush/jobs/1"), app.zone_on_plan("pro", "/logpush/jobs/1")] {
        for response in
            [app.get(&other).await, app.put(&other, json!({"enabled": false})).await, app.delete(&other).await]
        {
            response.assert_errors(404, &[(10001, "")]);
        }
    }
    assert_eq!(app.get(&app.zone("/logpush/jobs/1")).await.status, 200);
}

#[tokio::test]
async fn update_changes_only_the_sent_members() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let mut body = job(dataset);
        body["max_upload_records"] = json!(1000);
        body["output_options"] = json!({"sample_rate": 0.5});
        let path = create_job(&app, &path, body).await;
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
            let response = app.put(&path, json!({ name: value })).await;
            assert_eq!((response.status, &response.body["result"]), (200, &expected), "{name}");
            assert_eq!(app.get(&path).await.body["result"], expected);
        }
    }
}

#[tokio::test]
async fn null_resets_a_member_to_its_default() {
    let app = TestApp::start().await;
    let mut body = job("http_requests");
    body["filter"] = json!(FILTER);
    body["max_upload_bytes"] = json!(5_000_000);
    body["output_options"] = json!({"sample_rate": 0.5});
    let path = create_job(&app, &app.zone(JOBS), body).await;
    let nulls = json!({"filter": null, "name": null, "max_upload_bytes": null, "output_options": null});
    let updated = app.put(&path, nulls).await;
    let result = updated.body["result"].as_object().unwrap_or_else(|| panic!("{updated:?}"));
    assert_eq!(result["name"], Value::Null);
    for name in ["filter", "max_upload_bytes", "output_options"] {
        assert!(!result.contains_key(name), "{name}");
    }
}

#[tokio::test]
async fn get_response_round_trips_through_put() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let path = create_job(&app, &path, job(dataset)).await;
        let job = app.get(&path).await.body["result"].clone();
        let response = app.put(&path, job.clone()).await;
        assert_eq!((response.status, &response.body["result"]), (200, &job));
    }
}

#[tokio::test]
async fn rejected_update_changes_nothing() {
    let app = TestApp::start().await;
    let path = create_job(&app, &app.zone(JOBS), job("http_requests")).await;
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
async fn deleted_job_is_404_and_its_id_is_never_reused() {
    let app = TestApp::start().await;
    for (number, (path, dataset)) in [1, 3].into_iter().zip(scopes(&app)) {
        let created = create_job(&app, &path, job(dataset)).await;
        app.delete(&created).await.assert_result(json!({"id": number}));
        for response in [app.get(&created).await, app.delete(&created).await] {
            response.assert_errors(404, &[(10001, "")]);
        }
        assert_eq!(create_job(&app, &path, job(dataset)).await, format!("{path}/{}", number + 1));
    }
}

#[tokio::test]
async fn jobs_survive_a_restart() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        create_job(&app, &path, job(dataset)).await;
    }
    let before = app.get(&app.zone(JOBS)).await.body;
    let app = app.restart().await;
    assert_eq!(app.get(&app.zone(JOBS)).await.body, before);
    assert_eq!(app.get(&app.account(JOBS)).await.body["result"][0]["id"], json!(2));
}

#[tokio::test]
async fn concurrent_creates_never_exceed_the_job_limit() {
    let app = TestApp::start().await;
    for (path, dataset) in scopes(&app) {
        let (mut created, mut rejected) = (0, 0);
        let mut requests = tokio::task::JoinSet::new();
        for _ in 0..12 {
            let request = app.request(axum::http::Method::POST, &path, job(dataset).to_string());
            requests.spawn(tower::ServiceExt::oneshot(app.router.clone(), request));
        }
        while let Some(response) = requests.join_next().await {
            match response.unwrap().unwrap().status().as_u16() {
                200 => created += 1,
                400 => rejected += 1,
                other => panic!("{other}"),
            }
        }
        assert_eq!((created, rejected), (4, 8));
        assert_eq!(app.get(&path).await.body["result"].as_array().map(Vec::len), Some(4));
    }
}

#[tokio::test]
async fn create_warns_about_ineffective_settings() {
    let app = TestApp::start().await;
    let kinesis = "kinesis://stream?region=eu-1&access-key-id=a&secret-access-key=b";
    let cases = [
        (json!({"frequency": "low"}), None),
        (json!({"kind": "edge"}), Some(("/kind", "this service ignores `kind`"))),
        (
            json!({"filter_attack_traffic": true}),
            Some(("/filter_attack_traffic", "this service does not detect attack traffic")),
        ),
        (json!({"filter_attack_traffic": false, "subrequest_merging": false}), None),
        (json!({"subrequest_merging": true}), Some(("/subrequest_merging", "this service does not merge subrequests"))),
        (
            json!({"output_options": {"merge_subrequests": true}}),
            Some(("/output_options/merge_subrequests", "this service does not merge subrequests")),
        ),
        (
            json!({"destination_conf": kinesis}),
            Some(("/destination_conf", "this service does not deliver to kinesis://")),
        ),
        (
            json!({"destination_conf": "s3://logs?region=eu-1"}),
            Some(("/destination_conf", "the destination has no access keys")),
        ),
        (json!({"destination_conf": "gs://logs"}), Some(("/destination_conf", "the destination has no access keys"))),
    ];
    for (members, expected) in cases {
        let mut body = job("http_requests");
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        let created_object = app.post(&app.zone(JOBS), body).await;
        let path = format!("{}/{}", app.zone(JOBS), created_object.body["result"]["id"]);
        let changed = app.put(&path, json!({"name": "another"})).await;
        for response in [created_object, changed] {
            assert_eq!((response.status, &response.body["errors"]), (200, &json!([])), "{response:?}");
            let messages = response.body["messages"].as_array().unwrap();
            assert_eq!(messages.len(), usize::from(expected.is_some()), "{messages:?}");
            if let Some((pointer, beginning)) = expected {
                assert_eq!((&messages[0]["code"], &messages[0]["source"]["pointer"]), (&json!(10501), &json!(pointer)));
                assert!(messages[0]["message"].as_str().unwrap().starts_with(beginning), "{messages:?}");
            }
        }
        app.delete(&path).await;
    }
}
