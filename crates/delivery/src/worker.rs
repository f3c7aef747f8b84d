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
//! delays and waits for new lines can be canceled. A worker that leaves during an upload leaves the planned end to its
//! successor.
//!
//! Invariant: a worker writes the cursor only while it holds the lease, because another process may have moved it
//! since.

use crate::batch::{Batch, Parcel, Unreadable};
use crate::config::Pace;
use crate::counts::Counts;
use crate::job_source::JobSource;
use crate::job_spec::JobSpec;
use crate::spool::{Cursor, Position, Reader, Spool};
use crate::writer::{Target, Writer};
use bytes::Bytes;
use jiff::SignedDuration;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The number of bytes of lines that are read between two checks of the deadline and the order.
const READ_CHUNK_BYTES: usize = 1 << 20;

/// The problem of a worker that does not hold the lease.
const NOT_HELD: &str = "the service waits for its database to say that the lines are its own";

/// An order of the supervisor to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Continue.
    Work,
    /// Deliver what was gathered, with one attempt, and end.
    Finish,
    /// End, because the job was changed or is gone. The successor gathers again what was not delivered.
    Leave,
}

/// The worker of one job.
pub(crate) struct Worker {
    pub(crate) job: u64,
    pub(crate) spool: Arc<Spool>,
    /// The identity of the data directory, because other processes deliver for the same job.
    pub(crate) identity: Arc<str>,
    /// The job source, which knows whether the lease is held and receives the results.
    pub(crate) jobs: Arc<dyn JobSource>,
    pub(crate) writer: Writer,
    pub(crate) target: Target,
    pub(crate) pace: Pace,
    pub(crate) counts: Counts,
    pub(crate) orders: watch::Receiver<Order>,
    /// The time of the first failure since the last success.
    pub(crate) failing: Option<Instant>,
}

/// The state that moves to a blocking thread and back.
struct Stage {
    spec: JobSpec,
    reader: Reader,
    batch: Batch,
}

impl Worker {
    /// Runs from a cursor until the supervisor orders the worker to end. The first batch is the planned one, if there
    /// is any.
    pub(crate) async fn run(mut self, spec: JobSpec, cursor: Cursor) {
        let reader = Reader::new(Arc::clone(&self.spool), cursor.start);
        let mut stage = Stage { spec, reader, batch: Batch::new(cursor) };
        loop {
            stage = match self.gather(stage).await {
                Ok(stage) => stage,
                // The segments may have been removed with the job.
                Err(_) if self.order() == Order::Leave => return,
                Err(error) => {
                    self.failed(&format!("the service cannot read the lines that wait: {error}")).await;
                    return;
                }
            };
            if self.order() == Order::Leave || (!stage.batch.has_lines() && self.order() == Order::Finish) {
                return;
            }
            let Stage { spec, mut reader, batch } = stage;
            let next = batch.next();
            reader.seek(next);
            let (spec, parcel) = match blocking(move || batch.finish(&spec).map(|parcel| (spec, parcel))).await {
                Ok(done) => done,
                Err(error) => {
                    self.failed(&format!("the service cannot pack a batch: {error}")).await;
                    return;
                }
            };
            self.tell(&parcel.unreadable);
            if !self.deliver(parcel, &spec).await || self.order() != Order::Work {
                return;
            }
            stage = Stage { spec, reader, batch: Batch::new(Cursor::at(next)) };
        }
    }

    /// Returns the last order. A dropped supervisor means [`Order::Leave`].
    fn order(&self) -> Order {
        if self.orders.has_changed().is_err() { Order::Leave } else { *self.orders.borrow() }
    }

    /// Fills the batch until it is full or old enough, or until the order ends the worker. It awaits only new lines,
    /// the deadline and orders.
    async fn gather(&mut self, mut stage: Stage) -> io::Result<Stage> {
        let mut end = self.spool.end();
        let mut deadline: Option<Instant> = None;
        loop {
            end.mark_unchanged();
            let (full, more);
            (stage, full, more) = blocking(move || fill(stage)).await?;
            let order = self.order();
            if full || order == Order::Leave {
                return Ok(stage);
            }
            if stage.batch.is_repeated() {
                continue;
            }
            if order == Order::Finish {
                return Ok(stage);
            }
            if stage.batch.has_lines() && deadline.is_none() {
                deadline = Some(Instant::now() + stage.spec.interval);
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Ok(stage);
            }
            if more {
                continue;
            }
            tokio::select! {
                _ = end.changed() => {}
                () = at(deadline) => return Ok(stage),
                _ = self.orders.changed() => {}
            }
        }
    }

