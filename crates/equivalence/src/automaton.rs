//! Implements deterministic byte automata for sets of strings.
//!
//! Start with [`Automaton`]. States of a regular expression are built on first use (lazy DFA).

use crate::language::{CaseFold, Language, StringPattern, Words};
use crate::ranges::{Point, RangeSet};
use regex_automata::{
    Anchored, Input,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
    nfa::thompson::NFA,
    util::syntax,
};
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Look, Repetition};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A state of an automaton.
pub(crate) type State = u32;

/// The state that accepts no continuation.
pub(crate) const DEAD: State = 0;
/// The state that accepts every continuation.
pub(crate) const ACCEPT_ALL: State = 1;
const FIRST_STATE: State = 2;

/// The maximum size of a compiled pattern, in bytes.
const MAX_NFA_BYTES: usize = 1 << 20;
/// The maximum size of the cached states of a pattern, in bytes.
const MAX_DFA_CACHE_BYTES: usize = 1 << 20;
/// The number of NFA states that count as one step.
const NFA_STATES_PER_STEP: usize = 16;
/// The number of steps for compiling one NFA state.
const STEPS_PER_NFA_STATE: usize = 4;

/// An error: the set is too large, or cannot be decided byte by byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AutomatonError;

/// The automaton of a set of strings.
#[derive(Debug)]
pub(crate) struct Automaton {
    fold: CaseFold,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A trie. Each node has its children and whether a string ends at the node.
    Trie(Vec<(BTreeMap<u8, State>, bool)>),
    /// An exclusive upper bound. The state counts the leading bytes that equal those of the bound.
    Below(Vec<u8>),
    /// A set of lengths. The state counts bytes, up to one more than the last relevant length.
    Length(RangeSet, State),
    /// A bit mask of lengths. The state counts bytes and wraps after the highest relevant bit.
    LengthBits(u64, State),
    Pattern(Box<Pattern>),
}

#[derive(Debug)]
struct Pattern {
    dfa: DFA,
    cache: Cache,
    states: Vec<LazyStateID>,
    state_numbers: HashMap<LazyStateID, State>,
    start: LazyStateID,
    /// The number of steps for each new state.
    steps_per_state: usize,
    /// The steps since the last call of [`Automaton::take_steps`].
    steps: usize,
}

impl Automaton {
    pub(crate) fn new(language: &Language) -> Result<Automaton, AutomatonError> {
        let kind = match &language.pattern {
            StringPattern::OneOf(words) => build_trie(words),
            StringPattern::Below(bound) => Kind::Below(bound.clone()),
            StringPattern::Length(lengths) => build_length(lengths)?,
            StringPattern::LengthBits(bits) => build_length_bits(*bits)?,
            StringPattern::Regex(pattern) => {
                if enables_unicode(pattern) {
                    return Err(AutomatonError);
                }
                // The Rules language matches bytes, without Unicode.
                let config = syntax::Config::new().unicode(false).utf8(false);
                let hir = syntax::parse_with(pattern, &config).map_err(|_| AutomatonError)?;
                Kind::Pattern(Box::new(Pattern::new(&hir)?))
            }
            StringPattern::StartsWith(text) => compile_pattern(vec![start_anchor(), literal_bytes(text)])?,
            StringPattern::EndsWith(text) => compile_pattern(vec![literal_bytes(text), end_anchor()])?,
            StringPattern::Contains(text) => compile_pattern(vec![literal_bytes(text)])?,
            StringPattern::Wildcard(segments) => {
                let mut parts = vec![start_anchor()];
                for (index, segment) in segments.iter().enumerate() {
                    if index > 0 {
                        parts.push(any_bytes());
                    }
                    parts.push(literal_bytes(segment));
                }
                parts.push(end_anchor());
                compile_pattern(parts)?
            }
        };
        Ok(Automaton { fold: language.fold, kind })
    }

    /// Builds the automaton of a finite set of strings.
    pub(crate) fn from_strings(words: &Words) -> Automaton {
        Automaton { fold: CaseFold::None, kind: build_trie(words) }
    }

    pub(crate) fn start(&mut self) -> State {
        match &mut self.kind {
            Kind::Pattern(pattern) => pattern.number_state(pattern.start),
            Kind::Trie(_) | Kind::Below(_) | Kind::Length(..) | Kind::LengthBits(..) => FIRST_STATE,
        }
    }

