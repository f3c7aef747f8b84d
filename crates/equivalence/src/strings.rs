//! Theory solver for strings: finds a string that is in some sets and not in others.
//!
//! Start with [`StringSolver`]. It tests candidates first and searches the product of all automata only if they fail.

use crate::arena::{Arena, AtomId, Predicate};
use crate::automaton::{ACCEPT_ALL, Automaton, DEAD, State};
use crate::language::{CaseFold, Language, StringPattern, Words};
use crate::step_counter::{StepCounter, UndecidedReason};
use std::collections::{BTreeMap, HashSet, VecDeque};
use zonewright_expression::schema::ValueConstraint;

/// The maximum number of states in one search. A search of this size takes a few megabytes.
const MAX_STATES: usize = 20_000;
/// The maximum required length, in bytes, for which candidates are built. Longer strings need a search.
const MAX_CANDIDATE_BYTES: i64 = 1 << 16;
/// The maximum number of words of a set, and of lengths, from which candidates are built. At most four times as many
/// candidates are tested.
const MAX_CANDIDATES: usize = 64;
/// The maximum number of automata in one search and in the cache. They usually take a few megabytes.
const MAX_AUTOMATA: usize = 128;
/// The minimum number of steps for a new automaton.
const NEW_AUTOMATON_STEPS: usize = 500;

/// A cache of automata. A value of `None` marks a set for which no automaton could be built.
#[derive(Debug, Default)]
pub(crate) struct StringSolver {
    atom_automata: BTreeMap<AtomId, Option<Automaton>>,
    /// The automata of documented formats, by pattern.
    format_automata: BTreeMap<&'static str, Automaton>,
}

/// An automaton, and whether it must accept the string.
type AutomatonConstraint = (Automaton, bool);

impl StringSolver {
    /// Finds a string that satisfies the constraint and for which the atoms have these truth values. Returns `None` if
    /// no such string exists. Patterns without an automaton are ignored. A string may therefore be wrong, but `None` is
    /// always right.
    pub(crate) fn find_string(
        &mut self,
        arena: &Arena,
        literals: &[(AtomId, bool)],
        constraint: Option<ValueConstraint>,
        counter: &StepCounter,
    ) -> Result<Option<Vec<u8>>, UndecidedReason> {
        let mut allowed: Option<Words> = None;
        let mut forbidden = Words::new();
        let mut languages: Vec<(AtomId, bool, &Language)> = Vec::new();
        for (id, positive) in literals {
            match arena.atoms.get(id.0).map(|atom| &atom.predicate) {
                Some(Predicate::OneOf(words)) if *positive => {
                    counter.consume(words.len())?;
                    allowed =
                        Some(allowed.map_or_else(|| words.clone(), |old| old.intersection(words).cloned().collect()));
                }
                Some(Predicate::OneOf(words)) => {
                    counter.consume(words.len())?;
                    forbidden.extend(words.iter().cloned());
                }
                Some(Predicate::Language(language)) => languages.push((*id, *positive, language)),
                _ => {}
            }
        }
        let candidates = match (&allowed, constraint) {
            (Some(_), _) => Vec::new(),
            (None, Some(ValueConstraint::Text { example, .. })) => {
                build_candidates_in_format(example, build_candidates(&languages, &forbidden), &forbidden)
            }
            (None, _) => build_candidates(&languages, &forbidden),
        };
        if languages.len() > MAX_AUTOMATA {
            return Err(UndecidedReason::PatternsTooComplex);
        }
        while self.atom_automata.len() > MAX_AUTOMATA {
            self.atom_automata.pop_first();
        }
        let mut constraints: Vec<(AtomId, AutomatonConstraint)> = Vec::new();
        for (id, positive, language) in languages {
            let cached = self.atom_automata.remove(&id);
            counter.consume(if cached.is_some() { 1 } else { NEW_AUTOMATON_STEPS })?;
            let automaton = cached.unwrap_or_else(|| Automaton::new(language).ok());
            match automaton {
                Some(mut automaton) => {
                    counter.consume(automaton.take_steps())?;
                    constraints.push((id, (automaton, positive)));
                }
                None => {
                    self.atom_automata.insert(id, None);
                }
            }
        }
        let (ids, mut automata): (Vec<AtomId>, Vec<AutomatonConstraint>) = constraints.into_iter().unzip();
        let format = match constraint {
            Some(ValueConstraint::Text { pattern, .. }) => Some((pattern, self.format_automaton(pattern, counter)?)),
            _ => None,
        };
        let pattern = format.map(|(pattern, automaton)| {
            automata.push((automaton, true));
            pattern
        });
        let string = match allowed {
            Some(words) => find_accepted(words.difference(&forbidden), &mut automata, counter),
            None => match find_accepted(candidates.iter(), &mut automata, counter) {
                Ok(None) => search_product(&mut automata, &forbidden, counter),
                result => result,
            },
        };
        if let Some((pattern, (automaton, _))) = pattern.and_then(|pattern| Some((pattern, automata.pop()?))) {
            self.format_automata.insert(pattern, automaton);
        }
        self.atom_automata.extend(ids.into_iter().zip(automata.into_iter().map(|(automaton, _)| Some(automaton))));
        string
    }

