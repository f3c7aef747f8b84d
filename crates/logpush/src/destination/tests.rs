use super::*;

/// Returns the made-up secrets of an example.
fn secret_texts(address: &str) -> Vec<String> {
    let decoded = address.replace("%20", " ");
    let texts = decoded.split(['/', '?', '&', '=', ':', ' ']).map(str::to_owned);
    texts.filter(|text| text.to_ascii_lowercase().contains("s3cr3t")).collect()
}

#[test]
fn every_scheme_hides_the_secrets_of_its_example() {
    for scheme in Scheme::ALL {
        let address = scheme.example();
        let destination = Destination::parse(address).unwrap_or_else(|errors| panic!("{address}: {errors:?}"));
        let parameters = address.split_once('?').map_or("", |(_, query)| query).split('&');
        let is_secret =
            |name: &str| scheme.parameters().iter().find(|known| known.name == name).is_none_or(Parameter::is_secret);
        let hidden = parameters.filter_map(|parameter| parameter.split_once('=')).filter(|(name, _)| is_secret(name));
        let mut secrets: Vec<String> = hidden.map(|(_, value)| value.to_owned()).collect();
        secrets.extend(secret_texts(address));
        secrets.extend(destination.secrets().into_iter().map(str::to_owned));
        let redacted = [redact(address), destination.redacted()].concat();
        for secret in &secrets {
            assert!(!redacted.contains(secret), "{secret} is shown: {redacted}");
        }
        let debug = format!("{destination:?}");
        for secret in destination.secrets() {
            assert!(!debug.contains(secret), "{secret} is shown: {debug}");
        }
    }
}

#[test]
fn every_scheme_names_the_secrets_of_its_example() {
    for scheme in Scheme::ALL {
        let address = scheme.example();
        let destination = Destination::parse(address).unwrap();
        for secret in secret_texts(address) {
            assert!(destination.secrets().iter().any(|named| named.contains(&secret)), "{scheme}: {secret}");
        }
    }
}

#[test]
fn every_scheme_round_trips() {
    for scheme in Scheme::ALL {
        assert_eq!(Scheme::from_name(scheme.name()), Some(*scheme));
        assert_eq!(Destination::parse(scheme.example()).map(|destination| destination.scheme()), Ok(*scheme));
        for address in [scheme.example(), scheme.template()] {
            assert!(address.starts_with(&format!("{scheme}://")), "{address}");
            let redacted = redact(address);
            assert_eq!(redact(&redacted), redacted);
        }
    }
    assert!(Scheme::ALL.is_sorted_by_key(|scheme| scheme.name()));
}

#[test]
fn unknown_parameters_of_every_scheme_are_hidden() {
    for scheme in Scheme::ALL {
        let address = format!("{scheme}://host.example/logs?region2=a&a");
        assert!(!redact(&address).contains("region2"), "{address}");
    }
}

#[test]
fn ownership_challenge_is_needed_without_keys() {
    let needed = Scheme::ALL
        .iter()
        .filter(|scheme| Destination::parse(scheme.example()).unwrap().requires_ownership_challenge());
    assert_eq!(Vec::from_iter(needed), [&Scheme::Azure, &Scheme::Gcs, &Scheme::SumoLogic]);
    assert!(Destination::parse("s3://bucket?region=us-west-2").unwrap().requires_ownership_challenge());
}