    pub(crate) fn next(&mut self, state: State, byte: u8) -> Result<State, AutomatonError> {
        if state < FIRST_STATE {
            return Ok(state);
        }
        let byte = self.fold.apply(byte);
        let index = (state - FIRST_STATE) as usize;
        Ok(match &mut self.kind {
            Kind::Trie(nodes) => nodes.get(index).and_then(|(next, _)| next.get(&byte)).copied().unwrap_or(DEAD),
            Kind::Below(bound) => match bound.get(index) {
                Some(other) if byte == *other => state + 1,
                Some(other) if byte < *other => ACCEPT_ALL,
                _ => DEAD,
            },
            Kind::Length(_, last) => (state + 1).min(*last),
            Kind::LengthBits(_, last) if state == *last => FIRST_STATE,
            Kind::LengthBits(..) => state + 1,
            Kind::Pattern(pattern) => pattern.next(index, byte)?,
        })
    }

    /// Returns whether a string that ends in this state is accepted.
    pub(crate) fn accepts(&mut self, state: State) -> Result<bool, AutomatonError> {
        if state < FIRST_STATE {
            return Ok(state == ACCEPT_ALL);
        }
        let index = (state - FIRST_STATE) as usize;
        Ok(match &mut self.kind {
            Kind::Trie(nodes) => nodes.get(index).is_some_and(|(_, ends)| *ends),
            Kind::Below(bound) => index < bound.len(),
            Kind::Length(lengths, _) => lengths.contains(Point::integer(index as i64)),
            Kind::LengthBits(bits, _) => index as u64 & *bits != 0,
            Kind::Pattern(pattern) => pattern.is_match_at_end(index)?,
        })
    }

    /// Returns whether a string is in the set.
    pub(crate) fn matches(&mut self, text: &[u8]) -> Result<bool, AutomatonError> {
        let mut state = self.start();
        for byte in text {
            state = self.next(state, *byte)?;
            if state < FIRST_STATE {
                break;
            }
        }
        self.accepts(state)
    }

    /// Returns the steps for new states since the last call.
    pub(crate) fn take_steps(&mut self) -> usize {
        match &mut self.kind {
            Kind::Pattern(pattern) => std::mem::take(&mut pattern.steps),
            Kind::Trie(_) | Kind::Below(_) | Kind::Length(..) | Kind::LengthBits(..) => 0,
        }
    }

    /// Returns the class of each byte. Bytes of one class lead to the same state from every state.
    pub(crate) fn byte_classes(&self) -> [u16; 256] {
        let bytes: BTreeSet<u8> = match &self.kind {
            Kind::Trie(nodes) => nodes.iter().flat_map(|(next, _)| next.keys().copied()).collect(),
            Kind::Below(bound) => bound.iter().copied().collect(),
            Kind::Length(..) | Kind::LengthBits(..) | Kind::Pattern(_) => BTreeSet::new(),
        };
        let mut classes = [0; 256];
        for (class, byte) in classes.iter_mut().zip(0..=u8::MAX) {
            let byte = self.fold.apply(byte);
            *class = match &self.kind {
                Kind::Pattern(pattern) => u16::from(pattern.dfa.byte_classes().get(byte)),
                Kind::Trie(_) => {
                    if bytes.contains(&byte) {
                        1 + u16::from(byte)
                    } else {
                        0
                    }
                }
                // Twice the number of bytes of the bound below this one, plus one for a byte of the bound.
                _ => (2 * bytes.range(..byte).count() + usize::from(bytes.contains(&byte))) as u16,
            };
        }
        classes
    }
}

fn build_trie(words: &Words) -> Kind {
    let mut nodes = vec![(BTreeMap::new(), false)];
    for word in words {
        let mut index = 0;
        for byte in word {
            let new = nodes.len();
            let Some((next, _)) = nodes.get_mut(index) else { break };
            index = match next.get(byte) {
                Some(state) => (*state - FIRST_STATE) as usize,
                None => {
                    next.insert(*byte, FIRST_STATE + new as State);
                    nodes.push((BTreeMap::new(), false));
                    new
                }
            };
        }
        if let Some((_, ends)) = nodes.get_mut(index) {
            *ends = true;
        }
    }
    Kind::Trie(nodes)
}

