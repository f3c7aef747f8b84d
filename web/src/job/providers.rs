//! The providers of destinations, and the fields of their destination strings.

use zonewright_logpush::Destination;
use zonewright_logpush::destination::Scheme;

/// A provider with the syntax of its destinations.
pub(crate) struct Provider {
    /// The ID of the provider in the form.
    pub(crate) id: &'static str,
    /// The name of the provider.
    pub(crate) title: &'static str,
    /// The scheme, before `://`.
    pub(super) scheme: &'static str,
    /// The pattern after the scheme, with the keys of fields in braces. A key at the end matches the rest.
    pub(super) path_template: &'static str,
    /// The parameters and the patterns of their values. A parameter whose fields are all empty is omitted.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// The field that contains the unknown parameters of the query, verbatim.
    pub(super) passthrough_field: Option<&'static str>,
    /// Whether the provider accepts custom headers.
    pub(crate) accepts_headers: bool,
    /// The fields, in the order of the form.
    pub(crate) fields: &'static [ProviderField],
    /// A requirement that does not follow from the scheme; empty for none.
    note: &'static str,
}

/// A field of a provider.
pub(crate) struct ProviderField {
    /// The key; for a field of one parameter, the name of that parameter.
    pub(crate) key: &'static str,
    /// The label.
    pub(crate) label: &'static str,
    /// A description; empty for none.
    pub(crate) help: &'static str,
    /// The kind of control.
    pub(crate) kind: ProviderFieldKind,
}

/// The kind of control of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProviderFieldKind {
    /// A text field.
    Text,
    /// A password field.
    Secret,
    /// A choice of values with labels. The first one is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

const fn text(key: &'static str, label: &'static str, help: &'static str) -> ProviderField {
    ProviderField { key, label, help, kind: ProviderFieldKind::Text }
}

const fn secret(key: &'static str, label: &'static str, help: &'static str) -> ProviderField {
    ProviderField { key, label, help, kind: ProviderFieldKind::Secret }
}

const BUCKET: ProviderField = text("bucket", "Bucket", "");
const FOLDER: ProviderField =
    text("path", "Folder", "Optional. Use {DATE} for daily folders, for example logs/{DATE}.");
const REGION: ProviderField = text("region", "Region", "For example, eu-west-1.");
const KEY_ID: ProviderField = secret("access-key-id", "Access key ID", "");
const SECRET_KEY: ProviderField = secret("secret-access-key", "Secret access key", "");
const OPTIONAL_KEY_ID: ProviderField =
    secret("access-key-id", "Access key ID", "Leave empty if the bucket grants access to the service.");
const KEY_ID_PARAMETER: (&str, &str) = ("access-key-id", "{access-key-id}");
const SECRET_KEY_PARAMETER: (&str, &str) = ("secret-access-key", "{secret-access-key}");
const SSE: ProviderField = ProviderField {
    key: "sse",
    label: "Server-side encryption",
    help: "",
    kind: ProviderFieldKind::Choice(&[("", "Bucket default"), ("AES256", "AES256")]),
};
const QUERY: ProviderField = secret("query", "Extra query parameters", "Optional, for example a=1&b=2.");

const fn provider(
    id: &'static str,
    title: &'static str,
    path_template: &'static str,
    fields: &'static [ProviderField],
) -> Provider {
    Provider {
        id,
        title,
        scheme: id,
        path_template,
        parameters: &[],
        passthrough_field: None,
        accepts_headers: false,
        fields,
        note: "",
    }
}

