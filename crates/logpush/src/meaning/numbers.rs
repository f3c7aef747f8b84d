//! Sets of numbers.

use crate::{FieldType, Number, Operator, time::moment};
use std::cmp::Ordering;

/// What numbers are, and so what lies between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Whole numbers: nothing lies between 4 and 5.
    Whole,
    /// Any numbers.
    Fractions,
    /// Seconds or nanoseconds since 1970, which mean a whole number of nanoseconds (assumption timestamps).
    Moments,
}

impl Scale {
    /// That of a field's numbers (assumption whole-numbers).
    pub(crate) fn of(ty: FieldType) -> Scale {
        match ty {
            FieldType::Float => Scale::Fractions,
            FieldType::Timestamp => Scale::Moments,
            _ => Scale::Whole,
        }
    }
}

/// A place between two numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    /// Below all numbers.
    Lowest,
    /// Right below the number, or, when it is set, right above.
    At(Number, bool),
    /// Above all numbers.
    Highest,
}

/// A set of numbers: intervals in their order that neither overlap nor touch.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    intervals: Vec<(Cut, Cut)>,
    scale: Scale,
}

impl Numbers {
    /// The numbers that pass a comparison; `Equal` is that of `In` too.
    pub(crate) fn that(operator: Operator, number: Number, scale: Scale) -> Numbers {
        let (below, above) = (Cut::At(number, false), Cut::At(number, true));
        let passing = match operator.positive() {
            Operator::Less => (Cut::Lowest, below),
            Operator::LessOrEqual => (Cut::Lowest, above),
            Operator::Greater => (above, Cut::Highest),
            Operator::GreaterOrEqual => (below, Cut::Highest),
            _ => (below, above),
        };
        let set = Numbers::of(vec![passing], scale);
        if operator.is_negated() { set.complement() } else { set }
    }

    /// The numbers in any of the intervals.
    fn of(mut intervals: Vec<(Cut, Cut)>, scale: Scale) -> Numbers {
        intervals.retain(|(low, high)| low.order(*high, scale) == Ordering::Less);
        intervals.sort_by(|a, b| a.0.order(b.0, scale));
        let mut joined: Vec<(Cut, Cut)> = Vec::with_capacity(intervals.len());
        for (low, high) in intervals {
            match joined.last_mut() {
                Some(last) if low.order(last.1, scale) != Ordering::Greater => {
                    if high.order(last.1, scale) == Ordering::Greater {
                        last.1 = high;
                    }
                }
                _ => joined.push((low, high)),
            }
        }
        Numbers { intervals: joined, scale }
    }

    /// The numbers in any of the sets.
    pub(crate) fn union(sets: &[&Numbers], scale: Scale) -> Numbers {
        Numbers::of(sets.iter().flat_map(|set| set.intervals.iter().copied()).collect(), scale)
    }

    /// The numbers in both.
    pub(crate) fn intersection(&self, other: &Numbers) -> Numbers {
        Numbers::union(&[&self.complement(), &other.complement()], self.scale).complement()
    }

    /// The numbers that are not in it.
    pub(crate) fn complement(&self) -> Numbers {
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut low = Cut::Lowest;
        for (start, end) in &self.intervals {
            intervals.push((low, *start));
            low = *end;
        }
        intervals.push((low, Cut::Highest));
        Numbers::of(intervals, self.scale)
    }

    /// What its numbers are.
    pub(crate) fn scale(&self) -> Scale {
        self.scale
    }

    /// Whether no number is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Whether every number is in it.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self.intervals.as_slice(), [(Cut::Lowest, Cut::Highest)])
    }

    /// Whether all its numbers are in the other.
    pub(crate) fn is_within(&self, other: &Numbers) -> bool {
        self.intersection(&other.complement()).is_empty()
    }

    /// How many intervals it has.
    pub(crate) fn len(&self) -> usize {
        self.intervals.len()
    }

    /// The conditions of which at least one holds for its numbers: each is one or two comparisons that
    /// hold together. Up to `most` whole numbers in a row are listed one by one.
    pub(crate) fn alternatives(&self, most: u32) -> Vec<Vec<(Operator, Vec<Number>)>> {
        let mut points = Vec::new();
        let mut others = Vec::new();
        for (low, high) in &self.intervals {
            match self.points(*low, *high, most) {
                Some(found) => points.extend(found),
                None => others.push(low.as_low().into_iter().chain(high.as_high()).collect()),
            }
        }
        let listed = match points.len() {
            0 => None,
            1 => Some(vec![(Operator::Equal, points)]),
            _ => Some(vec![(Operator::In, points)]),
        };
        listed.into_iter().chain(others).collect()
    }

    /// The numbers between two cuts when they are few.
    fn points(&self, low: Cut, high: Cut, most: u32) -> Option<Vec<Number>> {
        if let (Cut::At(number, false), Cut::At(other, true)) = (low, high)
            && number == other
        {
            return Some(vec![number]);
        }
        let (Cut::At(Number::Integer(low), false), Cut::At(Number::Integer(high), false)) =
            (low.plain(self.scale), high.plain(self.scale))
        else {
            return None;
        };
        let few = self.scale != Scale::Fractions && high.checked_sub(low)? <= i128::from(most.max(1));
        few.then(|| (low..high).map(Number::Integer).collect())
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        let same = |a: Cut, b: Cut| a.order(b, self.scale) == Ordering::Equal;
        self.intervals.len() == other.intervals.len()
            && self.intervals.iter().zip(&other.intervals).all(|(a, b)| same(a.0, b.0) && same(a.1, b.1))
    }
}