fn build_length(lengths: &RangeSet) -> Result<Kind, AutomatonError> {
    // All lengths after the last end behave like the first one after it.
    let ends = lengths.iter().flat_map(|(first, last)| [first.as_integer(), last.as_integer()]);
    let last = ends.filter(|end| *end < i64::MAX).max().unwrap_or(0) + 1;
    Ok(Kind::Length(
        lengths.clone(),
        FIRST_STATE + State::try_from(last).map_err(|_| AutomatonError)?.min(State::MAX - FIRST_STATE),
    ))
}

fn build_length_bits(bits: u64) -> Result<Kind, AutomatonError> {
    let count = bits.checked_next_power_of_two().filter(|count| *count > bits).or_else(|| bits.checked_mul(2));
    let count = count.and_then(|count| State::try_from(count).ok()).filter(|count| *count <= State::MAX - FIRST_STATE);
    Ok(Kind::LengthBits(bits, FIRST_STATE + count.ok_or(AutomatonError)? - 1))
}

/// Returns whether a pattern sets the flag `u`. Only some builds contain Unicode tables.
fn enables_unicode(pattern: &str) -> bool {
    pattern.split("(?").skip(1).any(|flags| flags.chars().take_while(char::is_ascii_alphabetic).any(|flag| flag == 'u'))
}

fn start_anchor() -> Hir {
    Hir::look(Look::Start)
}

fn end_anchor() -> Hir {
    Hir::look(Look::End)
}

fn literal_bytes(text: &[u8]) -> Hir {
    Hir::literal(text)
}

fn any_bytes() -> Hir {
    let byte = Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, u8::MAX)])));
    Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(byte) })
}

fn compile_pattern(parts: Vec<Hir>) -> Result<Kind, AutomatonError> {
    Ok(Kind::Pattern(Box::new(Pattern::new(&Hir::concat(parts))?)))
}

