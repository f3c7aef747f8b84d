//! Content codings of responses: which ones a client accepts ([`accepted_codings`]), and compression ([`gzip`]).

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A content coding of HTTP, in order of preference: Brotli compresses better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    const ALL: [Coding; 2] = [Coding::Brotli, Coding::Gzip];

    /// Returns the name in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }

    /// Returns the extension that the build appends to the name of a compressed file.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gz",
        }
    }
}

/// Returns the codings that the client accepts, by name or by `*`, best first. The weight of each is above 0 and at
/// least that of `identity`.
pub(crate) fn accepted_codings(headers: &HeaderMap) -> Vec<Coding> {
    let lines: Vec<&str> = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok()).collect();
    let weight = |name: &str| {
        lines.iter().flat_map(|line| line.split(',')).find_map(|item| {
            let (coding, parameters) = item.split_once(';').unwrap_or((item, ""));
            let weight = parameters.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            let weight = weight.and_then(|(_, weight)| weight.trim().parse().ok()).unwrap_or(1.0);
            coding.trim().eq_ignore_ascii_case(name).then_some(weight)
        })
    };
    let identity_weight: f64 = weight("identity").unwrap_or(0.0);
    let weighted = Coding::ALL.map(|coding| (coding, weight(coding.name()).or_else(|| weight("*")).unwrap_or(0.0)));
    let mut accepted: Vec<(Coding, f64)> =
        weighted.into_iter().filter(|(_, weight)| *weight > 0.0 && *weight >= identity_weight).collect();
    // The sort is stable, so codings of equal weight keep the order of preference.
    accepted.sort_by(|(_, left), (_, right)| right.total_cmp(left));
    accepted.into_iter().map(|(coding, _)| coding).collect()
}

/// Compresses content with gzip. The result uses no memory beyond its length, because callers cache it.
pub(crate) fn gzip(content: &[u8], level: Compression) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(content)?;
    Ok(Bytes::from(encoder.finish()?.into_boxed_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn codings_follow_the_weights_of_the_client() {
        use Coding::{Brotli, Gzip};
        let cases: [(&str, &[Coding]); 9] = [
            ("gzip, deflate, br", &[Brotli, Gzip]),
            ("br;q=0.5, GZIP;q=1.0", &[Gzip, Brotli]),
            ("*", &[Brotli, Gzip]),
            ("gzip;q=0, *", &[Brotli]),
            ("gzip;q=0.5, identity;q=0.8, br", &[Brotli]),
            ("identity", &[]),
            ("br", &[Brotli]),
            ("deflate", &[]),
            ("", &[]),
        ];
        for (header, accepted) in cases {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(header))]);
            assert_eq!(accepted_codings(&headers), accepted, "{header}");
        }
        assert_eq!(accepted_codings(&HeaderMap::new()), []);
    }
}
