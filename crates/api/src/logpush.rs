//! Types of log push jobs (`zone-security-service` §2.2; otherwise observed in requests and responses of clients).
//!
//! Start with [`Job`] and [`JobSettings`]. Responses omit unset members, except those that clients were observed to
//! receive as `null`. Members with a closed set of values are strings, because clients also read jobs of other
//! services. Their values are the names of [`JobKind`], [`JobFrequency`], [`OutputType`] and [`TimestampFormat`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

/// A job as it is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Job {
    /// Its number, assigned by the service.
    pub id: u64,
    /// What its owner decides.
    #[serde(flatten)]
    pub settings: JobSettings,
    /// Up to when logs were delivered; RFC 3339.
    pub last_complete: Option<String>,
    /// When delivering last failed; RFC 3339, `null` again after a success.
    pub last_error: Option<String>,
    /// Why, `null` again after a success.
    pub error_message: Option<String>,
    /// When it was made; RFC 3339 (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_created: Option<String>,
}

/// What the owner of a job decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct JobSettings {
    /// The dataset; never changes.
    pub dataset: String,
    /// The name.
    pub name: Option<String>,
    /// Whether it delivers.
    pub enabled: bool,
    /// Where to: an address with secrets in it.
    pub destination_conf: String,
    /// Which fields, and how they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_options: Option<OutputOptions>,
    /// The older form of the output options; ignored beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logpull_options: Option<String>,
    /// The filter, as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// `""`, or `edge`; never changes.
    pub kind: String,
    /// `high` or `low`.
    pub frequency: Option<String>,
    /// Most bytes of a batch before compression; 0 is no bound of the owner's.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_bytes: u64,
    /// Most seconds between batches; 0 is no bound of the owner's.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_interval_seconds: u64,
    /// Most records of a batch; 0 is no bound of the owner's.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_upload_records: u64,
    /// Whether lines of attacks are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_attack_traffic: Option<bool>,
    /// Whether subrequests come inside their request; other clients write `output_options.merge_subrequests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subrequest_merging: Option<bool>,
    /// A transformer that runs on the lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transformer_id: Option<u64>,
}

/// Which fields, and how they are written. What is absent has the default of the output type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct OutputOptions {
    /// Names of fields, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_names: Option<Vec<String>>,
    /// `ndjson` or `csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_type: Option<String>,
    /// Before a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_prefix: Option<String>,
    /// After a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_suffix: Option<String>,
    /// Before a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_prefix: Option<String>,
    /// After a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_suffix: Option<String>,
    /// Between records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_delimiter: Option<String>,
    /// Between fields; not with a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_delimiter: Option<String>,
    /// A record as a template: `{{.ClientIP}}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_template: Option<String>,
    /// `unixnano`, `unix`, `rfc3339`, `rfc3339ms` or `rfc3339ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_format: Option<String>,
    /// The part of the lines that is sent, above 0 up to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_rate: Option<f64>,
    /// Whether `${` is written as `x{`. The specification passes it as the text `true` or `false`.
    #[serde(rename = "CVE-2021-44228", skip_serializing_if = "Option::is_none")]
    pub cve_2021_44228: Option<BoolOrString>,
    /// Whether subrequests come inside their request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_subrequests: Option<bool>,
    /// Whether objects are written as the text of their JSON.
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
        /// Delivers from each data center on its own.
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
        /// Seldom, in large batches.
        Low = "low",
    }
}

string_enum! {
    /// The format of a record.
    OutputType {
        /// JSON, one object a line.
        Ndjson = "ndjson",
        /// Comma-separated values.
        Csv = "csv",
    }
}

string_enum! {
    /// The format of times.
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

/// The answer to the deletion of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedJob {
    /// Its number.
    pub id: u64,
}

/// A challenge that was written to a destination, or why it was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnershipChallenge {
    /// Where it is, from the root of the destination; empty when there is none.
    pub filename: String,
    /// What is wrong; empty when nothing is.
    pub message: String,
    /// Whether it was written.
    pub valid: bool,
}

/// Whether something that was asked about is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidationResult {
    /// Whether it is.
    pub valid: bool,
    /// What is wrong, empty when nothing is; challenges are answered without it (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Whether a job with this destination is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DestinationExists {
    /// Whether it is.
    pub exists: bool,
}

/// A flag that is answered in the form in which it was sent.
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