impl Pattern {
    fn new(hir: &Hir) -> Result<Pattern, AutomatonError> {
        let config = NFA::config().utf8(false).nfa_size_limit(Some(MAX_NFA_BYTES));
        let nfa = NFA::compiler().configure(config).build_from_hir(hir).map_err(|_| AutomatonError)?;
        // A cleared cache would invalidate state IDs, so the limit is an error instead.
        let config = DFA::config().cache_capacity(MAX_DFA_CACHE_BYTES).minimum_cache_clear_count(Some(0));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|_| AutomatonError)?;
        let anchored = hir.properties().look_set_prefix().contains(Look::Start);
        let input = Input::new("").anchored(if anchored { Anchored::Yes } else { Anchored::No });
        let mut cache = dfa.create_cache();
        let start = dfa.start_state_forward(&mut cache, &input).map_err(|_| AutomatonError)?;
        // Each state has one transition for each byte class, and a transition visits all NFA states at worst.
        let nfa_states = dfa.get_nfa().states().len();
        let steps_per_state = 1 + nfa_states * dfa.byte_classes().alphabet_len() / NFA_STATES_PER_STEP;
        Ok(Pattern {
            dfa,
            cache,
            states: Vec::new(),
            state_numbers: HashMap::new(),
            start,
            steps_per_state,
            steps: STEPS_PER_NFA_STATE * nfa_states,
        })
    }

    fn number_state(&mut self, id: LazyStateID) -> State {
        let new = FIRST_STATE + self.states.len() as State;
        *self.state_numbers.entry(id).or_insert_with(|| {
            self.states.push(id);
            self.steps = self.steps.saturating_add(self.steps_per_state);
            new
        })
    }

    fn next(&mut self, number: usize, byte: u8) -> Result<State, AutomatonError> {
        let id = *self.states.get(number).ok_or(AutomatonError)?;
        let next = self.dfa.next_state(&mut self.cache, id, byte).map_err(|_| AutomatonError)?;
        // A match is final, because a pattern may match anywhere in the string.
        if next.is_match() {
            Ok(ACCEPT_ALL)
        } else if next.is_dead() {
            Ok(DEAD)
        } else if next.is_quit() {
            Err(AutomatonError)
        } else {
            Ok(self.number_state(next))
        }
    }

    fn is_match_at_end(&mut self, number: usize) -> Result<bool, AutomatonError> {
        let id = *self.states.get(number).ok_or(AutomatonError)?;
        let next = self.dfa.next_eoi_state(&mut self.cache, id).map_err(|_| AutomatonError)?;
        if next.is_quit() { Err(AutomatonError) } else { Ok(next.is_match()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automaton_accepts_exactly_strings_of_the_language() {
        let text = |text: &str| text.as_bytes().to_vec();
        let words = |words: &[&str]| words.iter().map(|word| text(word)).collect::<Words>();
        let lengths =
            RangeSet::new(vec![(Point::integer(1), Point::integer(2)), (Point::integer(4), Point::integer(i64::MAX))]);
        let regex = |pattern: &str| StringPattern::Regex(pattern.to_owned());
        let cases: [(StringPattern, CaseFold, &[&str], &[&str]); 18] = [
            (StringPattern::OneOf(words(&["a", "ab", ""])), CaseFold::None, &["", "a", "ab"], &["b", "abc", "A"]),
            (StringPattern::OneOf(words(&["ab"])), CaseFold::Lower, &["ab", "AB", "aB"], &["", "abc"]),
            (StringPattern::StartsWith(text("ab")), CaseFold::None, &["ab", "abab"], &["", "a", "bab"]),
            (StringPattern::EndsWith(text("ab")), CaseFold::None, &["ab", "aab", "abab"], &["", "b", "aba"]),
            (StringPattern::Contains(text("ab")), CaseFold::Lower, &["ab", "xAbx"], &["", "a b"]),
            (
                StringPattern::Wildcard(vec![text("a"), text("b"), text("c")]),
                CaseFold::None,
                &["abc", "a\nbbc"],
                &["ac", "abcd"],
            ),
            (StringPattern::Below(text("b")), CaseFold::None, &["", "a", "azz"], &["b", "ba", "c"]),
            (StringPattern::Below(text("ab")), CaseFold::None, &["", "a", "aa"], &["ab", "aba", "b"]),
            (StringPattern::Length(lengths), CaseFold::None, &["a", "ab", "abcd", "abcdefgh"], &["", "abc"]),
            (StringPattern::LengthBits(2), CaseFold::None, &["ab", "abc", "abcdef"], &["", "a", "abcd", "abcde"]),
            (StringPattern::LengthBits(5), CaseFold::None, &["a", "abc", "abcd"], &["", "ab", "abcdefgh"]),
            (regex("^a"), CaseFold::None, &["a", "ab"], &["", "ba", "\na"]),
            (regex("a$"), CaseFold::None, &["a", "ba"], &["ab", "a\n"]),
            (regex("(?m)^a$"), CaseFold::None, &["a", "b\na\nc"], &["ab"]),
            (regex("a.b"), CaseFold::None, &["axb"], &["a\nb", "ab"]),
            (regex(r"\bab\b"), CaseFold::None, &["ab", "x ab y"], &["xab", "abc"]),
            (regex("(?i)AB"), CaseFold::Upper, &["ab", "xaB"], &["a"]),
            (regex(""), CaseFold::None, &["", "a"], &[]),
        ];
        for (pattern, fold, inside, outside) in cases {
            let mut automaton = Automaton::new(&Language { pattern: pattern.clone(), fold }).unwrap();
            for (text, expected) in
                inside.iter().map(|text| (text, true)).chain(outside.iter().map(|text| (text, false)))
            {
                assert_eq!(automaton.matches(text.as_bytes()).unwrap(), expected, "{text:?} {pattern:?}");
            }
        }
    }

    #[test]
    fn bytes_of_a_class_have_equal_transitions_from_the_start() {
        let patterns = [
            StringPattern::OneOf([b"aZ".to_vec()].into()),
            StringPattern::Below(b"mM".to_vec()),
            StringPattern::Regex("[a-f]+x|q".to_owned()),
        ];
        for (pattern, fold) in patterns
            .into_iter()
            .flat_map(|pattern| [CaseFold::None, CaseFold::Upper].map(|fold| (pattern.clone(), fold)))
        {
            let mut automaton = Automaton::new(&Language { pattern, fold }).unwrap();
            let classes = automaton.byte_classes();
            let start = automaton.start();
            let mut targets = HashMap::new();
            for byte in 0..=u8::MAX {
                let next = automaton.next(start, byte).unwrap();
                assert_eq!(*targets.entry(classes[usize::from(byte)]).or_insert(next), next, "{byte}");
            }
        }
    }
}
