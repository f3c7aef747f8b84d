//! What a log push job has to pass that the engine cannot judge: the proof that its destination is its
//! owner's, and whether the destination takes what is sent.

use crate::error::Error;
use crate::{App, challenge};
use std::time::Duration;
use zonewright_api::logpush::JobSettings;
use zonewright_api::{ErrorObject, error_code};
use zonewright_delivery::LogPushConfig;
use zonewright_logpush::{Destination, JobRules, JobScope, NewJob};
use zonewright_store::{Owner, digest};

/// What a destination is tried with: `{"content":"tests"}`, gzip (documented).
const TEST: &[u8] =
    b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xabVJ\xce\xcf+I\xcd+Q\xb2R*I-.)V\xaa\x05\x004\xf6\xd9\x89\x13\0\0\0";

/// How long somebody waits who asks for something to be written.
const PATIENCE: Duration = Duration::from_secs(30);

/// What jobs of this owner may be.
pub(crate) fn rules(owner: &Owner, config: &LogPushConfig) -> JobRules {
    let scope = match owner {
        Owner::Zone(_) => JobScope::Zone,
        Owner::Account(_) => JobScope::Account,
    };
    JobRules { scope, files: config.files.is_some(), plain_http: config.allow_http }
}

/// Refuses a job whose challenge is wrong, or missing although it is asked for, and one whose
/// destination does not take a test when the configuration asks for that. `present` is what the job was.
pub(crate) async fn admit(app: &App, owner: &Owner, new: &NewJob, present: Option<&JobSettings>) -> Result<(), Error> {
    check_challenge(app, owner, new, present).await?;
    if new.settings.enabled {
        let destination = Destination::read(&new.settings.destination_conf)?;
        test(app, &destination).await.map_err(|problem| refused(problem, "/destination_conf"))?;
    }
    Ok(())
}

/// Refuses a job whose ownership challenge is wrong, or missing although it is asked for. `present` is what the job was.
pub(crate) async fn check_challenge(
    app: &App,
    owner: &Owner,
    new: &NewJob,
    present: Option<&JobSettings>,
) -> Result<(), Error> {
    let destination = Destination::read(&new.settings.destination_conf)?;
    if let Some(sent) = &new.ownership_challenge {
        // Only now: the first reading of the key writes it.
        let key = app.store.challenge_key().await?;
        return challenge::check(key.as_bytes(), sent, owner, &destination).map_err(wrong_challenge);
    }
    // A place that was kept without a challenge is nobody's proof: with keys it needs none.
    let proved = |job: &JobSettings| {
        let old = Destination::read(&job.destination_conf);
        old.is_ok_and(|old| old.needs_challenge() && challenge::place(&old) == challenge::place(&destination))
    };
    if asks_for_challenge(&app.log_push, &destination) && !present.is_some_and(proved) {
        return Err(wrong_challenge("it is missing; `POST …/logpush/ownership` writes one to the destination"));
    }
    Ok(())
}

/// Where the configuration says so, and for what is written with credentials of the service, which are nobody's proof.
fn asks_for_challenge(config: &LogPushConfig, destination: &Destination) -> bool {
    (config.require_challenge && destination.needs_challenge()) || config.is_own(destination)
}

fn wrong_challenge(reason: &str) -> Error {
    let colon = if reason.is_empty() { "" } else { ": " };
    refused(format!("incorrect ownership challenge{colon}{reason}"), "/ownership_challenge")
}

fn refused(message: String, pointer: &str) -> Error {
    Error::Refused(vec![ErrorObject::new(error_code::WRONG_JOB, message).at(pointer)])
}

/// Writes a challenge to a destination that a job could have; gives its name, or why it could not.
pub(crate) async fn write_challenge(app: &App, owner: &Owner, address: &str) -> Result<Result<String, String>, Error> {
    let destination = Destination::read(address)?;
    let key = app.store.challenge_key().await?;
    let challenge = challenge::issue(key.as_bytes(), owner, &destination);
    let challenge = challenge.map_err(|error| Error::Internal(error.into()))?;
    let folder = destination.folder(jiff::Timestamp::now().as_second());
    let slash = if folder.is_empty() { "" } else { "/" };
    let short: String = digest(&challenge).chars().take(16).collect();
    let name = format!("{folder}{slash}ownership-challenge-{short}.txt");
    Ok(upload(app, &destination, &name, challenge.into_bytes()).await.map(|()| name))
}

/// Tries a destination with a small upload when the configuration asks for that.
pub(crate) async fn test(app: &App, destination: &Destination) -> Result<(), String> {
    if !app.log_push.test_destination {
        return Ok(());
    }
    let folder = destination.folder(jiff::Timestamp::now().as_second());
    let slash = if folder.is_empty() { "" } else { "/" };
    let result = upload(app, destination, &format!("{folder}{slash}test.txt.gz"), TEST.to_vec()).await;
    result.map_err(|problem| format!("error validating destination: error writing object: error uploading: {problem}"))
}

async fn upload(app: &App, destination: &Destination, name: &str, body: Vec<u8>) -> Result<(), String> {
    let written = tokio::time::timeout(PATIENCE, app.delivery.upload(destination, name, body)).await;
    written.map_err(|_| "the destination took too long".to_owned())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_a_destination_is_tried_with() {
        let mut text = String::new();
        flate2::read::GzDecoder::new(TEST).read_to_string(&mut text).unwrap();
        assert_eq!(text, r#"{"content":"tests"}"#);
    }
}
