//! `/{zones|accounts}/{id}/logpush/ingest/{dataset}`: accepts log lines for delivery. This API is ours: the documented
//! product generates its lines itself.
//!
//! [`ingest`] reads the body in chunks while it holds the permit of the account. Each chunk is decompressed and
//! appended to the spool on the pool of blocking threads, by [`IngestState`]. The response waits until all lines are
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
use zonewright_delivery::{
    AppendOutcome, BodyDecoder, DecodeError, Delivery, DeliveryLimits, LineSplitter, Position, Spool,
};
use zonewright_logpush::Dataset;
use zonewright_store::{Caller, Owner};

/// Maximum pause in a body.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout of a whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(600);
/// Size of a chunk of the body in bytes.
const READ_CHUNK_BYTES: usize = 256 << 10;

/// The result of an upload of log lines.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct IngestSummary {
    /// The number of lines that are JSON objects. If an enabled job delivers them, they are on disk.
    accepted: u64,
    /// The number of other lines, which are skipped.
    rejected: u64,
    /// The first skipped lines.
    problems: Vec<RejectedLine>,
}

/// A line that was rejected.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct RejectedLine {
    /// The line number in the body, from 1.
    line: u64,
    /// The reason.
    message: String,
}

/// Ingests log lines: newline-delimited JSON, optionally compressed with gzip.
#[utoipa::path(
    post,
    path = "/ingest/{dataset}",
    tag = "Extensions",
    request_body(
        content = String,
        content_type = "application/x-ndjson",
        description = "One JSON object per line, compressed with gzip if `Content-Encoding` says so",
        example = "{\"ClientIP\":\"192.0.2.1\",\"ClientRequestHost\":\"example.com\"}\n"
    ),
    responses(
        (status = 200, description = "The numbers of accepted and rejected lines", body = Envelope<IngestSummary>),
        (status = 400, description = "10015: the owner does not have this dataset, or the body has an unsupported \
            compression"),
        (status = 404, description = "10001: dataset not found"),
        (status = 429, description = "10429: too many lines are queued for delivery, or too many uploads are in progress; retry after `Retry-After` seconds"),
    )
)]
pub(crate) async fn ingest(
    owner: Owner,
    caller: Caller,
    State(app): State<App>,
    DatasetName(dataset): DatasetName,
    headers: HeaderMap,
    body: Body,
) -> Answer<IngestSummary> {
    let log = IngestTarget { delivery: app.delivery.clone(), owner, dataset };
    log.check_dataset_scope()?;
    app.delivery.follow().await?;
    app.delivery.takes(&owner_key(&log.owner), log.dataset.name)?;
    let gzip = is_gzip(&headers)?;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let limits = &app.delivery.config().limits;
    if length > limits.max_body_bytes {
        return Err(too_large(limits.max_body_bytes));
    }
    let wanted = log.spool().is_some();
    if wanted && !app.delivery.has_room(length) {
        return Err(Error::SpoolFull(0));
    }
    let _permit = app.delivery.ingest_permit(&caller.account_id).await?;
    let mut reading = IngestState {
        log,
        intake: BodyDecoder::new(gzip, limits.max_decompressed_bytes),
        last: None,
        appended_lines: 0,
    };
    let mut body = PacedBody::of(body, limits);
    loop {
        let piece = match body.next().await {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) => return Err(reading.partial_error(error).await),
        };
        let result;
        // The permit is held for one chunk, so that other requests work while this one waits for its client.
        let work = app.delivery.unpack_permit().await;
        (reading, result) = run_blocking(move || reading.push(piece)).await?;
        drop(work);
        if let Err(error) = result {
            return Err(reading.partial_error(error).await);
        }
    }
    let work = app.delivery.unpack_permit().await;
    let (mut reading, result) = run_blocking(move || reading.finish()).await?;
    drop(work);
    if let Err(error) = result {
        return Err(reading.partial_error(error).await);
    }
    let lines = reading.intake.lines();
    app.delivery.counts().record_ingested(lines.accepted, lines.rejected);
    let problems = std::mem::take(&mut lines.problems).into_iter();
    let problems = problems.map(|problem| RejectedLine { line: problem.line, message: problem.message }).collect();
    let ingested = IngestSummary { accepted: lines.accepted, rejected: lines.rejected, problems };
    let mut answer = Envelope::success(ingested);
    if !wanted {
        let message = "no enabled job delivers this dataset; the lines were counted but not stored";
        answer.messages.push(ErrorObject::new(error_code::NOT_FOUND, message));
    }
    Ok(Json(answer))
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Error> {
    let refuse = |encoding: &str| {
        let message = format!("the content encoding `{encoding}` is not supported; use gzip or none");
        Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)])
    };
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    match (encodings.next().map(|value| value.to_str().unwrap_or("?").trim()), encodings.next()) {
        (None | Some("" | "identity"), None) => Ok(false),
        (Some(gzip), None) if gzip.eq_ignore_ascii_case("gzip") || gzip.eq_ignore_ascii_case("x-gzip") => Ok(true),
        (encoding, _) => Err(refuse(&encoding.unwrap_or("?").chars().take(64).collect::<String>())),
    }
}

