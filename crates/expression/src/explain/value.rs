//! Wording of fields, calls and their indexes.

use super::{
    explainer::Explainer,
    nouns::{self, Collection},
    show::ordinal,
    syntax::is_byte_value,
    thing::{Called, Each, Thing},
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
    pub(super) fn explain_value(&self, value: &Value, span: Span, each: Each) -> Thing {
        if value.indexes.len() > MAX_EXPLAINED_INDEXES {
            return Thing::one(self.source(span), None);
        }
        let mut thing = match (&value.call, schema::field(&value.name.text)) {
            (Some(call), _) => self.explain_call(&value.name, call, each),
            (None, Some(field)) if field.ty == Type::BOOLEAN => {
                Thing::one(format!("whether {}", nouns::boolean_phrases(field).0), Some(field.ty))
            }
            (None, Some(field)) if field.ty.is_scalar() => Thing::one(nouns::field_noun(field), Some(field.ty)),
            (None, Some(field)) => {
                Thing { noun: Called::Many(nouns::collection_noun(field)), ty: Some(field.ty), maps_each: false }
            }
            (None, None) if value.indexes.iter().any(|index| index.kind == IndexKind::Each) => {
                let name = self.limits.format_source(&value.name.text);
                let (item, items) = (format!("element of {name}"), format!("elements of {name}"));
                Thing { noun: Called::Many(Collection { item, items, before_key: None }), ty: None, maps_each: false }
            }
            (None, None) if is_byte_value(value) => {
                return Thing::one(format!("the bytes {}", self.source(span)), Some(Type::BYTES));
            }
            (None, None) => return Thing::one(self.source(span), None),
        };
        for index in &value.indexes {
            thing = self.index(thing, index, each);
        }
        thing
    }

    fn index(&self, thing: Thing, index: &Index, each: Each) -> Thing {
        let ty = if thing.maps_each && !matches!(thing.noun, Called::Many(_)) {
            thing.ty
        } else {
            thing.ty.map(Type::element)
        };
        let is_last = ty.is_none_or(Type::is_scalar);
        let mut spread = thing.maps_each;
        let called = match (thing.noun, &index.kind) {
            (Called::Many(collection), IndexKind::Key(key)) => {
                let keyed = self.with_key(&collection, &self.limits.format_key(key.as_bytes()));
                match ty {
                    Some(ty) if ty.is_scalar() => Called::One(format!("the {}", keyed.item)),
                    _ => Called::Many(keyed),
                }
            }
            (Called::Many(collection), IndexKind::Element(position)) if spread => {
                Called::One(format!("the {} value of {}", ordinal(*position), each.phrase(&collection)))
            }
            (Called::Many(collection), IndexKind::Element(position)) if is_last => {
                Called::One(format!("the {} {}", ordinal(*position), collection.item))
            }
            (Called::Many(collection), IndexKind::Element(position)) => Called::Many(for_part(&collection, *position)),
            (Called::Many(collection), IndexKind::Each) => {
                spread = true;
                if is_last { Called::One(each.phrase(&collection)) } else { Called::Many(collection) }
            }
            (Called::One(text), IndexKind::Each) if spread => Called::One(text),
            (Called::One(text), IndexKind::Element(position)) if spread => {
                spread = false;
                Called::One(format!("the {} of {text}", ordinal(*position)))
            }
            (called, _) => {
                let text = Thing { noun: called, ty: None, maps_each: spread }.text();
                Called::One(format!("{text} at {}", self.source(index.span)))
            }
        };
        Thing { noun: called, ty, maps_each: spread }
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
    pub(super) fn noun_phrase(&self, expr: &Expr, each: Each) -> Thing {
        match &expr.kind {
            ExprKind::Value(value) => self.explain_value(value, expr.span, each),
            ExprKind::Literal(literal) => Thing::one(self.limits.format_literal(literal), None),
            _ => Thing::one(self.source(expr.span), None),
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
