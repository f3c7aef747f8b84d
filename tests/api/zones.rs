//! `/zones` and `/user/tokens/verify`

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn zones_are_listed_with_their_plans() {
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
async fn get_returns_one_zone() {
    let app = TestApp::start().await;
    app.get(&app.zone_on_plan("enterprise", "")).await.assert_result(json!({
        "id": "[id]",
        "name": "enterprise.example",
        "status": "active",
        "paused": false,
        "account": {"id": "[id]", "name": "Demo"},
        "plan": {"name": "Enterprise", "legacy_id": "enterprise"}
    }));
}

#[tokio::test]
async fn unknown_zone_is_404() {
    let app = TestApp::start().await;
    for rest in ["", "/filters", "/firewall/rules"] {
        let response = app.get(&format!("/client/v4/zones/0123456789abcdef0123456789abcdef{rest}")).await;
        response.assert_errors(404, &[(7003, "")]);
        let text =
            "Could not route to /zones/0123456789abcdef0123456789abcdef, perhaps your object identifier is invalid?";
        assert_eq!(response.message(), text);
    }
}

#[tokio::test]
async fn malformed_ids_are_404() {
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
async fn unknown_path_is_named_verbatim_in_the_error() {
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
        let response = app.get(&format!("/client/v4{path}")).await;
        let expected = format!("Could not route to {path}, perhaps your object identifier is invalid?");
        assert_eq!((response.status, response.message()), (404, expected.as_str()));
    }
    let response = app.get("/client/v4").await;
    assert_eq!(response.message(), "Could not route to /, perhaps your object identifier is invalid?");
}

#[tokio::test]
async fn zone_list_can_be_filtered_and_ordered() {
    let app = TestApp::start().await;
    let account = app.demo.account_id.clone();
    let all = app.get("/client/v4/zones").await.pluck("name");
    let names = |names: &[&str]| names.iter().map(|name| json!(name)).collect::<Vec<_>>();
    let by_name = {
        let mut names: Vec<String> = all.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        names.sort();
        names.into_iter().map(|name| json!(name)).collect::<Vec<_>>()
    };
    let reversed = |names: &[serde_json::Value]| names.iter().rev().cloned().collect::<Vec<_>>();
    let cases = [
        (format!("account.id={account}"), all.clone()),
        ("account.id=0123456789abcdef0123456789abcdef".to_owned(), names(&[])),
        ("account.name=demo".to_owned(), all.clone()),
        ("account.name=not_equal:Demo".to_owned(), names(&[])),
        ("account.name=starts_with_case_sensitive:demo".to_owned(), names(&[])),
        ("status=active".to_owned(), all.clone()),
        ("status=pending".to_owned(), names(&[])),
        ("type=full,secondary".to_owned(), all.clone()),
        ("type=partial".to_owned(), names(&[])),
        ("name=PRO.example".to_owned(), names(&["pro.example"])),
        ("name=equal:pro.example".to_owned(), names(&["pro.example"])),
        ("name=pro".to_owned(), names(&[])),
        ("name=starts_with:PR".to_owned(), names(&["pro.example"])),
        ("name=starts_with_case_sensitive:PR".to_owned(), names(&[])),
        ("name=contains:usiness.".to_owned(), names(&["business.example"])),
        ("name=contains_case_sensitive:usiness.".to_owned(), names(&["business.example"])),
        ("name=ends_with:.EXAMPLE".to_owned(), all.clone()),
        ("name=ends_with_case_sensitive:.example".to_owned(), all.clone()),
        ("name=not_equal:pro.example&name=contains:free".to_owned(), names(&["free.example"])),
        ("name=pro.example&status=pending".to_owned(), names(&[])),
        ("name=pro.example&status=pending&match=any".to_owned(), names(&["pro.example"])),
        ("order=name".to_owned(), by_name.clone()),
        ("order=name&direction=desc".to_owned(), reversed(&by_name)),
        ("order=account.id&direction=desc".to_owned(), all.clone()),
        ("direction=desc".to_owned(), reversed(&all)),
    ];
    for (query, expected) in cases {
        let response = app.get(&format!("/client/v4/zones?{query}")).await;
        assert_eq!(response.pluck("name"), expected, "{query}");
        assert_eq!(response.body["result_info"]["total_count"], json!(expected.len()), "{query}");
    }
    let plans = app.get("/client/v4/zones?order=plan.id&name=not_equal:blocked.example&per_page=5").await;
    let plans: Vec<_> =
        plans.body["result"].as_array().unwrap().iter().map(|zone| &zone["plan"]["legacy_id"]).collect();
    assert_eq!(plans, ["free", "pro", "business", "enterprise", "enterprise"]);
    for invalid in [
        "status=gone",
        "order=size",
        "direction=up",
        "match=some",
        "name=like:a",
        "name=equal:",
        "name=contains:",
        "type=half",
    ] {
        app.get(&format!("/client/v4/zones?{invalid}")).await.assert_errors(400, &[(10015, "")]);
    }
}

#[tokio::test]
async fn token_verification_accepts_a_valid_token() {
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
