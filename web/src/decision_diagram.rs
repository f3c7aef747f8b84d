//! The decision diagram of an expression: the order in which conditions are evaluated, and the outcome of each.
//!
//! Conditions are evaluated from left to right, and evaluation short-circuits. Every step therefore leads to a later
//! step or to an end, so the diagram is a list of [`Step`]s with jumps.

use std::collections::BTreeMap;
use zonewright_diagnostic::Span;
use zonewright_expression::{OutlineKind, OutlineNode};

/// The evaluation of one condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// The condition in words.
    pub(crate) text: String,
    /// The span of the condition in the source.
    pub(crate) span: Span,
    /// The target if the condition is true.
    pub(crate) on_true: Target,
    /// The target if the condition is false.
    pub(crate) on_false: Target,
}

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The step at this index, from 0.
    Step(usize),
    /// The expression is true.
    Match,
    /// The expression is false.
    NoMatch,
}

/// Returns the steps of an expression.
pub(crate) fn build_steps(outline: &OutlineNode) -> Vec<Step> {
    let mut steps = Vec::new();
    visit(outline, Target::Match, Target::NoMatch, &mut steps);
    steps
}

// The parser bounds the depth of an outline, so the recursion is bounded.
fn visit(outline: &OutlineNode, yes: Target, no: Target, steps: &mut Vec<Step>) {
    match (outline.kind, outline.children.as_slice()) {
        (OutlineKind::Not, [inside]) => visit(inside, no, yes, steps),
        (OutlineKind::All | OutlineKind::Any, [before @ .., last]) => {
            for child in before {
                let next = Target::Step(steps.len() + leaf_count(child));
                match outline.kind {
                    OutlineKind::All => visit(child, next, no, steps),
                    _ => visit(child, yes, next, steps),
                }
            }
            visit(last, yes, no, steps);
        }
        // Exclusive or evaluates all of its operands, so it is one step.
        _ => steps.push(Step { text: outline.text.clone(), span: outline.span, on_true: yes, on_false: no }),
    }
}

/// Counts the steps of an outline.
fn leaf_count(outline: &OutlineNode) -> usize {
    match outline.kind {
        OutlineKind::Not | OutlineKind::All | OutlineKind::Any if !outline.children.is_empty() => {
            outline.children.iter().map(leaf_count).sum()
        }
        _ => 1,
    }
}

/// A line next to the steps that all jumps to one target share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// The target of the jumps.
    pub(crate) target: Target,
    /// The index of the first step that jumps to the target.
    pub(crate) first: usize,
    /// The distance to the steps: the number of lanes between them and this one.
    pub(crate) distance: usize,
}

/// Assigns lanes to the jumps of one side, true or false. A jump to the next step needs no lane.
pub(crate) fn assign_lanes(steps: &[Step], side: fn(&Step) -> Target) -> Vec<Lane> {
    let mut firsts: BTreeMap<Target, usize> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        let target = side(step);
        if target != Target::Step(index + 1) {
            firsts.entry(target).or_insert(index);
        }
    }
    let end = |target: Target| match target {
        Target::Step(index) => index,
        Target::Match => steps.len(),
        Target::NoMatch => steps.len() + 1,
    };
    // Short lanes are placed nearest to the steps, so that long ones enclose them.
    let mut unplaced_lanes: Vec<(usize, usize, Target)> =
        firsts.into_iter().map(|(target, first)| (first, end(target), target)).collect();
    unplaced_lanes.sort_by_key(|(first, end, _)| (end - first, *first));
    let mut occupied: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut lanes = Vec::new();
    for (first, end, target) in unplaced_lanes {
        let is_free = |row: &Vec<(usize, usize)>| row.iter().all(|(from, to)| end < *from || *to < first);
        let distance = occupied.iter().position(is_free).unwrap_or(occupied.len());
        match occupied.get_mut(distance) {
            Some(row) => row.push((first, end)),
            None => occupied.push(vec![(first, end)]),
        }
        lanes.push(Lane { target, first, distance });
    }
    lanes
}
