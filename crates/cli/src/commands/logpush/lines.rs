//! Reads log lines from a file or standard input, one JSON object per line.

use crate::input;
use crate::stream::read_line;
use std::io::{self, BufRead};
use std::path::Path;

/// Calls `each` for every line that is not empty, with its number from 1 and the line without its line break. A line
/// that is too long is `None`.
pub(super) fn for_each_line(path: &Path, each: impl FnMut(usize, Option<&[u8]>) -> io::Result<()>) -> io::Result<()> {
    for_each_line_of(input::open(path)?, each)
}

fn for_each_line_of(
    mut input: impl BufRead,
    mut each: impl FnMut(usize, Option<&[u8]>) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut number = 0;
    while let Some(is_complete) = read_line(&mut input, &mut line)? {
        number += 1;
        let line = if number == 1 { input::without_byte_order_mark(&line) } else { &line };
        if !is_complete || !line.trim_ascii().is_empty() {
            each(number, is_complete.then_some(line))?;
        }
    }
    Ok(())
}
