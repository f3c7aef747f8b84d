//! Fields that the log and the Rules language both have.

use crate::{Dataset, Field};

/// A field of both.
#[derive(Debug)]
pub(super) struct Pair {
    /// Its name in the log.
    pub(super) log: &'static str,
    /// Its name in the Rules language.
    pub(super) rules: &'static str,
    /// How its values differ.
    pub(super) kind: Kind,
    /// Whether every request has a value.
    pub(super) given: bool,
}

/// How the values of a field are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The same texts.
    Text,
    /// The same texts, where the connection is encrypted.
    Encryption,
    /// The same whole numbers.
    Integer,
    /// Codes in lower case in the log, in capitals in the language.
    Country,
    /// Addresses, which are texts in the log.
    Address,
    /// `http` and `https`; `ssl` in the language.
    Scheme,
    /// Arrays of texts.
    Texts,
    /// Arrays of whole numbers.
    Integers,
}

const fn pair(log: &'static str, rules: &'static str, kind: Kind) -> Pair {
    Pair { log, rules, kind, given: false }
}

const fn given(log: &'static str, rules: &'static str, kind: Kind) -> Pair {
    Pair { log, rules, kind, given: true }
}

/// The pairs, by the name in the log.
const PAIRS: &[Pair] = &[
    pair("AISecurityInjectionScore", "cf.llm.prompt.injection_score", Kind::Integer),
    pair("AISecurityPIICategories", "cf.llm.prompt.pii_categories", Kind::Texts),
    pair("AISecurityTokenCount", "cf.llm.prompt.token_count", Kind::Integer),
    pair("AISecurityUnsafeTopicCategories", "cf.llm.prompt.unsafe_topic_categories", Kind::Texts),
    pair("BotDetectionIDs", "cf.bot_management.detection_ids", Kind::Integers),
    pair("BotScore", "cf.bot_management.score", Kind::Integer),
    given("ClientASN", "ip.src.asnum", Kind::Integer),
    pair("ClientCity", "ip.src.city", Kind::Text),
    given("ClientCountry", "ip.src.country", Kind::Country),
    given("ClientIP", "ip.src", Kind::Address),
    pair("ClientLatitude", "ip.src.lat", Kind::Text),
    pair("ClientLongitude", "ip.src.lon", Kind::Text),
    pair("ClientRegionCode", "ip.src.region_code", Kind::Text),
    given("ClientRequestHost", "http.host", Kind::Text),
    given("ClientRequestMethod", "http.request.method", Kind::Text),
    given("ClientRequestPath", "http.request.uri.path", Kind::Text),
    given("ClientRequestProtocol", "http.request.version", Kind::Text),
    pair("ClientRequestReferer", "http.referer", Kind::Text),
    given("ClientRequestScheme", "ssl", Kind::Scheme),
    given("ClientRequestURI", "http.request.uri", Kind::Text),
    pair("ClientRequestUserAgent", "http.user_agent", Kind::Text),
    pair("ClientSSLCipher", "cf.tls_cipher", Kind::Encryption),
    pair("ClientSSLProtocol", "cf.tls_version", Kind::Encryption),
    given("ClientSrcPort", "cf.edge.client_port", Kind::Integer),
    pair("ClientTCPRTTMs", "cf.timings.client_tcp_rtt_msec", Kind::Integer),
    pair("ContentScanObjResults", "cf.waf.content_scan.obj_results", Kind::Texts),
    pair("ContentScanObjSizes", "cf.waf.content_scan.obj_sizes", Kind::Integers),
    pair("ContentScanObjTypes", "cf.waf.content_scan.obj_types", Kind::Texts),
    given("EdgeResponseStatus", "http.response.code", Kind::Integer),
    pair("JA3Hash", "cf.bot_management.ja3_hash", Kind::Text),
    pair("JA4", "cf.bot_management.ja4", Kind::Text),
    given("RayID", "cf.ray_id", Kind::Text),
    pair("VerifiedBotCategory", "cf.verified_bot_category", Kind::Text),
    pair("WAFAttackScore", "cf.waf.score", Kind::Integer),
    pair("WAFRCEAttackScore", "cf.waf.score.rce", Kind::Integer),
    pair("WAFSQLiAttackScore", "cf.waf.score.sqli", Kind::Integer),
    pair("WAFXSSAttackScore", "cf.waf.score.xss", Kind::Integer),
    given("ZoneName", "cf.zone.name", Kind::Text),
];

/// Other names in the Rules language of what the log has under one.
const ALSO: [(&str, &str); 2] = [
    // What the log has is what the client asked for.
    ("raw.http.request.uri", "ClientRequestURI"),
    ("raw.http.request.uri.path", "ClientRequestPath"),
];

/// The pair of a field of the log.
pub(super) fn of_log(name: &str, dataset: &Dataset) -> Option<&'static Pair> {
    if !matches!(dataset.name, "http_requests" | "firewall_events") {
        return None;
    }
    PAIRS.iter().find(|pair| pair.log == name)
}

/// The pair of a field of the Rules language, with the field that the dataset has for it.
pub(super) fn of_rules(
    field: &zonewright_expression::schema::Field,
    dataset: &'static Dataset,
) -> Option<(&'static Pair, &'static Field)> {
    let name = field.deprecated.and_then(|deprecated| deprecated.replacement).unwrap_or(field.name);
    let also = ALSO.iter().find(|(other, _)| *other == name).map(|(_, log)| *log);
    let pair = PAIRS.iter().find(|pair| Some(pair.log) == also || pair.rules == name)?;
    let field = of_log(pair.log, dataset).and_then(|pair| dataset.field(pair.log))?;
    field.filterable.then_some((pair, field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FieldType;
    use zonewright_expression::{Type, schema};

    #[test]
    fn pairs_have_fields_of_matching_types() {
        assert!(PAIRS.is_sorted_by(|a, b| a.log < b.log));
        for pair in PAIRS {
            let log = Dataset::http_requests().field(pair.log).unwrap_or_else(|| panic!("{}", pair.log));
            let rules = schema::field(pair.rules).unwrap_or_else(|| panic!("{}", pair.rules));
            let types = match pair.kind {
                Kind::Text | Kind::Encryption | Kind::Country => (FieldType::String, Type::STRING),
                Kind::Integer => (FieldType::Int, Type::INTEGER),
                Kind::Address => (FieldType::String, Type::IP),
                Kind::Scheme => (FieldType::String, Type::BOOLEAN),
                Kind::Texts => (FieldType::Strings, Type::STRING.array()),
                Kind::Integers => (FieldType::Ints, Type::INTEGER.array()),
            };
            assert_eq!((log.ty, rules.ty), types, "{}", pair.log);
            assert!(rules.deprecated.is_none(), "{}", pair.rules);
        }
        for (rules, log) in ALSO {
            assert!(schema::field(rules).is_some() && PAIRS.iter().any(|pair| pair.log == log), "{rules}");
        }
    }
}