/// The destination of the lines of a request.
struct IngestTarget {
    delivery: Delivery,
    owner: Owner,
    dataset: &'static Dataset,
}

impl IngestTarget {
    /// Rejects a dataset that the owner cannot have.
    fn check_dataset_scope(&self) -> Result<(), Error> {
        let (right, others) = match self.owner {
            Owner::Zone(_) => (self.dataset.has_zone_scope(), "accounts"),
            Owner::Account(_) => (self.dataset.has_account_scope(), "zones"),
        };
        if right {
            return Ok(());
        }
        let name = self.dataset.name;
        let message = format!("`{name}` is a dataset of {others}; send it to /{others}/…/logpush/ingest/{name}");
        Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)]))
    }

    fn spool(&self) -> Option<Arc<Spool>> {
        self.delivery.spool(&owner_key(&self.owner), self.dataset.name)
    }
}

/// The state of a body that is being read.
struct IngestState {
    log: IngestTarget,
    intake: BodyDecoder,
    /// The spool and position of the last appended frame.
    last: Option<(Arc<Spool>, Position)>,
    /// Number of lines in frames that were appended, or that no job wants.
    appended_lines: u64,
}

impl IngestState {
    fn push(mut self, piece: Bytes) -> (IngestState, Result<(), Error>) {
        let mut kept = FrameSink { log: &self.log, last: &mut self.last, lines: &mut self.appended_lines, full: false };
        let result = self.intake.push(&piece, |lines| kept.append_lines(lines));
        let full = kept.full;
        let result = match result {
            _ if full => Err(Error::SpoolFull(0)),
            Ok(Ok(())) => Ok(()),
            Ok(Err(broken)) => Err(decode_error(&broken)),
            Err(error) => Err(Error::SpoolUnwritable(error)),
        };
        (self, result)
    }

    /// Appends the remaining lines. On success all lines are on disk.
    fn finish(mut self) -> (IngestState, Result<(), Error>) {
        if let Err(broken) = self.intake.end() {
            return (self, Err(decode_error(&broken)));
        }
        let mut kept = FrameSink { log: &self.log, last: &mut self.last, lines: &mut self.appended_lines, full: false };
        let result = kept.append_lines(self.intake.lines());
        let result = match result {
            _ if kept.full => Err(Error::SpoolFull(0)),
            Ok(()) => self.commit(),
            Err(error) => Err(Error::SpoolUnwritable(error)),
        };
        (self, result)
    }

    fn commit(&self) -> Result<(), Error> {
        match &self.last {
            Some((spool, at)) => spool.commit(*at).map_err(Error::SpoolUnwritable),
            None => Ok(()),
        }
    }

