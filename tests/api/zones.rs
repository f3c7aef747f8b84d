//! `/zones` and `/user/tokens/verify`

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn zones_show_their_plans() {
    let app = TestApp::start().await;
    let listed = app.get("/client/v4/zones").await;
    let plans: Vec<_> =
        listed.body["result"].as_array().unwrap().iter().map(|zone| zone["plan"]["legacy_id"].clone()).collect();
    assert_eq!(plans, ["enterprise", "business", "pro", "free", "enterprise", "enterprise"]);
    assert_eq!(
        listed.body["result_info"],
        json!({"page": 1, "per_page": 20, "count": 6, "total_count": 6, "total_pages": 1})
    );
    let named = app.get("/client/v4/zones?name=pro.example").await;
    assert_eq!(named.body["result_info"]["total_count"], json!(1));
    assert_eq!(app.get("/client/v4/zones?per_page=51").await.status, 400);
}

#[tokio::test]
async fn one_zone() {
    let app = TestApp::start().await;
    app.get(&app.zone_of("enterprise", "")).await.assert_result(json!({
        "id": "[id]",
        "name": "enterprise.example",
        "status": "active",
        "paused": false,
        "account": {"id": "[id]", "name": "Demo"},
        "plan": {"name": "Enterprise", "legacy_id": "enterprise"}
    }));
}

#[tokio::test]
async fn an_unknown_zone_is_not_found() {
    let app = TestApp::start().await;
    for rest in ["", "/filters", "/firewall/rules"] {
        let answer = app.get(&format!("/client/v4/zones/0123456789abcdef0123456789abcdef{rest}")).await;
        answer.assert_errors(404, &[(7003, "")]);
        let text =
            "Could not route to /zones/0123456789abcdef0123456789abcdef, perhaps your object identifier is invalid?";
        assert_eq!(answer.message(), text);
    }
}

#[tokio::test]
async fn malformed_identifiers_lead_nowhere() {
    let app = TestApp::start().await;
    let paths = [
        "/client/v4/zones/x".to_owned(),
        "/client/v4/zones/0123456789ABCDEF0123456789ABCDEF/filters".to_owned(),
        "/client/v4/zones/%ff/filters".to_owned(),
        app.zone("/filters/x"),
        app.zone("/filters/0123456789abcdef0123456789abcdef0"),
        app.zone("/firewall/rules/%00"),
    ];
    for path in paths {
        app.get(&path).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    }
}

#[tokio::test]
async fn what_leads_nowhere_is_named_as_it_was_asked_for() {
    let app = TestApp::start().await;
    let zone = app.zone("");
    let zone = zone.strip_prefix("/client/v4").unwrap();
    let paths = [
        "/zones/x/filters".to_owned(),
        "/accounts/x/logpush/jobs".to_owned(),
        format!("{zone}/firewall/rules/x"),
        format!("{zone}/logpush/jobs/x"),
        format!("{zone}/rulesets/0123456789abcdef0123456789abcdef/versions/x"),
        format!("{zone}/firewall/waf/packages/x"),
        "/nothing".to_owned(),
        "/".to_owned(),
    ];
    for path in paths {
        let answer = app.get(&format!("/client/v4{path}")).await;
        let expected = format!("Could not route to {path}, perhaps your object identifier is invalid?");
        assert_eq!((answer.status, answer.message()), (404, expected.as_str()));
    }
    let answer = app.get("/client/v4").await;
    assert_eq!(answer.message(), "Could not route to /, perhaps your object identifier is invalid?");
}

#[tokio::test]
async fn a_good_token_is_told_so() {
    let app = TestApp::start().await;
    app.get("/client/v4/user/tokens/verify").await.assert(
        200,
        json!({
            "result": {"id": "[id]", "status": "active"},
            "success": true,
            "errors": [],
            "messages": [{"code": 10000, "message": "This API Token is valid and active"}]
        }),
    );
}
