//! Wording of fields, calls and their indexes.

use super::{
    display::ordinal,
    explainer::Explainer,
    field_names::{self, Collection},
    noun_phrase::{ElementReference, Noun, NounPhrase},
    syntax::is_byte_value,
};
use crate::{
    Type,
    ast::{Expr, ExprKind, Index, IndexKind, Value},
    schema,
};
use zonewright_diagnostic::Span;

/// The maximum number of indexes that are explained. No type has that many indexes. The wording of each index repeats
/// the wording of the value before it, so the limit bounds the length.
const MAX_EXPLAINED_INDEXES: usize = 8;

impl Explainer<'_> {
    /// Explains a field or call with its indexes.
    pub(super) fn explain_value(&self, value: &Value, span: Span, reference: ElementReference) -> NounPhrase {
        if value.indexes.len() > MAX_EXPLAINED_INDEXES {
            return NounPhrase::singular(self.quote_source(span), None);
        }
        let mut phrase = match (&value.call, schema::field(&value.name.text)) {
            (Some(call), _) => self.explain_call(&value.name, call, reference),
            (None, Some(field)) if field.ty == Type::BOOLEAN => {
                NounPhrase::singular(format!("whether {}", field_names::boolean_phrases(field).0), Some(field.ty))
            }
            (None, Some(field)) if field.ty.is_scalar() => {
                NounPhrase::singular(field_names::field_noun(field), Some(field.ty))
            }
            (None, Some(field)) => NounPhrase {
                noun: Noun::Collection(field_names::collection_noun(field)),
                ty: Some(field.ty),
                maps_each: false,
            },
            (None, None) if value.indexes.iter().any(|index| index.kind == IndexKind::Each) => {
                let name = self.limits.format_source(&value.name.text);
                let (item, items) = (format!("element of {name}"), format!("elements of {name}"));
                NounPhrase {
                    noun: Noun::Collection(Collection { item, items, before_key: None }),
                    ty: None,
                    maps_each: false,
                }
            }
            (None, None) if is_byte_value(value) => {
                return NounPhrase::singular(format!("the bytes {}", self.quote_source(span)), Some(Type::BYTES));
            }
            (None, None) => return NounPhrase::singular(self.quote_source(span), None),
        };
        for index in &value.indexes {
            phrase = self.apply_index(phrase, index, reference);
        }
        phrase
    }

    /// Explains the value at an index of an explained value.
    fn apply_index(&self, phrase: NounPhrase, index: &Index, reference: ElementReference) -> NounPhrase {
        let ty = if phrase.maps_each && !matches!(phrase.noun, Noun::Collection(_)) {
            phrase.ty
        } else {
            phrase.ty.map(Type::element)
        };
        let is_last = ty.is_none_or(Type::is_scalar);
        let mut maps_each = phrase.maps_each;
        let noun = match (phrase.noun, &index.kind) {
            (Noun::Collection(collection), IndexKind::Key(key)) => {
                let keyed = self.with_key(&collection, &self.limits.format_key(key.as_bytes()));
                match ty {
                    Some(ty) if ty.is_scalar() => Noun::Singular(format!("the {}", keyed.item)),
                    _ => Noun::Collection(keyed),
                }
            }
            (Noun::Collection(collection), IndexKind::Element(position)) if maps_each => {
                Noun::Singular(format!("the {} value of {}", ordinal(*position), reference.phrase(&collection)))
            }
            (Noun::Collection(collection), IndexKind::Element(position)) if is_last => {
                Noun::Singular(format!("the {} {}", ordinal(*position), collection.item))
            }
            (Noun::Collection(collection), IndexKind::Element(position)) => {
                Noun::Collection(multipart_element(&collection, *position))
            }
            (Noun::Collection(collection), IndexKind::Each) => {
                maps_each = true;
                if is_last { Noun::Singular(reference.phrase(&collection)) } else { Noun::Collection(collection) }
            }
            (Noun::Singular(text), IndexKind::Each) if maps_each => Noun::Singular(text),
            (Noun::Singular(text), IndexKind::Element(position)) if maps_each => {
                maps_each = false;
                Noun::Singular(format!("the {} of {text}", ordinal(*position)))
            }
            (noun, _) => {
                let text = NounPhrase { noun, ty: None, maps_each }.text();
                Noun::Singular(format!("{text} at {}", self.quote_source(index.span)))
            }
        };
        NounPhrase { noun, ty, maps_each }
    }

    /// Returns the wording of the map values under a key.
    pub(super) fn with_key(&self, collection: &Collection, key: &str) -> Collection {
        let add_key = |noun: &str| match collection.before_key {
            Some(preposition) => format!("{noun}{preposition}{key}"),
            None => format!("{key} {noun}"),
        };
        Collection { item: add_key(&collection.item), items: add_key(&collection.items), before_key: None }
    }

    /// Explains an operand of a comparison or an argument of a call.
    pub(super) fn explain_operand(&self, expr: &Expr, reference: ElementReference) -> NounPhrase {
        match &expr.kind {
            ExprKind::Value(value) => self.explain_value(value, expr.span, reference),
            ExprKind::Literal(literal) => NounPhrase::singular(self.limits.format_literal(literal), None),
            _ => NounPhrase::singular(self.quote_source(expr.span), None),
        }
    }
}

/// Returns the wording of one inner array: multipart bodies have an array of values for each part.
fn multipart_element(collection: &Collection, index: u32) -> Collection {
    let of_part = format!(" of the {} part", ordinal(index));
    Collection {
        item: collection.item.replace(" of a part", &of_part),
        items: collection.items.replace(" of the parts", &of_part),
        before_key: None,
    }
}
