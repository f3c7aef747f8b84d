//! The worker of one job: gathers a batch, saves its end, uploads it, and then moves the cursor.
//!
//! Start with [`Worker::run`].
//!
//! Durability: the planned end is durable before the first byte is sent, and the moved cursor before the next batch is
//! gathered. After a crash in between, the next worker sends the same batch first. While the job is unchanged, it has
//! the same bytes and name, so it replaces the first object. While the disk accepts no writes, the planned end is in
//! memory only.
//!
//! Cancellation: reads, compression and cursor writes run on blocking threads and finish once they have begun. Uploads,
//! delays and waits for new lines can be canceled. If a worker stops during an upload, the planned end remains for its
//! successor.
//!
//! Invariant: a worker writes the cursor and the result of the job only while its process holds the lease. Otherwise,
//! another process may deliver the job and may have moved the cursor.

use crate::batch::{Batch, SealedBatch, SkippedLines};
use crate::config::DeliveryLimits;
use crate::error::LEASE_NOT_HELD_MESSAGE;
use crate::job_source::JobSource;
use crate::job_spec::JobSpec;
use crate::metrics::DeliveryMetrics;
use crate::spool::{Cursor, Position, Spool, SpoolReader};
use crate::writer::{DestinationWriter, Sink};
use bytes::Bytes;
use jiff::SignedDuration;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The number of bytes of lines that are read between two checks of the deadline and the last command.
const READ_CHUNK_BYTES: usize = 1 << 20;

/// A command of the supervisor to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerCommand {
    /// Continue.
    Run,
    /// Deliver what was gathered, with one attempt, and end.
    Finish,
    /// End, because the job was changed or is no longer enabled. The successor gathers the undelivered lines again.
    Stop,
}

/// The worker of one job.
pub(crate) struct Worker {
    pub(crate) job: u64,
    pub(crate) spool: Arc<Spool>,
    /// The identity of the data directory. It distinguishes the objects of this process from those of other processes
    /// that deliver for the same job.
    pub(crate) identity: Arc<str>,
    /// The job source, which knows whether the lease is held and receives the results.
    pub(crate) jobs: Arc<dyn JobSource>,
    pub(crate) writer: DestinationWriter,
    pub(crate) sink: Sink,
    pub(crate) limits: DeliveryLimits,
    pub(crate) metrics: DeliveryMetrics,
    pub(crate) commands: watch::Receiver<WorkerCommand>,
    /// The time of the first failure since the last success.
    pub(crate) failing_since: Option<Instant>,
}

/// The state of a worker that moves to a blocking thread and back.
struct GatherState {
    spec: JobSpec,
    reader: SpoolReader,
    batch: Batch,
}

impl Worker {
    /// Runs from a cursor until the supervisor commands the worker to end, the job is disabled, or the spool cannot be
    /// read. The first batch is the planned one, if there is any.
    pub(crate) async fn run(mut self, spec: JobSpec, cursor: Cursor) {
        let reader = SpoolReader::new(Arc::clone(&self.spool), cursor.start);
        let mut state = GatherState { spec, reader, batch: Batch::new(cursor) };
        loop {
            state = match self.gather(state).await {
                Ok(state) => state,
                // The segments may have been removed with the job.
                Err(_) if self.current_command() == WorkerCommand::Stop => return,
                Err(error) => {
                    self.record_failure(&format!("the service cannot read the spool: {error}")).await;
                    return;
                }
            };
            if self.current_command() == WorkerCommand::Stop
                || (!state.batch.has_lines() && self.current_command() == WorkerCommand::Finish)
            {
                return;
            }
            let GatherState { spec, mut reader, batch } = state;
            let next = batch.next();
            reader.seek(next);
            let (spec, batch) = match run_blocking(move || batch.finish(&spec).map(|batch| (spec, batch))).await {
                Ok(sealed) => sealed,
                Err(error) => {
                    self.record_failure(&format!("the service cannot compress a batch: {error}")).await;
                    return;
                }
            };
            self.log_skipped_lines(&batch.unreadable);
            if !self.deliver(batch, &spec).await || self.current_command() != WorkerCommand::Run {
                return;
            }
            state = GatherState { spec, reader, batch: Batch::new(Cursor::at(next)) };
        }
    }

