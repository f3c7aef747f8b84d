//! `/{zones|accounts}/{id}/logpush/ingest/{dataset}`: accepts log lines for delivery. The documented API has no such
//! operation, because the real product generates its lines itself.
//!
//! [`ingest`] reads the body in chunks while it holds an ingest permit of the account. Each chunk is decompressed and
//! appended to the spool on the pool of blocking threads, by [`IngestState`]. The response waits until all lines are
//! durable. After a cancellation, the blocking thread finishes its chunk, and appended lines stay in the spool.
//!
//! Invariant: lines are acknowledged only if they are durable and the process still holds the lease on its spools.

use super::ApiResult;
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
    AppendOutcome, BodyDecoder, DecodeError, Delivery, DeliveryLimits, LineSplitter, Position, RejectionReason, Spool,
};
use zonewright_logpush::Dataset;
use zonewright_store::{Owner, Principal};

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
    principal: Principal,
    State(app): State<App>,
    DatasetName(dataset): DatasetName,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<IngestSummary> {
    let target = IngestTarget { delivery: app.delivery.clone(), owner, dataset };
    target.check_dataset_scope()?;
    app.delivery.refresh_if_changed().await?;
    app.delivery.check_cursor_writable(&owner_key(&target.owner), target.dataset.name)?;
    let gzip = is_gzip(&headers)?;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let limits = &app.delivery.config().limits;
    if length > limits.max_body_bytes {
        return Err(too_large_error(limits.max_body_bytes));
    }
    let has_readers = target.spool().is_some();
    if has_readers && !app.delivery.has_capacity(length) {
        return Err(Error::SpoolFull(0));
    }
    let _permit = app.delivery.acquire_ingest_permit(&principal.account_id).await?;
    let mut ingest = IngestState {
        decoder: BodyDecoder::new(gzip, limits.max_decompressed_bytes),
        appender: FrameAppender { target, last_append: None, accepted_lines: 0, refusal: None },
    };
    let mut body = PacedBody::new(body, limits);
    loop {
        let chunk = match body.next().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(error) => return Err(ingest.partial_error(error).await),
        };
        let result;
        // The permit is held for one chunk, so that other requests can decode while this one waits for its client.
        let unpack_permit = app.delivery.acquire_unpack_permit().await;
        (ingest, result) = run_blocking(move || ingest.push(chunk)).await?;
        drop(unpack_permit);
        if let Err(error) = result {
            return Err(ingest.partial_error(error).await);
        }
    }
    let unpack_permit = app.delivery.acquire_unpack_permit().await;
    let (mut ingest, result) = run_blocking(move || ingest.finish()).await?;
    drop(unpack_permit);
    if let Err(error) = result {
        return Err(ingest.partial_error(error).await);
    }
    let lines = ingest.decoder.lines();
    app.delivery.metrics().record_ingested(lines.accepted, lines.rejected);
    let problems = std::mem::take(&mut lines.problems).into_iter();
    let problems = problems.map(|line| RejectedLine { line: line.line, message: rejection_message(&line.reason) });
    let summary = IngestSummary { accepted: lines.accepted, rejected: lines.rejected, problems: problems.collect() };
    let mut envelope = Envelope::success(summary);
    if !has_readers {
        let message = "no enabled job delivers this dataset; the lines were counted but not stored";
        envelope.messages.push(ErrorObject::new(error_code::NOT_FOUND, message));
    }
    Ok(Json(envelope))
}

/// Returns the message of a rejected line, with what the client can do about it.
fn rejection_message(reason: &RejectionReason) -> String {
    match reason {
        RejectionReason::Gzip => format!("{reason}; send it with `Content-Encoding: gzip`"),
        RejectionReason::TooLong
        | RejectionReason::InvalidUtf8(_)
        | RejectionReason::NotAnObject
        | RejectionReason::InvalidJson(_) => reason.to_string(),
    }
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Error> {
    let unsupported = |encoding: &str| {
        let message = format!("the content encoding `{encoding}` is not supported; use gzip or none");
        Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)])
    };
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    match (encodings.next().map(|value| value.to_str().unwrap_or("?").trim()), encodings.next()) {
        (None | Some(""), None) => Ok(false),
        (Some(identity), None) if identity.eq_ignore_ascii_case("identity") => Ok(false),
        (Some(gzip), None) if gzip.eq_ignore_ascii_case("gzip") || gzip.eq_ignore_ascii_case("x-gzip") => Ok(true),
        (encoding, _) => Err(unsupported(&encoding.unwrap_or("?").chars().take(64).collect::<String>())),
    }
}

