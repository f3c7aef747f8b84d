//! Represents the sets of strings that comparisons accept.
//!
//! Start with [`Language`]. [`Language::plain`] normalizes a set, so that many equal sets are equal values.

use crate::ranges::{Point, Ranges};
use std::collections::BTreeSet;

pub(crate) type Words = BTreeSet<Vec<u8>>;

/// The case mapping of a string before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fold {
    None,
    Lower,
    Upper,
}

impl Fold {
    pub(crate) fn apply(self, byte: u8) -> u8 {
        match self {
            Fold::None => byte,
            Fold::Lower => byte.to_ascii_lowercase(),
            Fold::Upper => byte.to_ascii_uppercase(),
        }
    }

    /// Returns whether a folded string can contain this text.
    fn allows(self, text: &[u8]) -> bool {
        text.iter().all(|byte| self.apply(*byte) == *byte)
    }
}

/// The set of strings that have a shape after folding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Language {
    pub(crate) shape: Shape,
    pub(crate) fold: Fold,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    OneOf(Words),
    StartsWith(Vec<u8>),
    EndsWith(Vec<u8>),
    Contains(Vec<u8>),
    /// The texts between the stars. [`Language::plain`] leaves at least two.
    Wildcard(Vec<Vec<u8>>),
    Regex(String),
    /// Less than this text in byte order.
    Below(Vec<u8>),
    /// A length in bytes.
    Length(Ranges),
    /// A length in bytes that has at least one of these bits.
    LengthBits(u64),
}

/// A set of strings in its simplest form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Nothing,
    Everything,
    Words(Words),
    Language(Language),
}

impl Language {
    pub(crate) fn new(shape: Shape, fold: Fold) -> Language {
        Language { shape, fold }
    }

    /// Parses a wildcard pattern with its escapes.
    pub(crate) fn wildcard(pattern: &[u8], strict: bool, fold: Fold) -> Language {
        let mut pieces = vec![Vec::new()];
        let mut bytes = pattern.iter().copied();
        while let Some(byte) = bytes.next() {
            let byte = match byte {
                b'*' => {
                    pieces.push(Vec::new());
                    continue;
                }
                b'\\' => bytes.next().unwrap_or(b'\\'),
                byte => byte,
            };
            let byte = if strict { byte } else { byte.to_ascii_lowercase() };
            if let Some(piece) = pieces.last_mut() {
                piece.push(byte);
            }
        }
        Language { shape: Shape::Wildcard(pieces), fold: if strict { fold } else { Fold::Lower } }
    }

    /// Returns the same set in its simplest form.
    pub(crate) fn plain(self) -> Plain {
        let Language { shape, fold } = self.without_stars().in_lower_case();
        match shape {
            Shape::OneOf(words) if words.is_empty() => Plain::Nothing,
            Shape::OneOf(words) if fold == Fold::None => Plain::Words(words),
            Shape::StartsWith(text) | Shape::EndsWith(text) | Shape::Contains(text) if text.is_empty() => {
                Plain::Everything
            }
            Shape::Below(bound) if bound.is_empty() => Plain::Nothing,
            Shape::Below(bound) if bound == [0] => Plain::Words([Vec::new()].into()),
            Shape::Length(lengths) => lengths_of(&lengths),
            Shape::LengthBits(bits) => length_bits(bits),
            shape => Plain::Language(Language { shape, fold }),
        }
    }

    /// Replaces a wildcard whose stars are only at its ends by a simpler shape.
    fn without_stars(self) -> Language {
        let Shape::Wildcard(pieces) = &self.shape else { return self };
        let shape = match pieces.as_slice() {
            [whole] => Shape::OneOf([whole.clone()].into()),
            [start, end] if end.is_empty() => Shape::StartsWith(start.clone()),
            [start, end] if start.is_empty() => Shape::EndsWith(end.clone()),
            [start, text, end] if start.is_empty() && end.is_empty() => Shape::Contains(text.clone()),
            _ => return self,
        };
        Language { shape, ..self }
    }

    /// Rewrites a folded set to lowercase, and drops the fold if it has no effect.
    fn in_lower_case(self) -> Language {
        let Language { mut shape, mut fold } = self;
        if fold == Fold::None || matches!(shape, Shape::Regex(_) | Shape::Below(_)) {
            return Language { shape, fold };
        }
        if let Shape::OneOf(words) = &mut shape {
            words.retain(|word| fold.allows(word));
        }
        if !shape.texts().iter().all(|text| fold.allows(text)) {
            return Language { shape: Shape::OneOf(Words::new()), fold: Fold::None };
        }
        shape.map(|text| text.to_ascii_lowercase());
        fold = Fold::Lower;
        if shape.texts().iter().all(|text| !text.iter().any(u8::is_ascii_alphabetic)) {
            fold = Fold::None;
        }
        Language { shape, fold }
    }
}

