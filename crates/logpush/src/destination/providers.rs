//! Parses destinations. [`endpoint`] parses those of IBM Cloud Logs and those that accept batches by `POST`.

use super::parser::{DestinationParser, HOST_POINTER, PATH_POINTER, parse_host_port};
use super::{Destination, Keys, KinesisCredentials, S3Bucket, Scheme, Secret, endpoint};
use zonewright_api::ValidationError;

/// Parses a destination.
pub(super) fn parse(text: &str) -> Result<Destination, Vec<ValidationError>> {
    let mut parser = DestinationParser::new(text).map_err(|error| vec![error])?;
    let destination = match parser.scheme {
        Scheme::File => parse_file(&mut parser),
        Scheme::S3 => parse_s3(&mut parser),
        Scheme::R2 => parse_r2(&mut parser),
        Scheme::Gcs => parse_gcs(&mut parser),
        Scheme::Azure => parse_azure(&mut parser, text),
        Scheme::BigQuery => parse_big_query(&mut parser),
        Scheme::Kinesis => parse_kinesis(&mut parser),
        Scheme::IbmLogs => endpoint::parse_ibm(&mut parser),
        Scheme::Datadog | Scheme::Http | Scheme::Https | Scheme::Splunk | Scheme::SumoLogic => {
            endpoint::parse(&mut parser)
        }
    };
    if parser.errors.is_empty() { Ok(destination) } else { Err(parser.errors) }
}

fn parse_file(parser: &mut DestinationParser) -> Destination {
    if !parser.host.is_empty() {
        parser.report_with_template(PATH_POINTER, "the path must start with a third slash");
    }
    let path = parser.check_folder();
    if path.split('/').any(|part| matches!(part, "." | "..")) {
        parser.report_at(PATH_POINTER, "the path must not contain the segments `.` or `..`");
    }
    if !parser.parameters.is_empty() {
        parser.report("`file://` does not take parameters");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    Destination::File { path: parts.join("/") }
}

fn parse_s3(parser: &mut DestinationParser) -> Destination {
    let (bucket, path) = (parser.check_resource_name("bucket"), parser.check_folder());
    let region = parse_region(parser);
    let encryption = parser.take_optional("sse");
    if encryption.as_deref().is_some_and(|encryption| encryption != "AES256") {
        parser.report_at("sse", "`sse` must be `AES256`");
    }
    let endpoint = parser.take_optional("endpoint");
    if let Some(endpoint) = &endpoint {
        check_endpoint(endpoint, parser);
    }
    let keys = parse_access_keys(parser, endpoint.is_some());
    parser.check_misspelled_parameters();
    Destination::S3(S3Bucket { scheme: Scheme::S3, bucket, path, region, endpoint, keys, encryption })
}

fn parse_r2(parser: &mut DestinationParser) -> Destination {
    let (bucket, path) = (parser.check_resource_name("bucket"), parser.check_folder());
    let account = parser.take_required("account-id", "0123456789abcdef0123456789abcdef");
    if !account.chars().all(|char| char.is_ascii_alphanumeric()) {
        parser.report_at("account-id", "`account-id` may contain only letters and digits");
    }
    let keys = parse_access_keys(parser, true);
    parser.check_misspelled_parameters();
    let endpoint = Some(format!("{account}.r2.cloudflarestorage.com"));
    Destination::S3(S3Bucket {
        scheme: Scheme::R2,
        bucket,
        path,
        region: "auto".to_owned(),
        endpoint,
        keys,
        encryption: None,
    })
}

fn parse_region(parser: &mut DestinationParser) -> String {
    let region = parser.take_required("region", "us-west-2");
    if !region.chars().all(|char| char.is_ascii_alphanumeric() || char == '-') {
        parser.report_at("region", "`region` may contain only letters, digits and `-`");
    } else if parser.scheme == Scheme::S3 && region.starts_with("cn-") {
        parser.report_at("region", "regions in China are not supported");
    }
    region
}

/// Checks the host of S3-compatible storage. It has no scheme.
fn check_endpoint(endpoint: &str, parser: &mut DestinationParser) {
    let (host, _) = endpoint.split_once('/').unwrap_or((endpoint, ""));
    if endpoint.contains("://") {
        parser.report_at("endpoint", "`endpoint` must be a host without `https://`, such as `endpoint=s3.example.com`");
    } else if parse_host_port(host).is_none() || endpoint.contains(['?', '&', '#', '@']) {
        parser.report_at("endpoint", "`endpoint` must be a host, such as `endpoint=s3.example.com`");
    }
}

/// Returns both keys. If neither is present and `required` is false, the result is `None`.
fn parse_access_keys(parser: &mut DestinationParser, required: bool) -> Option<Keys> {
    let has_parameter = |name: &str| parser.parameters.iter().any(|parameter| parameter.name == name);
    if !required && !has_parameter("access-key-id") && !has_parameter("secret-access-key") {
        return None;
    }
    let id = Secret::new(parser.take_required("access-key-id", "<id>"));
    let secret = Secret::new(parser.take_required("secret-access-key", "<secret>"));
    Some(Keys { id, secret })
}

fn parse_gcs(parser: &mut DestinationParser) -> Destination {
    let (bucket, path) = (parser.check_resource_name("bucket"), parser.check_folder());
    Destination::Gcs { bucket, path }
}

fn parse_azure(parser: &mut DestinationParser, text: &str) -> Destination {
    parser.check_host();
    if !parser.host.contains(".blob.") {
        parser.report_with_template(HOST_POINTER, "the host is not an Azure Blob Storage service");
    }
    let folder = parser.check_folder();
    let (container, path) = folder.split_once('/').unwrap_or((&folder, ""));
    if container.is_empty() {
        parser.report_with_template("container", "the container is missing");
    }
    parser.take_required("sv", "2022-11-02");
    parser.take_required("sig", "<signature>");
    let signature = Secret::new(text.split_once('?').map_or("", |(_, query)| query));
    let (container, path) = (container.to_owned(), path.trim_start_matches('/').to_owned());
    Destination::Azure { host: parser.host.clone(), container, path, signature }
}

fn parse_big_query(parser: &mut DestinationParser) -> Destination {
    let path = format!("{}{}", parser.host, parser.path);
    let parts: Vec<&str> = path.split('/').collect();
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.' | ':'))
    };
    let (project, dataset, table) = match parts.as_slice() {
        ["projects", project, "datasets", dataset, "tables", table]
            if is_name(project) && is_name(dataset) && is_name(table) =>
        {
            (*project, *dataset, *table)
        }
        _ => {
            parser.report_with_template("table", "the table is missing or malformed");
            ("", "", "")
        }
    };
    let credentials = parser.take_required("credentials", "base64:<key>");
    if !credentials.is_empty() && !credentials.starts_with("base64:") && !credentials.starts_with("url:") {
        parser.report_at("credentials", "`credentials` must start with `base64:` or `url:`");
    }
    parser.check_misspelled_parameters();
    let (project, dataset, table) = (project.to_owned(), dataset.to_owned(), table.to_owned());
    Destination::BigQuery { project, dataset, table, credentials: Secret::new(credentials) }
}

