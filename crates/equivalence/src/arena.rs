//! Owns terms, atoms and the logic above them, each hash-consed.
//!
//! Start with [`Arena`], [`Node`], [`Atom`] and [`Term`]. Every constructor of a node except
//! [`Arena::and_unsimplified`] normalizes: only `and`, `not` and `xor` remain, and an `and` merges the ranges and the
//! finite sets of one term. Many equivalent conditions therefore share one node.

use crate::domain::{self, ValueFormat};
use crate::language::{Language, SimplifiedSet, Words};
use crate::ranges::RangeSet;
use std::collections::{BTreeMap, HashMap};
use zonewright_expression::resolved::Operand;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AtomId(pub(crate) usize);
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TermId(pub(crate) usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    Atom(AtomId),
    Not(NodeId),
    /// Two or more operands in ascending order. Only [`Arena::and_unsimplified`] creates operands that are `And` nodes
    /// themselves.
    And(Vec<NodeId>),
    Xor(NodeId, NodeId),
}

/// One predicate on one term; false if the value is missing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    pub(crate) term: TermId,
    pub(crate) predicate: Predicate,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Predicate {
    /// The term has a value.
    Present,
    /// The Boolean value is true. Uninterpreted conditions also use this predicate.
    True,
    /// The value is in the set.
    Ranges(RangeSet),
    /// The value has at least one of these bits.
    Bits(i64),
    OneOf(Words),
    Language(Language),
    /// The condition is true for at least one element. The node belongs to the arena of the term's elements.
    Any(NodeId),
}

/// A value of a request, which may be missing.
#[derive(Debug)]
pub(crate) struct Term {
    pub(crate) sort: Sort,
    /// The source of the value; `None` if the term represents a condition. The term of an element has the operand of
    /// all elements.
    pub(crate) operand: Option<Operand>,
    /// The documented format of the values.
    pub(crate) format: Option<ValueFormat>,
    /// The arena of predicates on the elements of an array.
    pub(crate) elements: Option<Box<Arena>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Text,
    Integer,
    Ip,
    Boolean,
    Collection,
}

#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) nodes: Vec<Node>,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) terms: Vec<Term>,
    node_ids: HashMap<Node, NodeId>,
    atom_ids: HashMap<Atom, AtomId>,
    term_ids: HashMap<String, TermId>,
    /// Whether the only term is an element of an array, which always has a value.
    is_element: bool,
}

/// The constraints that the operands of one `and` put on one term.
#[derive(Default)]
struct TermConstraints {
    present: bool,
    absent: bool,
    /// Whether an operand that is not merged is true only for a present value.
    is_implied_present: bool,
    ranges: Option<RangeSet>,
    excluded_ranges: Vec<RangeSet>,
    words: Option<Words>,
    excluded_words: Words,
}

impl Arena {
    pub(crate) const FALSE: NodeId = NodeId(0);
    pub(crate) const TRUE: NodeId = NodeId(1);

