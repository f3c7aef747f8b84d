//! Reads a text with several sample requests.

use super::ArgumentErrors;
use zonewright_api::json;
use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::Record;
use zonewright_request::json::add_deprecated_names;
use zonewright_request::{Error, InputFormat, detect_format, har, read_input};

/// The line that separates two blocks.
const SEPARATOR: &str = "###";
/// The maximum number of characters of the name of a request.
const MAX_NAME_CHARS: usize = 160;

/// A sample request.
pub(crate) struct Request {
    /// The first line of its text, or the method and the URL of a HAR entry. Empty for an object in an array.
    pub(crate) name: String,
    pub(crate) record: Record,
    /// Notes about what was assumed or ignored.
    pub(crate) notes: Vec<String>,
}

/// The sample requests of a call.
#[derive(Default)]
pub(crate) struct SampleRequests {
    pub(crate) requests: Vec<Request>,
    /// The number of requests beyond the limit.
    pub(crate) omitted: usize,
    /// The text of the requests. Empty if the call passed an array.
    pub(crate) text: String,
    /// The errors of requests that cannot be read. Their spans refer to `text`.
    pub(crate) errors: ArgumentErrors,
}

/// Reads the requests of a text. Lines of `###` separate blocks. A block is a list of URLs on separate lines, a HAR file,
/// or one request in another format.
pub(crate) fn read_request_text(text: String, limit: usize) -> SampleRequests {
    let mut reader = Reader { limit, samples: SampleRequests::default() };
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim() == SEPARATOR {
            reader.read_block(&text, start, end);
            start = end + line.len();
        }
        end += line.len();
    }
    reader.read_block(&text, start, end);
    SampleRequests { text, ..reader.samples }
}

struct Reader {
    limit: usize,
    samples: SampleRequests,
}

impl Reader {
    /// Reads the text between two separators.
    fn read_block(&mut self, text: &str, start: usize, end: usize) {
        let block = text.get(start..end).unwrap_or_default();
        let start = start + block.len() - block.trim_start().len();
        let block = block.trim();
        let is_url = |line: &str| line.starts_with("http://") || line.starts_with("https://");
        if block.lines().all(|line| line.trim().is_empty() || is_url(line.trim())) {
            let mut line_start = start;
            for line in block.split_inclusive('\n') {
                if !line.trim().is_empty() {
                    self.read_request(line.trim(), line_start + line.len() - line.trim_start().len());
                }
                line_start += line.len();
            }
        } else if let Some(error) = json::parse(block).err().filter(|error| error.duplicate.is_some()) {
            let offset = start + error.offset;
            let error = error.to_validation_error();
            self.push_error(offset, format!("`{}`: {}", error.pointer, error.message), None);
        } else if detect_format(block.as_bytes()) == Some(InputFormat::Har) {
            self.read_har(block, start);
        } else {
            self.read_request(block, start);
        }
    }

    fn read_request(&mut self, text: &str, start: usize) {
        let mut record = Record::default();
        match read_input(text.as_bytes(), &mut record) {
            Ok(input) => self.push_request(request_name(text), record, input.notes),
            Err(error) => self.push_request_error(text, start, error),
        }
    }

    fn read_har(&mut self, block: &str, start: usize) {
        let entries = match har::read_entries(block) {
            Ok(entries) => entries,
            Err(error) => return self.push_request_error(block, start, error),
        };
        for (summary, request) in entries {
            let mut record = Record::default();
            match request {
                Ok(request) => {
                    let notes = request.write_fields(&mut record);
                    self.push_request(format!("{} {}", summary.method, summary.url), record, notes);
                }
                Err(error) => self.push_request_error(block, start, error),
            }
        }
    }

    fn push_request(&mut self, name: String, mut record: Record, notes: Vec<String>) {
        if self.samples.requests.len() >= self.limit {
            self.samples.omitted += 1;
            return;
        }
        add_deprecated_names(&mut record);
        self.samples.requests.push(Request { name, record, notes });
    }

    /// Adds the error of a request that starts at the byte offset `start`.
    fn push_request_error(&mut self, text: &str, start: usize, error: Error) {
        let before: usize =
            text.split_inclusive('\n').take(error.line.unwrap_or(1).saturating_sub(1)).map(str::len).sum();
        let line = text.get(before..).unwrap_or_default();
        let column: usize = line.chars().take(error.column.unwrap_or(1).saturating_sub(1)).map(char::len_utf8).sum();
        self.push_error(start + before + column, error.message, error.help);
    }

    fn push_error(&mut self, offset: usize, message: String, help: Option<String>) {
        self.samples
            .errors
            .push(Diagnostic { help, ..Diagnostic::error("invalid-record", Span::empty(offset), message) });
    }
}

/// Returns the first line of a request.
pub(crate) fn request_name(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(MAX_NAME_CHARS).collect()
}
