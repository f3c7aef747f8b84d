//! The executable form of a job: its filter, sample, renderer and batch limits.

use crate::config::DeliveryLimits;
use crate::spool::Position;
use std::time::Duration;
use zonewright_api::logpush::{JobFrequency, JobSettings};
use zonewright_logpush::{
    Dataset, Destination, LineError, MissingPolicy, Options, Outcome, Program, Renderer, Sampler, check, output_options,
};

/// The factor by which the frequency `low` prolongs the gathering of a batch, for fewer and larger files (assumption
/// frequency).
const LOW_FREQUENCY_FACTOR: u32 = 10;

/// A job that is ready to run.
pub(crate) struct JobSpec {
    program: Option<Program>,
    sampler: Sampler,
    pub(crate) renderer: Renderer,
    pub(crate) destination: Destination,
    /// The maximum number of bytes of a batch before compression. A single record may exceed it.
    pub(crate) max_batch_bytes: u64,
    /// The maximum number of records of a batch.
    pub(crate) max_batch_records: u64,
    /// The time that the first line of a batch waits for more lines.
    pub(crate) batch_interval: Duration,
}

impl JobSpec {
    /// Builds the specification of a job. The settings were validated when they were stored; the error describes why
    /// they are invalid nevertheless. `seed` must stay the same for the job while its lines are retained.
    pub(crate) fn new(settings: &JobSettings, limits: &DeliveryLimits, seed: u64) -> Result<JobSpec, String> {
        let first_message = |errors: Vec<zonewright_api::ValidationError>| {
            errors.into_iter().next().map(|error| error.message).unwrap_or_default()
        };
        let dataset = Dataset::from_name(&settings.dataset);
        let dataset = dataset.ok_or_else(|| format!("unknown dataset `{}`", settings.dataset))?;
        let program = match &settings.filter {
            Some(filter) => Some(compile_filter(filter, dataset)?),
            None => None,
        };
        let renderer = Renderer::new(settings).map_err(first_message)?;
        let rate = output_options(settings).map_err(first_message)?.sample_rate.unwrap_or(1.0);
        let destination = Destination::parse(&settings.destination_conf).map_err(first_message)?;
        let effective_limit = |job_limit: u64, default: u64, destination_limit: Option<u64>| {
            let limit = if job_limit == 0 { default } else { job_limit };
            limit.min(destination_limit.unwrap_or(u64::MAX)).max(1)
        };
        let bytes = effective_limit(settings.max_upload_bytes, limits.max_batch_bytes, destination.max_upload_bytes())
            .min(limits.max_batch_bytes);
        let records =
            effective_limit(settings.max_upload_records, limits.max_batch_records, destination.max_upload_records());
        let interval = match (settings.max_upload_interval_seconds, settings.frequency_or_default()) {
            (0, JobFrequency::Low) => limits.batch_interval * LOW_FREQUENCY_FACTOR,
            (0, JobFrequency::High) => limits.batch_interval,
            (seconds, _) => Duration::from_secs(seconds),
        };
        let sampler = Sampler::new(rate, seed);
        Ok(JobSpec {
            program,
            sampler,
            renderer,
            destination,
            max_batch_bytes: bytes,
            max_batch_records: records,
            batch_interval: interval,
        })
    }

    /// Returns whether the job sends the line at this position. Fails if the filter cannot read the line.
    pub(crate) fn matches(&self, line: &[u8], at: Position) -> Result<bool, LineError> {
        let is_selected = match &self.program {
            Some(program) => program.evaluate(line, MissingPolicy::Absent)? == Outcome::True,
            None => true,
        };
        Ok(is_selected && self.sampler.is_sampled(&[at.segment, at.offset, u64::from(at.line)]))
    }
}

fn compile_filter(filter: &str, dataset: &'static Dataset) -> Result<Program, String> {
    let checked = check(filter, &Options { dataset, ..Options::default() });
    let error = checked.diagnostics.into_iter().find(|diagnostic| diagnostic.is_error());
    checked
        .program
        .ok_or_else(|| format!("the filter is invalid: {}", error.map(|error| error.message).unwrap_or_default()))
}
