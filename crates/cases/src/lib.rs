//! Runs test cases: the requests that an expression must and must not match.
//!
//! [`run_tests`] returns a [`Report`]. A test file is TOML. Each of its tests has an expression and cases:
//!
//! ```toml
//! missing = "absent"                 # a field that a case does not set is missing
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
//! [[test.returns]]
//! request = """
//! GET / HTTP/1.1
//! Host: example.com
//! """
//! value = "mirror.example.com"
//! ```
//!
//! | Key | Where | Meaning |
//! |---|---|---|
//! | `name` | test, case | the name in the report |
//! | `expression` | test | the expression; `file = "rule.txt"` reads it from a file instead |
//! | `match`, `miss` | test | requests that must match, and requests that must not |
//! | `returns` | test | requests with the expected `value` of a value expression; `no_value = true` if it must have no value |
//! | `request` | file, test, case | an HTTP request, a curl command, a URL, HAR, or fields as JSON |
//! | `fields` | file, test, case | field values by quoted field name; they take precedence over the request |
//! | `absent` | file, test, case | names of fields that the request does not have |
//! | `lists` | file, test, case | named lists with their items |
//! | `missing` | file, test, case | whether all other fields are `"unknown"` (the default) or `"absent"` |
//! | `phase`, `plan` | file, test | the phase and the plan that the expression is checked for |
//! | `kind` | test | `"counting"` for the counting expression of a rate limit, which may read the response |
//!
//! The keys of a case override those of its test, which override those of the file. A case whose result is
//! unknown fails, and the report names the fields that would decide it.
//!
//! [`run_tests`] never panics and does no I/O except through its argument `read_file`. Its work is linear in the
//! number of cases.
//!
//! The modules in reading order:
//!
//! - `toml_table`: TOML tables with spans.
//! - `file`: parses a test file.
//! - `run`: runs the tests of a file.
//! - `explain`: finds the conditions that decided a result.
//! - `report`: the results of the tests and cases.
//! - `junit`: the report as JUnit XML.

mod explain;
mod file;
mod junit;
mod report;
mod run;
mod toml_table;

pub use junit::to_junit_xml;
pub use report::{CaseReport, CaseResult, DecidingCondition, ExpressionOrigin, Report, ResultCounts, TestReport};
pub use run::run_tests;

/// Code of an error in a test file.
pub const TEST_FILE: &str = "test-file";
/// Code of a request with an error.
pub const TEST_REQUEST: &str = "test-request";
/// Code of a failed case.
pub const TEST_FAILED: &str = "test-failed";

/// Maximum size of a test file, in bytes.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;

#[cfg(test)]
mod tests;
