//! Theory solver for strings: finds a string that is in some sets and not in others.
//!
//! Start with [`Automata`]. It tests candidates first and searches the product of all automata only if they fail.

use crate::arena::{Arena, AtomId, Predicate};
use crate::automaton::{ALL, Automaton, DEAD, State};
use crate::language::{Fold, Language, Shape, Words};
use crate::meter::{Meter, Reason};
use std::collections::{BTreeMap, HashSet, VecDeque};
use zonewright_expression::schema::ValueConstraint;

/// The limit of states in one search, which takes a few megabytes.
const MOST_STATES: usize = 20_000;
/// The limit of a candidate's length in bytes. Only a pattern requires longer strings.
const LONGEST_GUESS: i64 = 1 << 16;
const MOST_GUESSES: usize = 64;
/// The limit of automata in one search, and of cached automata: usually a few megabytes.
const MOST_AUTOMATA: usize = 128;
/// The minimum number of steps for a new automaton.
const NEW_AUTOMATON: usize = 500;

/// A cache of automata. A value of `None` marks a set for which no automaton could be built.
#[derive(Debug, Default)]
pub(crate) struct Automata {
    of_atoms: BTreeMap<AtomId, Option<Automaton>>,
    /// The automata of documented formats, by pattern.
    of_forms: BTreeMap<&'static str, Automaton>,
}

/// An automaton, and whether it must accept the string.
type Wanted = (Automaton, bool);

impl Automata {
    /// Finds a string of a format for which the atoms have these truth values. Returns `None` if no such string exists.
    /// Patterns without an automaton are ignored. A string may therefore be wrong, but `None` is always right.
    pub(crate) fn find(
        &mut self,
        arena: &Arena,
        literals: &[(AtomId, bool)],
        known: Option<ValueConstraint>,
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
        let guesses = match (&some, known) {
            (Some(_), _) => Vec::new(),
            (None, Some(ValueConstraint::Text { example, .. })) => in_form(example, guesses(&languages, &none), &none),
            (None, _) => guesses(&languages, &none),
        };
        if languages.len() > MOST_AUTOMATA {
            return Err(Reason::Patterns);
        }
        while self.of_atoms.len() > MOST_AUTOMATA {
            self.of_atoms.pop_first();
        }
        let mut wanted: Vec<(AtomId, Wanted)> = Vec::new();
        for (id, yes, language) in languages {
            let made = self.of_atoms.remove(&id);
            meter.spend(if made.is_some() { 1 } else { NEW_AUTOMATON })?;
            let made = made.unwrap_or_else(|| Automaton::new(language).ok());
            match made {
                Some(mut automaton) => {
                    meter.spend(automaton.take_steps())?;
                    wanted.push((id, (automaton, yes)));
                }
                None => {
                    self.of_atoms.insert(id, None);
                }
            }
        }
        let (ids, mut automata): (Vec<AtomId>, Vec<Wanted>) = wanted.into_iter().unzip();
        let form = match known {
            Some(ValueConstraint::Text { pattern, .. }) => Some((pattern, self.form(pattern, meter)?)),
            _ => None,
        };
        let pattern = form.map(|(pattern, automaton)| {
            automata.push((automaton, true));
            pattern
        });
        let found = match some {
            Some(words) => first(words.difference(&none), &mut automata, meter),
            None => match first(guesses.iter(), &mut automata, meter) {
                Ok(None) => search(&mut automata, &none, meter),
                found => found,
            },
        };
        if let Some((pattern, (automaton, _))) = pattern.and_then(|pattern| Some((pattern, automata.pop()?))) {
            self.of_forms.insert(pattern, automaton);
        }
        self.of_atoms.extend(ids.into_iter().zip(automata.into_iter().map(|(automaton, _)| Some(automaton))));
        found
    }

    fn form(&mut self, pattern: &'static str, meter: &Meter) -> Result<Automaton, Reason> {
        match self.of_forms.remove(pattern) {
            Some(automaton) => Ok(automaton),
            None => {
                meter.spend(NEW_AUTOMATON)?;
                let language = Language::new(Shape::Regex(pattern.to_owned()), Fold::None);
                Automaton::new(&language).map_err(|_| Reason::Patterns)
            }
        }
    }

