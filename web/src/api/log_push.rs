//! Calls for log push jobs.

use super::write::{ObservedState, ProbeResult, WriteOutcome, WriteProbe, deletion_probe_result};
use super::{ApiError, Client, missing_result};
use crate::job::{JobOwner, minify_filter};
use gloo_net::http::Request;
use serde_json::{Map, Value};
use zonewright_api::logpush::{DeletedJob, Job, JobFrequency, JobSettings, OutputOptions, OwnershipChallenge};
use zonewright_logpush::{Dataset, fill_output_defaults};

/// The probe of a request that creates or updates a job.
#[derive(Clone, PartialEq)]
pub(crate) enum JobWriteProbe {
    /// A creation, with the IDs of the jobs that existed before.
    Created(JobOwner, Map<String, Value>, Vec<u64>),
    /// An update, with the job before it and the members that were sent.
    Updated(JobOwner, Box<Job>, Map<String, Value>),
}

impl WriteProbe for JobWriteProbe {
    type Response = Job;

    async fn probe(&self, client: &Client) -> Result<ProbeResult<Job>, ApiError> {
        match self {
            JobWriteProbe::Created(owner, sent, before) => {
                let jobs = client.jobs(owner).await?;
                let mut new = jobs.into_iter().filter(|job| !before.contains(&job.id));
                // A service may normalize other members, but it stores these three verbatim.
                let names = ["dataset", "name", "destination_conf"];
                let created_job =
                    new.find(|job| names.iter().all(|name| member_matches(&job.settings, name, sent.get(*name))));
                Ok(created_job.map_or(ProbeResult::NotApplied(ObservedState::Unchanged), ProbeResult::Applied))
            }
            JobWriteProbe::Updated(owner, before, sent) => {
                let now = client.job(owner, before.id).await?;
                // The service never returns the ownership challenge.
                let mut comparable = sent.iter().filter(|(name, _)| *name != "ownership_challenge");
                Ok(if comparable.all(|(name, value)| member_matches(&now.settings, name, Some(value))) {
                    ProbeResult::Applied(now)
                } else if now.settings == before.settings {
                    ProbeResult::NotApplied(ObservedState::Unchanged)
                } else {
                    ProbeResult::NotApplied(ObservedState::Diverged)
                })
            }
        }
    }
}

/// Returns whether a member of a job equals the one that was sent. Absent, `null` and the type's default value are
/// equal. Filters are compared without whitespace, and output options after their defaults are added.
fn member_matches(settings: &JobSettings, name: &str, sent: Option<&Value>) -> bool {
    match (name, sent) {
        ("output_options", _) => return output_options_match(settings, sent),
        ("filter", Some(Value::String(filter))) => {
            return settings.filter.as_deref().is_some_and(|now| minify_filter(now) == minify_filter(filter));
        }
        ("frequency", Some(Value::String(frequency))) => {
            return settings.frequency.as_deref().unwrap_or(JobFrequency::High.name()) == frequency;
        }
        _ => {}
    }
    let settings = serde_json::to_value(settings).unwrap_or_default();
    let is_default = |value: &&Value| match value {
        Value::Null => true,
        Value::Bool(on) => !on,
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_u64() == Some(0),
        Value::Array(_) | Value::Object(_) => false,
    };
    let non_default = |value: Option<&Value>| value.filter(|value| !is_default(value)).cloned();
    non_default(settings.get(name)) == non_default(sent)
}

/// Returns whether the output options of a job are equivalent to those that were sent.
fn output_options_match(settings: &JobSettings, sent: Option<&Value>) -> bool {
    let Ok(sent) = serde_json::from_value::<Option<OutputOptions>>(sent.cloned().unwrap_or_default()) else {
        return false;
    };
    let now = settings.output_options.clone();
    match Dataset::from_name(&settings.dataset) {
        Some(dataset) => {
            let complete = |options: Option<OutputOptions>| fill_output_defaults(options.unwrap_or_default(), dataset);
            complete(now) == complete(sent)
        }
        None => now.unwrap_or_default() == sent.unwrap_or_default(),
    }
}

/// The deletion of a job; also its probe.
#[derive(Clone, PartialEq)]
pub(crate) struct JobDeletion {
    /// The owner of the job.
    pub(crate) owner: JobOwner,
    /// The ID of the job.
    pub(crate) id: u64,
}

impl WriteProbe for JobDeletion {
    type Response = ();

    async fn probe(&self, client: &Client) -> Result<ProbeResult<()>, ApiError> {
        deletion_probe_result(client.job(&self.owner, self.id).await)
    }
}

impl Client {
    /// Lists all log push jobs of an owner.
    pub(crate) async fn jobs(&self, owner: &JobOwner) -> Result<Vec<Job>, ApiError> {
        let url = self.log_push_url(owner, "jobs");
        Ok(self.call::<Vec<Job>>(Request::get(&url)).await?.result.unwrap_or_default())
    }

    /// Reads a job.
    pub(crate) async fn job(&self, owner: &JobOwner, id: u64) -> Result<Job, ApiError> {
        let url = self.log_push_url(owner, &format!("jobs/{id}"));
        self.call::<Job>(Request::get(&url)).await?.result.ok_or_else(missing_result)
    }

    /// Creates a job.
    pub(crate) async fn create_job(&self, owner: &JobOwner, body: &Map<String, Value>) -> WriteOutcome<JobWriteProbe> {
        // Two jobs can be equal, so only a new ID identifies the created one.
        let before = match self.jobs(owner).await {
            Ok(jobs) => jobs.into_iter().map(|job| job.id).collect(),
            Err(error) => return WriteOutcome::Rejected(error),
        };
        let response = self.send(Request::post(&self.log_push_url(owner, "jobs")), body).await;
        WriteOutcome::resolve(self, response, JobWriteProbe::Created(owner.clone(), body.clone(), before)).await
    }

    /// Updates the members that are sent, and no others.
    pub(crate) async fn update_job(
        &self,
        owner: &JobOwner,
        before: &Job,
        body: &Map<String, Value>,
    ) -> WriteOutcome<JobWriteProbe> {
        let url = self.log_push_url(owner, &format!("jobs/{}", before.id));
        let response = self.send(Request::put(&url), body).await;
        WriteOutcome::resolve(
            self,
            response,
            JobWriteProbe::Updated(owner.clone(), Box::new(before.clone()), body.clone()),
        )
        .await
    }

    /// Deletes a job. Delivered objects remain at the destination.
    pub(crate) async fn delete_job(&self, deletion: JobDeletion) -> WriteOutcome<JobDeletion> {
        let url = self.log_push_url(&deletion.owner, &format!("jobs/{}", deletion.id));
        let response = self.call::<DeletedJob>(Request::delete(&url)).await.map(drop);
        WriteOutcome::resolve(self, response, deletion).await
    }

    /// Writes an ownership challenge to a destination. A lost response cannot be resolved by a probe, because the
    /// service lists no challenges. A repeated request only writes another file.
    pub(crate) async fn request_ownership_challenge(
        &self,
        owner: &JobOwner,
        destination: &str,
    ) -> Result<OwnershipChallenge, ApiError> {
        let body = [("destination_conf".to_owned(), Value::from(destination))].into_iter().collect();
        self.send(Request::post(&self.log_push_url(owner, "ownership")), &body).await
    }

    fn log_push_url(&self, owner: &JobOwner, path: &str) -> String {
        self.url(&format!("{}/logpush/{path}", owner.path()))
    }
}
