//! Test cases: which requests an expression must match, and which not.
//!
//! A file is TOML. It has tests, each with an expression and the requests it is tried on:
//!
//! ```toml
//! missing = "absent"                 # what fields stand for that a request does not give
//!
//! [lists]
//! office = ["192.0.2.0/24"]
//!
//! [[test]]
//! name = "the admin pages are for the office"
//! expression = '''
//! starts_with(http.request.uri.path, "/admin") and not ip.src in $office
//! '''
//!
//! [[test.match]]
//! name = "from elsewhere"
//! request = "https://www.example.com/admin/users"
//! fields = { "ip.src" = "203.0.113.7" }
//!
//! [[test.miss]]
//! request = "curl https://www.example.com/admin -A me"
//! fields = { "ip.src" = "192.0.2.7" }
//!
//! [[test]]
//! name = "the host of the mirror"
//! expression = 'concat("mirror.", http.host)'
//!
//! [[test.gives]]
//! request = """
//! GET / HTTP/1.1
//! Host: example.com
//! """
//! value = "mirror.example.com"
//! ```
//!
//! | Key | Where | What |
//! |---|---|---|
//! | `name` | test, case | what the report calls it |
//! | `expression` | test | the expression; `file = "rule.txt"` instead reads it from a file beside this one |
//! | `match`, `miss` | test | requests that must match, and that must not |
//! | `gives` | test | requests with the `value` that a value expression must give; `nothing = true` when it must have none |
//! | `request` | file, test, case | an HTTP request, a curl command, a URL, HAR, or fields as JSON |
//! | `fields` | file, test, case | fields of the request by their names between quotes; they count before what the request says |
//! | `absent` | file, test, case | names of fields that the request has not |
//! | `lists` | file, test, case | named lists with their items |
//! | `missing` | file, test, case | `"unknown"` (the default) or `"absent"`: what all other fields are |
//! | `phase`, `plan` | file, test | what the expression is checked against |
//! | `kind` | test | `"counting"` for the counting expression of a rate limit, which sees the response too |
//!
//! What stands nearer to a case counts before what stands farther. A case whose answer is unknown has
//! failed, and the report names the fields that would decide it.
//!
//! [`run`] does no I/O, never panics, and its work is the number of cases times what one of them needs.

mod explain;
mod file;
mod junit;
mod report;
mod run;
mod table;

pub use junit::junit;
pub use report::{CaseReport, CaseResult, Counts, Origin, Reason, Report, TestReport};
pub use run::run;

/// Code of the problems of a file of test cases.
pub const TEST_FILE: &str = "test-file";
/// Code of a request that cannot be read.
pub const TEST_REQUEST: &str = "test-request";
/// Code of a case that did not give what it must.
pub const TEST_FAILED: &str = "test-failed";

/// Largest file of test cases, in bytes.
pub const MOST_BYTES: usize = 4 * 1024 * 1024;

#[cfg(test)]
mod tests;
