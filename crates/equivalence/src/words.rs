//! Strings: is there one that is in some languages and not in others?

use crate::arena::{Arena, AtomId, Predicate};
use crate::automaton::{ALL, Automaton, DEAD, State};
use crate::language::{Language, Shape, Words};
use crate::meter::{Meter, Reason};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// Rows of states in one search: some megabytes at most.
const MOST_STATES: usize = 20_000;
/// Strings are made longer than this only for a pattern's sake.
const LONGEST_GUESS: i64 = 1 << 16;
const MOST_GUESSES: usize = 64;

/// The automata of the languages that were asked for; `None` for one that could not be made.
#[derive(Debug, Default)]
pub(crate) struct Automata(BTreeMap<AtomId, Option<Automaton>>);

/// An automaton, and whether a string has to be in its language.
type Wanted = (Automaton, bool);

impl Automata {
    /// A string that the atoms answer like this; `None` when there is none. Patterns that could not be
    /// made automata are left out of the account, so a string may be wrong but `None` is not.
    pub(crate) fn find(
        &mut self,
        arena: &Arena,
        literals: &[(AtomId, bool)],
        meter: &Meter,
    ) -> Result<Option<Vec<u8>>, Reason> {
        let mut some: Option<Words> = None;
        let mut none = Words::new();
        let mut languages: Vec<(AtomId, bool, &Language)> = Vec::new();
        for (id, yes) in literals {
            match arena.atoms.get(id.0).map(|atom| &atom.predicate) {
                Some(Predicate::Words(words)) if *yes => {
                    meter.spend(words.len())?;
                    some = Some(some.map_or_else(|| words.clone(), |old| old.intersection(words).cloned().collect()));
                }
                Some(Predicate::Words(words)) => {
                    meter.spend(words.len())?;
                    none.extend(words.iter().cloned());
                }
                Some(Predicate::Language(language)) => languages.push((*id, *yes, language)),
                _ => {}
            }
        }
        let guesses = match &some {
            Some(_) => Vec::new(),
            None => guesses(&languages, &none),
        };
        let mut wanted: Vec<(AtomId, Wanted)> = Vec::new();
        for (id, yes, language) in languages {
            let made = self.0.remove(&id).unwrap_or_else(|| Automaton::new(language).ok());
            match made {
                Some(automaton) => wanted.push((id, (automaton, yes))),
                None => {
                    self.0.insert(id, None);
                }
            }
        }
        let (ids, mut automata): (Vec<AtomId>, Vec<Wanted>) = wanted.into_iter().unzip();
        let found = match some {
            Some(words) => first(words.difference(&none), &mut automata, meter),
            None => match first(guesses.iter(), &mut automata, meter) {
                Ok(None) => search(&mut automata, &none, meter),
                found => found,
            },
        };
        self.0.extend(ids.into_iter().zip(automata.into_iter().map(|(automaton, _)| Some(automaton))));
        found
    }
}

