//! A client for a zone that migrates.

use crate::app::{TestApp, TestResponse};
use axum::http::Method;
use serde_json::Value;
use std::time::Duration;

pub(crate) const ENTRY_POINT: &str = "/rulesets/phases/http_request_firewall_managed/entrypoint";
pub(crate) const PENDING: &str = "?waf_migration=pending&phase_two=1";
pub(crate) const VALIDATION: &str = "?waf_migration=validation&phase_two=1";
pub(crate) const NEVER_COMPLETES: Duration = Duration::from_secs(3600);

/// A client of the service under test, for one of its zones.
pub(crate) struct ZoneClient<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) name: &'static str,
}

impl ZoneClient<'_> {
    /// Gets a path of the zone.
    pub(crate) async fn get(&self, rest: &str) -> TestResponse {
        self.app.get(&self.app.zone_named(self.name, rest)).await
    }

    /// The planned configuration.
    pub(crate) async fn config(&self) -> Value {
        let response = self.get("/waf_migration/config?phase_two=1").await;
        assert_eq!(response.status, 200, "{response:?}");
        response.body["result"].clone()
    }

    /// The entity tag of the zone, as returned with its planned configuration.
    pub(crate) async fn etag(&self) -> String {
        let response = self.get("/waf_migration/config?phase_two=1").await;
        response.headers["etag"].to_str().unwrap().to_owned()
    }

    /// Updates the entry point.
    pub(crate) async fn put(&self, query: &str, body: &Value) -> TestResponse {
        self.app.put(&self.app.zone_named(self.name, &format!("{ENTRY_POINT}{query}")), body.clone()).await
    }

    /// Updates the entry point if the entity tag still matches.
    pub(crate) async fn put_if_match(&self, tag: &str, query: &str, body: &Value) -> TestResponse {
        let path = self.app.zone_named(self.name, &format!("{ENTRY_POINT}{query}"));
        let mut request = self.app.request(Method::PUT, &path, body.to_string());
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        self.app.send(request).await
    }

    /// The migration state, then whether the previous and the new managed rules are on.
    pub(crate) async fn status(&self) -> [String; 3] {
        let result = self.get("/waf_migration/status").await.body["result"].clone();
        ["migration_state", "old_waf_status", "new_waf_status"].map(|name| result[name].as_str().unwrap().to_owned())
    }

    /// Waits until the migration is complete.
    pub(crate) async fn until_complete(&self) {
        for _ in 0..500 {
            if self.status().await[0] == "complete" {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the migration was not completed");
    }
}

pub(crate) fn zone<'a>(app: &'a TestApp, name: &'static str) -> ZoneClient<'a> {
    ZoneClient { app, name }
}