fn lengths_of(lengths: &Ranges) -> Plain {
    let possible = Ranges::new(vec![(Point::integer(0), Point::integer(i64::MAX))]);
    let lengths = lengths.intersection(&possible);
    if lengths.is_empty() {
        Plain::Nothing
    } else if lengths == possible {
        Plain::Everything
    } else if lengths == Ranges::one(Point::integer(0)) {
        Plain::Words([Vec::new()].into())
    } else {
        Plain::Language(Language { shape: Shape::Length(lengths), fold: Fold::None })
    }
}

/// Simplifies a bit test of a length. A length is never negative, so the sign bit is never set. All bits from one bit
/// upward mean that the length is at least that bit.
fn length_bits(bits: u64) -> Plain {
    const POSITIVE: u64 = i64::MAX.cast_unsigned();
    let bits = bits & POSITIVE;
    let Some(lowest) = 1u64.checked_shl(bits.trailing_zeros()).filter(|_| bits != 0) else { return Plain::Nothing };
    if bits == POSITIVE & !(lowest - 1) {
        return lengths_of(&Ranges::above(Point::integer(lowest.cast_signed() - 1)));
    }
    Plain::Language(Language { shape: Shape::LengthBits(bits), fold: Fold::None })
}

impl Shape {
    /// Returns the texts in the shape.
    pub(crate) fn texts(&self) -> Vec<&[u8]> {
        match self {
            Shape::OneOf(words) => words.iter().map(Vec::as_slice).collect(),
            Shape::StartsWith(text) | Shape::EndsWith(text) | Shape::Contains(text) | Shape::Below(text) => vec![text],
            Shape::Wildcard(pieces) => pieces.iter().map(Vec::as_slice).collect(),
            Shape::Regex(_) | Shape::Length(_) | Shape::LengthBits(_) => Vec::new(),
        }
    }

    fn map(&mut self, change: impl Fn(&[u8]) -> Vec<u8>) {
        match self {
            Shape::OneOf(words) => *words = words.iter().map(|word| change(word)).collect(),
            Shape::StartsWith(text) | Shape::EndsWith(text) | Shape::Contains(text) => *text = change(text),
            Shape::Wildcard(pieces) => pieces.iter_mut().for_each(|piece| *piece = change(piece)),
            Shape::Below(_) | Shape::Regex(_) | Shape::Length(_) | Shape::LengthBits(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plainest_form() {
        let text = |text: &str| text.as_bytes().to_vec();
        let words = |words: &[&str]| words.iter().map(|word| text(word)).collect::<Words>();
        let language = |shape, fold| Plain::Language(Language { shape, fold });
        let wild = |pattern: &str, strict, fold| Language::wildcard(pattern.as_bytes(), strict, fold);
        let one_of = |members: &[&str], fold| Language::new(Shape::OneOf(words(members)), fold);
        let cases = [
            (wild("*", false, Fold::None), Plain::Everything),
            (wild("A-1", true, Fold::None), Plain::Words(words(&["A-1"]))),
            (wild("1.2", false, Fold::None), Plain::Words(words(&["1.2"]))),
            (wild("A*", false, Fold::None), language(Shape::StartsWith(text("a")), Fold::Lower)),
            (wild("*A", true, Fold::None), language(Shape::EndsWith(text("A")), Fold::None)),
            (wild(r"*\**", true, Fold::None), language(Shape::Contains(text("*")), Fold::None)),
            (wild("A*", true, Fold::Lower), Plain::Nothing),
            (wild("A*", false, Fold::Upper), language(Shape::StartsWith(text("a")), Fold::Lower)),
            (one_of(&["A", "b"], Fold::Upper), language(Shape::OneOf(words(&["a"])), Fold::Lower)),
            (one_of(&["A"], Fold::Lower), Plain::Nothing),
            (one_of(&["1"], Fold::Lower), Plain::Words(words(&["1"]))),
            (Language::new(Shape::Contains(text("")), Fold::Lower), Plain::Everything),
            (Language::new(Shape::Below(text("")), Fold::None), Plain::Nothing),
            (Language::new(Shape::Length(Ranges::above(Point::integer(-1))), Fold::None), Plain::Everything),
            (Language::new(Shape::LengthBits(0), Fold::None), Plain::Nothing),
            (Language::new(Shape::LengthBits(1 << 63), Fold::None), Plain::Nothing),
            (Language::new(Shape::LengthBits(5), Fold::Lower), language(Shape::LengthBits(5), Fold::None)),
            (
                Language::new(Shape::LengthBits(u64::MAX << 2), Fold::None),
                language(Shape::Length(Ranges::new(vec![(Point::integer(4), Point::integer(i64::MAX))])), Fold::None),
            ),
            (Language::new(Shape::Length(Ranges::below(Point::integer(1))), Fold::None), Plain::Words(words(&[""]))),
        ];
        for (language, expected) in cases {
            let shown = format!("{language:?}");
            assert_eq!(language.plain(), expected, "{shown}");
        }
    }
}
