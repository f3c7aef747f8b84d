//! Reads log lines from a file or standard input, one JSON object per line.

use crate::input;
use crate::stream::read_line;
use std::io;
use std::path::Path;

/// The error that ended the processing of a file.
pub(super) enum LinesError {
    /// The file could not be read.
    Read(io::Error),
    /// The output of a line could not be written.
    Write(io::Error),
}

/// Calls `write_line` for every line that is not empty, with its number from 1 and the line without its line break. A
/// line that is too long is `None`.
pub(super) fn for_each_line(
    path: &Path,
    mut write_line: impl FnMut(usize, Option<&[u8]>) -> io::Result<()>,
) -> Result<(), LinesError> {
    let mut input = input::open(path).map_err(LinesError::Read)?;
    let mut line = Vec::new();
    let mut number = 0;
    while let Some(is_complete) = read_line(&mut input, &mut line).map_err(LinesError::Read)? {
        number += 1;
        let line = if number == 1 { input::without_byte_order_mark(&line) } else { &line };
        if !is_complete || !line.trim_ascii().is_empty() {
            write_line(number, is_complete.then_some(line)).map_err(LinesError::Write)?;
        }
    }
    Ok(())
}
