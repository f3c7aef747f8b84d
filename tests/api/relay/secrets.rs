//! The log never contains secrets.

use super::harness::{
    ID, PASSPHRASE, RecordingUpstream, STORED_CREDENTIALS, TOKEN, TestRelay, UpstreamBehavior, request,
    start_hostile_upstream, success,
};
use serde_json::json;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// Captures the log.
#[derive(Clone, Default)]
struct LogCapture(Arc<Mutex<Vec<u8>>>);

impl Write for LogCapture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for LogCapture {
    type Writer = LogCapture;

    fn make_writer(&self) -> LogCapture {
        self.clone()
    }
}

#[tokio::test]
async fn log_contains_no_credentials_destinations_or_challenges() {
    let log = LogCapture::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false);
    let _guard = tracing::subscriber::set_default(subscriber.with_writer(log.clone()).finish());

    let job = json!({
        "destination_conf": "s3://bucket/a?region=eu-1&access-key-id=hushkeyid&secret-access-key=hushsecret",
        "ownership_challenge": "hushchallenge",
    });
    let answered = job.clone();
    let upstream = RecordingUpstream::with_handler(move |_| success(answered.clone())).await;
    let (broken, _) = start_hostile_upstream(UpstreamBehavior::Say(
        b"HTTP/1.1 200 OK\r\nx: hush\r\ncontent-length: 9\r\n\r\nhush".to_vec(),
    ))
    .await;
    let (_, rejected) =
        (json!({"destination_conf": "s3://hush?secret-access-key=hush"}), json!({"passphrase": "hush wrong"}));
    for address in [upstream.address.as_str(), broken.as_str(), "http://127.0.0.1:1"] {
        let relay = TestRelay::with_stored_credentials(address);
        let headers = [("content-type", "application/json")];
        relay.send(request("POST", "/relay/session", &headers, rejected.to_string())).await;
        let login = json!({ "passphrase": PASSPHRASE }).to_string();
        let response = relay.send(request("POST", "/relay/session", &headers, login)).await;
        let cookie = response.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let csrf = response.body["result"]["csrf_token"].as_str().unwrap().to_owned();
        for (method, path) in [
            ("POST", "/z/logpush/jobs".to_owned()),
            ("PUT", "/z/logpush/jobs/1".to_owned()),
            ("POST", "/z/logpush/ownership/validate".to_owned()),
            ("POST", format!("/accounts/{ID}/logpush/validate/destination")),
            ("GET", "/z/logpush/jobs?destination_conf=hushquery".to_owned()),
            ("GET", "/z/hushaddress".to_owned()),
        ] {
            let headers = [("cookie", cookie.as_str()), ("x-csrf-token", csrf.as_str())];
            relay.send(request(method, &path, &headers, job.to_string())).await;
            let passing = TestRelay::with_client_credentials(address);
            let headers = [("authorization", TOKEN), ("x-auth-email", "hush@example.com"), ("x-auth-key", "hushkey")];
            passing.send(request(method, &path, &headers, job.to_string())).await;
        }
        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        for secret in ["hush", STORED_CREDENTIALS, csrf.as_str(), cookie.trim_start_matches("zonewright-relay=")] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{address}: {secret}");
        }
    }
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("relayed") && text.contains("logpush/jobs/{number}"), "requests are logged");
}
