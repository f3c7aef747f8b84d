//! The integers that a value can be.

use crate::resolved::{Operand, Source};

/// Lowest and highest integer that fields can have (documented, or from the protocol's own widths).
const RANGES: &[(&str, i64, i64)] = &[
    ("cf.bot_management.score", 0, 99),
    ("cf.edge.client_port", 0, 65_535),
    ("cf.edge.l4.delivery_rate", 0, i64::MAX),
    ("cf.edge.server_port", 0, 65_535),
    ("cf.llm.prompt.injection_score", 0, 100),
    ("cf.llm.prompt.token_count", 0, i64::MAX),
    // Retired: it no longer tells requests apart.
    ("cf.threat_score", 0, 0),
    ("cf.timings.client_quic_rtt_msec", 0, i64::MAX),
    ("cf.timings.client_tcp_rtt_msec", 0, i64::MAX),
    ("cf.timings.edge_msec", 0, i64::MAX),
    ("cf.timings.origin_ttfb_msec", 0, i64::MAX),
    ("cf.timings.worker_msec", 0, i64::MAX),
    ("cf.tls_client_hello_length", 0, i64::MAX),
    ("cf.waf.content_scan.num_malicious_obj", 0, i64::MAX),
    ("cf.waf.content_scan.num_obj", 0, i64::MAX),
    ("cf.waf.content_scan.obj_sizes", 0, i64::MAX),
    ("cf.waf.score", 0, 100),
    ("cf.waf.score.rce", 0, 100),
    ("cf.waf.score.sqli", 0, 100),
    ("cf.waf.score.xss", 0, 100),
    ("http.request.body.size", 0, i64::MAX),
    ("http.request.timestamp.msec", 0, 999),
    // Ten digits: a larger number was meant as milliseconds.
    ("http.request.timestamp.sec", 0, 9_999_999_999),
    ("http.response.code", 100, 999),
    ("icmp.code", 0, 255),
    ("icmp.type", 0, 255),
    ("ip.geoip.asnum", 0, 4_294_967_295),
    ("ip.hdr_len", 0, 60),
    ("ip.len", 0, 65_535),
    ("ip.opt.type", 0, 255),
    ("ip.src.asnum", 0, 4_294_967_295),
    ("ip.ttl", 0, 255),
    ("tcp.dstport", 0, 65_535),
    ("tcp.flags", 0, 255),
    ("tcp.srcport", 0, 65_535),
    ("udp.dstport", 0, 65_535),
    ("udp.srcport", 0, 65_535),
];

/// The integers that a value, or each of its elements, can be; `None` when it can be any.
pub(super) fn of(operand: &Operand) -> Option<(i64, i64)> {
    match &operand.source {
        Source::Field(field) => of_field(field.name),
        Source::Call(call) => matches!(call.function.name, "len" | "bit_slice").then_some((0, i64::MAX)),
        Source::Invalid => None,
    }
}

/// The integers that a field, or each of its elements, can be.
pub(super) fn of_field(field: &str) -> Option<(i64, i64)> {
    RANGES.iter().find(|(name, ..)| *name == field).map(|(_, low, high)| (*low, *high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scalar, schema};

    #[test]
    fn every_range_is_one_of_an_integer_field() {
        for (name, low, high) in RANGES {
            let field = schema::field(name).unwrap_or_else(|| panic!("no field `{name}`"));
            assert_eq!(field.ty.scalar, Scalar::Integer, "{name}");
            assert!(low <= high, "{name}");
        }
    }
}
