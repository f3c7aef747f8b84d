//! Providers of destinations: which fields their addresses are made of.

/// A provider, and how its address is written.
pub(crate) struct Provider {
    /// Its name in the form.
    pub(crate) id: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// What stands before `://`.
    pub(super) scheme: &'static str,
    /// What follows, with the keys of fields in braces; the last one takes all that is left.
    pub(super) place: &'static str,
    /// The parameters, their values with the keys of fields in braces; one whose fields are empty is left out.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// The field that holds the query, or the part of it that is not known, as it is.
    pub(super) query: Option<&'static str>,
    /// Whether it takes headers.
    pub(crate) headers: bool,
    /// The fields, in the order of the form.
    pub(crate) inputs: &'static [ProviderField],
    /// One sentence on what has to be known of it; empty for none.
    pub(crate) note: &'static str,
}

/// A field.
pub(crate) struct ProviderField {
    /// Its key: the name of the parameter where it is one.
    pub(crate) key: &'static str,
    /// Its label.
    pub(crate) label: &'static str,
    /// What it is; empty for nothing to say.
    pub(crate) help: &'static str,
    /// How it is asked for.
    pub(crate) kind: ProviderFieldKind,
}

/// How a field is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProviderFieldKind {
    /// A text.
    Text,
    /// A text that is not shown.
    Secret,
    /// One of these, with words; the first is taken when nothing is said.
    Choice(&'static [(&'static str, &'static str)]),
}

const fn text(key: &'static str, label: &'static str, help: &'static str) -> ProviderField {
    ProviderField { key, label, help, kind: ProviderFieldKind::Text }
}

const fn secret(key: &'static str, label: &'static str, help: &'static str) -> ProviderField {
    ProviderField { key, label, help, kind: ProviderFieldKind::Secret }
}

const BUCKET: ProviderField = text("bucket", "Bucket", "");
const FOLDER: ProviderField = text("path", "Folder", "Optional. {DATE} stands for the day, such as logs/{DATE}.");
const REGION: ProviderField = text("region", "Region", "Such as eu-west-1.");
const KEY_ID: ProviderField = secret("access-key-id", "Access key ID", "");
const KEY: ProviderField = secret("secret-access-key", "Secret access key", "");
const KEY_ID_MAYBE: ProviderField =
    secret("access-key-id", "Access key ID", "Empty where the bucket itself allows the service.");
const KEYS: (&str, &str) = ("access-key-id", "{access-key-id}");
const SECRET: (&str, &str) = ("secret-access-key", "{secret-access-key}");
const SSE: ProviderField = ProviderField {
    key: "sse",
    label: "Encryption at rest",
    help: "",
    kind: ProviderFieldKind::Choice(&[("", "As the bucket says"), ("AES256", "AES256")]),
};
const QUERY: ProviderField =
    secret("query", "Parameters passed on", "Optional, as they stand in the address: a=1&b=2.");
const PROVES: &str = "The service asks for a proof that the bucket is yours, unless it has keys.";

const fn provider(
    id: &'static str,
    title: &'static str,
    place: &'static str,
    inputs: &'static [ProviderField],
) -> Provider {
    Provider { id, title, scheme: id, place, parameters: &[], query: None, headers: false, inputs, note: "" }
}

