//! Ownership challenges: a token that the service writes to a destination. Sending it back proves control of the
//! destination.
//!
//! The token is a JWT (observed), signed with a key of the service. It contains owner, destination and expiry, so the
//! service stores no state for it. Start with [`issue`] and [`verify`].

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zonewright_logpush::Destination;
use zonewright_logpush::destination::S3Bucket;
use zonewright_store::{Owner, digest};

/// Lifetime of a challenge (documented).
const CHALLENGE_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Maximum length of a challenge in bytes (documented).
const MAX_CHALLENGE_BYTES: usize = 4096;
/// The header of every challenge. Challenges with another header are rejected.
const JWT_HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

/// The claims of a challenge.
#[derive(Serialize, Deserialize)]
struct Claims {
    /// `zone` or `account`.
    scope: String,
    /// ID of the zone or account.
    id: String,
    /// Digest of the destination, as [`destination_digest`] computes it.
    destination: String,
    /// Expiry in seconds since 1970.
    exp: i64,
}

/// Returns a new challenge for a destination.
pub(crate) fn issue(key: &[u8], owner: &Owner, destination: &Destination) -> Result<String, serde_json::Error> {
    issue_until(key, owner, destination, Timestamp::now().saturating_add(CHALLENGE_TTL).unwrap_or(Timestamp::MAX))
}

fn issue_until(
    key: &[u8],
    owner: &Owner,
    destination: &Destination,
    end: Timestamp,
) -> Result<String, serde_json::Error> {
    let (scope, id) = owner_scope(owner);
    let destination = destination_digest(destination);
    let claims = Claims { scope: scope.to_owned(), id: id.to_owned(), destination, exp: end.as_second() };
    let signed = format!("{}.{}", BASE64.encode(JWT_HEADER), BASE64.encode(serde_json::to_vec(&claims)?));
    let signature = sign(key, &signed).map(|mac| BASE64.encode(mac.finalize().into_bytes()));
    Ok(format!("{signed}.{}", signature.unwrap_or_default()))
}

/// Validates a challenge for a destination. The error has a reason only if the challenge is authentic, so that only a
/// client that can read the destination learns it.
pub(crate) fn verify(
    key: &[u8],
    challenge: &str,
    owner: &Owner,
    destination: &Destination,
) -> Result<(), &'static str> {
    let claims = decode_claims(key, challenge).ok_or("")?;
    let (scope, id) = owner_scope(owner);
    if (claims.scope.as_str(), claims.id.as_str()) != (scope, id) {
        return Err("it is for another zone or account");
    }
    if claims.destination != destination_digest(destination) {
        return Err("it is for another destination");
    }
    if claims.exp <= Timestamp::now().as_second() {
        return Err("it has expired");
    }
    Ok(())
}

/// Returns a digest of the location of a destination, without its secrets and options. Two URLs have the same digest if
/// and only if they name the same location.
pub(crate) fn destination_digest(destination: &Destination) -> String {
    let scheme = destination.scheme();
    digest(&match destination {
        Destination::File { path } => format!("{scheme}\n{path}"),
        Destination::S3(S3Bucket { bucket, path, endpoint, .. }) => {
            format!("{scheme}\n{}\n{bucket}\n{path}", endpoint.as_deref().unwrap_or_default())
        }
        Destination::Gcs { bucket, path } => format!("{scheme}\n{bucket}\n{path}"),
        Destination::Azure { host, container, path, .. } => format!("{scheme}\n{host}\n{container}\n{path}"),
        Destination::Https(endpoint) => {
            let url = endpoint.url.expose();
            format!("{scheme}\n{}", url.split_once('?').map_or(url, |(location, _)| location))
        }
        Destination::IbmLogs { url, .. } => format!("{scheme}\n{url}"),
        Destination::BigQuery { project, dataset, table, .. } => {
            format!("{scheme}\n{project}\n{dataset}\n{table}")
        }
        Destination::Kinesis { stream, region, .. } => format!("{scheme}\n{stream}\n{region}"),
    })
}