    /// Returns the last command. A dropped supervisor means [`WorkerCommand::Stop`].
    fn current_command(&self) -> WorkerCommand {
        if self.commands.has_changed().is_err() { WorkerCommand::Stop } else { *self.commands.borrow() }
    }

    /// Fills the batch until it is full or old enough, or until a command ends the worker. It awaits only new
    /// lines, the deadline and commands.
    async fn gather(&mut self, mut state: GatherState) -> io::Result<GatherState> {
        let mut end = self.spool.durable_end();
        let mut deadline: Option<Instant> = None;
        loop {
            end.mark_unchanged();
            let (full, has_more);
            (state, full, has_more) = run_blocking(move || fill_batch(state)).await?;
            let command = self.current_command();
            if full || command == WorkerCommand::Stop {
                return Ok(state);
            }
            if state.batch.is_replay() {
                continue;
            }
            if command == WorkerCommand::Finish {
                return Ok(state);
            }
            if state.batch.has_lines() && deadline.is_none() {
                deadline = Some(Instant::now() + state.spec.batch_interval);
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Ok(state);
            }
            if has_more {
                continue;
            }
            tokio::select! {
                _ = end.changed() => {}
                () = sleep_until_deadline(deadline) => return Ok(state),
                _ = self.commands.changed() => {}
            }
        }
    }

    /// Uploads a batch until the destination accepts it, and moves the cursor past it. Returns false if the worker must
    /// end before that.
    async fn deliver(&mut self, batch: SealedBatch, spec: &JobSpec) -> bool {
        if batch.records == 0 {
            return self.advance(batch.next).await;
        }
        let mut is_planned = false;
        let name = spec.destination.object_key(
            millis_to_seconds(batch.first_received_ms),
            millis_to_seconds(batch.last_received_ms),
            &batch.object_id(self.job, &self.identity),
        );
        let body = Bytes::from(batch.body);
        let mut backoff = self.limits.initial_backoff;
        loop {
            // Without the lease, another process may have moved the cursor already.
            if !is_planned && self.jobs.holds_lease() {
                self.plan_batch(batch.start, batch.next).await;
                is_planned = true;
            }
            // An upload that has begun may finish within the grace period, so that the successor need not send the same
            // batch again.
            let result = if !self.jobs.holds_lease() {
                Ok(Err(LEASE_NOT_HELD_MESSAGE.to_owned()))
            } else {
                let stop_command = async {
                    let _ = self.commands.wait_for(|command| *command == WorkerCommand::Stop).await;
                };
                let mut put =
                    pin!(timeout(self.limits.upload_timeout, self.writer.put(&self.sink, &name, body.clone())));
                tokio::select! {
                    result = &mut put => result,
                    () = stop_command => match timeout(self.limits.shutdown_grace, put).await {
                        Ok(result) => result,
                        Err(_) => return false,
                    },
                }
            };
            let problem = match result {
                Ok(Ok(())) => break,
                Ok(Err(problem)) => problem,
                Err(_) => "the destination timed out".to_owned(),
            };
            if self.record_failure(&problem).await || self.current_command() != WorkerCommand::Run {
                return false;
            }
            tokio::select! {
                () = sleep(with_jitter(backoff)) => {}
                _ = self.commands.wait_for(|command| *command != WorkerCommand::Run) => return false,
            }
            backoff = (backoff * 2).min(self.limits.max_backoff);
        }
        self.metrics.record_delivered(batch.records);
        if !self.advance(batch.next).await {
            return false;
        }
        if let Err(error) = self.jobs.record_delivered(self.job, batch.last_received_ms).await {
            tracing::error!("job {}: cannot record the delivery: {error}", self.job);
        }
        true
    }

