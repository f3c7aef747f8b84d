//! Represents the sets of strings that comparisons accept.
//!
//! Start with [`Language`]. [`Language::simplify`] normalizes a set, so that many equal sets are equal values.

use crate::ranges::{Point, RangeSet};
use std::collections::BTreeSet;

/// A finite set of strings.
pub(crate) type Words = BTreeSet<Vec<u8>>;

/// The case mapping of a string before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CaseFold {
    None,
    Lower,
    Upper,
}

impl CaseFold {
    pub(crate) fn apply(self, byte: u8) -> u8 {
        match self {
            CaseFold::None => byte,
            CaseFold::Lower => byte.to_ascii_lowercase(),
            CaseFold::Upper => byte.to_ascii_uppercase(),
        }
    }

    /// Returns whether a folded string can contain this text.
    fn can_contain(self, text: &[u8]) -> bool {
        text.iter().all(|byte| self.apply(*byte) == *byte)
    }
}

/// The set of strings that match a pattern after case folding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Language {
    pub(crate) pattern: StringPattern,
    pub(crate) fold: CaseFold,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StringPattern {
    OneOf(Words),
    StartsWith(Vec<u8>),
    EndsWith(Vec<u8>),
    Contains(Vec<u8>),
    /// The texts between the stars. After [`Language::simplify`], there are at least two.
    Wildcard(Vec<Vec<u8>>),
    Regex(String),
    /// Less than this text in byte order.
    Below(Vec<u8>),
    /// A length in bytes.
    Length(RangeSet),
    /// A length in bytes that has at least one of these bits.
    LengthBits(u64),
}

/// A set of strings in its simplest form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SimplifiedSet {
    Empty,
    All,
    Finite(Words),
    Language(Language),
}

impl Language {
    pub(crate) fn new(pattern: StringPattern, fold: CaseFold) -> Language {
        Language { pattern, fold }
    }

    /// Parses a wildcard pattern with its escapes.
    pub(crate) fn from_wildcard(pattern: &[u8], strict: bool, fold: CaseFold) -> Language {
        let mut segments = vec![Vec::new()];
        let mut bytes = pattern.iter().copied();
        while let Some(byte) = bytes.next() {
            let byte = match byte {
                b'*' => {
                    segments.push(Vec::new());
                    continue;
                }
                b'\\' => bytes.next().unwrap_or(b'\\'),
                byte => byte,
            };
            let byte = if strict { byte } else { byte.to_ascii_lowercase() };
            if let Some(segment) = segments.last_mut() {
                segment.push(byte);
            }
        }
        Language { pattern: StringPattern::Wildcard(segments), fold: if strict { fold } else { CaseFold::Lower } }
    }

    /// Returns the same set in its simplest form.
    pub(crate) fn simplify(self) -> SimplifiedSet {
        let Language { pattern, fold } = self.simplify_wildcard().normalize_case();
        match pattern {
            StringPattern::OneOf(words) if words.is_empty() => SimplifiedSet::Empty,
            StringPattern::OneOf(words) if fold == CaseFold::None => SimplifiedSet::Finite(words),
            StringPattern::StartsWith(text) | StringPattern::EndsWith(text) | StringPattern::Contains(text)
                if text.is_empty() =>
            {
                SimplifiedSet::All
            }
            StringPattern::Below(bound) if bound.is_empty() => SimplifiedSet::Empty,
            StringPattern::Below(bound) if bound == [0] => SimplifiedSet::Finite([Vec::new()].into()),
            StringPattern::Length(lengths) => simplify_lengths(&lengths),
            StringPattern::LengthBits(bits) => simplify_length_bits(bits),
            pattern => SimplifiedSet::Language(Language { pattern, fold }),
        }
    }

    /// Replaces a wildcard whose stars are only at its ends with a simpler pattern.
    fn simplify_wildcard(self) -> Language {
        let StringPattern::Wildcard(segments) = &self.pattern else { return self };
        let pattern = match segments.as_slice() {
            [whole] => StringPattern::OneOf([whole.clone()].into()),
            [start, end] if end.is_empty() => StringPattern::StartsWith(start.clone()),
            [start, end] if start.is_empty() => StringPattern::EndsWith(end.clone()),
            [start, text, end] if start.is_empty() && end.is_empty() => StringPattern::Contains(text.clone()),
            _ => return self,
        };
        Language { pattern, ..self }
    }

    /// Rewrites a folded set to lowercase, and drops the fold if it has no effect. A regular expression and a bound
    /// keep their fold.
    fn normalize_case(self) -> Language {
        let Language { mut pattern, mut fold } = self;
        if fold == CaseFold::None || matches!(pattern, StringPattern::Regex(_) | StringPattern::Below(_)) {
            return Language { pattern, fold };
        }
        if let StringPattern::OneOf(words) = &mut pattern {
            words.retain(|word| fold.can_contain(word));
        }
        if !pattern.literals().iter().all(|text| fold.can_contain(text)) {
            return Language { pattern: StringPattern::OneOf(Words::new()), fold: CaseFold::None };
        }
        pattern.map(|text| text.to_ascii_lowercase());
        fold = CaseFold::Lower;
        if pattern.literals().iter().all(|text| !text.iter().any(u8::is_ascii_alphabetic)) {
            fold = CaseFold::None;
        }
        Language { pattern, fold }
    }
}