    fn format_automaton(&mut self, pattern: &'static str, counter: &StepCounter) -> Result<Automaton, UndecidedReason> {
        match self.format_automata.remove(pattern) {
            Some(automaton) => Ok(automaton),
            None => {
                counter.consume(NEW_AUTOMATON_STEPS)?;
                let language = Language::new(StringPattern::Regex(pattern.to_owned()), CaseFold::None);
                Automaton::new(&language).map_err(|_| UndecidedReason::PatternsTooComplex)
            }
        }
    }

    /// Returns whether a string has a documented format.
    pub(crate) fn matches_format(
        &mut self,
        text: &[u8],
        pattern: &'static str,
        counter: &StepCounter,
    ) -> Result<bool, UndecidedReason> {
        let mut automaton = self.format_automaton(pattern, counter)?;
        let matches = automaton.matches(text).map_err(|_| UndecidedReason::PatternsTooComplex);
        self.format_automata.insert(pattern, automaton);
        matches
    }
}

/// Returns the first of the strings that satisfies every constraint.
fn find_accepted<'a>(
    words: impl Iterator<Item = &'a Vec<u8>>,
    automata: &mut [AutomatonConstraint],
    counter: &StepCounter,
) -> Result<Option<Vec<u8>>, UndecidedReason> {
    for word in words {
        let mut fits = true;
        for (automaton, positive) in automata.iter_mut() {
            counter.consume(1 + word.len() + automaton.take_steps())?;
            if automaton.matches(word).map_err(|_| UndecidedReason::PatternsTooComplex)? != *positive {
                fits = false;
                break;
            }
        }
        if fits {
            return Ok(Some(word.clone()));
        }
    }
    Ok(None)
}

/// Returns likely candidates, so that a search is rarely necessary.
fn build_candidates(languages: &[(AtomId, bool, &Language)], forbidden: &Words) -> Vec<Vec<u8>> {
    let (mut start, mut middle, mut end) = (Vec::new(), Vec::new(), Vec::new());
    let replace_if_longer = |old: &mut Vec<u8>, text: &[u8]| {
        if text.len() > old.len() {
            *old = text.to_vec();
        }
    };
    let mut candidates = Vec::new();
    let mut lengths = vec![0];
    for (_, _, language) in languages.iter().filter(|(_, positive, _)| *positive) {
        match &language.pattern {
            StringPattern::StartsWith(text) => replace_if_longer(&mut start, text),
            StringPattern::EndsWith(text) => replace_if_longer(&mut end, text),
            StringPattern::Contains(text) => middle.extend(text),
            StringPattern::Wildcard(segments) => {
                let [first, inner @ .., last] = segments.as_slice() else { continue };
                replace_if_longer(&mut start, first);
                replace_if_longer(&mut end, last);
                inner.iter().for_each(|segment| middle.extend(segment));
            }
            StringPattern::OneOf(words) => candidates.extend(words.iter().take(MAX_CANDIDATES).cloned()),
            StringPattern::Length(ranges) => lengths.extend(ranges.iter().map(|(first, _)| first.as_integer())),
            StringPattern::LengthBits(bits) => lengths.push((bits & bits.wrapping_neg()).cast_signed()),
            StringPattern::Regex(_) | StringPattern::Below(_) => {}
        }
    }
    let fixed = start.len() + middle.len() + end.len();
    lengths.retain(|length| *length <= MAX_CANDIDATE_BYTES);
    for length in lengths.into_iter().take(MAX_CANDIDATES) {
        let missing = usize::try_from(length).unwrap_or(0).saturating_sub(fixed);
        // Longer fillers avoid forbidden strings.
        for filler in ["a", "b", "/"] {
            for extra in 0..3 {
                let padding = filler.repeat(missing + extra).into_bytes();
                candidates.push([start.as_slice(), &middle, &padding, &end].concat());
            }
        }
    }
    // There is one more of these strings than forbidden strings, so at least one is not forbidden.
    candidates.extend(
        (0..=forbidden.len()).map(|number| [start.as_slice(), &middle, number.to_string().as_bytes(), &end].concat()),
    );
    // A folded set is often compared with the same set without folding.
    let has_folded = languages.iter().any(|(_, _, language)| language.fold != CaseFold::None);
    let uppercased: Vec<Vec<u8>> = candidates
        .iter()
        .take(if has_folded { 8 } else { 0 })
        .map(|candidate| candidate.to_ascii_uppercase())
        .collect();
    candidates.splice(0..0, uppercased);
    candidates.retain(|candidate| !forbidden.contains(candidate));
    candidates.truncate(4 * MAX_CANDIDATES);
    candidates
}

