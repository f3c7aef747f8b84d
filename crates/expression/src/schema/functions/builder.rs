//! The constructors of the rows in the table of functions.

use crate::schema::function::ArgumentKind::Literal;
use crate::schema::function::{AcceptedType, ArgumentKind, Constraint, Function, FunctionId as Id, Param, ReturnType};
use crate::schema::{Certainty, Phase, PlanRequirement};
use crate::types::Type;

pub(super) const STRING: AcceptedType = AcceptedType::Type(Type::STRING);
pub(super) const INTEGER: AcceptedType = AcceptedType::Type(Type::INTEGER);
pub(super) const IP: AcceptedType = AcceptedType::Type(Type::IP);
pub(super) const BOOLEAN: AcceptedType = AcceptedType::Type(Type::BOOLEAN);
pub(super) const BOOLEANS: AcceptedType = AcceptedType::Type(Type::BOOLEAN.array());
pub(super) const STRINGS: AcceptedType = AcceptedType::Type(Type::STRING.array());

/// Custom rules and rate limits.
pub(super) const FIREWALL_PHASES: &[Phase] = &[Phase::HttpRequestFirewallCustom, Phase::HttpRatelimit];
/// Custom rules.
pub(super) const CUSTOM_PHASES: &[Phase] = &[Phase::HttpRequestFirewallCustom];
/// Phases that rewrite a URL or a header.
pub(super) const TRANSFORM_PHASES: &[Phase] =
    &[Phase::HttpRequestTransform, Phase::HttpRequestLateTransform, Phase::HttpResponseHeadersTransform];
/// Phases that rewrite a header.
pub(super) const HEADER_TRANSFORM_PHASES: &[Phase] =
    &[Phase::HttpRequestLateTransform, Phase::HttpResponseHeadersTransform];
/// Phases that rewrite a URL or a header, or redirect.
pub(super) const REWRITE_PHASES: &[Phase] = &[
    Phase::HttpRequestDynamicRedirect,
    Phase::HttpRequestTransform,
    Phase::HttpRequestLateTransform,
    Phase::HttpResponseHeadersTransform,
];
/// Phases that change the URL of a request.
pub(super) const URL_REWRITE_PHASES: &[Phase] = &[Phase::HttpRequestDynamicRedirect, Phase::HttpRequestTransform];
/// The phases that accept `decode_base64`.
pub(super) const DECODE_PHASES: &[Phase] = &[
    Phase::HttpRequestTransform,
    Phase::HttpRequestFirewallCustom,
    Phase::HttpRatelimit,
    Phase::HttpRequestLateTransform,
    Phase::HttpResponseHeadersTransform,
];
/// The phases that accept `join`.
pub(super) const JOIN_PHASES: &[Phase] = &[
    Phase::HttpRequestTransform,
    Phase::HttpRequestFirewallCustom,
    Phase::HttpRequestLateTransform,
    Phase::HttpCustomErrors,
    Phase::HttpResponseHeadersTransform,
];
/// The phases that accept `split`.
pub(super) const SPLIT_PHASES: &[Phase] =
    &[Phase::HttpResponseCacheSettings, Phase::HttpCustomErrors, Phase::HttpResponseHeadersTransform];
/// The phases that receive packets and accept `bit_slice`.
pub(super) const NETWORK_PHASES: &[Phase] =
    &[Phase::MagicTransit, Phase::MagicTransitManaged, Phase::MagicTransitRatelimit, Phase::MagicTransitIdsManaged];

pub(super) const fn param(name: &'static str, accepts: &'static [AcceptedType], kind: ArgumentKind) -> Param {
    Param { name, accepts, kind, optional: false, variadic: false, constraint: None }
}

impl Param {
    pub(super) const fn optional(self) -> Param {
        Param { optional: true, ..self }
    }

    pub(super) const fn variadic(self) -> Param {
        Param { variadic: true, ..self }
    }

    pub(super) const fn must(self, constraint: Constraint) -> Param {
        Param { constraint: Some(constraint), ..self }
    }
}

/// A function with its documentation.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) function: Function,
    pub(super) doc: &'static str,
}

/// Creates a function that every phase accepts and that may be called for each element of its first argument.
pub(super) const fn function(
    id: Id,
    name: &'static str,
    params: &'static [Param],
    returns: ReturnType,
    doc: &'static str,
) -> Row {
    let function = Function {
        id,
        name,
        params,
        semantics: id.semantics(),
        max_arguments: None,
        returns,
        maps_each: true,
        only_in: None,
        needs: None,
        once_per_expression: false,
        certainty: Certainty::Confirmed,
        foreign_names: &[],
    };
    Row { function, doc }
}

impl Row {
    const fn with_function(self, function: Function) -> Row {
        Row { function, ..self }
    }

    pub(super) const fn at_most(self, arguments: usize) -> Row {
        self.with_function(Function { max_arguments: Some(arguments), ..self.function })
    }

    pub(super) const fn without_map_each(self) -> Row {
        self.with_function(Function { maps_each: false, ..self.function })
    }

    pub(super) const fn only_in(self, phases: &'static [Phase]) -> Row {
        self.with_function(Function { only_in: Some(phases), ..self.function })
    }

    pub(super) const fn needs(self, needs: PlanRequirement) -> Row {
        self.with_function(Function { needs: Some(needs), ..self.function })
    }

    pub(super) const fn once_per_expression(self) -> Row {
        self.with_function(Function { once_per_expression: true, ..self.function })
    }

    pub(super) const fn unconfirmed(self) -> Row {
        self.with_function(Function { certainty: Certainty::Unconfirmed, ..self.function })
    }

    pub(super) const fn foreign_names(self, names: &'static [&'static str]) -> Row {
        self.with_function(Function { foreign_names: names, ..self.function })
    }
}

pub(super) const TO_STRING: ReturnType = ReturnType::Type(Type::STRING);
pub(super) const TO_BYTES: ReturnType = ReturnType::Type(Type::BYTES);
pub(super) const TO_INTEGER: ReturnType = ReturnType::Type(Type::INTEGER);
pub(super) const TO_BOOLEAN: ReturnType = ReturnType::Type(Type::BOOLEAN);
pub(super) const TO_IP: ReturnType = ReturnType::Type(Type::IP);
pub(super) const TO_STRINGS: ReturnType = ReturnType::Type(Type::STRING.array());

/// The fields that `remove_query_args` accepts as its source.
pub(super) const QUERY_FIELDS: &[&str] = &["http.request.uri.query", "raw.http.request.uri.query"];
/// The fields with the bytes of a packet.
pub(super) const PROTOCOL_FIELDS: &[&str] = &["icmp", "ip", "tcp", "udp"];

pub(super) const IPV4_BITS: Param = param("ipv4_bits", &[INTEGER], Literal).must(Constraint::Range(1, 32));
pub(super) const IPV6_BITS: Param = param("ipv6_bits", &[INTEGER], Literal).must(Constraint::Range(1, 128));
/// The keys and indexes of a JSON path, from the outermost value inward.
pub(super) const JSON_KEY: Param = param("key", &[STRING, INTEGER], Literal).variadic();
pub(super) const TOKEN_CONFIGURATION: Param = param("token_configuration_id", &[STRING], Literal);