    /// Saves the end of the batch. A failure does not stop the delivery, because only delivering lines frees space on a
    /// full disk.
    async fn plan_batch(&self, start: Position, end: Position) {
        let (spool, job) = (Arc::clone(&self.spool), self.job);
        if let Err(error) = run_blocking(move || spool.plan_batch(job, start, end)).await {
            tracing::warn!(
                "job {job}: cannot save the end of a batch; after a crash, its lines may be delivered again in a \
                different batch: {error}"
            );
        }
    }

    /// Moves the cursor, and retries until the lease is held and the disk accepts the write. Returns false if the
    /// worker must end before that.
    async fn advance(&mut self, next: Position) -> bool {
        let mut backoff = self.limits.initial_backoff;
        loop {
            let (spool, job) = (Arc::clone(&self.spool), self.job);
            let advanced = match self.jobs.holds_lease() {
                true => run_blocking(move || spool.advance(job, next)).await,
                false => Err(io::Error::other(LEASE_NOT_HELD_MESSAGE)),
            };
            match advanced {
                Ok(()) => {
                    self.failing_since = None;
                    return true;
                }
                Err(error) => {
                    if self.record_failure(&format!("the service cannot save the cursor: {error}")).await {
                        return false;
                    }
                }
            }
            tokio::select! {
                () = sleep(with_jitter(backoff)) => {}
                _ = self.commands.wait_for(|command| *command != WorkerCommand::Run) => return false,
            }
            backoff = (backoff * 2).min(self.limits.max_backoff);
        }
    }

    /// Records a failure. Returns true if all attempts failed for so long that the job was disabled.
    ///
    /// Without the lease, another process may deliver the job, so this process writes nothing to it. The time without
    /// the lease does not count as failing.
    async fn record_failure(&mut self, problem: &str) -> bool {
        if !self.jobs.holds_lease() {
            self.failing_since = None;
            tracing::warn!("job {}: {problem}", self.job);
            return false;
        }
        let since = *self.failing_since.get_or_insert_with(Instant::now);
        // Failures of the previous settings do not disable the changed job.
        let gives_up = since.elapsed() >= self.limits.disable_after && self.current_command() != WorkerCommand::Stop;
        self.metrics.record_failed(gives_up);
        let recorded = if gives_up {
            let time = SignedDuration::try_from(self.limits.disable_after).unwrap_or_default();
            let problem = format!("the job was disabled after failing for {time:#}: {problem}");
            tracing::error!("job {}: {problem}", self.job);
            self.jobs.disable(self.job, &problem).await
        } else {
            tracing::warn!("job {}: {problem}", self.job);
            self.jobs.record_failed(self.job, problem).await
        };
        if let Err(error) = &recorded {
            tracing::error!("job {}: cannot record the failure: {error}", self.job);
        }
        gives_up && recorded.is_ok()
    }

    fn log_skipped_lines(&self, skipped: &SkippedLines) {
        let SkippedLines { lines, reason } = skipped;
        if *lines > 0 {
            self.metrics.record_skipped(*lines);
            let job = self.job;
            tracing::warn!("job {job}: skipped unreadable lines: {lines}; the first: {reason}");
        }
    }
}

/// Reads frames into the batch. Returns whether the batch is full, and whether more lines may be available immediately.
fn fill_batch(mut state: GatherState) -> io::Result<(GatherState, bool, bool)> {
    let mut read = 0;
    while read < READ_CHUNK_BYTES {
        let Some(frame) = state.reader.next()? else {
            // The rest of a planned batch was lost in a crash. Later lines are not part of it.
            let full = state.batch.is_replay();
            return Ok((state, full, false));
        };
        read += frame.payload.len();
        if !state.batch.push_frame(&frame, &state.spec)? {
            return Ok((state, true, false));
        }
    }
    Ok((state, false, true))
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

async fn sleep_until_deadline(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Returns a random duration between half of `backoff` and `backoff`, so that jobs that failed together do not retry
/// together.
fn with_jitter(backoff: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or(u32::MAX);
    backoff.mul_f64(0.5 + f64::from(random) / f64::from(u32::MAX) / 2.0)
}

fn millis_to_seconds(millis: u64) -> i64 {
    i64::try_from(millis / 1000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
