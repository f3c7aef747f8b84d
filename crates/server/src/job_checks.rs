//! Checks of a log push job that need I/O: the proof that its owner controls the destination, and a test upload.

use crate::error::Error;
use crate::{App, challenge};
use std::time::Duration;
use zonewright_api::logpush::JobSettings;
use zonewright_api::{ErrorObject, error_code};
use zonewright_delivery::LogPushConfig;
use zonewright_logpush::{Destination, JobRequest, JobRules, JobScope};
use zonewright_store::{Owner, digest};

/// The object of a test upload: `{"content":"tests"}`, compressed with gzip (documented).
const TEST_OBJECT_GZIP: &[u8] =
    b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xabVJ\xce\xcf+I\xcd+Q\xb2R*I-.)V\xaa\x05\x004\xf6\xd9\x89\x13\0\0\0";

/// Timeout of an upload to a destination.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the rules for jobs of this owner.
pub(crate) fn job_rules(owner: &Owner, config: &LogPushConfig) -> JobRules {
    let scope = match owner {
        Owner::Zone(_) => JobScope::Zone,
        Owner::Account(_) => JobScope::Account,
    };
    JobRules { scope, files: config.file_root.is_some(), plain_http: config.allow_http }
}

/// Rejects a job that [`check_challenge`] rejects. Also rejects an enabled job whose destination fails the test upload,
/// if the configuration requires that test. `existing` has the current settings of the job; a new job has none.
pub(crate) async fn check_job_destination(
    app: &App,
    owner: &Owner,
    new: &JobRequest,
    existing: Option<&JobSettings>,
) -> Result<(), Error> {
    check_challenge(app, owner, new, existing).await?;
    if new.settings.enabled {
        let destination = Destination::parse(&new.settings.destination_conf)?;
        test_destination(app, &destination).await.map_err(|problem| job_error(problem, "/destination_conf"))?;
    }
    Ok(())
}

/// Rejects a job whose ownership challenge is wrong, or missing although it is required. `existing` has the current
/// settings of the job; a new job has none.
pub(crate) async fn check_challenge(
    app: &App,
    owner: &Owner,
    new: &JobRequest,
    existing: Option<&JobSettings>,
) -> Result<(), Error> {
    let destination = Destination::parse(&new.settings.destination_conf)?;
    if let Some(sent) = &new.ownership_challenge {
        // The key is read only if there is a challenge, because the first read creates the key.
        let key = app.store.challenge_key().await?;
        return challenge::verify(key.as_bytes(), sent, owner, &destination).map_err(invalid_challenge_error);
    }
    // An existing destination that needs no challenge, for example because it contains keys, proves nothing about the
    // same location without keys.
    let is_proved = |job: &JobSettings| {
        let existing = Destination::parse(&job.destination_conf);
        existing.is_ok_and(|existing| {
            existing.requires_ownership_challenge()
                && challenge::destination_digest(&existing) == challenge::destination_digest(&destination)
        })
    };
    if requires_challenge(&app.log_push, &destination) && !existing.is_some_and(is_proved) {
        return Err(invalid_challenge_error("it is missing; request one with `POST …/logpush/ownership`"));
    }
    Ok(())
}

/// Returns whether a job for the destination needs a challenge. The configuration can require it. Destinations that are
/// written with credentials of the service always need it, because such credentials prove nothing about the owner.
fn requires_challenge(config: &LogPushConfig, destination: &Destination) -> bool {
    (config.require_challenge && destination.requires_ownership_challenge()) || config.is_service_bucket(destination)
}

fn invalid_challenge_error(reason: &str) -> Error {
    let colon = if reason.is_empty() { "" } else { ": " };
    job_error(format!("incorrect ownership challenge{colon}{reason}"), "/ownership_challenge")
}

fn job_error(message: String, pointer: &str) -> Error {
    Error::Invalid(vec![ErrorObject::new(error_code::INVALID_JOB, message).with_pointer(pointer)])
}

/// Writes a challenge to a destination. Returns the name of the object, or the reason why the upload failed.
pub(crate) async fn write_challenge(
    app: &App,
    owner: &Owner,
    destination_conf: &str,
) -> Result<Result<String, String>, Error> {
    let destination = Destination::parse(destination_conf)?;
    let key = app.store.challenge_key().await?;
    let challenge = challenge::issue(key.as_bytes(), owner, &destination);
    let challenge = challenge.map_err(|error| Error::Internal(error.into()))?;
    let folder = destination.folder(jiff::Timestamp::now().as_second());
    let slash = if folder.is_empty() { "" } else { "/" };
    let short: String = digest(&challenge).chars().take(16).collect();
    let name = format!("{folder}{slash}ownership-challenge-{short}.txt");
    Ok(upload(app, &destination, &name, challenge.into_bytes()).await.map(|()| name))
}

/// Tests a destination with a small upload, if the configuration requires that.
pub(crate) async fn test_destination(app: &App, destination: &Destination) -> Result<(), String> {
    if !app.log_push.test_destination {
        return Ok(());
    }
    let folder = destination.folder(jiff::Timestamp::now().as_second());
    let slash = if folder.is_empty() { "" } else { "/" };
    let result = upload(app, destination, &format!("{folder}{slash}test.txt.gz"), TEST_OBJECT_GZIP.to_vec()).await;
    result.map_err(|problem| format!("error validating destination: error writing object: error uploading: {problem}"))
}

async fn upload(app: &App, destination: &Destination, name: &str, body: Vec<u8>) -> Result<(), String> {
    let written = tokio::time::timeout(UPLOAD_TIMEOUT, app.delivery.upload(destination, name, body)).await;
    written.map_err(|_| "the destination timed out".to_owned())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn test_object_is_the_documented_text_in_gzip() {
        let mut text = String::new();
        flate2::read::GzDecoder::new(TEST_OBJECT_GZIP).read_to_string(&mut text).unwrap();
        assert_eq!(text, r#"{"content":"tests"}"#);
    }
}
