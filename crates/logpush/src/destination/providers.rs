//! Parses the destination of each provider; [`endpoint`] has those that accept batches by `POST`.

use super::parser::{DestinationParser, HOST_POINTER, PATH_POINTER, host_and_port};
use super::{Destination, Keys, KinesisCredentials, S3Bucket, Scheme, Secret, endpoint};
use zonewright_api::ValidationError;

/// Parses a destination.
pub(super) fn parse(text: &str) -> Result<Destination, Vec<ValidationError>> {
    let mut address = DestinationParser::new(text).map_err(|error| vec![error])?;
    let destination = match address.scheme {
        Scheme::File => parse_file(&mut address),
        Scheme::S3 => parse_s3(&mut address),
        Scheme::R2 => parse_r2(&mut address),
        Scheme::Gcs => parse_gcs(&mut address),
        Scheme::Azure => parse_azure(&mut address, text),
        Scheme::BigQuery => parse_big_query(&mut address),
        Scheme::Kinesis => parse_kinesis(&mut address),
        Scheme::IbmLogs => endpoint::parse_ibm(&mut address),
        Scheme::Datadog | Scheme::Http | Scheme::Https | Scheme::Splunk | Scheme::SumoLogic => {
            endpoint::parse(&mut address)
        }
    };
    if address.errors.is_empty() { Ok(destination) } else { Err(address.errors) }
}

fn parse_file(address: &mut DestinationParser) -> Destination {
    if !address.host.is_empty() {
        address.refuse_with_template(PATH_POINTER, "the path must start with a third slash");
    }
    let path = address.folder();
    if path.split('/').any(|part| matches!(part, "." | "..")) {
        address.refuse_at(PATH_POINTER, "the path must not contain the segments `.` or `..`");
    }
    if !address.parameters.is_empty() {
        address.refuse("`file://` does not take parameters");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    Destination::File { path: parts.join("/") }
}

fn parse_s3(address: &mut DestinationParser) -> Destination {
    let (bucket, path) = (address.resource_name("bucket"), address.folder());
    let region = parse_region(address);
    let encryption = address.optional("sse");
    if encryption.as_deref().is_some_and(|encryption| encryption != "AES256") {
        address.refuse_at("sse", "`sse` must be `AES256`");
    }
    let endpoint = address.optional("endpoint");
    if let Some(endpoint) = &endpoint {
        check_endpoint(endpoint, address);
    }
    let keys = parse_access_keys(address, endpoint.is_some());
    address.check_misspelled_parameters();
    Destination::S3(S3Bucket { scheme: Scheme::S3, bucket, path, region, endpoint, keys, encryption })
}

fn parse_r2(address: &mut DestinationParser) -> Destination {
    let (bucket, path) = (address.resource_name("bucket"), address.folder());
    let account = address.required("account-id", "0123456789abcdef0123456789abcdef");
    if !account.chars().all(|char| char.is_ascii_alphanumeric()) {
        address.refuse_at("account-id", "`account-id` may contain only letters and digits");
    }
    let keys = parse_access_keys(address, true);
    address.check_misspelled_parameters();
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

fn parse_region(address: &mut DestinationParser) -> String {
    let region = address.required("region", "us-west-2");
    if !region.chars().all(|char| char.is_ascii_alphanumeric() || char == '-') {
        address.refuse_at("region", "`region` may contain only letters, digits and `-`");
    } else if address.scheme == Scheme::S3 && region.starts_with("cn-") {
        address.refuse_at("region", "regions in China are not supported");
    }
    region
}

/// Checks the host of S3-compatible storage, which has neither a scheme nor the bucket.
fn check_endpoint(endpoint: &str, address: &mut DestinationParser) {
    let (host, _) = endpoint.split_once('/').unwrap_or((endpoint, ""));
    if endpoint.contains("://") {
        address
            .refuse_at("endpoint", "`endpoint` must be a host without `https://`, such as `endpoint=s3.example.com`");
    } else if host_and_port(host).is_none() || endpoint.contains(['?', '&', '#', '@']) {
        address.refuse_at("endpoint", "`endpoint` must be a host, such as `endpoint=s3.example.com`");
    }
}

/// Returns both keys, or `None` if neither is present and `required` is false.
fn parse_access_keys(address: &mut DestinationParser, required: bool) -> Option<Keys> {
    let has_parameter = |name: &str| address.parameters.iter().any(|parameter| parameter.name == name);
    if !required && !has_parameter("access-key-id") && !has_parameter("secret-access-key") {
        return None;
    }
    let id = Secret::new(address.required("access-key-id", "<id>"));
    let secret = Secret::new(address.required("secret-access-key", "<secret>"));
    Some(Keys { id, secret })
}

fn parse_gcs(address: &mut DestinationParser) -> Destination {
    let (bucket, path) = (address.resource_name("bucket"), address.folder());
    Destination::Gcs { bucket, path }
}

fn parse_azure(address: &mut DestinationParser, text: &str) -> Destination {
    address.host_port();
    if !address.host.contains(".blob.") {
        address.refuse_with_template(HOST_POINTER, "the host is not an Azure Blob Storage service");
    }
    let folder = address.folder();
    let (container, path) = folder.split_once('/').unwrap_or((&folder, ""));
    if container.is_empty() {
        address.refuse_with_template("container", "the container is missing");
    }
    address.required("sv", "2022-11-02");
    address.required("sig", "<signature>");
    let signature = Secret::new(text.split_once('?').map_or("", |(_, query)| query));
    let (container, path) = (container.to_owned(), path.trim_start_matches('/').to_owned());
    Destination::Azure { host: address.host.clone(), container, path, signature }
}

fn parse_big_query(address: &mut DestinationParser) -> Destination {
    let path = format!("{}{}", address.host, address.path);
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
            address.refuse_with_template("table", "the table is missing or malformed");
            ("", "", "")
        }
    };
    let credentials = address.required("credentials", "base64:<key>");
    if !credentials.is_empty() && !credentials.starts_with("base64:") && !credentials.starts_with("url:") {
        address.refuse_at("credentials", "`credentials` must start with `base64:` or `url:`");
    }
    address.check_misspelled_parameters();
    let (project, dataset, table) = (project.to_owned(), dataset.to_owned(), table.to_owned());
    Destination::BigQuery { project, dataset, table, credentials: Secret::new(credentials) }
}

fn parse_kinesis(address: &mut DestinationParser) -> Destination {
    let stream = address.resource_name("stream");
    if !address.path.trim_matches('/').is_empty() {
        address.refuse_with_template(PATH_POINTER, "a Kinesis destination takes no path");
    }
    let region = parse_region(address);
    let access = match address.optional("sts-assume-role-arn") {
        Some(arn) => {
            if !arn.starts_with("arn:") {
                address.refuse_at("sts-assume-role-arn", "`sts-assume-role-arn` must start with `arn:`");
            }
            let external_id = address.optional("sts-external-id").map(Secret::new);
            KinesisCredentials::Role { arn: Secret::new(arn), external_id }
        }
        None => match parse_access_keys(address, false) {
            Some(keys) => KinesisCredentials::Keys(keys),
            None => {
                address.refuse_at(
                    "sts-assume-role-arn",
                    "provide `sts-assume-role-arn`, or `access-key-id` and `secret-access-key`",
                );
                KinesisCredentials::Role { arn: Secret::default(), external_id: None }
            }
        },
    };
    address.check_misspelled_parameters();
    Destination::Kinesis { stream, region, credentials: access }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejection_quotes_the_invalid_part() {
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
