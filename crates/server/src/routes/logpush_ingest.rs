//! `/{zones|accounts}/{id}/logpush/ingest/{dataset}`: accepts log lines for delivery. This API is ours: the documented
//! product generates its lines itself.
//!
//! [`ingest`] reads the body in chunks while it holds the permit of the account. Each chunk is decompressed and
//! appended to the spool on the pool of blocking threads, by [`Reading`]. The response waits until all lines are
//! durable.

use super::Answer;
use crate::app::App;
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::request::DatasetName;
use crate::store_jobs::owner_key;
use axum::Json;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use serde::Serialize;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_delivery::{Appended, Broken, Delivery, Intake, Lines, Pace, Position, Spool};
use zonewright_logpush::Dataset;
use zonewright_store::{Caller, Owner};

/// Maximum pause in a body.
const PAUSE: Duration = Duration::from_secs(30);
/// Timeout of a whole body.
const WHOLE: Duration = Duration::from_secs(600);
/// Size of a chunk of the body in bytes.
const PIECE: usize = 256 << 10;

/// What became of the lines.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Ingested {
    /// Lines that are JSON objects. When there is an enabled job for them, they are on disk.
    accepted: u64,
    /// Lines that are not, and are left out.
    rejected: u64,
    /// The first of these.
    problems: Vec<RejectedLine>,
}

/// A line that was rejected.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct RejectedLine {
    /// Its number in the body, from 1.
    line: u64,
    /// Why.
    message: String,
}

/// Takes lines: newline-delimited JSON, packed with gzip or not.
#[utoipa::path(
    post,
    path = "/ingest/{dataset}",
    tag = "Ours",
    request_body(
        content = String,
        content_type = "application/x-ndjson",
        description = "A JSON object a line, packed with gzip when `Content-Encoding` says so",
        example = "{\"ClientIP\":\"192.0.2.1\",\"ClientRequestHost\":\"example.com\"}\n"
    ),
    responses(
        (status = 200, description = "How many lines were taken", body = Envelope<Ingested>),
        (status = 400, description = "10015: the dataset is not one of the owner's, or the body is packed in another way"),
        (status = 404, description = "10001: there is no such dataset"),
        (status = 429, description = "10429: too many lines wait for their delivery, or too many bodies come in at once; `Retry-After` says when to send again"),
    )
)]
pub(crate) async fn ingest(
    owner: Owner,
    caller: Caller,
    State(app): State<App>,
    DatasetName(dataset): DatasetName,
    headers: HeaderMap,
    body: Body,
) -> Answer<Ingested> {
    let log = Log { delivery: app.delivery.clone(), owner, dataset };
    log.belongs()?;
    app.delivery.follow().await?;
    app.delivery.takes(&owner_key(&log.owner), log.dataset.name)?;
    let gzip = is_gzip(&headers)?;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let pace = &app.delivery.config().pace;
    if length > pace.body_bytes {
        return Err(too_large(pace.body_bytes));
    }
    let wanted = log.spool().is_some();
    if wanted && !app.delivery.has_room(length) {
        return Err(Error::SpoolFull(0));
    }
    let _permit = app.delivery.ingest_permit(&caller.account_id).await?;
    let mut reading = Reading { log, intake: Intake::new(gzip, pace.unpacked_bytes), last: None, kept: 0 };
    let mut body = Pieces::of(body, pace);
    loop {
        let piece = match body.next().await {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) => return Err(reading.broken_off(error).await),
        };
        let result;
        // The permit is held for one chunk, so that other requests work while this one waits for its client.
        let work = app.delivery.unpack_permit().await;
        (reading, result) = run_blocking(move || reading.take(piece)).await?;
        drop(work);
        if let Err(error) = result {
            return Err(reading.broken_off(error).await);
        }
    }
    let work = app.delivery.unpack_permit().await;
    let (mut reading, result) = run_blocking(move || reading.end()).await?;
    drop(work);
    if let Err(error) = result {
        return Err(reading.broken_off(error).await);
    }
    let lines = reading.intake.lines();
    app.delivery.counts().came_in(lines.accepted, lines.rejected);
    let problems = std::mem::take(&mut lines.problems).into_iter();
    let problems = problems.map(|problem| RejectedLine { line: problem.line, message: problem.message }).collect();
    let ingested = Ingested { accepted: lines.accepted, rejected: lines.rejected, problems };
    let mut answer = Envelope::success(ingested);
    if !wanted {
        let message = "no enabled job pushes this dataset: the lines were counted, not kept";
        answer.messages.push(ErrorObject::new(error_code::NOT_EXISTS, message));
    }
    Ok(Json(answer))
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Error> {
    let refuse = |encoding: &str| {
        let message = format!("the body has the encoding `{encoding}`; only gzip and none are read");
        Error::Refused(vec![ErrorObject::new(error_code::WRONG_VALUE, message)])
    };
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    match (encodings.next().map(|value| value.to_str().unwrap_or("?").trim()), encodings.next()) {
        (None | Some("" | "identity"), None) => Ok(false),
        (Some(gzip), None) if gzip.eq_ignore_ascii_case("gzip") || gzip.eq_ignore_ascii_case("x-gzip") => Ok(true),
        (encoding, _) => Err(refuse(&encoding.unwrap_or("?").chars().take(64).collect::<String>())),
    }
}

/// The destination of the lines of a request.
struct Log {
    delivery: Delivery,
    owner: Owner,
    dataset: &'static Dataset,
}