/// Returns the format's example, then the candidates. If the example ends with `/`, each candidate is also appended
/// with the example as its prefix.
fn build_candidates_in_format(example: &str, candidates: Vec<Vec<u8>>, forbidden: &Words) -> Vec<Vec<u8>> {
    let example = example.as_bytes();
    let prefixed = candidates.iter().map(|candidate| [example, candidate].concat());
    let prefixed: Vec<Vec<u8>> = if example.ends_with(b"/") { prefixed.collect() } else { Vec::new() };
    let candidates = [example.to_vec()].into_iter().chain(candidates).chain(prefixed);
    candidates.filter(|candidate| !forbidden.contains(candidate)).collect()
}

/// Searches the product of all automata, shortest strings first.
fn search_product(
    automata: &mut Vec<AutomatonConstraint>,
    forbidden: &Words,
    counter: &StepCounter,
) -> Result<Option<Vec<u8>>, UndecidedReason> {
    if !forbidden.is_empty() {
        automata.push((Automaton::from_strings(forbidden), false));
    }
    let string = search_breadth_first(automata, counter);
    if !forbidden.is_empty() {
        automata.pop();
    }
    string
}

fn search_breadth_first(
    automata: &mut [AutomatonConstraint],
    counter: &StepCounter,
) -> Result<Option<Vec<u8>>, UndecidedReason> {
    let bytes = class_representatives(automata);
    let start: Vec<State> = automata.iter_mut().map(|(automaton, _)| automaton.start()).collect();
    let mut visited = HashSet::from([start.clone()]);
    // For each visited state, the index of its predecessor and the byte that leads from there.
    let mut predecessors: Vec<(usize, u8)> = vec![(usize::MAX, 0)];
    let mut pending = VecDeque::from([(start, 0)]);
    while let Some((states, index)) = pending.pop_front() {
        if is_accepting(automata, &states)? {
            return Ok(Some(trace_back(&predecessors, index)));
        }
        for byte in &bytes {
            let Some(reached) = step(automata, &states, *byte, counter)? else { continue };
            if visited.contains(&reached) {
                continue;
            }
            if visited.len() >= MAX_STATES {
                return Err(UndecidedReason::PatternsTooComplex);
            }
            visited.insert(reached.clone());
            pending.push_back((reached, predecessors.len()));
            predecessors.push((index, *byte));
        }
    }
    Ok(None)
}

fn is_accepting(automata: &mut [AutomatonConstraint], states: &[State]) -> Result<bool, UndecidedReason> {
    for ((automaton, positive), state) in automata.iter_mut().zip(states) {
        if automaton.accepts(*state).map_err(|_| UndecidedReason::PatternsTooComplex)? != *positive {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the states after one byte; `None` if no continuation can be accepted.
fn step(
    automata: &mut [AutomatonConstraint],
    states: &[State],
    byte: u8,
    counter: &StepCounter,
) -> Result<Option<Vec<State>>, UndecidedReason> {
    let mut reached = Vec::with_capacity(states.len());
    for ((automaton, positive), state) in automata.iter_mut().zip(states) {
        let state = automaton.next(*state, byte).map_err(|_| UndecidedReason::PatternsTooComplex)?;
        counter.consume(1 + automaton.take_steps())?;
        if state == if *positive { DEAD } else { ACCEPT_ALL } {
            return Ok(None);
        }
        reached.push(state);
    }
    Ok(Some(reached))
}

/// Returns one byte for each class of bytes that no automaton distinguishes. Readable bytes come first.
fn class_representatives(automata: &[AutomatonConstraint]) -> Vec<u8> {
    let classes: Vec<[u16; 256]> = automata.iter().map(|(automaton, _)| automaton.byte_classes()).collect();
    let (letters, digits) = (b'a'..=b'z', b'0'..=b'9');
    let others = (b' '..=b'~').chain(0..=u8::MAX);
    let mut seen_rows = HashSet::new();
    let mut is_new = |byte: &u8| {
        let row: Vec<u16> = classes.iter().filter_map(|classes| classes.get(usize::from(*byte)).copied()).collect();
        seen_rows.insert(row)
    };
    letters.chain(digits).chain(*b"/.-_").chain(others).filter(|byte| is_new(byte)).collect()
}

/// Returns the string that leads to a visited state.
fn trace_back(predecessors: &[(usize, u8)], mut index: usize) -> Vec<u8> {
    let mut word = Vec::new();
    while let Some((previous, byte)) = predecessors.get(index).filter(|(previous, _)| *previous != usize::MAX) {
        word.push(*byte);
        index = *previous;
    }
    word.reverse();
    word
}
