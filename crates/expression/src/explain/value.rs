//! What fields, calls and their indexes are called in a sentence.

use super::{
    clause::is_byte_value,
    nouns::{self, Collection},
    outline::Teller,
    show::ordinal,
};
use crate::{
    Type,
    ast::{Expr, ExprKind, Index, IndexKind, Value},
    schema,
};
use zonewright_diagnostic::Span;

/// The maximum number of indexes that are put into words. No type has as many, and each one repeats the words before it.
const MAX_INDEXES: usize = 8;

/// How many of the values that `[*]` stands for a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Each {
    /// All of them together.
    Whole,
    /// One after the other, where nothing says how many are meant: a mistake.
    Single,
    /// The one at a position that was named before.
    There,
    AtLeastOne,
    Every,
    No,
    NotEvery,
}

impl Each {
    fn of(self, Collection { item, items, .. }: &Collection) -> String {
        match self {
            Each::Whole => format!("the {items}"),
            Each::Single => format!("each {item}"),
            Each::There => format!("the {item} there"),
            Each::AtLeastOne => format!("at least one {item}"),
            Each::Every => format!("every {item}"),
            Each::No => format!("no {item}"),
            Each::NotEvery => format!("not every {item}"),
        }
    }
}

/// A value in words.
pub(super) struct Thing {
    pub(super) called: Called,
    /// Its type as far as it is known; that of one of them when it is spread.
    pub(super) ty: Option<Type>,
    /// Whether `[*]` made many of it.
    pub(super) spread: bool,
}

/// How a value is called.
pub(super) enum Called {
    /// With its article: `the host`.
    One(String),
    /// An array or a map.
    Many(Collection),
}

impl Thing {
    pub(super) fn one(text: String, ty: Option<Type>) -> Self {
        Thing { called: Called::One(text), ty, spread: false }
    }

    /// With its article.
    pub(super) fn text(&self) -> String {
        match &self.called {
            Called::One(text) => text.clone(),
            Called::Many(collection) => Each::Whole.of(collection),
        }
    }
}

impl Teller<'_> {
    /// A field or call with its indexes.
    pub(super) fn value(&self, value: &Value, span: Span, each: Each) -> Thing {
        if value.indexes.len() > MAX_INDEXES {
            return Thing::one(self.source(span), None);
        }
        let mut thing = match (&value.call, schema::field(&value.name.text)) {
            (Some(call), _) => self.call(&value.name, call, each),
            (None, Some(field)) if field.ty == Type::BOOLEAN => {
                Thing::one(format!("whether {}", nouns::statement(field).0), Some(field.ty))
            }
            (None, Some(field)) if field.ty.is_scalar() => Thing::one(nouns::noun(field), Some(field.ty)),
            (None, Some(field)) => {
                Thing { called: Called::Many(nouns::collection(field)), ty: Some(field.ty), spread: false }
            }
            (None, None) if value.indexes.iter().any(|index| index.kind == IndexKind::Each) => {
                let name = self.limits.source(&value.name.text);
                let (item, items) = (format!("element of {name}"), format!("elements of {name}"));
                Thing { called: Called::Many(Collection { item, items, key: None }), ty: None, spread: false }
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
        let ty = if thing.spread && !matches!(thing.called, Called::Many(_)) {
            thing.ty
        } else {
            thing.ty.map(Type::element)
        };
        let is_last = ty.is_none_or(Type::is_scalar);
        let mut spread = thing.spread;
        let called = match (thing.called, &index.kind) {
            (Called::Many(collection), IndexKind::Key(key)) => {
                let keyed = self.keyed(&collection, &self.limits.key(key.as_bytes()));
                match ty {
                    Some(ty) if ty.is_scalar() => Called::One(format!("the {}", keyed.item)),
                    _ => Called::Many(keyed),
                }
            }
            (Called::Many(collection), IndexKind::Element(position)) if spread => {
                Called::One(format!("the {} value of {}", ordinal(*position), each.of(&collection)))
            }
            (Called::Many(collection), IndexKind::Element(position)) if is_last => {
                Called::One(format!("the {} {}", ordinal(*position), collection.item))
            }
            (Called::Many(collection), IndexKind::Element(position)) => Called::Many(of_part(&collection, *position)),
            (Called::Many(collection), IndexKind::Each) => {
                spread = true;
                if is_last { Called::One(each.of(&collection)) } else { Called::Many(collection) }
            }
            (Called::One(text), IndexKind::Each) if spread => Called::One(text),
            (Called::One(text), IndexKind::Element(position)) if spread => {
                spread = false;
                Called::One(format!("the {} of {text}", ordinal(*position)))
            }
            (called, _) => {
                let text = Thing { called, ty: None, spread }.text();
                Called::One(format!("{text} at {}", self.source(index.span)))
            }
        };
        Thing { called, ty, spread }
    }

    /// What a map has under a key.
    pub(super) fn keyed(&self, collection: &Collection, key: &str) -> Collection {
        let put = |noun: &str| match collection.key {
            Some(between) => format!("{noun}{between}{key}"),
            None => format!("{key} {noun}"),
        };
        Collection { item: put(&collection.item), items: put(&collection.items), key: None }
    }

    /// A side of a comparison or an argument of a call.
    pub(super) fn thing(&self, expr: &Expr, each: Each) -> Thing {
        match &expr.kind {
            ExprKind::Value(value) => self.value(value, expr.span, each),
            ExprKind::Literal(literal) => Thing::one(self.limits.literal(literal), None),
            _ => Thing::one(self.source(expr.span), None),
        }
    }

    /// A piece of the source between backticks.
    pub(super) fn source(&self, span: Span) -> String {
        self.limits.source(span.text(self.source))
    }
}

/// An array of a row of arrays, which bodies of several parts have.
fn of_part(collection: &Collection, position: u32) -> Collection {
    let part = format!(" of the {} part", ordinal(position));
    Collection {
        item: collection.item.replace(" of a part", &part),
        items: collection.items.replace(" of the parts", &part),
        key: None,
    }
}

/// Whether a request may lack the value though it has the field.
pub(super) fn may_be_missing(expr: &Expr) -> bool {
    let ExprKind::Value(value) = &expr.kind else { return false };
    if value.indexes.iter().any(|index| matches!(index.kind, IndexKind::Element(_) | IndexKind::Key(_))) {
        return true;
    }
    let Some(call) = &value.call else { return false };
    match value.name.text.as_str() {
        "coalesce" | "concat" => call.arguments.iter().all(may_be_missing),
        // They give nothing for what is no Base64, too short or no JSON.
        "bit_slice" | "decode_base64" | "lookup_json_integer" | "lookup_json_string" | "uuidv4" => true,
        _ => call.arguments.iter().any(may_be_missing),
    }
}
