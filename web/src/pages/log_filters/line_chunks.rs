//! Reads log lines in chunks of bounded size.

use crate::engine::EngineError;
use crate::state::log_filter_draft::{LogFile, LogFileContent};
use js_sys::Uint8Array;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Size of a chunk in bytes. A chunk with a longer line is larger.
const CHUNK_BYTES: usize = 256 << 10;

#[wasm_bindgen]
extern "C" {
    /// Returns the last index of a byte, or a negative number.
    #[wasm_bindgen(js_namespace = ["Uint8Array", "prototype", "lastIndexOf"], js_name = call)]
    fn last_index_of(bytes: &Uint8Array, byte: u8) -> i32;
}

/// The source of the lines.
#[derive(Clone)]
pub(super) enum LineSource {
    /// The text field.
    Typed(String),
    /// A file, or pasted lines.
    LogFile(Arc<LogFile>),
}

impl LineSource {
    /// Returns the number of bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            LineSource::Typed(text) => text.len(),
            LineSource::LogFile(file) => file.size(),
        }
    }

    /// Reads lines from an offset on. The chunk ends after a line break, or at the end of the source.
    pub(super) async fn read_chunk(&self, start: usize) -> Result<Uint8Array, EngineError> {
        let mut max_bytes = CHUNK_BYTES;
        loop {
            let end = start.saturating_add(max_bytes).min(self.size());
            let bytes = self.read(start, end).await?;
            if end == self.size() {
                return Ok(bytes);
            }
            if let Ok(last) = u32::try_from(last_index_of(&bytes, b'\n')) {
                return Ok(bytes.slice(0, last + 1));
            }
            max_bytes = max_bytes.saturating_mul(2);
        }
    }

    async fn read(&self, start: usize, end: usize) -> Result<Uint8Array, EngineError> {
        let text = match self {
            LineSource::Typed(text) => text,
            LineSource::LogFile(file) => match &file.content {
                LogFileContent::Opened(blob) => return read_blob(blob, start, end).await,
                LogFileContent::Pasted(text) => text,
            },
        };
        Ok(Uint8Array::from(text.as_bytes().get(start..end).unwrap_or_default()))
    }
}

#[allow(clippy::cast_precision_loss, reason = "a file has fewer than 2^53 bytes")]
async fn read_blob(blob: &Blob, start: usize, end: usize) -> Result<Uint8Array, EngineError> {
    let failure = || EngineError::Failed("the browser could not read the file".to_owned());
    let slice = blob.slice_with_f64_and_f64(start as f64, end as f64).map_err(|_| failure())?;
    let buffer = JsFuture::from(slice.array_buffer()).await.map_err(|_| failure())?;
    let bytes = Uint8Array::new(&buffer);
    // A file that was truncated since then would otherwise never end.
    if bytes.length() as usize == end - start { Ok(bytes) } else { Err(failure()) }
}
