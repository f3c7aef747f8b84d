use super::*;

/// Returns the made-up secrets of an example.
fn secret_texts(address: &str) -> Vec<String> {
    let decoded = address.replace("%20", " ");
    let texts = decoded.split(['/', '?', '&', '=', ':', ' ']).map(str::to_owned);
    texts.filter(|text| text.to_ascii_lowercase().contains("s3cr3t")).collect()
}

/// Returns destinations of a scheme that together use every parameter of its row, except for HTTP endpoints, which
/// accept any parameter.
fn examples(scheme: Scheme) -> Vec<&'static str> {
    let others: &[&str] = match scheme {
        Scheme::Kinesis => {
            &["kinesis://example?region=us-west-2&sts-assume-role-arn=arn:aws:iam::S3cr3tId:role/S3cr3t\
                              &sts-external-id=S3cr3tPartner"]
        }
        _ => &[],
    };
    [&[scheme.example()], others].concat()
}

fn all_examples() -> impl Iterator<Item = (Scheme, &'static str)> {
    Scheme::ALL.iter().flat_map(|scheme| examples(*scheme).into_iter().map(|address| (*scheme, address)))
}

#[test]
fn examples_use_every_parameter() {
    for scheme in Scheme::ALL.iter().filter(|scheme| scheme.transport() != Transport::Post) {
        for parameter in scheme.parameters() {
            let is_used = |address: &&str| address.contains(&format!("{}=", parameter.name));
            assert!(examples(*scheme).iter().any(is_used), "{scheme}: {}", parameter.name);
        }
    }
}

#[test]
fn scheme_aliases_are_not_scheme_names() {
    let shadowed: Vec<_> =
        parser::SCHEME_ALIASES.iter().filter(|(alias, _)| Scheme::from_name(alias).is_some()).collect();
    assert!(shadowed.is_empty(), "{shadowed:?}");
}

/// Returns the `Debug` output of a destination and of its parts.
fn debug_texts(destination: &Destination) -> String {
    let parts = match destination {
        Destination::S3(bucket) => format!("{bucket:?}"),
        Destination::Https(endpoint) => format!("{endpoint:?}"),
        Destination::Kinesis { credentials, .. } => format!("{credentials:?}"),
        _ => String::new(),
    };
    format!("{destination:?} {parts}")
}

#[test]
fn every_scheme_redacts_the_secrets_of_its_examples() {
    for (scheme, address) in all_examples() {
        let destination = Destination::parse(address).unwrap_or_else(|errors| panic!("{address}: {errors:?}"));
        let parameters = address.split_once('?').map_or("", |(_, query)| query).split('&');
        let is_secret =
            |name: &str| scheme.parameters().iter().find(|known| known.name == name).is_none_or(Parameter::is_secret);
        let hidden = parameters.filter_map(|parameter| parameter.split_once('=')).filter(|(name, _)| is_secret(name));
        let mut secrets: Vec<String> = hidden.map(|(_, value)| value.to_owned()).collect();
        secrets.extend(secret_texts(address));
        secrets.extend(destination.secrets().into_iter().map(str::to_owned));
        let shown = [redact(address), destination.redacted(), debug_texts(&destination)].concat();
        for secret in &secrets {
            assert!(!shown.contains(secret), "{secret} is shown: {shown}");
        }
    }
}

#[test]
fn debug_hides_path_segments_that_may_be_secrets() {
    for address in ["s3://example/logs/token=S3cr3t?region=us-west-2", "gs://example/logs/token=S3cr3t"] {
        let destination = Destination::parse(address).unwrap();
        assert!(!debug_texts(&destination).contains("S3cr3t"), "{destination:?}");
    }
}

#[test]
fn every_scheme_names_the_secrets_of_its_examples() {
    for (scheme, address) in all_examples() {
        let destination = Destination::parse(address).unwrap();
        for secret in secret_texts(address) {
            assert!(destination.secrets().iter().any(|named| named.contains(&secret)), "{scheme}: {secret}");
        }
    }
}

#[test]
fn every_scheme_parses_its_name_and_example() {
    for scheme in Scheme::ALL {
        assert_eq!(Scheme::from_name(scheme.name()), Some(*scheme));
        assert_eq!(Destination::parse(scheme.example()).map(|destination| destination.scheme()), Ok(*scheme));
        for address in [scheme.example(), scheme.template()] {
            assert!(address.starts_with(&format!("{scheme}://")), "{address}");
        }
    }
    assert!(Scheme::ALL.is_sorted_by_key(|scheme| scheme.name()));
}

#[test]
fn message_about_placeholders_names_every_scheme_with_directories() {
    let errors = Destination::parse("https://logs.example.com/{DATE}").unwrap_err();
    for scheme in Scheme::ALL {
        let destination = Destination::parse(scheme.example()).unwrap();
        let is_named = errors.iter().any(|error| error.message.contains(&format!("`{scheme}`")));
        let has_directories = matches!(scheme.transport(), Transport::Folder | Transport::ObjectStore);
        assert_eq!(is_named, has_directories, "{scheme}");
        assert_eq!(!destination.folder(0).is_empty(), has_directories, "{scheme}");
    }
}

#[test]
fn redacting_a_redacted_destination_changes_nothing() {
    for address in Scheme::ALL.iter().flat_map(|scheme| [scheme.example(), scheme.template()]) {
        let redacted = redact(address);
        assert_eq!(redact(&redacted), redacted);
    }
}

#[test]
fn percent_encoded_keys_in_paths_are_redacted() {
    let key = "S3cr3tKey1234567";
    let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    for segment in [encode(key), format!("S3c{}", encode("r3tKey1234567")), encode(&encode(key))] {
        let address = format!("https://logs.example.com/ingest/{segment}/v1");
        assert_eq!(redact(&address), "https://logs.example.com/ingest/***/v1", "{segment}");
    }
    let address = "https://logs.example.com/my%2Dlogs/{DATE}";
    assert_eq!(redact(address), address);
}

#[test]
fn unknown_parameters_of_every_scheme_are_redacted() {
    for scheme in Scheme::ALL {
        let address = format!("{scheme}://host.example/logs?region2=a&a");
        assert!(!redact(&address).contains("region2"), "{address}");
    }
}

#[test]
fn ownership_challenge_depends_on_scheme_and_keys() {
    let required = Scheme::ALL
        .iter()
        .filter(|scheme| Destination::parse(scheme.example()).unwrap().requires_ownership_challenge());
    assert_eq!(Vec::from_iter(required), [&Scheme::Azure, &Scheme::Gcs, &Scheme::SumoLogic]);
    assert!(Destination::parse("s3://bucket?region=us-west-2").unwrap().requires_ownership_challenge());
}