fn simplify_lengths(lengths: &RangeSet) -> SimplifiedSet {
    let possible = RangeSet::new(vec![(Point::integer(0), Point::integer(i64::MAX))]);
    let lengths = lengths.intersection(&possible);
    if lengths.is_empty() {
        SimplifiedSet::Empty
    } else if lengths == possible {
        SimplifiedSet::All
    } else if lengths == RangeSet::single(Point::integer(0)) {
        SimplifiedSet::Finite([Vec::new()].into())
    } else {
        SimplifiedSet::Language(Language { pattern: StringPattern::Length(lengths), fold: CaseFold::None })
    }
}

/// Simplifies a bit test of a length. A length is never negative, so the sign bit is never set. All bits from one bit
/// upward mean that the length is at least that bit.
fn simplify_length_bits(bits: u64) -> SimplifiedSet {
    const POSITIVE: u64 = i64::MAX.cast_unsigned();
    let bits = bits & POSITIVE;
    let Some(lowest) = 1u64.checked_shl(bits.trailing_zeros()).filter(|_| bits != 0) else {
        return SimplifiedSet::Empty;
    };
    if bits == POSITIVE & !(lowest - 1) {
        return simplify_lengths(&RangeSet::above(Point::integer(lowest.cast_signed() - 1)));
    }
    SimplifiedSet::Language(Language { pattern: StringPattern::LengthBits(bits), fold: CaseFold::None })
}

impl StringPattern {
    /// Returns the literal texts of the pattern.
    pub(crate) fn literals(&self) -> Vec<&[u8]> {
        match self {
            StringPattern::OneOf(words) => words.iter().map(Vec::as_slice).collect(),
            StringPattern::StartsWith(text)
            | StringPattern::EndsWith(text)
            | StringPattern::Contains(text)
            | StringPattern::Below(text) => vec![text],
            StringPattern::Wildcard(segments) => segments.iter().map(Vec::as_slice).collect(),
            StringPattern::Regex(_) | StringPattern::Length(_) | StringPattern::LengthBits(_) => Vec::new(),
        }
    }

    fn map(&mut self, change: impl Fn(&[u8]) -> Vec<u8>) {
        match self {
            StringPattern::OneOf(words) => *words = words.iter().map(|word| change(word)).collect(),
            StringPattern::StartsWith(text) | StringPattern::EndsWith(text) | StringPattern::Contains(text) => {
                *text = change(text)
            }
            StringPattern::Wildcard(segments) => segments.iter_mut().for_each(|segment| *segment = change(segment)),
            StringPattern::Below(_)
            | StringPattern::Regex(_)
            | StringPattern::Length(_)
            | StringPattern::LengthBits(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplify_returns_the_simplest_set() {
        let text = |text: &str| text.as_bytes().to_vec();
        let words = |words: &[&str]| words.iter().map(|word| text(word)).collect::<Words>();
        let language = |pattern, fold| SimplifiedSet::Language(Language { pattern, fold });
        let wild = |pattern: &str, strict, fold| Language::from_wildcard(pattern.as_bytes(), strict, fold);
        let one_of = |members: &[&str], fold| Language::new(StringPattern::OneOf(words(members)), fold);
        let cases = [
            (wild("*", false, CaseFold::None), SimplifiedSet::All),
            (wild("A-1", true, CaseFold::None), SimplifiedSet::Finite(words(&["A-1"]))),
            (wild("1.2", false, CaseFold::None), SimplifiedSet::Finite(words(&["1.2"]))),
            (wild("A*", false, CaseFold::None), language(StringPattern::StartsWith(text("a")), CaseFold::Lower)),
            (wild("*A", true, CaseFold::None), language(StringPattern::EndsWith(text("A")), CaseFold::None)),
            (wild(r"*\**", true, CaseFold::None), language(StringPattern::Contains(text("*")), CaseFold::None)),
            (wild("A*", true, CaseFold::Lower), SimplifiedSet::Empty),
            (wild("A*", false, CaseFold::Upper), language(StringPattern::StartsWith(text("a")), CaseFold::Lower)),
            (one_of(&["A", "b"], CaseFold::Upper), language(StringPattern::OneOf(words(&["a"])), CaseFold::Lower)),
            (one_of(&["A"], CaseFold::Lower), SimplifiedSet::Empty),
            (one_of(&["1"], CaseFold::Lower), SimplifiedSet::Finite(words(&["1"]))),
            (Language::new(StringPattern::Contains(text("")), CaseFold::Lower), SimplifiedSet::All),
            (Language::new(StringPattern::Below(text("")), CaseFold::None), SimplifiedSet::Empty),
            (
                Language::new(StringPattern::Length(RangeSet::above(Point::integer(-1))), CaseFold::None),
                SimplifiedSet::All,
            ),
            (Language::new(StringPattern::LengthBits(0), CaseFold::None), SimplifiedSet::Empty),
            (Language::new(StringPattern::LengthBits(1 << 63), CaseFold::None), SimplifiedSet::Empty),
            (
                Language::new(StringPattern::LengthBits(5), CaseFold::Lower),
                language(StringPattern::LengthBits(5), CaseFold::None),
            ),
            (
                Language::new(StringPattern::LengthBits(u64::MAX << 2), CaseFold::None),
                language(
                    StringPattern::Length(RangeSet::new(vec![(Point::integer(4), Point::integer(i64::MAX))])),
                    CaseFold::None,
                ),
            ),
            (
                Language::new(StringPattern::Length(RangeSet::below(Point::integer(1))), CaseFold::None),
                SimplifiedSet::Finite(words(&[""])),
            ),
        ];
        for (language, expected) in cases {
            let debug_text = format!("{language:?}");
            assert_eq!(language.simplify(), expected, "{debug_text}");
        }
    }
}
