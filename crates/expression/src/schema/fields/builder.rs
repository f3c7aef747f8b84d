//! The constructors of the rows in the table of fields.

use crate::schema::{
    Certainty, Phase, PlanRequirement, Tier,
    field::{Availability, Deprecated, Field, Keys, Origin, Presence, RequestPart, Wording},
    value_form::ValueForm,
    values::KnownValue,
};
use crate::types::Type;

pub(super) const STRING: Type = Type::STRING;
pub(super) const BYTES: Type = Type::BYTES;
pub(super) const INTEGER: Type = Type::INTEGER;
pub(super) const IP: Type = Type::IP;
pub(super) const BOOLEAN: Type = Type::BOOLEAN;
pub(super) const STRINGS: Type = STRING.array();
pub(super) const INTEGERS: Type = INTEGER.array();
/// One array of strings for each part of a multipart body.
pub(super) const STRING_ROWS: Type = STRINGS.array();
pub(super) const STRINGS_BY_NAME: Type = STRINGS.map();
pub(super) const INTEGERS_BY_NAME: Type = INTEGERS.map();
pub(super) const INTEGER_BY_NAME: Type = INTEGER.map();

pub(super) const PRO: PlanRequirement = PlanRequirement::Tier(Tier::Pro);
pub(super) const BUSINESS: PlanRequirement = PlanRequirement::Tier(Tier::Business);
pub(super) const ENTERPRISE: PlanRequirement = PlanRequirement::Tier(Tier::Enterprise);
pub(super) const ADD_ON: PlanRequirement = PlanRequirement::AddOn;

// The ranges of integers (documented, or from the widths of the protocol).
pub(super) const COUNT: ValueForm = ValueForm::Integer(&(0, i64::MAX));
pub(super) const ALWAYS_ZERO: ValueForm = ValueForm::Integer(&(0, 0));
pub(super) const BOT_SCORE: ValueForm = ValueForm::Integer(&(0, 99));
pub(super) const SCORE: ValueForm = ValueForm::Integer(&(0, 100));
pub(super) const MILLISECONDS: ValueForm = ValueForm::Integer(&(0, 999));
pub(super) const STATUS: ValueForm = ValueForm::Integer(&(100, 999));
pub(super) const HEADER_LENGTH: ValueForm = ValueForm::Integer(&(0, 60));
pub(super) const BYTE: ValueForm = ValueForm::Integer(&(0, 255));
pub(super) const SIXTEEN_BITS: ValueForm = ValueForm::Integer(&(0, 65_535));

pub(super) const TRANSFORM_PHASES: &[Phase] =
    &[Phase::HttpRequestTransform, Phase::HttpRequestLateTransform, Phase::HttpResponseHeadersTransform];
/// The phases in which the cause of an error response is known.
pub(super) const ERROR_PHASES: &[Phase] = &[Phase::HttpCustomErrors, Phase::HttpResponseHeadersTransform];
/// The phases in which the client's languages are sorted.
pub(super) const LANGUAGE_PHASES: &[Phase] = &[
    Phase::HttpRequestTransform,
    Phase::HttpRequestLateTransform,
    Phase::HttpResponseCacheSettings,
    Phase::HttpResponseHeadersTransform,
];

const fn field(available: Availability, presence: Presence, name: &'static str, ty: Type, doc: &'static str) -> Field {
    Field {
        name,
        ty,
        doc,
        available,
        needs: None,
        only_in: None,
        deprecated: None,
        certainty: Certainty::Confirmed,
        presence,
        form: ValueForm::Any,
        keys: Keys::None,
        origin: None,
        parts: &[],
        is_raw: false,
        suggestions: &[],
        wording: Wording::Doc,
        example: None,
        aliases: &[],
        foreign_names: &[],
    }
}

/// Creates a field of HTTP requests.
pub(super) const fn request(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Availability::Request, Presence::Expected, name, ty, doc)
}

/// Creates a field of HTTP responses.
pub(super) const fn response(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Availability::Response, Presence::Expected, name, ty, doc)
}

/// Creates a field that only packets of one protocol have.
pub(super) const fn packet(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Availability::Packet, Presence::Optional, name, ty, doc)
}

/// Creates a field of HTTP requests and of packets.
pub(super) const fn request_or_packet(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Availability::RequestAndPacket, Presence::Expected, name, ty, doc)
}

impl Field {
    pub(super) const fn needs(self, needs: PlanRequirement) -> Field {
        Field { needs: Some(needs), ..self }
    }

    pub(super) const fn only_in(self, phases: &'static [Phase]) -> Field {
        Field { only_in: Some(phases), ..self }
    }

    /// Creates the row of a former name of the same value, for HTTP requests.
    pub(super) const fn former_name(self, name: &'static str, doc: &'static str) -> Field {
        let deprecated = Some(Deprecated { replacement: Some(self.name) });
        Field { name, doc, available: Availability::Request, deprecated, example: None, aliases: &[], ..self }
    }

    /// Creates the row of the same value before rules changed it.
    pub(super) const fn raw(self, name: &'static str, doc: &'static str) -> Field {
        Field { name, doc, is_raw: true, origin: None, example: None, aliases: &[], foreign_names: &[], ..self }
    }

    /// Marks the field as deprecated without a replacement.
    pub(super) const fn retired(self) -> Field {
        Field { deprecated: Some(Deprecated { replacement: None }), ..self }
    }

    pub(super) const fn unconfirmed(self) -> Field {
        Field { certainty: Certainty::Unconfirmed, ..self }
    }

    pub(super) const fn presence(self, presence: Presence) -> Field {
        Field { presence, ..self }
    }

    pub(super) const fn form(self, form: ValueForm) -> Field {
        Field { form, ..self }
    }

    pub(super) const fn suggestions(self, suggestions: &'static [&'static [KnownValue]]) -> Field {
        Field { suggestions, ..self }
    }

    pub(super) const fn keys(self, keys: Keys) -> Field {
        Field { keys, ..self }
    }

    pub(super) const fn part_of(self, name: &'static str) -> Field {
        Field { origin: Some(Origin::PartOf(name)), ..self }
    }

    pub(super) const fn names_of(self, map: &'static str) -> Field {
        Field { origin: Some(Origin::NamesOf(map)), ..self }
    }

    pub(super) const fn values_of(self, map: &'static str) -> Field {
        Field { origin: Some(Origin::ValuesOf(map)), ..self }
    }

    pub(super) const fn parts(self, parts: &'static [RequestPart]) -> Field {
        Field { parts, ..self }
    }

    pub(super) const fn noun(self, noun: &'static str) -> Field {
        Field { wording: Wording::Noun(noun), ..self }
    }

    pub(super) const fn statement(self, yes: &'static str, no: &'static str) -> Field {
        Field { wording: Wording::Statement(yes, no), ..self }
    }

    pub(super) const fn collection(self, item: &'static str, items: &'static str) -> Field {
        Field { wording: Wording::Collection { item, items, before_key: None }, ..self }
    }

    pub(super) const fn keyed_collection(
        self,
        item: &'static str,
        items: &'static str,
        before_key: &'static str,
    ) -> Field {
        Field { wording: Wording::Collection { item, items, before_key: Some(before_key) }, ..self }
    }

    pub(super) const fn example(self, example: &'static str) -> Field {
        Field { example: Some(example), ..self }
    }

    pub(super) const fn aliases(self, names: &'static [&'static str]) -> Field {
        Field { aliases: names, ..self }
    }

    pub(super) const fn foreign_names(self, names: &'static [&'static str]) -> Field {
        Field { foreign_names: names, ..self }
    }
}