/// All providers, in the order of the form. Of providers with the same scheme, the first one that can represent a
/// destination is used.
static PROVIDERS: [Provider; 15] = [
    Provider {
        parameters: &[("region", "{region}"), ("sse", "{sse}"), KEY_ID_PARAMETER, SECRET_KEY_PARAMETER],
        ..provider("s3", "Amazon S3", "{bucket}/{path}", &[BUCKET, FOLDER, REGION, SSE, OPTIONAL_KEY_ID, SECRET_KEY])
    },
    Provider {
        parameters: &[("account-id", "{account-id}"), KEY_ID_PARAMETER, SECRET_KEY_PARAMETER],
        ..provider(
            "r2",
            "Cloudflare R2",
            "{bucket}/{path}",
            &[BUCKET, FOLDER, secret("account-id", "Account ID", ""), KEY_ID, SECRET_KEY],
        )
    },
    provider("gs", "Google Cloud Storage", "{bucket}/{path}", &[BUCKET, FOLDER]),
    Provider {
        passthrough_field: Some("signature"),
        ..provider(
            "azure",
            "Azure Blob Storage",
            "{account}.blob.core.windows.net/{container}/{path}",
            &[
                text("account", "Account", "The name before .blob.core.windows.net."),
                text("container", "Container", ""),
                FOLDER,
                secret("signature", "Shared access signature", "The query string of the URL: sv=…&sig=…"),
            ],
        )
    },
    Provider {
        scheme: "s3",
        parameters: &[
            ("region", "{region}"),
            ("endpoint", "{endpoint}"),
            ("sse", "{sse}"),
            KEY_ID_PARAMETER,
            SECRET_KEY_PARAMETER,
        ],
        ..provider(
            "s3-compatible",
            "S3-compatible storage",
            "{bucket}/{path}",
            &[
                BUCKET,
                FOLDER,
                text("endpoint", "Endpoint", "The host, without https:// and without the bucket."),
                REGION,
                KEY_ID,
                SECRET_KEY,
            ],
        )
    },
    Provider {
        parameters: &[
            ("header_DD-API-KEY", "{header_DD-API-KEY}"),
            ("ddsource", "{ddsource}"),
            ("service", "{service}"),
            ("ddtags", "{ddtags}"),
        ],
        ..provider(
            "datadog",
            "Datadog",
            "{address}",
            &[
                text("address", "Intake endpoint", "For example, http-intake.logs.datadoghq.com/api/v2/logs."),
                secret("header_DD-API-KEY", "API key", ""),
                text("ddsource", "Source", "Optional, for example cloudflare."),
                text("service", "Service", "Optional."),
                secret("ddtags", "Tags", "Optional, for example env:prod,team:edge."),
            ],
        )
    },
    Provider {
        parameters: &[
            ("channel", "{channel}"),
            ("insecure-skip-verify", "{insecure-skip-verify}"),
            ("sourcetype", "{sourcetype}"),
            ("header_Authorization", "Splunk {header_Authorization}"),
        ],
        ..provider(
            "splunk",
            "Splunk",
            "{host}/services/collector/raw",
            &[
                text("host", "Host", "Include the port, 443 or 8088, for example splunk.example.com:8088."),
                secret("channel", "Channel", "A GUID."),
                text("sourcetype", "Source type", "For example, cloudflare:json."),
                secret("header_Authorization", "Token", "The token of the HTTP Event Collector (HEC)."),
                ProviderField {
                    key: "insecure-skip-verify",
                    label: "TLS certificate",
                    help: "",
                    kind: ProviderFieldKind::Choice(&[("false", "Verify"), ("true", "Do not verify")]),
                },
            ],
        )
    },
    provider(
        "sumo",
        "Sumo Logic",
        "{host}/receiver/v1/http/{code}",
        &[
            text("host", "Host", "For example, endpoint1.collection.sumologic.com."),
            secret("code", "Collector code", "The part of the URL after /receiver/v1/http/."),
        ],
    ),
    Provider {
        scheme: "https",
        parameters: &[("Api-Key", "{Api-Key}"), ("format", "cloudflare")],
        ..provider(
            "newrelic",
            "New Relic",
            "log-api.{site}newrelic.com/log/v1",
            &[
                ProviderField {
                    key: "site",
                    label: "Region",
                    help: "",
                    kind: ProviderFieldKind::Choice(&[("", "United States"), ("eu.", "European Union")]),
                },
                secret("Api-Key", "License key", ""),
            ],
        )
    },
    Provider {
        parameters: &[
            ("region", "{region}"),
            ("sts-assume-role-arn", "{sts-assume-role-arn}"),
            ("sts-external-id", "{sts-external-id}"),
            KEY_ID_PARAMETER,
            SECRET_KEY_PARAMETER,
        ],
        ..provider(
            "kinesis",
            "Amazon Kinesis",
            "{stream}",
            &[
                text("stream", "Stream", ""),
                REGION,
                secret("sts-assume-role-arn", "Role ARN", "arn:aws:iam::…; leave empty to use access keys."),
                secret("sts-external-id", "External ID", "Optional, for the role."),
                KEY_ID,
                SECRET_KEY,
            ],
        )
    },
    Provider {
        parameters: &[("credentials", "{credentials}")],
        ..provider(
            "bq",
            "BigQuery",
            "projects/{project}/datasets/{dataset}/tables/{table}",
            &[
                text("project", "Project", ""),
                text("dataset", "BigQuery dataset", ""),
                text("table", "Table", ""),
                secret("credentials", "Credentials", "base64: followed by a service account key, or url:…"),
            ],
        )
    },
    Provider {
        parameters: &[("ibm_api_key", "{ibm_api_key}")],
        ..provider(
            "ibmcl",
            "IBM Cloud Logs",
            "{host}/logs/v1/singles",
            &[
                text("host", "Host", "<instance>.ingress.<region>.logs.cloud.ibm.com"),
                secret("ibm_api_key", "API key", ""),
            ],
        )
    },
    Provider {
        passthrough_field: Some("query"),
        accepts_headers: true,
        ..provider(
            "https",
            "HTTPS endpoint",
            "{address}",
            &[text("address", "Host and path", "For example, logs.example.com/ingest."), QUERY],
        )
    },
    Provider {
        passthrough_field: Some("query"),
        accepts_headers: true,
        note: "Not encrypted. Requires a server that was started with --logpush-allow-http.",
        ..provider(
            "http",
            "HTTP endpoint",
            "{address}",
            &[text("address", "Host and path", "For example, localhost:8080/logs."), QUERY],
        )
    },
    Provider {
        note: "Requires a server that was started with --logpush-files.",
        ..provider(
            "file",
            "Server folder",
            "/{path}",
            &[text("path", "Folder", "A path below the folder that the server allows, for example logs/{DATE}.")],
        )
    },
];

