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

/// The maximum number of indexes that are explained. No type has as many, and each one repeats the words before it.
const MAX_EXPLAINED_INDEXES: usize = 8;

impl Explainer<'_> {
    /// Explains a field or call with its indexes.
    pub(super) fn explain_value(&self, value: &Value, span: Span, each: ElementReference) -> NounPhrase {
        if value.indexes.len() > MAX_EXPLAINED_INDEXES {
            return NounPhrase::singular(self.source(span), None);
        }
        let mut phrase = match (&value.call, schema::field(&value.name.text)) {
            (Some(call), _) => self.explain_call(&value.name, call, each),
            (None, Some(field)) if field.ty == Type::BOOLEAN => {
                NounPhrase::singular(format!("whether {}", field_names::boolean_phrases(field).0), Some(field.ty))
            }
            (None, Some(field)) if field.ty.is_scalar() => {
                NounPhrase::singular(field_names::field_noun(field), Some(field.ty))
            }
            (None, Some(field)) => NounPhrase {
                noun: Noun::Many(field_names::collection_noun(field)),
                ty: Some(field.ty),
                maps_each: false,
            },
            (None, None) if value.indexes.iter().any(|index| index.kind == IndexKind::Each) => {
                let name = self.limits.format_source(&value.name.text);
                let (item, items) = (format!("element of {name}"), format!("elements of {name}"));
                NounPhrase {
                    noun: Noun::Many(Collection { item, items, before_key: None }),
                    ty: None,
                    maps_each: false,
                }
            }
            (None, None) if is_byte_value(value) => {
                return NounPhrase::singular(format!("the bytes {}", self.source(span)), Some(Type::BYTES));
            }
            (None, None) => return NounPhrase::singular(self.source(span), None),
        };
        for index in &value.indexes {
            phrase = self.index(phrase, index, each);
        }
        phrase
    }

    fn index(&self, phrase: NounPhrase, index: &Index, each: ElementReference) -> NounPhrase {
        let ty = if phrase.maps_each && !matches!(phrase.noun, Noun::Many(_)) {
            phrase.ty
        } else {
            phrase.ty.map(Type::element)
        };
        let is_last = ty.is_none_or(Type::is_scalar);
        let mut spread = phrase.maps_each;
        let called = match (phrase.noun, &index.kind) {
            (Noun::Many(collection), IndexKind::Key(key)) => {
                let keyed = self.with_key(&collection, &self.limits.format_key(key.as_bytes()));
                match ty {
                    Some(ty) if ty.is_scalar() => Noun::One(format!("the {}", keyed.item)),
                    _ => Noun::Many(keyed),
                }
            }
            (Noun::Many(collection), IndexKind::Element(position)) if spread => {
                Noun::One(format!("the {} value of {}", ordinal(*position), each.phrase(&collection)))
            }
            (Noun::Many(collection), IndexKind::Element(position)) if is_last => {
                Noun::One(format!("the {} {}", ordinal(*position), collection.item))
            }
            (Noun::Many(collection), IndexKind::Element(position)) => Noun::Many(for_part(&collection, *position)),
            (Noun::Many(collection), IndexKind::Each) => {
                spread = true;
                if is_last { Noun::One(each.phrase(&collection)) } else { Noun::Many(collection) }
            }
            (Noun::One(text), IndexKind::Each) if spread => Noun::One(text),
            (Noun::One(text), IndexKind::Element(position)) if spread => {
                spread = false;
                Noun::One(format!("the {} of {text}", ordinal(*position)))
            }
            (called, _) => {
                let text = NounPhrase { noun: called, ty: None, maps_each: spread }.text();
                Noun::One(format!("{text} at {}", self.source(index.span)))
            }
        };
        NounPhrase { noun: called, ty, maps_each: spread }
    }

    /// Returns the wording of the map values under a key.
    pub(super) fn with_key(&self, collection: &Collection, key: &str) -> Collection {
        let put = |noun: &str| match collection.before_key {
            Some(between) => format!("{noun}{between}{key}"),
            None => format!("{key} {noun}"),
        };
        Collection { item: put(&collection.item), items: put(&collection.items), before_key: None }
    }

    /// Explains an operand of a comparison or an argument of a call.
    pub(super) fn noun_phrase(&self, expr: &Expr, each: ElementReference) -> NounPhrase {
        match &expr.kind {
            ExprKind::Value(value) => self.explain_value(value, expr.span, each),
            ExprKind::Literal(literal) => NounPhrase::singular(self.limits.format_literal(literal), None),
            _ => NounPhrase::singular(self.source(expr.span), None),
        }
    }
}

/// Returns the wording of one inner array; multipart bodies have arrays of arrays.
fn for_part(collection: &Collection, position: u32) -> Collection {
    let part = format!(" of the {} part", ordinal(position));
    Collection {
        item: collection.item.replace(" of a part", &part),
        items: collection.items.replace(" of the parts", &part),
        before_key: None,
    }
}