/// All of them, those asked for most first. Of one scheme the first that fits an address is taken.
static PROVIDERS: [Provider; 15] = [
    Provider {
        parameters: &[("region", "{region}"), ("sse", "{sse}"), KEYS, SECRET],
        note: PROVES,
        ..provider("s3", "Amazon S3", "{bucket}/{path}", &[BUCKET, FOLDER, REGION, SSE, KEY_ID_MAYBE, KEY])
    },
    Provider {
        parameters: &[("account-id", "{account-id}"), KEYS, SECRET],
        ..provider(
            "r2",
            "Cloudflare R2",
            "{bucket}/{path}",
            &[BUCKET, FOLDER, text("account-id", "Account ID", ""), KEY_ID, KEY],
        )
    },
    Provider {
        note: "The service asks for a proof that the bucket is yours.",
        ..provider("gs", "Google Cloud Storage", "{bucket}/{path}", &[BUCKET, FOLDER])
    },
    Provider {
        query: Some("signature"),
        note: "The service asks for a proof that the container is yours.",
        ..provider(
            "azure",
            "Azure Blob Storage",
            "{account}.blob.core.windows.net/{container}/{path}",
            &[
                text("account", "Account", "The name before .blob.core.windows.net."),
                text("container", "Container", ""),
                FOLDER,
                secret("signature", "Shared access signature", "The query of the URL: sv=…&sig=…"),
            ],
        )
    },
    Provider {
        scheme: "s3",
        parameters: &[("region", "{region}"), ("endpoint", "{endpoint}"), ("sse", "{sse}"), KEYS, SECRET],
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
                KEY,
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
                text("address", "Intake", "Such as http-intake.logs.datadoghq.com/api/v2/logs."),
                secret("header_DD-API-KEY", "API key", ""),
                text("ddsource", "Source", "Optional, such as cloudflare."),
                text("service", "Service", "Optional."),
                text("ddtags", "Tags", "Optional: env:prod,team:edge."),
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
                text("host", "Host", "With its port, 443 or 8088: splunk.example.com:8088."),
                secret("channel", "Channel", "A GUID."),
                text("sourcetype", "Source type", "Such as cloudflare:json."),
                secret("header_Authorization", "Token", "Of the HTTP event collector."),
                ProviderField {
                    key: "insecure-skip-verify",
                    label: "Certificate",
                    help: "",
                    kind: ProviderFieldKind::Choice(&[("false", "Must be right"), ("true", "Is not looked at")]),
                },
            ],
        )
    },
    Provider {
        note: "The service asks for a proof that the collector is yours.",
        ..provider(
            "sumo",
            "Sumo Logic",
            "{host}/receiver/v1/http/{code}",
            &[
                text("host", "Host", "Such as endpoint1.collection.sumologic.com."),
                secret("code", "Collector code", "What follows /receiver/v1/http/."),
            ],
        )
    },
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
            KEYS,
            SECRET,
        ],
        ..provider(
            "kinesis",
            "Amazon Kinesis",
            "{stream}",
            &[
                text("stream", "Stream", ""),
                REGION,
                text("sts-assume-role-arn", "Role", "arn:aws:iam::…; or both keys instead."),
                secret("sts-external-id", "External ID", "Optional, for the role."),
                KEY_ID,
                KEY,
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
                text("dataset", "Dataset of the project", ""),
                text("table", "Table", ""),
                secret("credentials", "Credentials", "base64: and the key of a service account, or url:…"),
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
        query: Some("query"),
        headers: true,
        ..provider(
            "https",
            "HTTPS endpoint",
            "{address}",
            &[text("address", "Address", "Host and path: logs.example.com/ingest."), QUERY],
        )
    },
    Provider {
        query: Some("query"),
        headers: true,
        note: "Not encrypted: a service takes it only when it was started with --logpush-allow-http.",
        ..provider(
            "http",
            "HTTP endpoint",
            "{address}",
            &[text("address", "Address", "Host and path: localhost:8080/logs."), QUERY],
        )
    },
    Provider {
        note: "A service takes it only when it was started with --logpush-files.",
        ..provider(
            "file",
            "Folder of the service",
            "/{path}",
            &[text("path", "Folder", "Below the folder that the service allows, such as logs/{DATE}.")],
        )
    },
];

impl Provider {
    /// The one of this id; the first when there is none.
    pub(crate) fn named(id: &str) -> &'static Provider {
        let [first, ..] = &PROVIDERS;
        PROVIDERS.iter().find(|provider| provider.id == id).unwrap_or(first)
    }

    /// The field that holds a part of the address, as the engine names parts: `host`, `path`, or a parameter.
    pub(crate) fn field_of(&self, part: &str) -> Option<&'static str> {
        let own = |key: &str| self.inputs.iter().map(|input| input.key).find(|one| *one == key);
        let mut places = self.place.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        own(part).or_else(|| match part {
            "host" => own(places.next()?),
            "path" => own(places.last()?),
            parameter if self.parameters.iter().any(|(name, _)| *name == parameter) => None,
            _ => self.query.filter(|key| *key == "signature"),
        })
    }

    /// All of them.
    pub(crate) fn all() -> &'static [Provider] {
        &PROVIDERS
    }
}