/// Returns the claims of a challenge that was signed with this key.
fn decode_claims(key: &[u8], challenge: &str) -> Option<Claims> {
    let challenge = challenge.trim();
    let (signed, sent) = challenge.rsplit_once('.').filter(|_| challenge.len() <= MAX_CHALLENGE_BYTES)?;
    let sent = BASE64.decode(sent).ok()?;
    sign(key, signed)?.verify_slice(&sent).ok()?;
    let (header, claims) = signed.split_once('.')?;
    let claims = BASE64.decode(claims).ok().filter(|_| header == BASE64.encode(JWT_HEADER))?;
    serde_json::from_slice(&claims).ok()
}

/// Returns the message authentication code of a text.
fn sign(key: &[u8], text: &str) -> Option<Hmac<Sha256>> {
    // HMAC accepts keys of any length, so this never returns `None`.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(text.as_bytes());
    Some(mac)
}

fn owner_scope(owner: &Owner) -> (&'static str, &str) {
    match owner {
        Owner::Zone(id) => ("zone", id),
        Owner::Account(id) => ("account", id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"a key";

    fn destination() -> Destination {
        Destination::parse("gs://bucket/here").unwrap()
    }

    fn other_destination() -> Destination {
        Destination::parse("gs://bucket/there").unwrap()
    }

    fn zone() -> Owner {
        Owner::Zone("z".to_owned())
    }

    #[test]
    fn challenge_is_valid_for_one_owner_and_one_destination() {
        let good = issue(KEY, &zone(), &destination()).unwrap();
        assert!(good.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/+._-".contains(&byte)), "{good}");
        let account = Owner::Account("z".to_owned());
        let other = Owner::Zone("y".to_owned());
        let cases = [
            (KEY, good.clone(), zone(), &destination(), Ok(())),
            (KEY, format!(" {good}\n"), zone(), &destination(), Ok(())),
            (b"another key", good.clone(), zone(), &destination(), Err("")),
            (KEY, good.clone(), other, &destination(), Err("it is for another zone or account")),
            (KEY, good.clone(), account, &destination(), Err("it is for another zone or account")),
            (KEY, good.clone(), zone(), &other_destination(), Err("it is for another destination")),
            (KEY, good.replacen('.', ".A", 1), zone(), &destination(), Err("")),
            (KEY, String::new(), zone(), &destination(), Err("")),
            (KEY, "..".to_owned(), zone(), &destination(), Err("")),
            (KEY, "a.".repeat(1_000_000), zone(), &destination(), Err("")),
        ];
        for (key, challenge, owner, destination, expected) in cases {
            assert_eq!(verify(key, &challenge, &owner, destination), expected, "{owner:?} {destination:?}");
        }
    }

    #[test]
    fn challenge_expires_after_seven_days() {
        let end = |seconds| Timestamp::now().saturating_add(SignedDuration::from_secs(seconds)).unwrap();
        let expired = issue_until(KEY, &zone(), &destination(), end(-1)).unwrap();
        assert_eq!(verify(KEY, &expired, &zone(), &destination()), Err("it has expired"));
        let claims = decode_claims(KEY, &issue(KEY, &zone(), &destination()).unwrap()).unwrap();
        assert!((604_790..=604_800).contains(&(claims.exp - Timestamp::now().as_second())));
    }

    #[test]
    fn challenge_with_another_algorithm_is_rejected() {
        let claims = BASE64.encode(r#"{"scope":"zone","id":"z","destination":"","exp":99999999999}"#);
        let header = BASE64.encode(r#"{"alg":"none","typ":"JWT"}"#);
        let signed = format!("{header}.{claims}");
        let mac = BASE64.encode(sign(KEY, &signed).unwrap().finalize().into_bytes());
        for challenge in [format!("{signed}."), format!("{signed}.{mac}")] {
            assert_eq!(verify(KEY, &challenge, &zone(), &destination()), Err(""));
        }
    }
}
