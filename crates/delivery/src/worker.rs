//! One job at work: it gathers a batch, saves where the batch ends, delivers it until the destination has it, and only
//! then moves its cursor.
//!
//! The saved end is durable before the first byte is sent, and the moved cursor before the next batch is gathered. So
//! after a crash between the two, the next worker sends the same batch first, with the same bytes and name as long as
//! the job is the same; the destination gets it twice and can replace the first. Cancellation never undoes either:
//! saving runs to its end on a thread that cannot be cancelled, and a worker that leaves during an upload leaves the
//! saved end to the next worker. While the disk takes no writes, batches are sent without a saved end. A worker writes
//! the cursor only while it holds the lease, because another process may have moved it since.

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

/// Bytes of lines that are read at a time, between two looks at the clock.
const READ_CHUNK_BYTES: usize = 1 << 20;

/// The problem of a worker that does not hold the lease.
const NOT_HELD: &str = "the service waits for its database to say that the lines are its own";

/// What a worker is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Go on.
    Work,
    /// Deliver what was gathered, once, and end.
    Finish,
    /// End: the job was changed or is gone. What was not delivered is gathered anew.
    Leave,
}

/// One job at work.
pub(crate) struct Worker {
    pub(crate) job: u64,
    pub(crate) spool: Arc<Spool>,
    /// Of the data folder: other processes deliver for the same job.
    pub(crate) identity: Arc<str>,
    /// Says whether the spool belongs to this process, and takes the results.
    pub(crate) jobs: Arc<dyn JobSource>,
    pub(crate) writer: Writer,
    pub(crate) target: Target,
    pub(crate) pace: Pace,
    pub(crate) counts: Counts,
    pub(crate) orders: watch::Receiver<Order>,
    /// Since when nothing has gone well.
    pub(crate) failing: Option<Instant>,
}

/// What is moved to a thread that may block, and back.
struct Stage {
    spec: JobSpec,
    reader: Reader,
    batch: Batch,
}

impl Worker {
    /// Works from a cursor on until it is told to end. A batch that was planned before is the first one.
    pub(crate) async fn run(mut self, spec: JobSpec, cursor: Cursor) {
        let reader = Reader::new(Arc::clone(&self.spool), cursor.start);
        let mut stage = Stage { spec, reader, batch: Batch::new(cursor) };
        loop {
            stage = match self.gather(stage).await {
                Ok(stage) => stage,
                // Its lines are gone with its job.
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

    /// The last order; who gives none any more is gone.
    fn order(&self) -> Order {
        if self.orders.has_changed().is_err() { Order::Leave } else { *self.orders.borrow() }
    }

    /// Fills the batch until it is full, old enough, or nothing more may be waited for.
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

    /// Delivers a batch and moves the cursor past it. False when the worker has to end before.
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
            // One that has begun may end, so that what it brings is not brought again by who comes next.
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

    /// Saves where the batch ends. A disk that does not take it stops no delivery, because delivered lines are what gives
    /// a full disk room again.
    async fn plan_batch(&self, start: Position, end: Position) {
        let (spool, job) = (Arc::clone(&self.spool), self.job);
        if let Err(error) = blocking(move || spool.plan_batch(job, start, end)).await {
            tracing::warn!(
                "job {job}: the end of a batch cannot be saved, so a crash may repeat it as another: {error}"
            );
        }
    }

    /// Moves the cursor, until the lease is held and the disk takes it. False when the worker has to end before.
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

    /// Notes a failure. True when there were no others but failures for so long that the job is disabled.
    async fn failed(&mut self, problem: &str) -> bool {
        let since = *self.failing.get_or_insert_with(Instant::now);
        // What a job was is no reason to disable what it is now.
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

/// Reads on; whether the batch is full, and whether there may be more to read at once.
fn fill(mut stage: Stage) -> io::Result<(Stage, bool, bool)> {
    let mut read = 0;
    while read < READ_CHUNK_BYTES {
        let Some(frame) = stage.reader.next()? else {
            // The rest of a repeated batch was lost with its disk; lines that come in later are not part of it.
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

/// Between half of it and all of it, so that jobs that failed together do not try again together.
fn with_jitter(wait: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or(u32::MAX);
    wait.mul_f64(0.5 + f64::from(random) / f64::from(u32::MAX) / 2.0)
}

fn seconds(millis: u64) -> i64 {
    i64::try_from(millis / 1000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
