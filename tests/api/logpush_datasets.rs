//! `/{zones|accounts}/{id}/logpush/datasets/{dataset}`: fields and jobs of one dataset.

use crate::app::TestApp;
use serde_json::{Value, json};
use zonewright_logpush::Dataset;

#[tokio::test]
async fn fields_are_listed_by_name_with_type_and_description() {
    let app = TestApp::start().await;
    for dataset in Dataset::all() {
        for path in [app.zone("/logpush/datasets/"), app.account("/logpush/datasets/")] {
            let response = app.get(&format!("{path}{}/fields", dataset.name)).await;
            let fields = response.body["result"].as_object().unwrap_or_else(|| panic!("{response:?}"));
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            assert!(names.is_sorted() && names.len() == dataset.fields.len(), "{}", dataset.name);
            for field in dataset.fields {
                let text = fields[field.name].as_str().unwrap();
                let (ty, description) = text.split_once("; ").unwrap();
                assert!(ty == field.ty.name() && !description.is_empty(), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn description_spells_out_the_field_name() {
    let app = TestApp::start().await;
    let fields = app.get(&app.zone("/logpush/datasets/http_requests/fields")).await.body["result"].clone();
    let cases = [
        ("ClientRequestHost", "string; Client request host"),
        ("BotDetectionIDs", "array[int]; Bot detection IDs"),
        ("ClientIP", "string; Client IP"),
        ("JA3Hash", "string; JA3 hash"),
    ];
    for (name, expected) in cases {
        assert_eq!(fields[name], json!(expected), "{name}");
    }
}

#[tokio::test]
async fn job_without_fields_uses_the_default_fields() {
    let app = TestApp::start().await;
    for dataset in Dataset::all() {
        let path = format!("/logpush/datasets/{}/fields", dataset.name);
        let (all, default) = (app.get(&app.zone(&path)).await, app.get(&app.zone(&format!("{path}/default"))).await);
        let mut expected = all.body["result"].as_object().unwrap().clone();
        expected.retain(|name, _| dataset.default_fields().any(|field| field.name == name));
        assert!(!expected.is_empty());
        assert_eq!(default.body["result"], Value::Object(expected), "{}", dataset.name);
    }
}

#[tokio::test]
async fn jobs_of_a_dataset_exclude_other_datasets() {
    let app = TestApp::start().await;
    for dataset in ["firewall_events", "http_requests", "firewall_events"] {
        let job = json!({"dataset": dataset, "destination_conf": "gs://bucket/logs"});
        assert_eq!(app.post(&app.zone("/logpush/jobs"), job.clone()).await.status, 200);
    }
    let job = json!({"dataset": "firewall_events", "destination_conf": "gs://bucket/logs"});
    assert_eq!(app.post(&app.account("/logpush/jobs"), job).await.status, 200);
    let cases = [
        (app.zone("/logpush/datasets/firewall_events/jobs"), vec![1, 3]),
        (app.zone("/logpush/datasets/http_requests/jobs"), vec![2]),
        (app.zone("/logpush/datasets/dns_logs/jobs"), vec![]),
        (app.zone("/logpush/datasets/audit_logs/jobs"), vec![]),
        (app.account("/logpush/datasets/firewall_events/jobs"), vec![4]),
    ];
    for (path, expected) in cases {
        let response = app.get(&path).await;
        let ids: Vec<_> = response.body["result"].as_array().unwrap().iter().map(|job| job["id"].clone()).collect();
        assert_eq!(ids, expected, "{path}");
    }
}

#[tokio::test]
async fn unknown_dataset_is_404_with_a_suggestion() {
    let app = TestApp::start().await;
    for rest in ["fields", "fields/default", "jobs"] {
        for path in [app.zone("/logpush/datasets"), app.account("/logpush/datasets")] {
            let response = app.get(&format!("{path}/http_request/{rest}")).await;
            response.assert_errors(404, &[(10001, "")]);
            assert_eq!(response.message(), "there is no dataset `http_request`; did you mean `http_requests`?");
            let response = app.get(&format!("{path}/{}/{rest}", "x".repeat(5000))).await;
            response.assert_errors(404, &[(10001, "")]);
            assert!(response.message().len() < 200);
        }
    }
}