impl Cut {
    fn order(self, other: Cut, scale: Scale) -> Ordering {
        match (self.plain(scale), other.plain(scale)) {
            (Cut::Lowest, Cut::Lowest) | (Cut::Highest, Cut::Highest) => Ordering::Equal,
            (Cut::Lowest, _) | (_, Cut::Highest) => Ordering::Less,
            (_, Cut::Lowest) | (Cut::Highest, _) => Ordering::Greater,
            (Cut::At(a, above), Cut::At(b, other)) => {
                a.partial_cmp(&b).unwrap_or(Ordering::Equal).then(above.cmp(&other))
            }
        }
    }

    /// The one way to write the cut among those that mean the same.
    fn plain(self, scale: Scale) -> Cut {
        let Cut::At(number, above) = self else { return self };
        let whole = scale != Scale::Fractions;
        let number = if scale == Scale::Moments { Number::Integer(moment(number)) } else { number.tidied() };
        match (number, above) {
            (Number::Integer(number), true) if whole && number < i128::MAX => {
                Cut::At(Number::Integer(number + 1), false)
            }
            // Between two whole numbers; what is larger than this is whole.
            (Number::Float(float), _) if whole && float.abs() < 2f64.powi(100) => {
                #[allow(clippy::cast_possible_truncation)]
                let next = float.floor() as i128 + 1;
                Cut::At(Number::Integer(next), false)
            }
            (number, above) => Cut::At(number, above),
        }
    }

    fn as_low(self) -> Option<(Operator, Vec<Number>)> {
        match self {
            Cut::At(number, above) => {
                Some((if above { Operator::Greater } else { Operator::GreaterOrEqual }, vec![number]))
            }
            Cut::Lowest | Cut::Highest => None,
        }
    }

    fn as_high(self) -> Option<(Operator, Vec<Number>)> {
        match self {
            Cut::At(number, above) => Some((if above { Operator::LessOrEqual } else { Operator::Less }, vec![number])),
            Cut::Lowest | Cut::Highest => None,
        }
    }
}

impl Number {
    /// A whole number as an integer.
    pub(crate) fn tidied(self) -> Number {
        match self {
            Number::Float(float) if float.fract() == 0.0 && float.abs() < 2f64.powi(100) =>
            {
                #[allow(clippy::cast_possible_truncation)]
                Number::Integer(float as i128)
            }
            other => other,
        }
    }

    /// Its shortest JSON text.
    pub(crate) fn text(self) -> String {
        match self.tidied() {
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

    fn set(text: &str) -> Numbers {
        let sets: Vec<Numbers> = text
            .split(" or ")
            .map(|part| {
                let all: Vec<Numbers> = part
                    .split(" and ")
                    .map(|one| {
                        let (operator, number) = one.split_once(' ').unwrap();
                        Numbers::that(Operator::named(operator).unwrap(), Number::read(number).unwrap(), Scale::Whole)
                    })
                    .collect();
                all.iter().skip(1).fold(all[0].clone(), |sum, one| sum.intersection(one))
            })
            .collect();
        Numbers::union(&sets.iter().collect::<Vec<_>>(), Scale::Whole)
    }

    #[test]
    fn sets_are_written_plainly() {
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
            let one = |(operator, numbers): &(Operator, Vec<Number>)| {
                let numbers: Vec<String> = numbers.iter().map(|number| number.text()).collect();
                format!("{} {}", operator.name(), numbers.join(","))
            };
            let alternatives: Vec<String> =
                set.alternatives(4).iter().map(|all| all.iter().map(one).collect::<Vec<_>>().join(" and ")).collect();
            let written = if set.is_full() { "all".to_owned() } else { alternatives.join(" or ") };
            assert_eq!(written, expected, "{text}");
            assert!(set == set.complement().complement());
        }
    }
}