/// The first of the words that every automaton answers as wanted.
fn first<'a>(
    words: impl Iterator<Item = &'a Vec<u8>>,
    automata: &mut [Wanted],
    meter: &Meter,
) -> Result<Option<Vec<u8>>, Reason> {
    for word in words {
        let mut fits = true;
        for (automaton, yes) in automata.iter_mut() {
            meter.spend(1 + word.len())?;
            if automaton.holds(word).map_err(|_| Reason::Patterns)? != *yes {
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

/// Strings that are likely to do, so that a search is rarely needed.
fn guesses(languages: &[(AtomId, bool, &Language)], none: &Words) -> Vec<Vec<u8>> {
    let (mut start, mut middle, mut end) = (Vec::new(), Vec::new(), Vec::new());
    let longer = |old: &mut Vec<u8>, text: &[u8]| {
        if text.len() > old.len() {
            *old = text.to_vec();
        }
    };
    let mut guesses = Vec::new();
    let mut lengths = vec![0];
    for (_, _, language) in languages.iter().filter(|(_, yes, _)| *yes) {
        match &language.shape {
            Shape::StartsWith(text) => longer(&mut start, text),
            Shape::EndsWith(text) => longer(&mut end, text),
            Shape::Contains(text) => middle.extend(text),
            Shape::Wildcard(pieces) => {
                let [first, inner @ .., last] = pieces.as_slice() else { continue };
                longer(&mut start, first);
                longer(&mut end, last);
                inner.iter().for_each(|piece| middle.extend(piece));
            }
            Shape::OneOf(words) => guesses.extend(words.iter().take(MOST_GUESSES).cloned()),
            Shape::Length(ranges) => lengths.extend(ranges.iter().map(|(first, _)| first.as_integer())),
            Shape::Regex(_) | Shape::Below(_) => {}
        }
    }
    let fixed = start.len() + middle.len() + end.len();
    lengths.retain(|length| *length <= LONGEST_GUESS);
    for length in lengths.into_iter().take(MOST_GUESSES) {
        let missing = usize::try_from(length).unwrap_or(0).saturating_sub(fixed);
        // A string that is forbidden is avoided by one letter more.
        for filling in ["a", "b", "/"] {
            for more in 0..3 {
                let between = filling.repeat(missing + more).into_bytes();
                guesses.push([start.as_slice(), &middle, &between, &end].concat());
            }
        }
    }
    // Among so many strings there is one that is not forbidden.
    guesses.extend(
        (0..=none.len()).map(|number| [start.as_slice(), &middle, number.to_string().as_bytes(), &end].concat()),
    );
    guesses.retain(|guess| !none.contains(guess));
    guesses.truncate(4 * MOST_GUESSES);
    guesses
}

/// Goes through all automata at once, shortest strings first.
fn search(automata: &mut Vec<Wanted>, none: &Words, meter: &Meter) -> Result<Option<Vec<u8>>, Reason> {
    if !none.is_empty() {
        automata.push((Automaton::words(none), false));
    }
    let found = breadth_first(automata, meter);
    if !none.is_empty() {
        automata.pop();
    }
    found
}

fn breadth_first(automata: &mut [Wanted], meter: &Meter) -> Result<Option<Vec<u8>>, Reason> {
    let bytes = representatives(automata);
    let start: Vec<State> = automata.iter_mut().map(|(automaton, _)| automaton.start()).collect();
    let mut seen = HashSet::from([start.clone()]);
    // Each with the place of the one before it in `ways`.
    let mut ways: Vec<(usize, u8)> = vec![(usize::MAX, 0)];
    let mut next = VecDeque::from([(start, 0)]);
    while let Some((states, place)) = next.pop_front() {
        if accepted(automata, &states)? {
            return Ok(Some(word(&ways, place)));
        }
        for byte in &bytes {
            meter.spend(automata.len())?;
            let Some(reached) = step(automata, &states, *byte)? else { continue };
            if seen.contains(&reached) {
                continue;
            }
            if seen.len() >= MOST_STATES {
                return Err(Reason::Patterns);
            }
            seen.insert(reached.clone());
            next.push_back((reached, ways.len()));
            ways.push((place, *byte));
        }
    }
    Ok(None)
}

fn accepted(automata: &mut [Wanted], states: &[State]) -> Result<bool, Reason> {
    for ((automaton, yes), state) in automata.iter_mut().zip(states) {
        if automaton.accepts(*state).map_err(|_| Reason::Patterns)? != *yes {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The states after one byte; `None` when nothing that follows can be accepted.
fn step(automata: &mut [Wanted], states: &[State], byte: u8) -> Result<Option<Vec<State>>, Reason> {
    let mut reached = Vec::with_capacity(states.len());
    for ((automaton, yes), state) in automata.iter_mut().zip(states) {
        let state = automaton.next(*state, byte).map_err(|_| Reason::Patterns)?;
        if state == if *yes { DEAD } else { ALL } {
            return Ok(None);
        }
        reached.push(state);
    }
    Ok(Some(reached))
}

/// One byte for all that no automaton tells apart, those that read well first.
fn representatives(automata: &[Wanted]) -> Vec<u8> {
    let classes: Vec<[u16; 256]> = automata.iter().map(|(automaton, _)| automaton.classes()).collect();
    let (letters, digits) = (b'a'..=b'z', b'0'..=b'9');
    let rest = (b' '..=b'~').chain(0..=u8::MAX);
    let mut seen = HashSet::new();
    let mut is_new = |byte: &u8| {
        let row: Vec<u16> = classes.iter().filter_map(|classes| classes.get(usize::from(*byte)).copied()).collect();
        seen.insert(row)
    };
    letters.chain(digits).chain(*b"/.-_").chain(rest).filter(|byte| is_new(byte)).collect()
}

fn word(ways: &[(usize, u8)], mut place: usize) -> Vec<u8> {
    let mut word = Vec::new();
    while let Some((before, byte)) = ways.get(place).filter(|(before, _)| *before != usize::MAX) {
        word.push(*byte);
        place = *before;
    }
    word.reverse();
    word
}
