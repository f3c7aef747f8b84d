//! What a job makes of a line, and how much it sends at once.

use crate::config::Pace;
use crate::spool::Position;
use std::time::Duration;
use zonewright_api::logpush::JobSettings;
use zonewright_logpush::{
    Dataset, Destination, LineError, Missing, Options, Outcome, Program, Renderer, Sampler, check, output_options,
};

/// How much longer batches are gathered where a job has the frequency `low`: larger files, and fewer
/// (assumption frequency).
const LOW: u32 = 10;

/// A job, ready to be run.
pub(crate) struct JobSpec {
    program: Option<Program>,
    sampler: Sampler,
    pub(crate) renderer: Renderer,
    pub(crate) destination: Destination,
    /// Most bytes of a batch before compression, but for one record that is longer.
    pub(crate) bytes: u64,
    /// Most records of a batch.
    pub(crate) records: u64,
    /// How long the first line of a batch waits.
    pub(crate) interval: Duration,
}

impl JobSpec {
    /// Of settings that were judged when they came in; the error says what is wrong with them all the same. `seed` stays
    /// the same for the job as long as its lines do.
    pub(crate) fn new(settings: &JobSettings, pace: &Pace, seed: u64) -> Result<JobSpec, String> {
        let first = |refusals: Vec<zonewright_api::Refusal>| {
            refusals.into_iter().next().map(|refusal| refusal.message).unwrap_or_default()
        };
        let dataset = Dataset::named(&settings.dataset);
        let dataset = dataset.ok_or_else(|| format!("there is no dataset `{}`", settings.dataset))?;
        let program = match &settings.filter {
            Some(filter) => Some(program(filter, dataset)?),
            None => None,
        };
        let renderer = Renderer::new(settings).map_err(first)?;
        let rate = output_options(settings).map_err(first)?.sample_rate.unwrap_or(1.0);
        let destination = Destination::read(&settings.destination_conf).map_err(first)?;
        let least = |own: u64, default: u64, theirs: Option<u64>| {
            let own = if own == 0 { default } else { own };
            own.min(theirs.unwrap_or(u64::MAX)).max(1)
        };
        let bytes = least(settings.max_upload_bytes, pace.bytes, destination.max_upload_bytes()).min(pace.bytes);
        let records = least(settings.max_upload_records, pace.records, destination.max_upload_records());
        let interval = match settings.max_upload_interval_seconds {
            0 if settings.frequency.as_deref() == Some("low") => pace.interval * LOW,
            0 => pace.interval,
            seconds => Duration::from_secs(seconds),
        };
        let sampler = Sampler::new(rate, seed);
        Ok(JobSpec { program, sampler, renderer, destination, bytes, records, interval })
    }

    /// Whether the line at this position is sent; a line that the filter cannot judge is not.
    pub(crate) fn keeps(&self, line: &[u8], at: Position) -> Result<bool, LineError> {
        let kept = match &self.program {
            Some(program) => program.evaluate(line, Missing::Absent)? == Outcome::True,
            None => true,
        };
        Ok(kept && self.sampler.takes(&[at.segment, at.offset, u64::from(at.line)]))
    }
}

fn program(filter: &str, dataset: &'static Dataset) -> Result<Program, String> {
    let checked = check(filter, &Options { dataset, ..Options::default() });
    let wrong = checked.diagnostics.into_iter().find(|diagnostic| diagnostic.is_error());
    checked
        .program
        .ok_or_else(|| format!("the filter is wrong: {}", wrong.map(|wrong| wrong.message).unwrap_or_default()))
}