fn parse_kinesis(parser: &mut DestinationParser) -> Destination {
    let stream = parser.check_resource_name("stream");
    if !parser.path.trim_matches('/').is_empty() {
        parser.report_with_template(PATH_POINTER, "a Kinesis destination takes no path");
    }
    let region = parse_region(parser);
    let credentials = match parser.take_optional("sts-assume-role-arn") {
        Some(arn) => {
            if !arn.starts_with("arn:") {
                parser.report_at("sts-assume-role-arn", "`sts-assume-role-arn` must start with `arn:`");
            }
            let external_id = parser.take_optional("sts-external-id").map(Secret::new);
            KinesisCredentials::Role { arn: Secret::new(arn), external_id }
        }
        None => match parse_access_keys(parser, false) {
            Some(keys) => KinesisCredentials::Keys(keys),
            None => {
                parser.report_at(
                    "sts-assume-role-arn",
                    "provide `sts-assume-role-arn`, or `access-key-id` and `secret-access-key`",
                );
                KinesisCredentials::Role { arn: Secret::default(), external_id: None }
            }
        },
    };
    parser.check_misspelled_parameters();
    Destination::Kinesis { stream, region, credentials }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_to_the_invalid_parts() {
        let cases: [(&str, &[&str]); 10] = [
            ("", &[""]),
            ("s3://", &["/host", "/region"]),
            ("s3://bucket/{DAY}?region=eu_west", &["/path", "/region"]),
            ("s3://bucket?region=eu&access-key-id=a", &["/secret-access-key"]),
            ("gs://bu%20cket/%zz", &["/host", "/path"]),
            ("azure://x.example/", &["/host", "/container", "/sv", "/sig"]),
            ("bq://projects/p?credentials=k", &["/table", "/credentials"]),
            ("datadog://intake.example/{DATE}", &["/path", "/header_DD-API-KEY"]),
            ("https://example.com/?header_A=1&header_Host=b&header_C=", &["/headers/1", "/headers/2"]),
            ("s3://bucket?region=eu&region=us", &[""]),
        ];
        for (address, expected) in cases {
            let pointers: Vec<_> = parse(address).unwrap_err().into_iter().map(|error| error.pointer).collect();
            assert_eq!(pointers, expected, "{address}");
        }
    }
}
