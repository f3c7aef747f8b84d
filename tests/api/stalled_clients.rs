//! Clients that stop in the middle of large bodies: they do not block other clients, and time out.

use crate::app::{TestApp, send_request};
use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::{once, pending};
use serde_json::json;
use std::io::Error;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use zonewright_expression::schema::Tier;
use zonewright_store::{Admin, NewToken};

/// The memory budget fits 16 of the largest bodies.
const STALLED_CLIENTS: usize = 20;

#[tokio::test]
async fn stalled_uploads_do_not_block_other_accounts() {
    let app = TestApp::start().await;
    let admin = Admin::open(app.data_dir.path(), &app.storage()).await.unwrap();
    let account = admin.create_account("Other").await.unwrap().id;
    let zone = admin.create_zone(&account, "other.example", Tier::Enterprise).await.unwrap();
    let new = NewToken { name: "other", account_id: &account, permissions: &[], zones: &[], expires: None };
    let (_, token) = admin.create_token(&new).await.unwrap();
    admin.close().await;

    let stalled = join_all((0..STALLED_CLIENTS).map(|_| {
        let beginning = once(async { Ok::<_, Error>(Bytes::from(vec![b' '; (4 << 20) - 1])) });
        let body = Body::from_stream(beginning.chain(pending()));
        app.send(app.request(Method::POST, &app.zone("/filters"), body))
    }));
    let start = Instant::now();
    let other = async {
        sleep(Duration::from_secs(1)).await;
        let body = json!([{"expression": "ssl", "description": "x".repeat(400)}]).to_string() + &" ".repeat(2 << 20);
        let request = Request::post(format!("/client/v4/zones/{zone}/filters"));
        let request = request.header("authorization", format!("Bearer {token}")).body(Body::from(body)).unwrap();
        let other = send_request(&app.router, request).await;
        assert_eq!(other.status, 200, "{other:?}");
    };
    let (stalled, ()) = tokio::join!(stalled, other);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let slow = stalled.iter().filter(|response| response.status == 408).count();
    assert!(slow >= 4 && stalled.iter().all(|response| [408, 503].contains(&response.status)), "{stalled:?}");
}
