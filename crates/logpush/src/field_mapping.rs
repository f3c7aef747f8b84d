//! Maps the fields that log lines and the Rules language share: one [`FieldMapping`] for each.

use crate::{Dataset, Feature, Field};

/// A field of log lines and its counterpart in the Rules language.
#[derive(Debug)]
pub(crate) struct FieldMapping {
    /// The name in log lines.
    pub(crate) log: &'static str,
    /// The name in the Rules language.
    pub(crate) rules: &'static str,
    /// The conversion of values.
    pub(crate) kind: ValueMapping,
    /// Whether every request has a value.
    pub(crate) always_present: bool,
}

/// The conversion of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueMapping {
    /// The same strings.
    Text,
    /// The same strings for encrypted connections. The values for other connections are not documented.
    Encryption,
    /// The same integers.
    Integer,
    /// Country codes: lowercase in log lines, uppercase in the Rules language.
    Country,
    /// IP addresses, which are strings in log lines.
    Address,
    /// `http` and `https` in log lines, the Boolean `ssl` in the Rules language.
    Scheme,
    /// Arrays of strings.
    Texts,
    /// Arrays of integers.
    Integers,
}

const fn optional(log: &'static str, rules: &'static str, kind: ValueMapping) -> FieldMapping {
    FieldMapping { log, rules, kind, always_present: false }
}

const fn always_present(log: &'static str, rules: &'static str, kind: ValueMapping) -> FieldMapping {
    FieldMapping { log, rules, kind, always_present: true }
}

/// All mappings, sorted by the name in log lines.
const FIELD_MAPPINGS: &[FieldMapping] = &[
    optional("AISecurityInjectionScore", "cf.llm.prompt.injection_score", ValueMapping::Integer),
    optional("AISecurityPIICategories", "cf.llm.prompt.pii_categories", ValueMapping::Texts),
    optional("AISecurityTokenCount", "cf.llm.prompt.token_count", ValueMapping::Integer),
    optional("AISecurityUnsafeTopicCategories", "cf.llm.prompt.unsafe_topic_categories", ValueMapping::Texts),
    optional("BotDetectionIDs", "cf.bot_management.detection_ids", ValueMapping::Integers),
    optional("BotScore", "cf.bot_management.score", ValueMapping::Integer),
    always_present("ClientASN", "ip.src.asnum", ValueMapping::Integer),
    optional("ClientCity", "ip.src.city", ValueMapping::Text),
    always_present("ClientCountry", "ip.src.country", ValueMapping::Country),
    always_present("ClientIP", "ip.src", ValueMapping::Address),
    optional("ClientLatitude", "ip.src.lat", ValueMapping::Text),
    optional("ClientLongitude", "ip.src.lon", ValueMapping::Text),
    optional("ClientRegionCode", "ip.src.region_code", ValueMapping::Text),
    always_present("ClientRequestHost", "http.host", ValueMapping::Text),
    always_present("ClientRequestMethod", "http.request.method", ValueMapping::Text),
    always_present("ClientRequestPath", "http.request.uri.path", ValueMapping::Text),
    always_present("ClientRequestProtocol", "http.request.version", ValueMapping::Text),
    optional("ClientRequestReferer", "http.referer", ValueMapping::Text),
    always_present("ClientRequestScheme", "ssl", ValueMapping::Scheme),
    always_present("ClientRequestURI", "http.request.uri", ValueMapping::Text),
    optional("ClientRequestUserAgent", "http.user_agent", ValueMapping::Text),
    optional("ClientSSLCipher", "cf.tls_cipher", ValueMapping::Encryption),
    optional("ClientSSLProtocol", "cf.tls_version", ValueMapping::Encryption),
    always_present("ClientSrcPort", "cf.edge.client_port", ValueMapping::Integer),
    optional("ClientTCPRTTMs", "cf.timings.client_tcp_rtt_msec", ValueMapping::Integer),
    optional("ContentScanObjResults", "cf.waf.content_scan.obj_results", ValueMapping::Texts),
    optional("ContentScanObjSizes", "cf.waf.content_scan.obj_sizes", ValueMapping::Integers),
    optional("ContentScanObjTypes", "cf.waf.content_scan.obj_types", ValueMapping::Texts),
    always_present("EdgeResponseStatus", "http.response.code", ValueMapping::Integer),
    optional("JA3Hash", "cf.bot_management.ja3_hash", ValueMapping::Text),
    optional("JA4", "cf.bot_management.ja4", ValueMapping::Text),
    always_present("RayID", "cf.ray_id", ValueMapping::Text),
    optional("VerifiedBotCategory", "cf.verified_bot_category", ValueMapping::Text),
    optional("WAFAttackScore", "cf.waf.score", ValueMapping::Integer),
    optional("WAFRCEAttackScore", "cf.waf.score.rce", ValueMapping::Integer),
    optional("WAFSQLiAttackScore", "cf.waf.score.sqli", ValueMapping::Integer),
    optional("WAFXSSAttackScore", "cf.waf.score.xss", ValueMapping::Integer),
    always_present("ZoneName", "cf.zone.name", ValueMapping::Text),
];

