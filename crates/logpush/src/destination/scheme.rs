//! The schemes of destinations. One row for each [`Scheme`] has its template, its transport and the parts that are safe
//! to show.
//!
//! Every part that a row does not list as safe is hidden, so a new scheme may hide too much but never too little.

use std::fmt;

macro_rules! schemes {
    ($($(#[$doc:meta])* $variant:ident,)*) => {
        /// The scheme of a destination.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scheme { $($(#[$doc])* $variant,)* }

        impl Scheme {
            /// All schemes, sorted by name.
            pub const ALL: &[Scheme] = &[$(Scheme::$variant),*];
        }
    };
}

schemes! {
    /// `azure://`: Azure Blob Storage.
    Azure,
    /// `bq://`: BigQuery.
    BigQuery,
    /// `datadog://`: Datadog.
    Datadog,
    /// `file://`: a directory on the machine of the service (assumption own-destinations).
    File,
    /// `gs://`: Google Cloud Storage.
    Gcs,
    /// `http://`: any HTTP endpoint, not encrypted.
    Http,
    /// `https://`: any HTTP endpoint.
    Https,
    /// `ibmcl://`: IBM Cloud Logs.
    IbmLogs,
    /// `kinesis://`: Amazon Kinesis.
    Kinesis,
    /// `r2://`: Cloudflare R2.
    R2,
    /// `s3://`: Amazon S3 and compatible storage.
    S3,
    /// `splunk://`: Splunk.
    Splunk,
    /// `sumo://`: Sumo Logic.
    SumoLogic,
}

/// The way in which a batch reaches a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A file in a directory.
    Folder,
    /// An object in a bucket or container.
    ObjectStore,
    /// The body of a `POST` request.
    Post,
    /// A protocol of the provider, such as a token exchange or an insertion into a table.
    Provider,
}

/// The condition under which the owner must pass an ownership challenge (documented).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnershipChallenge {
    Never,
    /// If the destination has no access keys.
    WithoutKeys,
    Always,
}

/// The segments of a path that are shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathRedaction {
    /// Names of directories and objects: every segment that has no special characters after percent-decoding.
    Names,
    /// In the path of an HTTP endpoint, which may contain a token: names that do not look like keys.
    Endpoint,
    /// These segments only.
    Only(&'static [&'static str]),
}

/// A parameter of destinations.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    pub(super) redaction: ValueRedaction,
}

impl Parameter {
    /// Returns whether the value is always hidden.
    pub fn is_secret(&self) -> bool {
        matches!(self.redaction, ValueRedaction::Hidden)
    }
}

/// The values of a parameter that are shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueRedaction {
    Hidden,
    /// Short lowercase words that do not look like tokens.
    Words,
    /// These values only.
    OneOf(&'static [&'static str]),
}

const fn hidden(name: &'static str) -> Parameter {
    Parameter { name, redaction: ValueRedaction::Hidden }
}

const fn words(name: &'static str) -> Parameter {
    Parameter { name, redaction: ValueRedaction::Words }
}