/// The owner and the dataset whose spool receives the lines of a request.
struct IngestTarget {
    delivery: Delivery,
    owner: Owner,
    dataset: &'static Dataset,
}

impl IngestTarget {
    /// Rejects a dataset that the owner cannot have.
    fn check_dataset_scope(&self) -> Result<(), Error> {
        let (is_in_scope, other_owners) = match self.owner {
            Owner::Zone(_) => (self.dataset.has_zone_scope(), "accounts"),
            Owner::Account(_) => (self.dataset.has_account_scope(), "zones"),
        };
        if is_in_scope {
            return Ok(());
        }
        let name = self.dataset.name;
        let message =
            format!("`{name}` is a dataset of {other_owners}; send it to /{other_owners}/…/logpush/ingest/{name}");
        Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)]))
    }

    fn spool(&self) -> Option<Arc<Spool>> {
        self.delivery.spool(&owner_key(&self.owner), self.dataset.name)
    }
}

/// The state of a body that is being read. It moves to a blocking thread for each chunk and back.
struct IngestState {
    decoder: BodyDecoder,
    appender: FrameAppender,
}

impl IngestState {
    fn push(mut self, chunk: Bytes) -> (IngestState, Result<(), Error>) {
        let result = match self.decoder.push(&chunk, |lines| self.appender.append(lines)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(decode_error(&error)),
            Err(error) => Err(self.appender.take_refusal(error)),
        };
        (self, result)
    }

    /// Appends the remaining lines. On success all lines are on disk.
    fn finish(mut self) -> (IngestState, Result<(), Error>) {
        if let Err(error) = self.decoder.end() {
            return (self, Err(decode_error(&error)));
        }
        let result = match self.appender.append(self.decoder.lines()) {
            Ok(()) => self.appender.commit(),
            Err(error) => Err(self.appender.take_refusal(error)),
        };
        (self, result)
    }

    /// Makes the appended lines durable and returns the error of an incomplete body, with the number of these lines.
    async fn partial_error(self, error: Error) -> Error {
        let commit = move || (self.appender.accepted_lines, self.appender.commit());
        let (accepted_lines, committed) = match run_blocking(commit).await {
            Ok(result) => result,
            Err(error) => return error,
        };
        match error {
            _ if committed.is_err() || accepted_lines == 0 => error,
            Error::SpoolFull(_) => Error::SpoolFull(accepted_lines),
            // Clients retry the whole body after these errors, so the error has no number of lines.
            Error::Internal(_) | Error::SpoolUnwritable(_) | Error::SpoolLeaseNotHeld => error,
            error => Error::PartiallyIngested(accepted_lines, Box::new(error)),
        }
    }
}

/// Appends the lines of a body to the spool.
///
/// The lease is checked before each append and after the commit. A body may take minutes, and a process that lost its
/// lease would acknowledge lines in a spool that another process may own. Lines that were appended before the loss stay
/// in the spool, so a client that sends them again may cause duplicates.
struct FrameAppender {
    target: IngestTarget,
    /// The spool and the position of the last appended frame.
    last_append: Option<(Arc<Spool>, Position)>,
    /// The number of lines in frames that were appended, or that no job reads.
    accepted_lines: u64,
    /// The reason why lines are not appended, unless it is an error of the disk.
    refusal: Option<Error>,
}