    /// Uploads a batch until the destination accepts it, and moves the cursor past it. Returns false if the worker must
    /// end before that.
    async fn deliver(&mut self, parcel: Parcel, spec: &JobSpec) -> bool {
        if parcel.records == 0 {
            return self.advance(parcel.next).await;
        }
        let mut is_planned = false;
        let name =
            spec.destination.key(seconds(parcel.start), seconds(parcel.end), &parcel.hash(self.job, &self.identity));
        let body = Bytes::from(parcel.body);
        let mut wait = self.pace.first_retry;
        loop {
            // Without the lease, another process may have moved the cursor already.
            if !is_planned && self.jobs.holds_lease() {
                self.plan_batch(parcel.first, parcel.next).await;
                is_planned = true;
            }
            // An upload that has begun may finish within the grace period, so that the successor need not send the same
            // batch again.
            let result = if !self.jobs.holds_lease() {
                Ok(Err(NOT_HELD.to_owned()))
            } else {
                let leave = async {
                    let _ = self.orders.wait_for(|order| *order == Order::Leave).await;
                };
                let mut put = pin!(timeout(self.pace.upload, self.writer.put(&self.target, &name, body.clone())));
                tokio::select! {
                    result = &mut put => result,
                    () = leave => match timeout(self.pace.farewell, put).await {
                        Ok(result) => result,
                        Err(_) => return false,
                    },
                }
            };
            let problem = match result {
                Ok(Ok(())) => break,
                Ok(Err(problem)) => problem,
                Err(_) => "the destination took too long".to_owned(),
            };
            if self.failed(&problem).await || self.order() != Order::Work {
                return false;
            }
            tokio::select! {
                () = sleep(with_jitter(wait)) => {}
                _ = self.orders.wait_for(|order| *order != Order::Work) => return false,
            }
            wait = (wait * 2).min(self.pace.last_retry);
        }
        self.counts.delivered(parcel.records);
        if !self.advance(parcel.next).await {
            return false;
        }
        if let Err(error) = self.jobs.delivered(self.job, parcel.end).await {
            tracing::error!("job {}: its success could not be noted: {error}", self.job);
        }
        true
    }

    /// Saves the end of the batch. A failure does not stop the delivery, because delivered lines are what frees a full
    /// disk.
    async fn plan_batch(&self, start: Position, end: Position) {
        let (spool, job) = (Arc::clone(&self.spool), self.job);
        if let Err(error) = blocking(move || spool.plan_batch(job, start, end)).await {
            tracing::warn!(
                "job {job}: the end of a batch cannot be saved, so a crash may repeat it as another: {error}"
            );
        }
    }

    /// Moves the cursor, and retries until the lease is held and the disk accepts the write. Returns false if the
    /// worker must end before that.
    async fn advance(&mut self, next: Position) -> bool {
        let mut wait = self.pace.first_retry;
        loop {
            let (spool, job) = (Arc::clone(&self.spool), self.job);
            let advanced = match self.jobs.holds_lease() {
                true => blocking(move || spool.advance(job, next)).await,
                false => Err(io::Error::other(NOT_HELD)),
            };
            match advanced {
                Ok(()) => {
                    self.failing = None;
                    return true;
                }
                Err(error) => {
                    if self.failed(&format!("the service cannot note what was delivered: {error}")).await {
                        return false;
                    }
                }
            }
            tokio::select! {
                () = sleep(with_jitter(wait)) => {}
                _ = self.orders.wait_for(|order| *order != Order::Work) => return false,
            }
            wait = (wait * 2).min(self.pace.last_retry);
        }
    }

    /// Records a failure. Returns true if the job has only failed for so long that it was disabled.
    async fn failed(&mut self, problem: &str) -> bool {
        let since = *self.failing.get_or_insert_with(Instant::now);
        // Failures of the previous settings do not disable the changed job.
        let over = since.elapsed() >= self.pace.give_up && self.order() != Order::Leave;
        self.counts.failed(over);
        let noted = if over {
            let time = SignedDuration::try_from(self.pace.give_up).unwrap_or_default();
            let problem = format!("the job was disabled, as it has failed for {time:#}: {problem}");
            tracing::error!("job {}: {problem}", self.job);
            self.jobs.disable(self.job, &problem).await
        } else {
            tracing::warn!("job {}: {problem}", self.job);
            self.jobs.failed(self.job, problem).await
        };
        if let Err(error) = &noted {
            tracing::error!("job {}: its failure could not be noted: {error}", self.job);
        }
        over && noted.is_ok()
    }

    fn tell(&self, left_out: &Unreadable) {
        let Unreadable { lines, reason } = left_out;
        if *lines > 0 {
            self.counts.left_out(*lines);
            let job = self.job;
            tracing::warn!("job {job}: lines left out, as they cannot be read: {lines}; the first one: {reason}");
        }
    }
}

/// Reads frames into the batch. Returns whether the batch is full, and whether more lines may be available immediately.
fn fill(mut stage: Stage) -> io::Result<(Stage, bool, bool)> {
    let mut read = 0;
    while read < READ_CHUNK_BYTES {
        let Some(frame) = stage.reader.next()? else {
            // The rest of a planned batch was lost with its disk. Later lines are not part of it.
            let full = stage.batch.is_repeated();
            return Ok((stage, full, false));
        };
        read += frame.payload.len();
        if !stage.batch.take(&frame, &stage.spec)? {
            return Ok((stage, true, false));
        }
    }
    Ok((stage, false, true))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Returns a random duration between half of `wait` and `wait`, so that jobs that failed together do not retry
/// together.
fn with_jitter(wait: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or(u32::MAX);
    wait.mul_f64(0.5 + f64::from(random) / f64::from(u32::MAX) / 2.0)
}

fn seconds(millis: u64) -> i64 {
    i64::try_from(millis / 1000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
