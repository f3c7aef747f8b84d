//! Types of log push jobs (`zone-security-service` §2.2; otherwise observed in requests and responses of clients).
//!
//! Start with [`Job`] and [`JobSettings`]. Responses omit unset members, except those that clients were observed to
//! receive as `null`. Members with a closed set of values are strings, because clients also read jobs of other
//! services. Their values are the names of [`JobKind`], [`JobFrequency`], [`OutputType`] and [`TimestampFormat`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A log push job, as the service returns it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Job {
    /// ID of the job, a number assigned by the service.
    pub id: u64,
    /// Settings of the job.
    #[serde(flatten)]
    pub settings: JobSettings,
    /// RFC 3339 time up to which logs were delivered.
    pub last_complete: Option<String>,
    /// RFC 3339 time of the last failed delivery; reset to `null` after a success.
    pub last_error: Option<String>,
    /// Reason for the last failure; reset to `null` after a success.
    pub error_message: Option<String>,
    /// RFC 3339 time of creation (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_created: Option<String>,
}

/// Settings of a log push job.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct JobSettings {
    /// The dataset; cannot be changed.
    pub dataset: String,
    /// Name of the job.
    pub name: Option<String>,
    /// Whether the job delivers logs.
    pub enabled: bool,
    /// Destination, as a URL that may contain secrets.
    pub destination_conf: String,
    /// Fields and output format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_options: Option<OutputOptions>,
    /// Older form of the output options; ignored if `output_options` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logpull_options: Option<String>,
    /// The filter, exactly as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// `""` or `edge`; cannot be changed.
    pub kind: String,
    /// How often the job delivers: `high` or `low`.
    pub frequency: Option<String>,
    /// Maximum size of a batch in bytes, before compression; 0 sets no limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_bytes: u64,
    /// Maximum number of seconds between batches; 0 sets no limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_interval_seconds: u64,
    /// Maximum number of records in a batch; 0 sets no limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_records: u64,
    /// Whether log lines of attacks are excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_attack_traffic: Option<bool>,
    /// Whether subrequests are merged into their parent request; some clients send `output_options.merge_subrequests`
    /// instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subrequest_merging: Option<bool>,
    /// ID of a transformer that is applied to the log lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transformer_id: Option<u64>,
}

impl JobSettings {
    /// Returns the frequency, or the default if it is absent or unknown.
    pub fn frequency_or_default(&self) -> JobFrequency {
        self.frequency.as_deref().and_then(JobFrequency::from_name).unwrap_or(JobFrequency::High)
    }
}

impl fmt::Debug for JobSettings {
    // Serialization shows every member, including members that are added later. Only the destination is hidden.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = JobSettings { destination_conf: "***".to_owned(), ..self.clone() };
        let json = serde_json::to_string(&shown).map_err(|_| fmt::Error)?;
        write!(formatter, "JobSettings({json})")
    }
}

/// Fields and output format of a job. Omitted options have the defaults of the output type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct OutputOptions {
    /// Names of the fields, in output order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_names: Option<Vec<String>>,
    /// Output type: `ndjson` or `csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_type: Option<String>,
    /// Text before each batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_prefix: Option<String>,
    /// Text after each batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_suffix: Option<String>,
    /// Text before each record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_prefix: Option<String>,
    /// Text after each record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_suffix: Option<String>,
    /// Text between records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_delimiter: Option<String>,
    /// Text between fields; not used with a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_delimiter: Option<String>,
    /// Template of a record, such as `{{.ClientIP}}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_template: Option<String>,
    /// Timestamp format: `unixnano`, `unix`, `rfc3339`, `rfc3339ms` or `rfc3339ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_format: Option<String>,
    /// Fraction of the log lines to deliver, greater than 0 and at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_rate: Option<f64>,
    /// Whether `${` is written as `x{`. The specification passes this flag as the string `true` or `false`.
    #[serde(rename = "CVE-2021-44228", skip_serializing_if = "Option::is_none")]
    pub cve_2021_44228: Option<BoolOrString>,
    /// Whether subrequests are merged into their parent request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_subrequests: Option<bool>,
    /// Whether objects are written as JSON strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stringify_object: Option<bool>,
}

impl OutputOptions {
    /// Returns the output type, or the default if it is absent or unknown.
    pub fn output_type_or_default(&self) -> OutputType {
        self.output_type.as_deref().and_then(OutputType::from_name).unwrap_or(OutputType::Ndjson)
    }

    /// Returns the timestamp format, or the default if it is absent or unknown.
    pub fn timestamp_format_or_default(&self) -> TimestampFormat {
        self.timestamp_format.as_deref().and_then(TimestampFormat::from_name).unwrap_or(TimestampFormat::UnixNano)
    }
}

string_enum! {
    /// The kind of a job.
    JobKind {
        /// Delivers batches from all data centers.
        Batch = "",
        /// Delivers from each data center separately.
        Edge = "edge",
        /// A session of live logs.
        InstantLogs = "instant-logs",
    }
}

string_enum! {
    /// How often a job delivers.
    JobFrequency {
        /// Often, in small batches.
        High = "high",
        /// Rarely, in large batches.
        Low = "low",
    }
}

string_enum! {
    /// The format of a record.
    OutputType {
        /// JSON, one object per line.
        Ndjson = "ndjson",
        /// Comma-separated values.
        Csv = "csv",
    }
}

string_enum! {
    /// The format of timestamps.
    TimestampFormat {
        /// Nanoseconds since 1970.
        UnixNano = "unixnano",
        /// Seconds since 1970.
        Unix = "unix",
        /// RFC 3339, to the second.
        Rfc3339 = "rfc3339",
        /// RFC 3339, to the millisecond.
        Rfc3339Ms = "rfc3339ms",
        /// RFC 3339, to the nanosecond.
        Rfc3339Ns = "rfc3339ns",
    }
}

/// Response to the deletion of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedJob {
    /// ID of the deleted job.
    pub id: u64,
}

/// Result of writing an ownership challenge to a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnershipChallenge {
    /// Path of the challenge file, relative to the root of the destination; empty if it was not written.
    pub filename: String,
    /// Error message; empty on success.
    pub message: String,
    /// Whether the challenge was written.
    pub valid: bool,
}

/// Result of a validation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidationResult {
    /// Whether the validated value is valid.
    pub valid: bool,
    /// Error message; empty if the value is valid, omitted for ownership challenges (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Whether a job with a destination exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DestinationExists {
    /// Whether such a job exists.
    pub exists: bool,
}

/// A flag that is returned in the form in which it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum BoolOrString {
    /// `true`.
    Bool(bool),
    /// `"true"`.
    Text(String),
}

impl BoolOrString {
    /// Returns whether the flag is set.
    pub fn is_set(&self) -> bool {
        match self {
            BoolOrString::Bool(flag) => *flag,
            BoolOrString::Text(text) => text == "true",
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_of_a_job_hides_its_destination() {
        let destination_conf = "https://host/?header_Authorization=S3cr3t".to_owned();
        let settings = JobSettings { dataset: "http_requests".to_owned(), destination_conf, ..JobSettings::default() };
        let shown = format!("{settings:?}");
        assert!(shown.contains("http_requests") && !shown.contains("S3cr3t"), "{shown}");
    }
}