impl FrameAppender {
    /// Appends the lines to the spool, or skips them when no job reads them. After an error,
    /// [`FrameAppender::take_refusal`] returns the error of the request.
    fn append(&mut self, lines: &mut LineSplitter) -> io::Result<()> {
        let frame = std::mem::take(&mut lines.frame);
        let count = u64::from(frame.lines());
        if count == 0 {
            return Ok(());
        }
        if let Some(spool) = self.target.spool() {
            if let Err(error) = self.target.delivery.check_lease() {
                return self.refuse(error.into());
            }
            match spool.append(&frame.finish(zonewright_store::now_millis()))? {
                AppendOutcome::Appended(end) => self.last_append = Some((spool, end)),
                AppendOutcome::NoReaders => {}
                AppendOutcome::Full => return self.refuse(Error::SpoolFull(0)),
            }
        }
        self.accepted_lines += count;
        Ok(())
    }

    fn refuse(&mut self, error: Error) -> io::Result<()> {
        self.refusal = Some(error);
        Err(io::Error::other("the lines were refused"))
    }

    /// Returns the error of the request after `append` failed with `error`.
    fn take_refusal(&mut self, error: io::Error) -> Error {
        self.refusal.take().unwrap_or(Error::SpoolUnwritable(error))
    }

    /// Makes the appended lines durable. They may be acknowledged only if this succeeds.
    fn commit(&self) -> Result<(), Error> {
        let Some((spool, end)) = &self.last_append else { return Ok(()) };
        spool.commit(*end).map_err(Error::SpoolUnwritable)?;
        Ok(self.target.delivery.check_lease()?)
    }
}

fn decode_error(error: &DecodeError) -> Error {
    let message = match error {
        DecodeError::InvalidGzip(reason) => format!("the body is not valid gzip: {reason}"),
        DecodeError::TooLarge(max_bytes) => return too_large_error(*max_bytes),
        DecodeError::CompressionRatio => {
            "the compression ratio of the body is too high for logs; send it in smaller parts".to_owned()
        }
    };
    Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)])
}

fn too_large_error(max_bytes: u64) -> Error {
    Error::BodyTooLarge(usize::try_from(max_bytes).unwrap_or(usize::MAX))
}

/// The chunks of a body. Its client has to send at a minimum rate.
struct PacedBody {
    stream: BodyDataStream,
    remaining_bytes: u64,
    max_bytes: u64,
    deadline: Instant,
    /// The time for which the client may still delay before it is too slow. It grows with each byte that arrives.
    slow_start: Duration,
    min_bytes_per_second: u32,
}

impl PacedBody {
    fn new(body: Body, limits: &DeliveryLimits) -> PacedBody {
        PacedBody {
            stream: body.into_data_stream(),
            remaining_bytes: limits.max_body_bytes,
            max_bytes: limits.max_body_bytes,
            deadline: Instant::now() + BODY_TIMEOUT,
            slow_start: limits.slow_start,
            min_bytes_per_second: limits.min_bytes_per_second.max(1),
        }
    }

    /// Returns the next chunk; `None` at the end of the body. It awaits only the client. A canceled call loses the
    /// bytes that it has read.
    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        let mut chunk = Vec::new();
        while chunk.len() < READ_CHUNK_BYTES {
            let start = Instant::now();
            let deadline = self.deadline.min(start + READ_TIMEOUT.min(self.slow_start));
            let Some(bytes) = timeout_at(deadline, self.stream.next()).await.map_err(|_| Error::BodyTimeout)? else {
                break;
            };
            let bytes = bytes.map_err(|error| Error::BadJson(format!("it is incomplete: {error}")))?;
            let earned = Duration::from_secs(bytes.len() as u64) / self.min_bytes_per_second;
            self.slow_start = (self.slow_start + earned).saturating_sub(start.elapsed());
            let remaining = self.remaining_bytes.checked_sub(bytes.len() as u64);
            self.remaining_bytes = remaining.ok_or_else(|| too_large_error(self.max_bytes))?;
            if chunk.is_empty() && bytes.len() >= READ_CHUNK_BYTES {
                return Ok(Some(bytes));
            }
            chunk.extend_from_slice(&bytes);
        }
        Ok((!chunk.is_empty()).then(|| chunk.into()))
    }
}

#[cfg(test)]
mod tests;
