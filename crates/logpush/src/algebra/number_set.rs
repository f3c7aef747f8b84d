//! Sets of numbers as intervals.

use crate::{FieldType, Number, Operator, time::to_unix_nanos};
use std::cmp::Ordering;
use zonewright_diagnostic::sort_by;

/// The kind of numbers, which decides whether another number lies between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    /// Integers: no number lies between 4 and 5.
    Integer,
    /// Real numbers.
    Real,
    /// Unix times in seconds or nanoseconds, compared as integers of nanoseconds (assumption timestamps).
    Timestamp,
}

impl NumberKind {
    /// Returns the kind of the numbers of a field type (assumption whole-numbers).
    pub(crate) fn from_type(ty: FieldType) -> NumberKind {
        match ty {
            FieldType::Float => NumberKind::Real,
            FieldType::Timestamp => NumberKind::Timestamp,
            _ => NumberKind::Integer,
        }
    }
}

/// An end of an interval, which lies between numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// Below all numbers.
    Lowest,
    /// Directly below the number, or, if the flag is set, directly above it.
    At(Number, bool),
    /// Above all numbers.
    Highest,
}

/// A set of numbers. The intervals are sorted, and they neither overlap nor touch.
#[derive(Clone, Debug)]
pub(crate) struct NumberSet {
    intervals: Vec<(Bound, Bound)>,
    kind: NumberKind,
}

impl NumberSet {
    /// Returns the numbers that match a comparison. `In` with one item is the same as `Equal`.
    pub(crate) fn from_comparison(operator: Operator, number: Number, kind: NumberKind) -> NumberSet {
        let (below, above) = (Bound::At(number, false), Bound::At(number, true));
        let matching = match operator.without_negation() {
            Operator::Less => (Bound::Lowest, below),
            Operator::LessOrEqual => (Bound::Lowest, above),
            Operator::Greater => (above, Bound::Highest),
            Operator::GreaterOrEqual => (below, Bound::Highest),
            _ => (below, above),
        };
        let set = NumberSet::from_intervals(vec![matching], kind);
        if operator.is_negated() { set.complement() } else { set }
    }

    /// Returns the union of the intervals.
    fn from_intervals(mut intervals: Vec<(Bound, Bound)>, kind: NumberKind) -> NumberSet {
        intervals.retain(|(low, high)| low.compare(*high, kind) == Ordering::Less);
        sort_by(&mut intervals, |a, b| a.0.compare(b.0, kind));
        let mut joined: Vec<(Bound, Bound)> = Vec::with_capacity(intervals.len());
        for (low, high) in intervals {
            match joined.last_mut() {
                Some(last) if low.compare(last.1, kind) != Ordering::Greater => {
                    if high.compare(last.1, kind) == Ordering::Greater {
                        last.1 = high;
                    }
                }
                _ => joined.push((low, high)),
            }
        }
        NumberSet { intervals: joined, kind }
    }

    /// Returns the union of the sets.
    pub(crate) fn union(sets: &[&NumberSet], kind: NumberKind) -> NumberSet {
        NumberSet::from_intervals(sets.iter().flat_map(|set| set.intervals.iter().copied()).collect(), kind)
    }

    /// Returns the numbers in both sets.
    pub(crate) fn intersection(&self, other: &NumberSet) -> NumberSet {
        NumberSet::union(&[&self.complement(), &other.complement()], self.kind).complement()
    }

    /// Returns the numbers that are not in the set.
    pub(crate) fn complement(&self) -> NumberSet {
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut low = Bound::Lowest;
        for (start, end) in &self.intervals {
            intervals.push((low, *start));
            low = *end;
        }
        intervals.push((low, Bound::Highest));
        NumberSet::from_intervals(intervals, self.kind)
    }

    /// Returns the kind of the numbers.
    pub(crate) fn kind(&self) -> NumberKind {
        self.kind
    }

    /// Returns whether the set contains no number.
    pub(crate) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns whether the set contains every number.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self.intervals.as_slice(), [(Bound::Lowest, Bound::Highest)])
    }

    /// Returns whether the set is a subset of `other`.
    pub(crate) fn is_subset(&self, other: &NumberSet) -> bool {
        self.intersection(&other.complement()).is_empty()
    }

    /// Returns the number of intervals.
    pub(crate) fn len(&self) -> usize {
        self.intervals.len()
    }

    /// Returns alternatives of one or two comparisons each. A number is in the set if all comparisons of an alternative
    /// match. At most `max_integers` consecutive integers are listed one by one.
    pub(crate) fn to_disjuncts(&self, max_integers: u32) -> Vec<Vec<(Operator, Vec<Number>)>> {
        let mut listed_numbers = Vec::new();
        let mut ranges = Vec::new();
        for (low, high) in &self.intervals {
            match self.list_numbers(*low, *high, max_integers) {
                Some(found) => listed_numbers.extend(found),
                None => ranges.push(low.to_lower_comparison().into_iter().chain(high.to_upper_comparison()).collect()),
            }
        }
        let listed = match listed_numbers.len() {
            0 => None,
            1 => Some(vec![(Operator::Equal, listed_numbers)]),
            _ => Some(vec![(Operator::In, listed_numbers)]),
        };
        listed.into_iter().chain(ranges).collect()
    }

    /// Lists the numbers of an interval if it has one number or at most `max_integers` integers.
    fn list_numbers(&self, low: Bound, high: Bound, max_integers: u32) -> Option<Vec<Number>> {
        if let (Bound::At(number, false), Bound::At(other, true)) = (low, high)
            && number == other
        {
            return Some(vec![number]);
        }
        let (Bound::At(Number::Integer(low), false), Bound::At(Number::Integer(high), false)) =
            (low.canonical(self.kind), high.canonical(self.kind))
        else {
            return None;
        };
        let is_short = self.kind != NumberKind::Real && high.checked_sub(low)? <= i128::from(max_integers.max(1));
        is_short.then(|| (low..high).map(Number::Integer).collect())
    }
}