    pub(crate) fn new(is_element: bool) -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            atoms: Vec::new(),
            terms: Vec::new(),
            node_ids: HashMap::new(),
            atom_ids: HashMap::new(),
            term_ids: HashMap::new(),
            is_element,
        };
        arena.intern_node(Node::False);
        arena.intern_node(Node::Not(Arena::FALSE));
        arena
    }

    fn intern_node(&mut self, node: Node) -> NodeId {
        let new = NodeId(self.nodes.len());
        *self.node_ids.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            new
        })
    }

    pub(crate) fn get(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0).unwrap_or(&Node::False)
    }

    /// Returns whether the only term is an element of an array.
    pub(crate) fn is_element(&self) -> bool {
        self.is_element
    }

    pub(crate) fn intern_term(&mut self, key: String, sort: Sort, operand: Option<&Operand>) -> TermId {
        let new = TermId(self.terms.len());
        *self.term_ids.entry(key).or_insert_with(|| {
            let elements = (sort == Sort::Collection).then(|| Box::new(Arena::new(true)));
            self.terms.push(Term {
                sort,
                operand: operand.cloned(),
                format: operand.and_then(domain::value_format),
                elements,
            });
            new
        })
    }

    /// Returns the node of an atom.
    pub(crate) fn node_for_atom(&self, atom: AtomId) -> Option<NodeId> {
        self.node_ids.get(&Node::Atom(atom)).copied()
    }

    pub(crate) fn find_term(&self, key: &str) -> Option<TermId> {
        self.term_ids.get(key).copied()
    }

    fn sort(&self, term: TermId) -> Option<Sort> {
        self.terms.get(term.0).map(|term| term.sort)
    }

    pub(crate) fn intern_atom(&mut self, term: TermId, predicate: Predicate) -> NodeId {
        let atom = Atom { term, predicate };
        let new = AtomId(self.atoms.len());
        let id = *self.atom_ids.entry(atom).or_insert_with_key(|atom| {
            self.atoms.push(atom.clone());
            new
        });
        self.intern_node(Node::Atom(id))
    }

    pub(crate) fn present_node(&mut self, term: TermId) -> NodeId {
        if self.is_element { Arena::TRUE } else { self.intern_atom(term, Predicate::Present) }
    }

    /// Returns all possible values of a term that is an integer or an address.
    fn domain(&self, term: TermId) -> RangeSet {
        if self.sort(term) == Some(Sort::Ip) { RangeSet::all_addresses() } else { RangeSet::all_integers() }
    }

    pub(crate) fn ranges_node(&mut self, term: TermId, ranges: RangeSet) -> NodeId {
        if ranges.is_empty() {
            Arena::FALSE
        } else if ranges == self.domain(term) {
            self.present_node(term)
        } else {
            self.intern_atom(term, Predicate::Ranges(ranges))
        }
    }

    fn words_node(&mut self, term: TermId, words: Words) -> NodeId {
        if words.is_empty() { Arena::FALSE } else { self.intern_atom(term, Predicate::OneOf(words)) }
    }

    pub(crate) fn language_node(&mut self, term: TermId, language: Language) -> NodeId {
        match language.simplify() {
            SimplifiedSet::Empty => Arena::FALSE,
            SimplifiedSet::All => self.present_node(term),
            SimplifiedSet::Finite(words) => self.words_node(term, words),
            SimplifiedSet::Language(language) => self.intern_atom(term, Predicate::Language(language)),
        }
    }

    pub(crate) fn not(&mut self, operand: NodeId) -> NodeId {
        match self.get(operand) {
            Node::Not(inner) => *inner,
            _ => self.intern_node(Node::Not(operand)),
        }
    }

    pub(crate) fn or(&mut self, operands: Vec<NodeId>) -> NodeId {
        let negated = operands.into_iter().map(|operand| self.not(operand)).collect();
        let none = self.and(negated);
        self.not(none)
    }

    pub(crate) fn xor(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let mut is_negated = false;
        let mut operands = [left, right].map(|side| match self.get(side) {
            Node::Not(inner) => {
                is_negated = !is_negated;
                *inner
            }
            _ => side,
        });
        operands.sort_unstable();
        let [first, second] = operands;
        let node = match (first == second, first) {
            (true, _) => Arena::FALSE,
            (false, Arena::FALSE) => second,
            _ => self.intern_node(Node::Xor(first, second)),
        };
        if is_negated { self.not(node) } else { node }
    }

    pub(crate) fn and(&mut self, operands: Vec<NodeId>) -> NodeId {
        let mut flat = Vec::with_capacity(operands.len());
        for operand in operands {
            match self.get(operand) {
                Node::And(inner) => flat.extend(inner),
                _ => flat.push(operand),
            }
        }
        let (constraints, mut operands) = self.group_by_term(flat);
        for (term, constraints) in constraints {
            operands.extend(self.merge_constraints(term, constraints));
        }
        operands.retain(|operand| *operand != Arena::TRUE);
        operands.sort_unstable();
        operands.dedup();
        let contradicts = |operand: &NodeId| match self.get(*operand) {
            Node::Not(inner) => operands.binary_search(inner).is_ok(),
            _ => *operand == Arena::FALSE,
        };
        match operands.as_slice() {
            [] => Arena::TRUE,
            [only] => *only,
            several if several.iter().any(contradicts) => Arena::FALSE,
            _ => self.intern_node(Node::And(operands)),
        }
    }

    /// Conjoins two nodes without flattening. A chain of these grows by one node per link, whereas [`Arena::and`]
    /// copies all earlier links.
    pub(crate) fn and_unsimplified(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match (left, right) {
            (Arena::FALSE, _) | (_, Arena::FALSE) => Arena::FALSE,
            (Arena::TRUE, only) | (only, Arena::TRUE) => only,
            _ if left == right => left,
            _ => self.intern_node(Node::And(vec![left.min(right), left.max(right)])),
        }
    }

    /// Groups operands of an `and` by term if their sets can be merged. Returns the other operands unchanged.
    fn group_by_term(&self, operands: Vec<NodeId>) -> (BTreeMap<TermId, TermConstraints>, Vec<NodeId>) {
        let mut terms: BTreeMap<TermId, TermConstraints> = BTreeMap::new();
        let mut others = Vec::new();
        for operand in operands {
            let (atom, positive) = match self.get(operand) {
                Node::Atom(atom) => (*atom, true),
                Node::Not(inner) => match self.get(*inner) {
                    Node::Atom(atom) => (*atom, false),
                    _ => {
                        others.push(operand);
                        continue;
                    }
                },
                _ => {
                    others.push(operand);
                    continue;
                }
            };
            let Some(atom) = self.atoms.get(atom.0) else { continue };
            let constraints = terms.entry(atom.term).or_default();
            match (&atom.predicate, positive) {
                (Predicate::Present, true) => constraints.present = true,
                (Predicate::Present, false) => constraints.absent = true,
                (Predicate::Ranges(ranges), true) => {
                    let common =
                        constraints.ranges.take().map_or_else(|| ranges.clone(), |old| old.intersection(ranges));
                    constraints.ranges = Some(common);
                }
                (Predicate::Ranges(ranges), false) => constraints.excluded_ranges.push(ranges.clone()),
                (Predicate::OneOf(words), true) => {
                    let common = match constraints.words.take() {
                        Some(old) => old.intersection(words).cloned().collect(),
                        None => words.clone(),
                    };
                    constraints.words = Some(common);
                }
                (Predicate::OneOf(words), false) => constraints.excluded_words.extend(words.iter().cloned()),
                (_, positive) => {
                    constraints.is_implied_present |= positive;
                    others.push(operand);
                }
            }
        }
        (terms, others)
    }

    /// Builds the constraints on one term from as few atoms as possible.
    fn merge_constraints(&mut self, term: TermId, constraints: TermConstraints) -> Vec<NodeId> {
        let TermConstraints { present, absent, is_implied_present, ranges, excluded_ranges, words, excluded_words } =
            constraints;
        if absent {
            let contradicts = present || is_implied_present || ranges.is_some() || words.is_some();
            let present = self.present_node(term);
            return vec![if contradicts { Arena::FALSE } else { self.not(present) }];
        }
        let excluded_ranges = RangeSet::new(excluded_ranges.iter().flat_map(RangeSet::iter).collect());
        let domain = present.then(|| self.domain(term));
        let mut operands = Vec::new();
        match (self.sort(term), ranges, words) {
            (Some(Sort::Integer | Sort::Ip), ranges, _) => match ranges.or(domain) {
                Some(ranges) => operands.push(self.ranges_node(term, ranges.difference(&excluded_ranges))),
                None => {
                    let excluded = self.ranges_node(term, excluded_ranges);
                    operands.push(self.not(excluded));
                }
            },
            (_, _, Some(words)) => {
                let remaining = words.difference(&excluded_words).cloned().collect();
                operands.push(self.words_node(term, remaining));
            }
            (_, _, None) => {
                if present && !is_implied_present {
                    operands.push(self.present_node(term));
                }
                let excluded = self.words_node(term, excluded_words);
                operands.push(self.not(excluded));
            }
        }
        operands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{CaseFold, StringPattern};
    use crate::ranges::Point;

    #[test]
    fn equivalent_expressions_share_a_node() {
        let mut arena = Arena::new(false);
        let port = arena.intern_term("port".to_owned(), Sort::Integer, None);
        let host = arena.intern_term("host".to_owned(), Sort::Text, None);
        let number = |arena: &mut Arena, value| arena.ranges_node(port, RangeSet::single(Point::integer(value)));
        let word = |arena: &mut Arena, word: &str| {
            let pattern = StringPattern::OneOf([word.as_bytes().to_vec()].into());
            arena.language_node(host, Language::new(pattern, CaseFold::None))
        };
        let (first, second, a, b) =
            (number(&mut arena, 1), number(&mut arena, 2), word(&mut arena, "a"), word(&mut arena, "b"));
        let below = arena.ranges_node(port, RangeSet::below(Point::integer(1)));
        let above = arena.ranges_node(port, RangeSet::above(Point::integer(1)));
        let present = arena.present_node(port);
        let not_one = arena.not(first);
        let (not_a, not_b) = (arena.not(a), arena.not(b));
        let present_but_not_one = arena.and(vec![present, not_one]);
        assert_eq!(arena.or(vec![below, above]), present_but_not_one);
        assert_eq!(arena.or(vec![present_but_not_one, first]), present);
        assert_eq!(arena.and(vec![first, second]), Arena::FALSE);
        assert_eq!(arena.and(vec![a, b]), Arena::FALSE);
        assert_eq!(arena.and(vec![a, not_b]), a);
        assert_eq!(arena.and(vec![a, present, not_a]), Arena::FALSE);
        assert_eq!(arena.or(vec![a, not_a]), Arena::TRUE);
        assert_eq!(arena.and(vec![first, present]), first);
        assert_eq!(arena.and(Vec::new()), Arena::TRUE);
        let (either, neither) = (arena.or(vec![a, b]), arena.and(vec![not_a, not_b]));
        assert_eq!(arena.not(either), neither);
        let (left, right) = (arena.xor(a, first), arena.xor(not_one, not_a));
        assert_eq!(left, right);
        assert_eq!(arena.xor(a, a), Arena::FALSE);
        assert_eq!(arena.xor(a, Arena::TRUE), not_a);
    }
}