const fn one_of(name: &'static str, values: &'static [&'static str]) -> Parameter {
    Parameter { name, redaction: ValueRedaction::OneOf(values) }
}

const S3_PARAMETERS: &[Parameter] = &[
    words("region"),
    one_of("sse", &["AES256"]),
    hidden("access-key-id"),
    hidden("secret-access-key"),
    words("endpoint"),
];
const R2_PARAMETERS: &[Parameter] = &[hidden("account-id"), hidden("access-key-id"), hidden("secret-access-key")];
const KINESIS_PARAMETERS: &[Parameter] = &[
    words("region"),
    hidden("sts-assume-role-arn"),
    hidden("sts-external-id"),
    hidden("access-key-id"),
    hidden("secret-access-key"),
];
/// The known parameters of HTTP endpoints. A job may use other parameters too.
const POST_PARAMETERS: &[Parameter] = &[
    one_of("insecure-skip-verify", &["true", "false"]),
    words("sourcetype"),
    words("ddsource"),
    words("service"),
    words("format"),
    hidden("Api-Key"),
    hidden("channel"),
    hidden("host"),
    hidden("ddtags"),
    hidden("tags"),
    hidden("header_Authorization"),
    hidden("header_DD-API-KEY"),
    hidden("header_Content-Type"),
    hidden("header_X-Api-Key"),
    hidden("header_X-Auth-Token"),
    hidden("header_X-Token"),
    hidden("header_X-Scope-OrgID"),
    hidden("header_Api-Key"),
];

/// The row of a scheme.
struct SchemeInfo {
    name: &'static str,
    /// A destination with placeholders in angle brackets, for messages.
    template: &'static str,
    /// A valid destination with made-up secrets.
    example: &'static str,
    transport: Transport,
    challenge: OwnershipChallenge,
    path_redaction: PathRedaction,
    /// The known parameters. If there are none, the whole query is hidden.
    parameters: &'static [Parameter],
    limits: UploadLimits,
}

/// The limits of an upload, independent of the job (documented).
struct UploadLimits {
    bytes: Option<u64>,
    records: Option<u64>,
}

const NO_LIMITS: UploadLimits = UploadLimits { bytes: None, records: None };

impl Scheme {
    /// Returns the scheme of this name; names are lowercase.
    pub fn from_name(name: &str) -> Option<Scheme> {
        Scheme::ALL.iter().copied().find(|scheme| scheme.name() == name)
    }

    /// Returns the name before `://`.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns a destination with placeholders in angle brackets: `gs://<bucket>/logs/{DATE}`.
    pub fn template(self) -> &'static str {
        self.info().template
    }

    /// Returns a destination that [`Destination::parse`](super::Destination::parse) accepts, with made-up secrets.
    pub fn example(self) -> &'static str {
        self.info().example
    }

    /// Returns the transport of batches.
    pub fn transport(self) -> Transport {
        self.info().transport
    }

    /// Returns the known parameters.
    pub fn parameters(self) -> &'static [Parameter] {
        self.info().parameters
    }

    /// Returns the maximum size of an upload in bytes before compression, independent of the job (documented).
    pub fn max_upload_bytes(self) -> Option<u64> {
        self.info().limits.bytes
    }

    /// Returns the maximum number of records of an upload, independent of the job (documented).
    pub fn max_upload_records(self) -> Option<u64> {
        self.info().limits.records
    }

    pub(super) fn challenge(self) -> OwnershipChallenge {
        self.info().challenge
    }

    pub(super) fn path_redaction(self) -> PathRedaction {
        self.info().path_redaction
    }

    fn info(self) -> SchemeInfo {
        match self {
            Scheme::Azure => SchemeInfo {
                name: "azure",
                template: "azure://<account>.blob.core.windows.net/<container>/logs/{DATE}?<signature>",
                example: "azure://example.blob.core.windows.net/logs/http/{DATE}?sv=2022-11-02&sig=S3cr3tS1gnature",
                transport: Transport::ObjectStore,
                challenge: OwnershipChallenge::Always,
                path_redaction: PathRedaction::Names,
                parameters: &[],
                limits: NO_LIMITS,
            },
            Scheme::BigQuery => SchemeInfo {
                name: "bq",
                template: "bq://projects/<project>/datasets/<dataset>/tables/<table>?credentials=base64:<key>",
                example: "bq://projects/example/datasets/logs/tables/http?credentials=base64:S3cr3tKey",
                transport: Transport::Provider,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Names,
                parameters: const { &[hidden("credentials")] },
                limits: UploadLimits { bytes: Some(10_000_000), records: Some(50_000) },
            },
            Scheme::Datadog => SchemeInfo {
                name: "datadog",
                template: "datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=<key>",
                example: "datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=S3cr3tKey\
                          &ddsource=cloudflare&service=web&ddtags=env:S3cr3tTag",
                transport: Transport::Post,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Endpoint,
                parameters: POST_PARAMETERS,
                limits: UploadLimits { bytes: Some(5_000_000), records: Some(1_000) },
            },
            Scheme::File => SchemeInfo {
                name: "file",
                template: "file:///logs/{DATE}",
                example: "file:///logs/{DATE}",
                transport: Transport::Folder,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Names,
                parameters: &[],
                limits: NO_LIMITS,
            },
            Scheme::Gcs => SchemeInfo {
                name: "gs",
                template: "gs://<bucket>/logs/{DATE}",
                example: "gs://example/logs/{DATE}",
                transport: Transport::ObjectStore,
                challenge: OwnershipChallenge::Always,
                path_redaction: PathRedaction::Names,
                parameters: &[],
                limits: NO_LIMITS,
            },
            Scheme::Http => SchemeInfo {
                name: "http",
                template: "http://localhost:8080/logs",
                example: "http://localhost:8080/logs?header_Authorization=Bearer%20S3cr3tToken&token=0therS3cr3t",
                transport: Transport::Post,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Endpoint,
                parameters: POST_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::Https => SchemeInfo {
                name: "https",
                template: "https://logs.example.com/ingest?header_Authorization=Bearer%20<token>",
                example: "https://logs.example.com/ingest?header_Authorization=Bearer%20S3cr3tToken&token=0therS3cr3t",
                transport: Transport::Post,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Endpoint,
                parameters: POST_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::IbmLogs => SchemeInfo {
                name: "ibmcl",
                template: "ibmcl://<instance>.ingress.<region>.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key=<key>",
                example: "ibmcl://example.ingress.us-south.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key=S3cr3tKey",
                transport: Transport::Provider,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Endpoint,
                parameters: const { &[hidden("ibm_api_key")] },
                limits: UploadLimits { bytes: Some(2_000_000), records: None },
            },
            Scheme::Kinesis => SchemeInfo {
                name: "kinesis",
                template: "kinesis://<stream>?region=us-west-2&sts-assume-role-arn=<role>",
                example: "kinesis://example?region=us-west-2&access-key-id=S3cr3tId&secret-access-key=S3cr3tKey",
                transport: Transport::Provider,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Names,
                parameters: KINESIS_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::R2 => SchemeInfo {
                name: "r2",
                template: "r2://<bucket>/logs/{DATE}?account-id=<account>&access-key-id=<id>&secret-access-key=<secret>",
                example: "r2://example/logs/{DATE}?account-id=0123456789abcdef&access-key-id=S3cr3tId\
                          &secret-access-key=S3cr3tKey",
                transport: Transport::ObjectStore,
                challenge: OwnershipChallenge::WithoutKeys,
                path_redaction: PathRedaction::Names,
                parameters: R2_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::S3 => SchemeInfo {
                name: "s3",
                template: "s3://<bucket>/logs/{DATE}?region=us-west-2",
                example: "s3://example/logs/{DATE}?region=us-west-2&sse=AES256&access-key-id=S3cr3tId\
                          &secret-access-key=S3cr3tKey&endpoint=s3.example.com",
                transport: Transport::ObjectStore,
                challenge: OwnershipChallenge::WithoutKeys,
                path_redaction: PathRedaction::Names,
                parameters: S3_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::Splunk => SchemeInfo {
                name: "splunk",
                template: "splunk://<host>:8088/services/collector/raw?channel=<guid>&insecure-skip-verify=false\
                           &sourcetype=cloudflare:json&header_Authorization=Splunk%20<token>",
                example: "splunk://splunk.example.com:8088/services/collector/raw\
                          ?channel=f4f6f4d2-7a0e-4f0e-9c3c-5e2f6a2b1c0d&insecure-skip-verify=false\
                          &sourcetype=cloudflare:json&header_Authorization=Splunk%20S3cr3tToken",
                transport: Transport::Post,
                challenge: OwnershipChallenge::Never,
                path_redaction: PathRedaction::Endpoint,
                parameters: POST_PARAMETERS,
                limits: NO_LIMITS,
            },
            Scheme::SumoLogic => SchemeInfo {
                name: "sumo",
                template: "sumo://<endpoint>/receiver/v1/http/<code>",
                example: "sumo://endpoint1.collection.sumologic.com/receiver/v1/http/S3cr3tCode",
                transport: Transport::Post,
                challenge: OwnershipChallenge::Always,
                path_redaction: PathRedaction::Only(&["receiver", "v1", "http"]),
                parameters: POST_PARAMETERS,
                limits: NO_LIMITS,
            },
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
