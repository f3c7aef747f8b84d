use super::*;

#[test]
fn only_errors_with_unsafe_retry_forbid_retries() {
    let cases = [
        (Error::MigrationConflict(MigrationState::Pending), 409, true),
        (Error::OutcomeUnknown, 500, true),
        (Error::PreconditionFailed(Vec::new()), 412, false),
        (Error::Internal("x".into()), 500, false),
    ];
    for (error, status, is_final) in cases {
        let response = error.into_response();
        assert_eq!(response.status(), status);
        assert_eq!(
            response.headers().get("x-should-retry").is_some_and(|value| value == "false"),
            is_final,
            "{status}"
        );
    }
}

#[tokio::test]
async fn missing_lease_is_503_with_its_own_text_and_retry_after() {
    let response = Error::from(delivery::Error::NoLease).into_response();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key(RETRY_AFTER));
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let envelope: Envelope<()> = serde_json::from_slice(&body).unwrap();
    let error = envelope.errors.first().unwrap();
    assert_eq!(error.code, error_code::UNAVAILABLE);
    assert!(error.message.contains("lease") && !error.message.contains("database"), "{}", error.message);
}

#[tokio::test]
async fn panic_response_is_an_envelope_without_the_reason() {
    let response = panic_response(Box::new("secret".to_owned()));
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let envelope: Envelope<()> = serde_json::from_slice(&body).unwrap();
    assert_eq!(envelope.errors.first().map(|error| error.code), Some(error_code::INTERNAL_ERROR));
    assert!(!String::from_utf8_lossy(&body).contains("secret"));
}
