//! Log push jobs: from JSON to settings, and every reason to refuse them.
//!
//! Read in this order: [`read`](mod@read) knows the types of the members, [`check`](mod@check) what their
//! values may be; the filter, the destination and the output options have files of their own.

mod check;
mod filter;
mod read;

pub(crate) use check::shown;

use serde_json::Value;
use zonewright_api::logpush::JobSettings;
use zonewright_api::{Refusal, error_code};

/// What is allowed besides what the documentation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRules {
    /// Whose job it is.
    pub scope: JobScope,
    /// Whether `file://` is allowed: the service has a folder for it.
    pub files: bool,
    /// Whether `http://` is allowed.
    pub plain_http: bool,
}

impl JobRules {
    /// What the documentation allows, and nothing else.
    pub fn documented(scope: JobScope) -> Self {
        JobRules { scope, files: false, plain_http: false }
    }
}

/// Whose job it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobScope {
    /// A zone's.
    Zone,
    /// An account's.
    Account,
}

/// A job that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJob {
    /// What its owner decides.
    pub settings: JobSettings,
    /// The token that proves that the destination is his; kept nowhere.
    pub ownership_challenge: Option<String>,
}

/// What is done with a job, as the observed messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Creating,
    Updating,
}

impl Verb {
    /// `creating a new job is not allowed`.
    pub(crate) fn refused(self) -> &'static str {
        match self {
            Verb::Creating => "creating a new job is not allowed",
            Verb::Updating => "updating a job is not allowed",
        }
    }
}

/// Reads the body of a request that creates a job; the error holds every reason to refuse it, with
/// pointers from the root of the body.
pub fn read_job(body: &Value, rules: &JobRules) -> Result<NewJob, Vec<Refusal>> {
    let (job, mut refusals) = read::created(body).map_err(numbered)?;
    // What has the wrong type has its default now, about which nothing is to be said.
    let known = check::check(&job.settings, rules, Verb::Creating);
    add(known, &mut refusals);
    refusals.extend(check::check_challenge(job.ownership_challenge.as_deref()));
    done(job, refusals)
}

/// Reads the body of a request that changes a job: only the members that were sent change, `null` gives
/// a member its default back. What is not sent is not judged again.
pub fn read_update(body: &Value, present: &JobSettings, rules: &JobRules) -> Result<NewJob, Vec<Refusal>> {
    let (job, mut refusals) = read::updated(body, present).map_err(numbered)?;
    let mut known = check::check(&job.settings, rules, Verb::Updating);
    known.retain(|refusal| body.get(first_member(&refusal.pointer)).is_some());
    add(known, &mut refusals);
    refusals.extend(check::check_challenge(job.ownership_challenge.as_deref()));
    done(job, refusals)
}

/// Every reason why there cannot be such a job; none when there can.
pub fn check_job(settings: &JobSettings, rules: &JobRules) -> Vec<Refusal> {
    numbered(check::check(settings, rules, Verb::Creating))
}

fn done(job: NewJob, refusals: Vec<Refusal>) -> Result<NewJob, Vec<Refusal>> {
    if refusals.is_empty() { Ok(job) } else { Err(numbered(refusals)) }
}

/// Log push has two codes only: bad input, and what is not allowed.
fn numbered(mut refusals: Vec<Refusal>) -> Vec<Refusal> {
    for refusal in &mut refusals {
        if refusal.code != error_code::JOB_NOT_ALLOWED {
            refusal.code = error_code::WRONG_JOB;
        }
    }
    refusals
}

/// `filter` of `/filter/where`.
fn first_member(pointer: &str) -> &str {
    pointer.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// Adds what is wrong at places that were not refused already.
fn add(known: Vec<Refusal>, refusals: &mut Vec<Refusal>) {
    let places: Vec<String> = refusals.iter().map(|refusal| refusal.pointer.clone()).collect();
    refusals.extend(known.into_iter().filter(|refusal| !places.contains(&refusal.pointer)));
}