impl Provider {
    /// Returns the provider with an ID, or the first provider if there is none.
    pub(crate) fn by_id(id: &str) -> &'static Provider {
        let [first, ..] = &PROVIDERS;
        PROVIDERS.iter().find(|provider| provider.id == id).unwrap_or(first)
    }

    /// Returns a sentence with a requirement of the provider; empty for none.
    pub(crate) fn note(&self) -> &'static str {
        if !self.note.is_empty() {
            self.note
        } else if self.example_requires_challenge(|_| true) {
            "Requires an ownership challenge."
        } else if self.example_requires_challenge(|name| ![KEY_ID_PARAMETER.0, SECRET_KEY_PARAMETER.0].contains(&name))
        {
            "Requires an ownership challenge, unless you enter access keys."
        } else {
            ""
        }
    }

    /// Returns whether the example of the scheme is valid and requires an ownership challenge. The example has only the
    /// parameters of this provider for which `is_used` returns true.
    fn example_requires_challenge(&self, is_used: impl Fn(&str) -> bool) -> bool {
        let Some(scheme) = Scheme::from_name(self.scheme) else { return false };
        let (location, query) = scheme.example().split_once('?').unwrap_or((scheme.example(), ""));
        let is_own = |parameter: &&str| {
            let name = parameter.split('=').next().unwrap_or_default();
            let is_known = self.parameters.iter().any(|(known, _)| *known == name);
            (is_known || self.passthrough_field.is_some()) && is_used(name)
        };
        let query = query.split('&').filter(is_own).collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        Destination::parse(&format!("{location}{mark}{query}"))
            .is_ok_and(|destination| destination.requires_ownership_challenge())
    }

    /// Returns the key of the field for a part of a destination. The engine names a part `host`, `path`, or after its
    /// parameter.
    pub(crate) fn field_for(&self, part: &str) -> Option<&'static str> {
        let find_key = |key: &str| self.fields.iter().map(|input| input.key).find(|name| *name == key);
        let mut placeholders = self.path_template.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        find_key(part).or_else(|| match part {
            "host" => find_key(placeholders.next()?),
            "path" => find_key(placeholders.last()?),
            parameter if self.parameters.iter().any(|(name, _)| *name == parameter) => None,
            // The signature of Azure consists of several parameters.
            _ => self.passthrough_field.filter(|key| *key == "signature"),
        })
    }

    /// Returns all providers.
    pub(crate) fn all() -> &'static [Provider] {
        &PROVIDERS
    }
}
