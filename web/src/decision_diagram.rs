//! The decision diagram of an expression: which condition is looked at next, and what it leads to.
//!
//! Conditions are looked at from left to right, and an answer that decides skips the rest, so every
//! step leads to a later one or to an end. That makes the diagram a list of steps with jumps.

use std::collections::BTreeMap;
use zonewright_diagnostic::Span;
use zonewright_expression::{Outline, OutlineKind};

/// One condition that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// What is asked.
    pub(crate) text: String,
    /// Where it stands in the source.
    pub(crate) span: Span,
    /// Where "true" leads.
    pub(crate) yes: Target,
    /// Where "false" leads.
    pub(crate) no: Target,
}

/// Where an answer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The step of this number, from 0.
    Step(usize),
    /// The expression is true.
    Match,
    /// The expression is false.
    NoMatch,
}

/// The steps of an expression.
pub(crate) fn steps(outline: &Outline) -> Vec<Step> {
    let mut steps = Vec::new();
    visit(outline, Target::Match, Target::NoMatch, &mut steps);
    steps
}

// The depth of an outline is bounded by the parser.
fn visit(outline: &Outline, yes: Target, no: Target, steps: &mut Vec<Step>) {
    match (outline.kind, outline.children.as_slice()) {
        (OutlineKind::Not, [inside]) => visit(inside, no, yes, steps),
        (OutlineKind::All | OutlineKind::Any, [before @ .., last]) => {
            for child in before {
                let next = Target::Step(steps.len() + leaves(child));
                match outline.kind {
                    OutlineKind::All => visit(child, next, no, steps),
                    _ => visit(child, yes, next, steps),
                }
            }
            visit(last, yes, no, steps);
        }
        // What counts the true ones looks at all of them: one step.
        _ => steps.push(Step { text: outline.text.clone(), span: outline.span, yes, no }),
    }
}

/// How many steps an outline becomes.
fn leaves(outline: &Outline) -> usize {
    match outline.kind {
        OutlineKind::Not | OutlineKind::All | OutlineKind::Any if !outline.children.is_empty() => {
            outline.children.iter().map(leaves).sum()
        }
        _ => 1,
    }
}

/// A line beside the steps on which all jumps to one target run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// Where it leads.
    pub(crate) target: Target,
    /// The first step that takes it.
    pub(crate) first: usize,
    /// How far from the steps it runs, from 0.
    pub(crate) distance: usize,
}

/// The lanes of one side: of the "true" answers, or of the "false" ones. A step that leads to the
/// one right below needs none.
pub(crate) fn lanes(steps: &[Step], side: fn(&Step) -> Target) -> Vec<Lane> {
    let mut firsts: BTreeMap<Target, (usize, usize)> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        let target = side(step);
        if target != Target::Step(index + 1) {
            firsts.entry(target).and_modify(|(_, last)| *last = index).or_insert((index, index));
        }
    }
    let end = |target: Target| match target {
        Target::Step(index) => index,
        Target::Match => steps.len(),
        Target::NoMatch => steps.len() + 1,
    };
    // Short lanes run nearest, so that long ones go round them.
    let mut wanted: Vec<(usize, usize, Target)> =
        firsts.into_iter().map(|(target, (first, _))| (first, end(target), target)).collect();
    wanted.sort_by_key(|(first, end, _)| (end - first, *first));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut lanes = Vec::new();
    for (first, end, target) in wanted {
        let free = |row: &Vec<(usize, usize)>| row.iter().all(|(from, to)| end < *from || *to < first);
        let distance = taken.iter().position(free).unwrap_or(taken.len());
        match taken.get_mut(distance) {
            Some(row) => row.push((first, end)),
            None => taken.push(vec![(first, end)]),
        }
        lanes.push(Lane { target, first, distance });
    }
    lanes
}