impl Log {
    /// Rejects a dataset that the owner cannot have.
    fn belongs(&self) -> Result<(), Error> {
        let (right, others) = match self.owner {
            Owner::Zone(_) => (self.dataset.is_zone(), "accounts"),
            Owner::Account(_) => (self.dataset.is_account(), "zones"),
        };
        if right {
            return Ok(());
        }
        let name = self.dataset.name;
        let message = format!("`{name}` is a dataset of {others}: send it to /{others}/…/logpush/ingest/{name}");
        Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_VALUE, message)]))
    }

    fn spool(&self) -> Option<Arc<Spool>> {
        self.delivery.spool(&owner_key(&self.owner), self.dataset.name)
    }
}

/// The state of a body that is being read.
struct Reading {
    log: Log,
    intake: Intake,
    /// The spool and position of the last appended frame.
    last: Option<(Arc<Spool>, Position)>,
    /// Number of lines in frames that were appended, or that no job wants.
    kept: u64,
}

impl Reading {
    fn take(mut self, piece: Bytes) -> (Reading, Result<(), Error>) {
        let mut kept = Kept { log: &self.log, last: &mut self.last, lines: &mut self.kept, full: false };
        let result = self.intake.take(&piece, |lines| kept.keep(lines));
        let full = kept.full;
        let result = match result {
            _ if full => Err(Error::SpoolFull(0)),
            Ok(Ok(())) => Ok(()),
            Ok(Err(broken)) => Err(refused(&broken)),
            Err(error) => Err(Error::Unwritable(error)),
        };
        (self, result)
    }

    /// Appends the remaining lines. On success all lines are on disk.
    fn end(mut self) -> (Reading, Result<(), Error>) {
        if let Err(broken) = self.intake.end() {
            return (self, Err(refused(&broken)));
        }
        let mut kept = Kept { log: &self.log, last: &mut self.last, lines: &mut self.kept, full: false };
        let result = kept.keep(self.intake.lines());
        let result = match result {
            _ if kept.full => Err(Error::SpoolFull(0)),
            Ok(()) => self.commit(),
            Err(error) => Err(Error::Unwritable(error)),
        };
        (self, result)
    }

    fn commit(&self) -> Result<(), Error> {
        match &self.last {
            Some((spool, at)) => spool.commit(*at).map_err(Error::Unwritable),
            None => Ok(()),
        }
    }

    /// Makes the appended lines durable and returns the error of an incomplete body, with the number of these lines.
    async fn broken_off(self, error: Error) -> Error {
        let (kept, committed) = match run_blocking(move || (self.kept, self.commit())).await {
            Ok((kept, committed)) => (kept, committed),
            Err(error) => return error,
        };
        match error {
            _ if committed.is_err() || kept == 0 => error,
            Error::SpoolFull(_) => Error::SpoolFull(kept),
            // An internal error makes clients retry the whole body, so the error has no number of lines.
            Error::Internal(_) | Error::Unwritable(_) => error,
            other => Error::AfterLines(kept, Box::new(other)),
        }
    }
}

struct Kept<'a> {
    log: &'a Log,
    last: &'a mut Option<(Arc<Spool>, Position)>,
    lines: &'a mut u64,
    full: bool,
}

impl Kept<'_> {
    /// Appends the lines to the spool, or skips them when no job wants them.
    fn keep(&mut self, lines: &mut Lines) -> io::Result<()> {
        let frame = std::mem::take(&mut lines.frame);
        let count = u64::from(frame.lines());
        if count == 0 {
            return Ok(());
        }
        if let Some(spool) = self.log.spool() {
            match spool.append(&frame.finish(zonewright_store::millis()))? {
                Appended::At(at) => *self.last = Some((spool, at)),
                Appended::Unwanted => {}
                Appended::Full => {
                    self.full = true;
                    return Err(io::Error::from(io::ErrorKind::StorageFull));
                }
            }
        }
        *self.lines += count;
        Ok(())
    }
}

fn refused(broken: &Broken) -> Error {
    let message = match broken {
        Broken::Gzip(reason) => format!("the body is no gzip: {reason}"),
        Broken::Large(most) => return too_large(*most),
        Broken::Ratio => "the body is packed more tightly than logs are; send it in smaller parts".to_owned(),
    };
    Error::Refused(vec![ErrorObject::new(error_code::WRONG_VALUE, message)])
}

fn too_large(most: u64) -> Error {
    Error::BodyTooLarge(usize::try_from(most).unwrap_or(usize::MAX))
}

/// The chunks of a body. Its client has to send at a minimum rate.
struct Pieces {
    stream: BodyDataStream,
    left: u64,
    most: u64,
    end: Instant,
    /// Time for which the client may still delay before it is too slow.
    patience: Duration,
    least_rate: u32,
}

impl Pieces {
    fn of(body: Body, pace: &Pace) -> Pieces {
        Pieces {
            stream: body.into_data_stream(),
            left: pace.body_bytes,
            most: pace.body_bytes,
            end: Instant::now() + WHOLE,
            patience: pace.grace,
            least_rate: pace.least_rate.max(1),
        }
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        let mut piece = Vec::new();
        while piece.len() < PIECE {
            let begun = Instant::now();
            let until = self.end.min(begun + PAUSE.min(self.patience));
            let Some(bytes) = timeout_at(until, self.stream.next()).await.map_err(|_| Error::BodyTooSlow)? else {
                break;
            };
            let bytes = bytes.map_err(|error| Error::BadJson(format!("it ended too early: {error}")))?;
            let paid = Duration::from_secs(bytes.len() as u64) / self.least_rate;
            self.patience = (self.patience + paid).saturating_sub(begun.elapsed());
            self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| too_large(self.most))?;
            if piece.is_empty() && bytes.len() >= PIECE {
                return Ok(Some(bytes));
            }
            piece.extend_from_slice(&bytes);
        }
        Ok((!piece.is_empty()).then(|| piece.into()))
    }
}