/// Further fields of the Rules language that map to the same log fields.
const RULES_FIELD_ALIASES: [(&str, &str); 2] = [
    // The log has the URI that the client requested.
    ("raw.http.request.uri", "ClientRequestURI"),
    ("raw.http.request.uri.path", "ClientRequestPath"),
];

/// Returns the mapping of a log field.
pub(crate) fn mapping_for_log_field(name: &str, dataset: &Dataset) -> Option<&'static FieldMapping> {
    if !dataset.has(Feature::RequestFields) {
        return None;
    }
    FIELD_MAPPINGS.iter().find(|mapping| mapping.log == name)
}

/// Returns the mapping of a field of the Rules language, with the log field of the dataset.
pub(crate) fn mapping_for_rules_field(
    field: &zonewright_expression::schema::Field,
    dataset: &'static Dataset,
) -> Option<(&'static FieldMapping, &'static Field)> {
    let name = field.deprecated.and_then(|deprecated| deprecated.replacement).unwrap_or(field.name);
    let log_name = RULES_FIELD_ALIASES.iter().find(|(other, _)| *other == name).map(|(_, log)| *log);
    let mapping = FIELD_MAPPINGS.iter().find(|mapping| Some(mapping.log) == log_name || mapping.rules == name)?;
    let field = mapping_for_log_field(mapping.log, dataset).and_then(|mapping| dataset.field(mapping.log))?;
    field.filterable.then_some((mapping, field))
}

/// Returns the log field of the dataset for a field of the Rules language.
pub(crate) fn log_field(name: &str, dataset: &'static Dataset) -> Option<&'static Field> {
    let field = zonewright_expression::schema::field(name)?;
    mapping_for_rules_field(field, dataset).map(|(_, field)| field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FieldType;
    use zonewright_expression::{Type, schema};

    #[test]
    fn mappings_have_fields_of_matching_types() {
        assert!(FIELD_MAPPINGS.is_sorted_by(|a, b| a.log < b.log));
        for mapping in FIELD_MAPPINGS {
            let log = Dataset::http_requests().field(mapping.log).unwrap_or_else(|| panic!("{}", mapping.log));
            let rules = schema::field(mapping.rules).unwrap_or_else(|| panic!("{}", mapping.rules));
            let types = match mapping.kind {
                ValueMapping::Text | ValueMapping::Encryption | ValueMapping::Country => {
                    (FieldType::String, Type::STRING)
                }
                ValueMapping::Integer => (FieldType::Int, Type::INTEGER),
                ValueMapping::Address => (FieldType::String, Type::IP),
                ValueMapping::Scheme => (FieldType::String, Type::BOOLEAN),
                ValueMapping::Texts => (FieldType::Strings, Type::STRING.array()),
                ValueMapping::Integers => (FieldType::Ints, Type::INTEGER.array()),
            };
            assert_eq!((log.ty, rules.ty), types, "{}", mapping.log);
            assert!(rules.deprecated.is_none(), "{}", mapping.rules);
        }
        for (rules, log) in RULES_FIELD_ALIASES {
            assert!(
                schema::field(rules).is_some() && FIELD_MAPPINGS.iter().any(|mapping| mapping.log == log),
                "{rules}"
            );
        }
    }
}
