//! Theory solver for integers and addresses: finds a value that is in some sets and not in others.
//!
//! Start with [`find_number`].

use crate::arena::{Arena, AtomId, Predicate};
use crate::ranges::{Point, RangeSet};
use crate::step_counter::{StepCounter, UndecidedReason};
use std::net::{IpAddr, Ipv4Addr};

/// Finds a value of the domain for which the atoms have these truth values. Returns `None` if no such value exists.
pub(crate) fn find_number(
    arena: &Arena,
    domain: RangeSet,
    literals: &[(AtomId, bool)],
    counter: &StepCounter,
) -> Result<Option<Point>, UndecidedReason> {
    let mut candidates = domain;
    let mut excluded = Vec::new();
    let mut bits = BitConstraints::default();
    for (id, positive) in literals {
        match arena.atoms.get(id.0).map(|atom| &atom.predicate) {
            Some(Predicate::Ranges(ranges)) => {
                counter.consume(ranges.len() + candidates.len())?;
                if *positive {
                    candidates = candidates.intersection(ranges);
                } else {
                    excluded.extend(ranges.iter());
                }
            }
            Some(Predicate::Bits(mask)) if *positive => bits.required_masks.push(mask.cast_unsigned()),
            Some(Predicate::Bits(mask)) => bits.forbidden_mask |= mask.cast_unsigned(),
            _ => {}
        }
    }
    let candidates = candidates.difference(&RangeSet::new(excluded));
    if bits == BitConstraints::default() {
        return Ok(pick_most_readable(&candidates));
    }
    for (first, last) in candidates.iter() {
        let (first, last) = (first.as_integer(), last.as_integer());
        // On either side of zero, numeric order equals bit order.
        for (first, last) in [(first.max(0), last), (first, last.min(-1))] {
            counter.consume(256)?;
            let range = (first.cast_unsigned(), last.cast_unsigned());
            if first <= last
                && let Some(number) = bits.find_in(range, 0, 64)
            {
                return Ok(Some(Point::integer(number.cast_signed())));
            }
        }
    }
    Ok(None)
}

/// Returns the value that is easiest to read: a small number, or a documentation address.
fn pick_most_readable(ranges: &RangeSet) -> Option<Point> {
    let (zero, one) = (Point::integer(0), Point::integer(1));
    let first = ranges.iter().next()?;
    if first.0 > Point::integer(i64::MAX) {
        let example = Point::ip(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
        return Some(if ranges.contains(example) { example } else { first.0 });
    }
    if ranges.contains(one) {
        return Some(one);
    }
    let next = ranges.iter().find(|(_, last)| *last >= zero).map(|(first, _)| first.max(zero));
    next.or_else(|| ranges.iter().last().map(|(_, last)| last))
}

/// The constraints on the bits of a number.
#[derive(Debug, Default, PartialEq, Eq)]
struct BitConstraints {
    /// Masks of which at least one bit is set.
    required_masks: Vec<u64>,
    /// Bits that are not set.
    forbidden_mask: u64,
}

impl BitConstraints {
    /// Returns a number in the range that satisfies the constraints. Its bits above the lowest `free_bits` equal those
    /// of `prefix`. The search is short, because only the paths along the two ends of the range branch.
    fn find_in(&self, (first, last): (u64, u64), prefix: u64, free_bits: u32) -> Option<u64> {
        let free_mask = u64::MAX.checked_shr(64 - free_bits).unwrap_or(0);
        let (low, high) = (prefix, prefix | free_mask);
        if high < first || low > last || prefix & self.forbidden_mask != 0 {
            return None;
        }
        if (low >= first && high <= last) || free_bits == 0 {
            // All remaining bits are free, so every permitted bit is set.
            let fullest = prefix | (free_mask & !self.forbidden_mask);
            return self.required_masks.iter().all(|mask| fullest & mask != 0).then_some(fullest);
        }
        let bit = 1u64 << (free_bits - 1);
        self.find_in((first, last), prefix, free_bits - 1)
            .or_else(|| self.find_in((first, last), prefix | bit, free_bits - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_in_satisfies_bit_masks_within_ranges() {
        let masks = [0b1, 0b10, 0b110, 0b1000];
        for (first, last) in (0..16u64).flat_map(|first| (first..16).map(move |last| (first, last))) {
            for (required, forbidden) in
                masks.iter().flat_map(|required| masks.iter().map(move |forbidden| (*required, *forbidden)))
            {
                let bits = BitConstraints { required_masks: vec![required], forbidden_mask: forbidden };
                let fits = |number: u64| number & required != 0 && number & forbidden == 0;
                let number = bits.find_in((first, last), 0, 64);
                assert_eq!(number.is_some(), (first..=last).any(fits), "{first}..{last} {required} {forbidden}");
                assert!(number.is_none_or(|number| fits(number) && (first..=last).contains(&number)));
            }
        }
    }
}
