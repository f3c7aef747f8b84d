//! `/accounts`, `/user` and `/accounts/{account_id}/tokens/verify`: the first requests of most clients.

use crate::app::{TestApp, TestResponse};
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

/// Sends the email address and API key of the user instead of the token.
async fn get_with_key(app: &TestApp, path: &str) -> TestResponse {
    let request = Request::get(path).header("host", "localhost").header("x-auth-email", &app.demo.email);
    app.send(request.header("x-auth-key", &app.demo.key).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn client_finds_only_its_own_account() {
    let app = TestApp::start().await;
    let account = json!({"id": app.demo.account_id, "name": "Demo", "type": "standard"});
    let listed = app.get("/client/v4/accounts").await;
    assert_eq!((listed.status, &listed.body["result"]), (200, &json!([account])));
    let info = json!({"page": 1, "per_page": 20, "count": 1, "total_count": 1, "total_pages": 1});
    assert_eq!(listed.body["result_info"], info);
    for (query, count) in [("?name=Demo", 1), ("?name=demo", 0), ("?page=2", 0), ("?direction=desc&per_page=5", 1)] {
        let listed = app.get(&format!("/client/v4/accounts{query}")).await;
        assert_eq!(listed.body["result"].as_array().map(Vec::len), Some(count), "{query}");
    }
    for query in ["?per_page=4", "?per_page=51", "?page=0", "?direction=up"] {
        app.get(&format!("/client/v4/accounts{query}")).await.assert_errors(400, &[(10015, "")]);
    }
    assert_eq!(app.get(&app.account("")).await.body["result"], account);
    assert_eq!(get_with_key(&app, &app.account("")).await.body["result"], account);
    for (id, codes) in [("0".repeat(32), &[(7003, "")][..]), ("x".to_owned(), &[(7003, ""), (7000, "")])] {
        for rest in ["", "/tokens/verify"] {
            app.get(&format!("/client/v4/accounts/{id}{rest}")).await.assert_errors(404, codes);
        }
    }
}

#[tokio::test]
async fn user_endpoint_requires_a_key_and_token_verification_a_token() {
    let app = TestApp::start().await;
    let user = get_with_key(&app, "/client/v4/user").await;
    user.assert_result(json!({"id": "[id]", "email": app.demo.email, "suspended": false}));
    assert_eq!(get_with_key(&app, "/client/v4/user").await.id(), user.id());
    app.get("/client/v4/user").await.assert_errors(403, &[(9109, "")]);

    let verify = app.account("/tokens/verify");
    let (account_response, user_response) = (app.get(&verify).await, app.get("/client/v4/user/tokens/verify").await);
    assert_eq!((account_response.status, &account_response.body), (200, &user_response.body));
    get_with_key(&app, &verify).await.assert_errors(401, &[(1000, "")]);
}