    /// Returns whether a string has a documented format.
    pub(crate) fn has_form(&mut self, text: &[u8], pattern: &'static str, meter: &Meter) -> Result<bool, Reason> {
        let mut automaton = self.form(pattern, meter)?;
        let holds = automaton.holds(text).map_err(|_| Reason::Patterns);
        self.of_forms.insert(pattern, automaton);
        holds
    }
}

/// Returns the first of the strings that satisfies every automaton.
fn first<'a>(
    words: impl Iterator<Item = &'a Vec<u8>>,
    automata: &mut [Wanted],
    meter: &Meter,
) -> Result<Option<Vec<u8>>, Reason> {
    for word in words {
        let mut fits = true;
        for (automaton, yes) in automata.iter_mut() {
            meter.spend(1 + word.len() + automaton.take_steps())?;
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

/// Returns likely candidates, so that a search is rarely necessary.
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
            Shape::LengthBits(bits) => lengths.push((bits & bits.wrapping_neg()).cast_signed()),
            Shape::Regex(_) | Shape::Below(_) => {}
        }
    }
    let fixed = start.len() + middle.len() + end.len();
    lengths.retain(|length| *length <= LONGEST_GUESS);
    for length in lengths.into_iter().take(MOST_GUESSES) {
        let missing = usize::try_from(length).unwrap_or(0).saturating_sub(fixed);
        // A longer filling avoids a forbidden string.
        for filling in ["a", "b", "/"] {
            for more in 0..3 {
                let between = filling.repeat(missing + more).into_bytes();
                guesses.push([start.as_slice(), &middle, &between, &end].concat());
            }
        }
    }
    // At least one of these strings is not forbidden, because there is one more of them.
    guesses.extend(
        (0..=none.len()).map(|number| [start.as_slice(), &middle, number.to_string().as_bytes(), &end].concat()),
    );
    // A folded set is often compared with the same set without folding.
    let folded = languages.iter().any(|(_, _, language)| language.fold != Fold::None);
    let capitals: Vec<Vec<u8>> =
        guesses.iter().take(if folded { 8 } else { 0 }).map(|one| one.to_ascii_uppercase()).collect();
    guesses.splice(0..0, capitals);
    guesses.retain(|guess| !none.contains(guess));
    guesses.truncate(4 * MOST_GUESSES);
    guesses
}

/// Returns the example of a format, which is the best candidate, then the candidates. If the example ends with `/`, the
/// candidates also follow with the example as a prefix.
fn in_form(example: &str, guesses: Vec<Vec<u8>>, none: &Words) -> Vec<Vec<u8>> {
    let example = example.as_bytes();
    let begun = guesses.iter().map(|guess| [example, guess].concat());
    let begun: Vec<Vec<u8>> = if example.ends_with(b"/") { begun.collect() } else { Vec::new() };
    let all = [example.to_vec()].into_iter().chain(guesses).chain(begun);
    all.filter(|guess| !none.contains(guess)).collect()
}

/// Searches the product of all automata, shortest strings first.
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
    // Each entry has the index of its predecessor in `ways` and the byte after it.
    let mut ways: Vec<(usize, u8)> = vec![(usize::MAX, 0)];
    let mut next = VecDeque::from([(start, 0)]);
    while let Some((states, place)) = next.pop_front() {
        if accepted(automata, &states)? {
            return Ok(Some(word(&ways, place)));
        }
        for byte in &bytes {
            let Some(reached) = step(automata, &states, *byte, meter)? else { continue };
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

/// Returns the states after one byte; `None` if no continuation can be accepted.
fn step(automata: &mut [Wanted], states: &[State], byte: u8, meter: &Meter) -> Result<Option<Vec<State>>, Reason> {
    let mut reached = Vec::with_capacity(states.len());
    for ((automaton, yes), state) in automata.iter_mut().zip(states) {
        let state = automaton.next(*state, byte).map_err(|_| Reason::Patterns)?;
        meter.spend(1 + automaton.take_steps())?;
        if state == if *yes { DEAD } else { ALL } {
            return Ok(None);
        }
        reached.push(state);
    }
    Ok(Some(reached))
}

/// Returns one byte for each class that no automaton distinguishes. Readable bytes come first.
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