impl PartialEq for NumberSet {
    fn eq(&self, other: &NumberSet) -> bool {
        let is_same = |a: Bound, b: Bound| a.compare(b, self.kind) == Ordering::Equal;
        self.intervals.len() == other.intervals.len()
            && self.intervals.iter().zip(&other.intervals).all(|(a, b)| is_same(a.0, b.0) && is_same(a.1, b.1))
    }
}

impl Bound {
    fn compare(self, other: Bound, kind: NumberKind) -> Ordering {
        match (self.canonical(kind), other.canonical(kind)) {
            (Bound::Lowest, Bound::Lowest) | (Bound::Highest, Bound::Highest) => Ordering::Equal,
            (Bound::Lowest, _) | (_, Bound::Highest) => Ordering::Less,
            (_, Bound::Lowest) | (Bound::Highest, _) => Ordering::Greater,
            (Bound::At(a, above), Bound::At(b, other)) => {
                a.partial_cmp(&b).unwrap_or(Ordering::Equal).then(above.cmp(&other))
            }
        }
    }

    /// Returns the same bound for all bounds between the same two numbers.
    fn canonical(self, kind: NumberKind) -> Bound {
        let Bound::At(number, above) = self else { return self };
        let is_integer = kind != NumberKind::Real;
        let number =
            if kind == NumberKind::Timestamp { Number::Integer(to_unix_nanos(number)) } else { number.normalize() };
        match (number, above) {
            (Number::Integer(number), true) if is_integer && number < i128::MAX => {
                Bound::At(Number::Integer(number + 1), false)
            }
            // A float that remains here has a fraction, so the bound lies between two integers.
            (Number::Float(float), _) if is_integer && float.abs() < 2f64.powi(100) => {
                #[allow(clippy::cast_possible_truncation)]
                let next = float.floor() as i128 + 1;
                Bound::At(Number::Integer(next), false)
            }
            (number, above) => Bound::At(number, above),
        }
    }

    fn to_lower_comparison(self) -> Option<(Operator, Vec<Number>)> {
        match self {
            Bound::At(number, above) => {
                Some((if above { Operator::Greater } else { Operator::GreaterOrEqual }, vec![number]))
            }
            Bound::Lowest | Bound::Highest => None,
        }
    }

    fn to_upper_comparison(self) -> Option<(Operator, Vec<Number>)> {
        match self {
            Bound::At(number, above) => {
                Some((if above { Operator::LessOrEqual } else { Operator::Less }, vec![number]))
            }
            Bound::Lowest | Bound::Highest => None,
        }
    }
}

impl Number {
    /// Converts a float without a fraction to an integer.
    pub(crate) fn normalize(self) -> Number {
        match self {
            Number::Float(float) if float.fract() == 0.0 && float.abs() < 2f64.powi(100) =>
            {
                #[allow(clippy::cast_possible_truncation)]
                Number::Integer(float as i128)
            }
            other => other,
        }
    }

    /// Returns the JSON text of the number. An integer has no exponent, and any other number has its shortest spelling.
    pub(crate) fn to_json(self) -> String {
        match self.normalize() {
            Number::Integer(integer) => integer.to_string(),
            Number::Float(float) => {
                let (plain, scientific) = (float.to_string(), format!("{float:e}"));
                if scientific.len() < plain.len() { scientific } else { plain }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> NumberSet {
        let sets: Vec<NumberSet> = text
            .split(" or ")
            .map(|alternative| {
                let sets: Vec<NumberSet> = alternative
                    .split(" and ")
                    .map(|comparison| {
                        let (operator, number) = comparison.split_once(' ').unwrap();
                        NumberSet::from_comparison(
                            Operator::from_name(operator).unwrap(),
                            Number::parse(number).unwrap(),
                            NumberKind::Integer,
                        )
                    })
                    .collect();
                sets.iter().skip(1).fold(sets[0].clone(), |intersection, set| intersection.intersection(set))
            })
            .collect();
        NumberSet::union(&sets.iter().collect::<Vec<_>>(), NumberKind::Integer)
    }

    #[test]
    fn number_sets_have_simple_disjuncts() {
        let cases = [
            ("gt 5 and lt 3", ""),
            ("gt 5 and lt 6", ""),
            ("gt 5 and lt 7", "eq 6"),
            ("lt 5 or geq 5", "all"),
            ("leq 4 or geq 5", "all"),
            ("eq 1 or eq 2 or eq 9", "in 1,2,9"),
            ("geq 400 and lt 500", "geq 400 and lt 500"),
            ("gt 399 and leq 499 or eq 499 or eq 500", "gt 399 and leq 500"),
            ("gt 1.5 and lt 2.5", "eq 2"),
            ("!eq 3 and !eq 4", "lt 3 or gt 4"),
            ("gt 1e40", "gt 1e40"),
        ];
        for (text, expected) in cases {
            let set = set(text);
            let describe = |(operator, numbers): &(Operator, Vec<Number>)| {
                let numbers: Vec<String> = numbers.iter().map(|number| number.to_json()).collect();
                format!("{} {}", operator.name(), numbers.join(","))
            };
            let alternatives: Vec<String> = set
                .to_disjuncts(4)
                .iter()
                .map(|all| all.iter().map(describe).collect::<Vec<_>>().join(" and "))
                .collect();
            let described = if set.is_full() { "all".to_owned() } else { alternatives.join(" or ") };
            assert_eq!(described, expected, "{text}");
            assert!(set == set.complement().complement());
        }
    }
}
