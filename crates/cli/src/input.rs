//! Reads files and standard input. Every command reads through [`open`] or [`bytes`], so that `-` is read at most once
//! and byte order marks never reach the engine.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// More than any expression can be: a guard against reading a wrong file or an endless pipe.
pub(crate) const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The size of the buffer through which files are read.
const BUFFER_BYTES: usize = 64 * 1024;

/// What is said when there is no file where an expression or a filter may stand.
pub(crate) const NO_FILE: &str = "there is no such file; the text itself is passed on standard input";

/// The files that were named, or standard input.
pub(crate) fn files_or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() { vec![PathBuf::from("-")] } else { files.to_vec() }
}

/// The expression or filter in a file, without the line break at its end, or why there is none: `missing` when
/// there is no file.
pub(crate) fn expression(path: &Path, missing: &str) -> Result<String, String> {
    let mut source = text(bytes(path, MOST_BYTES, missing)?)?;
    source.truncate(source.len() - line_end(&source).len());
    Ok(source)
}

/// All that is in a file of text, or why there is none.
pub(crate) fn whole(path: &Path) -> Result<String, String> {
    text(bytes(path, MOST_BYTES, NO_FILE)?)
}

/// The line break at the end of a file, which does not belong to what it holds.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text {
        _ if text.ends_with("\r\n") => "\r\n",
        _ if text.ends_with('\n') => "\n",
        _ => "",
    }
}

/// What a file holds, without a byte order mark, or why it cannot be read; `-` is standard input. `missing` says that
/// there is no such file.
pub(crate) fn bytes(path: &Path, most: usize, missing: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let size = open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(|error| reason(&error, missing))?;
    if size > most {
        return Err(format!("it is larger than {} MiB", most / (1024 * 1024)));
    }
    bytes.drain(..bytes.len() - without_byte_order_mark(&bytes).len());
    Ok(bytes)
}

fn reason(error: &io::Error, missing: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => missing.to_owned(),
        _ => format!("cannot read it: {error}"),
    }
}

/// Opens a file; `-` is standard input, which can be opened once.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path.as_os_str() == "-" {
        return open_stdin();
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, File::open(path)?)))
}

fn open_stdin() -> io::Result<Box<dyn BufRead>> {
    static IS_OPEN: AtomicBool = AtomicBool::new(false);
    if IS_OPEN.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input can be read only once; give `-` once"));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// The bytes after a byte order mark, which some editors write and which is no part of the text.
pub(crate) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The bytes as text, or where they are none.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("it is not UTF-8 text: invalid byte at offset {at}")
    })
}

/// A file's name for people.
pub(crate) fn shown_name(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}