    /// Makes the appended lines durable and returns the error of an incomplete body, with the number of these lines.
    async fn partial_error(self, error: Error) -> Error {
        let (kept, committed) = match run_blocking(move || (self.appended_lines, self.commit())).await {
            Ok((kept, committed)) => (kept, committed),
            Err(error) => return error,
        };
        match error {
            _ if committed.is_err() || kept == 0 => error,
            Error::SpoolFull(_) => Error::SpoolFull(kept),
            // An internal error makes clients retry the whole body, so the error has no number of lines.
            Error::Internal(_) | Error::SpoolUnwritable(_) => error,
            other => Error::PartiallyIngested(kept, Box::new(other)),
        }
    }
}

struct FrameSink<'a> {
    log: &'a IngestTarget,
    last: &'a mut Option<(Arc<Spool>, Position)>,
    lines: &'a mut u64,
    full: bool,
}

impl FrameSink<'_> {
    /// Appends the lines to the spool, or skips them when no job wants them.
    fn append_lines(&mut self, lines: &mut LineSplitter) -> io::Result<()> {
        let frame = std::mem::take(&mut lines.frame);
        let count = u64::from(frame.lines());
        if count == 0 {
            return Ok(());
        }
        if let Some(spool) = self.log.spool() {
            match spool.append(&frame.finish(zonewright_store::now_millis()))? {
                AppendOutcome::Appended(at) => *self.last = Some((spool, at)),
                AppendOutcome::NoReaders => {}
                AppendOutcome::Full => {
                    self.full = true;
                    return Err(io::Error::from(io::ErrorKind::StorageFull));
                }
            }
        }
        *self.lines += count;
        Ok(())
    }
}

fn decode_error(broken: &DecodeError) -> Error {
    let message = match broken {
        DecodeError::InvalidGzip(reason) => format!("the body is not valid gzip: {reason}"),
        DecodeError::TooLarge(most) => return too_large(*most),
        DecodeError::CompressionRatio => {
            "the compression ratio of the body is too high for logs; send it in smaller parts".to_owned()
        }
    };
    Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)])
}

fn too_large(most: u64) -> Error {
    Error::BodyTooLarge(usize::try_from(most).unwrap_or(usize::MAX))
}

/// The chunks of a body. Its client has to send at a minimum rate.
struct PacedBody {
    stream: BodyDataStream,
    left: u64,
    most: u64,
    end: Instant,
    /// Time for which the client may still delay before it is too slow.
    patience: Duration,
    least_rate: u32,
}

impl PacedBody {
    fn of(body: Body, limits: &DeliveryLimits) -> PacedBody {
        PacedBody {
            stream: body.into_data_stream(),
            left: limits.max_body_bytes,
            most: limits.max_body_bytes,
            end: Instant::now() + BODY_TIMEOUT,
            patience: limits.slow_start,
            least_rate: limits.min_bytes_per_second.max(1),
        }
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        let mut piece = Vec::new();
        while piece.len() < READ_CHUNK_BYTES {
            let begun = Instant::now();
            let until = self.end.min(begun + READ_TIMEOUT.min(self.patience));
            let Some(bytes) = timeout_at(until, self.stream.next()).await.map_err(|_| Error::BodyTimeout)? else {
                break;
            };
            let bytes = bytes.map_err(|error| Error::BadJson(format!("it is incomplete: {error}")))?;
            let paid = Duration::from_secs(bytes.len() as u64) / self.least_rate;
            self.patience = (self.patience + paid).saturating_sub(begun.elapsed());
            self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| too_large(self.most))?;
            if piece.is_empty() && bytes.len() >= READ_CHUNK_BYTES {
                return Ok(Some(bytes));
            }
            piece.extend_from_slice(&bytes);
        }
        Ok((!piece.is_empty()).then(|| piece.into()))
    }
}
