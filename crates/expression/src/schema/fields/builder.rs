//! The constructors of the rows in the tables of fields.

use crate::schema::{
    Certainty, Phase, PlanRequirement, Tier,
    field::{Availability, Deprecated, Field, Keys, Origin, Presence, RequestPart},
    field_help::{FieldHelp, Wording},
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

/// A field with its help.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) field: Field,
    pub(super) help: FieldHelp,
}

const fn row(available: Availability, presence: Presence, name: &'static str, ty: Type, doc: &'static str) -> Row {
    let field = Field {
        name,
        ty,
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
        aliases: &[],
        foreign_names: &[],
    };
    Row { field, help: FieldHelp { doc, ..FieldHelp::EMPTY } }
}

/// Creates a field of HTTP requests.
pub(super) const fn request(name: &'static str, ty: Type, doc: &'static str) -> Row {
    row(Availability::Request, Presence::Expected, name, ty, doc)
}

/// Creates a field of HTTP responses.
pub(super) const fn response(name: &'static str, ty: Type, doc: &'static str) -> Row {
    row(Availability::Response, Presence::Expected, name, ty, doc)
}

/// Creates a field that only packets of one protocol have.
pub(super) const fn packet(name: &'static str, ty: Type, doc: &'static str) -> Row {
    row(Availability::Packet, Presence::Optional, name, ty, doc)
}

/// Creates a field of HTTP requests and of packets.
pub(super) const fn request_or_packet(name: &'static str, ty: Type, doc: &'static str) -> Row {
    row(Availability::RequestAndPacket, Presence::Expected, name, ty, doc)
}

impl Row {
    const fn with_field(self, field: Field) -> Row {
        Row { field, ..self }
    }

    const fn with_help(self, help: FieldHelp) -> Row {
        Row { help, ..self }
    }

    const fn with_wording(self, wording: Wording) -> Row {
        self.with_help(FieldHelp { wording, ..self.help })
    }

    pub(super) const fn needs(self, needs: PlanRequirement) -> Row {
        self.with_field(Field { needs: Some(needs), ..self.field })
    }

    pub(super) const fn only_in(self, phases: &'static [Phase]) -> Row {
        self.with_field(Field { only_in: Some(phases), ..self.field })
    }

    /// Creates the row of a former name of the same value, for HTTP requests.
    pub(super) const fn former_name(self, name: &'static str, doc: &'static str) -> Row {
        let deprecated = Some(Deprecated { replacement: Some(self.field.name) });
        let field = Field { name, available: Availability::Request, deprecated, aliases: &[], ..self.field };
        Row { field, help: FieldHelp { doc, example: None, ..self.help } }
    }

    /// Creates the row of the same value before rules changed it.
    pub(super) const fn raw(self, name: &'static str, doc: &'static str) -> Row {
        let field = Field { name, is_raw: true, origin: None, aliases: &[], foreign_names: &[], ..self.field };
        Row { field, help: FieldHelp { doc, example: None, ..self.help } }
    }

    /// Marks the field as deprecated without a replacement.
    pub(super) const fn retired(self) -> Row {
        self.with_field(Field { deprecated: Some(Deprecated { replacement: None }), ..self.field })
    }

    pub(super) const fn unconfirmed(self) -> Row {
        self.with_field(Field { certainty: Certainty::Unconfirmed, ..self.field })
    }

    pub(super) const fn presence(self, presence: Presence) -> Row {
        self.with_field(Field { presence, ..self.field })
    }

    pub(super) const fn form(self, form: ValueForm) -> Row {
        self.with_field(Field { form, ..self.field })
    }

    pub(super) const fn suggestions(self, values: &'static [&'static [KnownValue]]) -> Row {
        self.with_help(FieldHelp { values, ..self.help })
    }

    pub(super) const fn keys(self, keys: Keys) -> Row {
        self.with_field(Field { keys, ..self.field })
    }

    pub(super) const fn header_names(self, keys: &'static [KnownValue]) -> Row {
        self.keys(Keys::HeaderNames).with_help(FieldHelp { keys, ..self.help })
    }

    pub(super) const fn part_of(self, name: &'static str) -> Row {
        self.with_field(Field { origin: Some(Origin::PartOf(name)), ..self.field })
    }

    pub(super) const fn names_of(self, map: &'static str) -> Row {
        self.with_field(Field { origin: Some(Origin::NamesOf(map)), ..self.field })
    }

    pub(super) const fn values_of(self, map: &'static str) -> Row {
        self.with_field(Field { origin: Some(Origin::ValuesOf(map)), ..self.field })
    }

    pub(super) const fn parts(self, parts: &'static [RequestPart]) -> Row {
        self.with_field(Field { parts, ..self.field })
    }

    pub(super) const fn noun(self, noun: &'static str) -> Row {
        self.with_wording(Wording::Noun(noun))
    }

    pub(super) const fn statement(self, yes: &'static str, no: &'static str) -> Row {
        self.with_wording(Wording::Statement(yes, no))
    }

    pub(super) const fn collection(self, item: &'static str, items: &'static str) -> Row {
        self.with_wording(Wording::Collection { item, items, before_key: None })
    }

    pub(super) const fn keyed_collection(
        self,
        item: &'static str,
        items: &'static str,
        before_key: &'static str,
    ) -> Row {
        self.with_wording(Wording::Collection { item, items, before_key: Some(before_key) })
    }

    pub(super) const fn example(self, example: &'static str) -> Row {
        self.with_help(FieldHelp { example: Some(example), ..self.help })
    }

    pub(super) const fn aliases(self, names: &'static [&'static str]) -> Row {
        self.with_field(Field { aliases: names, ..self.field })
    }

    pub(super) const fn foreign_names(self, names: &'static [&'static str]) -> Row {
        self.with_field(Field { foreign_names: names, ..self.field })
    }
}
