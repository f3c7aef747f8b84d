//! Reads files and standard input. Sources, records, lists and log lines are read through [`open`] or [`read_bytes`],
//! so that `-` is read at most once. [`read_bytes`] strips a byte order mark, as do the callers of [`open`]. Only the
//! streams of `--ndjson` read standard input directly, because they use nothing else of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum size of an input in bytes. It is larger than any expression, and guards against wrong files and endless
/// pipes.
pub(crate) const MAX_INPUT_BYTES: usize = 16 * 1024 * 1024;

/// The size of the buffer for reading files, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// The message for a missing file, if the user may have meant an expression or a filter.
pub(crate) const FILE_NOT_FOUND: &str = "no such file; to use the text itself, pass it on standard input";

/// Returns the named files, or standard input if there are none.
pub(crate) fn files_or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() { vec![PathBuf::from("-")] } else { files.to_vec() }
}

/// Reads the expression or filter of a file, without the line break at its end. `missing` is the error for a missing
/// file.
pub(crate) fn read_source(path: &Path, missing: &str) -> Result<String, String> {
    let mut source = decode_utf8(read_bytes(path, MAX_INPUT_BYTES, missing)?)?;
    source.truncate(source.len() - trailing_line_break(&source).len());
    Ok(source)
}

/// Reads a text file completely. `missing` is the error for a missing file.
pub(crate) fn read_text(path: &Path, missing: &str) -> Result<String, String> {
    decode_utf8(read_bytes(path, MAX_INPUT_BYTES, missing)?)
}

/// Returns the line break at the end of a text, which is not part of the expression.
pub(crate) fn trailing_line_break(text: &str) -> &'static str {
    match text {
        _ if text.ends_with("\r\n") => "\r\n",
        _ if text.ends_with('\n') => "\n",
        _ => "",
    }
}

/// Reads a file of at most `max_bytes` bytes, and strips a byte order mark; `-` is standard input. A larger file is an
/// error. `missing` is the error for a missing file.
pub(crate) fn read_bytes(path: &Path, max_bytes: usize, missing: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let limit = max_bytes as u64 + 1;
    let size = open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(|error| read_error_to_text(&error, missing))?;
    if size > max_bytes {
        return Err(format!("the input is larger than {} MiB", max_bytes / (1024 * 1024)));
    }
    bytes.drain(..bytes.len() - without_byte_order_mark(&bytes).len());
    Ok(bytes)
}

/// Formats an error of reading an input. `missing` is the error for a missing file.
pub(crate) fn read_error_to_text(error: &io::Error, missing: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => missing.to_owned(),
        _ => format!("cannot read the input: {error}"),
    }
}

/// Opens a file; `-` is standard input, which can be opened only once.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path.as_os_str() == "-" {
        return open_stdin();
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, File::open(path)?)))
}

fn open_stdin() -> io::Result<Box<dyn BufRead>> {
    static IS_OPEN: AtomicBool = AtomicBool::new(false);
    if IS_OPEN.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input can be read only once; pass `-` once"));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// Strips a byte order mark, which some editors write and which is not part of the text.
pub(crate) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Converts bytes to text, or returns the offset of the first byte that is not UTF-8.
pub(crate) fn decode_utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid_bytes = error.utf8_error().valid_up_to();
        format!("the input is not valid UTF-8: invalid byte at offset {valid_bytes}")
    })
}

/// Returns the display name of a file.
pub(crate) fn display_name(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}
