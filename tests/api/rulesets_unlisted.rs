//! Rules and categories of managed rulesets that the catalog does not list: accepted with a warning.

use crate::app::{TestApp, TestResponse};
use serde_json::{Value, json};

const ENTRY_POINT: &str = "/rulesets/phases/http_request_firewall_managed/entrypoint";
const MANAGED: &str = "efb7b8c949ac4650a09736fc376e9aee";

fn entry_point_path(app: &TestApp) -> String {
    app.zone_named("enterprise.example", ENTRY_POINT)
}

#[tokio::test]
async fn unlisted_managed_rule_id_warns_and_malformed_id_is_rejected() {
    let app = TestApp::start().await;
    let unlisted = "0123456789abcdef0123456789abcdef";
    let overrides = |id: &str| json!({"id": MANAGED, "overrides": {"rules": [{"id": id, "action": "log"}]}});
    let execute = |id: &str| json!({"action": "execute", "expression": "true", "action_parameters": overrides(id)});
    let skip = json!({"action": "skip", "expression": "ssl", "action_parameters": {"rules": {MANAGED: [unlisted]}}});
    let saved = app.put(&entry_point_path(&app), json!({"rules": [skip, execute(unlisted)]})).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let read_pointers = |response: &TestResponse| -> Vec<String> {
        let messages = response.body["messages"].as_array().unwrap().iter();
        messages.map(|message| message["source"]["pointer"].as_str().unwrap().to_owned()).collect()
    };
    let skip_pointer = format!("/rules/0/action_parameters/rules/{MANAGED}/0");
    assert_eq!(read_pointers(&saved), [skip_pointer.as_str(), "/rules/1/action_parameters/overrides/rules/0/id"]);
    assert!(saved.body["messages"][0]["message"].as_str().unwrap().contains(unlisted));
    let rules = &app.get(&entry_point_path(&app)).await.body["result"]["rules"];
    assert_eq!(rules[1]["action_parameters"]["overrides"]["rules"][0]["id"], json!(unlisted));

    let rule = app
        .post(&app.zone_named("enterprise.example", &format!("/rulesets/{}/rules", saved.id())), execute(unlisted))
        .await;
    assert_eq!((rule.status, read_pointers(&rule)), (200, vec!["/action_parameters/overrides/rules/0/id".to_owned()]));

    for malformed in ["100001", "0123456789ABCDEF0123456789ABCDEF", ""] {
        let rejection = app.put(&entry_point_path(&app), json!({"rules": [execute(malformed)]})).await;
        rejection.assert_errors(400, &[(20120, "/rules/0/action_parameters/overrides/rules/0/id")]);
        assert!(rejection.message().contains("32 hexadecimal digits"), "{}", rejection.message());
    }
}

#[tokio::test]
async fn unlisted_category_warns_and_repeated_category_is_rejected() {
    let app = TestApp::start().await;
    let execute = |names: &[&str]| {
        let categories: Vec<Value> = names.iter().map(|name| json!({"category": name, "enabled": false})).collect();
        let parameters = json!({"id": MANAGED, "overrides": {"categories": categories}});
        json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]})
    };
    let saved = app.put(&entry_point_path(&app), execute(&["wordpress", "wordpres", "unknown-category"])).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let messages: Vec<(&str, &str)> = saved.body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| (message["source"]["pointer"].as_str().unwrap(), message["message"].as_str().unwrap()))
        .collect();
    let pointer = "/rules/0/action_parameters/overrides/categories";
    let unchecked = "of the Cloudflare Managed Ruleset is not in the catalog of this version, so its \
                     existence was not verified";
    assert_eq!(
        messages,
        [
            (
                &*format!("{pointer}/1/category"),
                &*format!("the category `wordpres` {unchecked}; did you mean `wordpress`?")
            ),
            (&*format!("{pointer}/2/category"), &*format!("the category `unknown-category` {unchecked}")),
        ]
    );
    let rules = &app.get(&entry_point_path(&app)).await.body["result"]["rules"];
    assert_eq!(rules[0]["action_parameters"]["overrides"]["categories"][2]["category"], json!("unknown-category"));

    let rejection = app.put(&entry_point_path(&app), execute(&["unknown-category", "unknown-category"])).await;
    rejection.assert_errors(400, &[(20120, &format!("{pointer}/1/category"))]);
}
