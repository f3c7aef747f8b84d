//! Drives a SAT solver and the theory solvers.
//!
//! Start with [`Solver::solve`]. The SAT solver proposes truth values of atoms that satisfy the goals. The theory
//! solver of each term finds a value, or returns contradicting literals, which become a new clause. The loop then
//! repeats.

mod theory;

use crate::arena::{Arena, AtomId, Node, NodeId, Predicate, TermId};
use crate::lower::Lowering;
use crate::step_counter::{StepCounter, UndecidedReason};
use crate::strings::StringSolver;
use batsat::{Lit, SolverInterface, lbool};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use theory::TheoryResult;
pub(crate) use theory::{Literal, TermAssumption, TermValue};

/// The maximum number of proposals in one query that are neither confirmed nor refuted.
const MAX_REJECTED_MODELS: usize = 50;

/// The chosen values of terms.
pub(crate) type Model = BTreeMap<TermId, TermValue>;

/// The result of a query.
#[derive(Debug)]
pub(crate) enum SatResult {
    /// The goals contradict each other under the assumptions in `granted`. `goals` is the unsat core, by index.
    Unsat {
        goals: BTreeSet<usize>,
        granted: BTreeSet<(TermId, TermAssumption)>,
    },
    /// The goals are satisfied, and `confirm` accepted the request.
    Sat,
    Unknown(UndecidedReason),
}

pub(crate) struct Solver {
    pub(crate) arena: Arena,
    pub(crate) counter: StepCounter,
    pub(crate) automata: StringSolver,
    /// Whether two literals are consistent. The flag is true for values in their documented format.
    pub(crate) conflict_cache: HashMap<([Literal; 2], bool), bool>,
    /// The solvers for the elements of arrays.
    pub(crate) elements: BTreeMap<TermId, Solver>,
    sat: batsat::Solver<StepCounter>,
    /// The SAT literal of each encoded node.
    literals: Vec<Option<Lit>>,
    /// The SAT literal of each assumption about a term.
    granted: BTreeMap<(TermId, TermAssumption), Lit>,
    /// Assumptions that proofs must not use.
    pub(crate) disabled_assumptions: BTreeSet<(TermId, TermAssumption)>,
}

impl Solver {
    /// Creates a solver for goals that are among these nodes.
    pub(crate) fn new(mut lowering: Lowering, roots: &[NodeId], counter: &StepCounter) -> Solver {
        lowering.add_presence_implications();
        let Lowering { arena, implications, format_implications, .. } = lowering;
        let mut solver = Solver::without_implications(arena, counter);
        let mut nodes = roots.to_vec();
        nodes.extend(implications.iter().flat_map(|(from, to)| [*from, *to]));
        nodes.extend(format_implications.iter().flat_map(|(from, to, _)| [*from, *to]));
        solver.encode(&nodes);
        for (from, to) in implications {
            if let (Some(from), Some(to)) = (solver.literal(from), solver.literal(to)) {
                solver.add_clause(vec![!from, to]);
            }
        }
        for (from, to, term) in format_implications {
            if let (Some(from), Some(to)) = (solver.literal(from), solver.literal(to)) {
                let granted = solver.assumption_literal(term, TermAssumption::Format);
                solver.add_clause(vec![!granted, !from, to]);
            }
        }
        solver
    }

    fn without_implications(mut arena: Arena, counter: &StepCounter) -> Solver {
        let mut elements = BTreeMap::new();
        for (number, term) in arena.terms.iter_mut().enumerate() {
            if let Some(inner) = term.elements.take() {
                let mut solver = Solver::without_implications(*inner, counter);
                let nodes: Vec<NodeId> = (0..solver.arena.nodes.len()).map(NodeId).collect();
                solver.encode(&nodes);
                elements.insert(TermId(number), solver);
            }
        }
        Solver {
            literals: vec![None; arena.nodes.len()],
            arena,
            counter: counter.clone(),
            automata: StringSolver::default(),
            conflict_cache: HashMap::new(),
            elements,
            sat: batsat::Solver::new(batsat::SolverOpts::default(), counter.clone()),
            granted: BTreeMap::new(),
            disabled_assumptions: BTreeSet::new(),
        }
    }

    fn literal(&self, node: NodeId) -> Option<Lit> {
        self.literals.get(node.0).copied().flatten()
    }

    fn new_literal(&mut self) -> Lit {
        Lit::new(self.sat.new_var_default(), true)
    }

    fn add_clause(&mut self, mut literals: Vec<Lit>) {
        self.sat.add_clause_reuse(&mut literals);
    }

    /// Adds the clauses of these nodes and of all nodes below them. An operand has a lower ID than its node, so
    /// ascending order encodes it first.
    fn encode(&mut self, roots: &[NodeId]) {
        let mut reachable = vec![false; self.arena.nodes.len()];
        let mut pending = roots.to_vec();
        while let Some(node) = pending.pop() {
            match reachable.get_mut(node.0) {
                Some(reachable) if !*reachable => *reachable = true,
                _ => continue,
            }
            match self.arena.get(node) {
                Node::Not(inner) => pending.push(*inner),
                Node::And(operands) => pending.extend(operands),
                Node::Xor(left, right) => pending.extend([left, right]),
                Node::False | Node::Atom(_) => {}
            }
        }
        for (number, _) in reachable.into_iter().enumerate().filter(|(_, reachable)| *reachable) {
            let literal = self.encode_node(NodeId(number));
            if let Some(slot) = self.literals.get_mut(number) {
                *slot = literal;
            }
        }
        self.encode_presence();
    }

    fn encode_node(&mut self, node: NodeId) -> Option<Lit> {
        match self.arena.get(node).clone() {
            Node::Not(inner) => self.literal(inner).map(|inner| !inner),
            Node::Atom(_) => Some(self.new_literal()),
            Node::False => {
                let never = self.new_literal();
                self.add_clause(vec![!never]);
                Some(never)
            }
            Node::And(operands) => {
                let operands: Vec<Lit> = operands.iter().filter_map(|operand| self.literal(*operand)).collect();
                let conjunction = self.new_literal();
                for operand in &operands {
                    self.add_clause(vec![!conjunction, *operand]);
                }
                self.add_clause(operands.into_iter().map(|operand| !operand).chain([conjunction]).collect());
                Some(conjunction)
            }
            Node::Xor(left, right) => {
                let (left, right) = (self.literal(left)?, self.literal(right)?);
                let parity = self.new_literal();
                self.add_clause(vec![!parity, left, right]);
                self.add_clause(vec![!parity, !left, !right]);
                self.add_clause(vec![parity, !left, right]);
                self.add_clause(vec![parity, left, !right]);
                Some(parity)
            }
        }
    }

    /// Adds clauses: an atom that is true implies that its term is present.
    fn encode_presence(&mut self) {
        let mut present = BTreeMap::new();
        let mut implying = Vec::new();
        for (number, node) in self.arena.nodes.iter().enumerate() {
            let (Node::Atom(id), Some(literal)) = (node, self.literal(NodeId(number))) else { continue };
            match self.arena.atoms.get(id.0) {
                Some(atom) if atom.predicate == Predicate::Present => {
                    present.insert(atom.term, literal);
                }
                Some(atom) => implying.push((atom.term, literal)),
                None => {}
            }
        }
        for (term, literal) in implying {
            if let Some(present) = present.get(&term) {
                self.add_clause(vec![!literal, *present]);
            }
        }
    }

    /// Decides whether the goals can be satisfied. A goal is a node and its required truth value. `confirm` checks each
    /// request that satisfies the goals.
    pub(crate) fn solve(
        &mut self,
        goals: &[(NodeId, bool)],
        confirm: &mut dyn FnMut(&Model) -> Result<(), UndecidedReason>,
    ) -> SatResult {
        let goal_lits: Vec<Lit> = goals
            .iter()
            .filter_map(|(node, positive)| {
                self.literal(*node).map(|literal| if *positive { literal } else { !literal })
            })
            .collect();
        // Clauses that hold only for this query contain the negation of this literal.
        let guard = self.new_literal();
        let mut reason = UndecidedReason::BudgetExhausted;
        let mut failures = 0;
        loop {
            if let Err(reason) = self.counter.consume(self.arena.nodes.len()) {
                return SatResult::Unknown(reason);
            }
            let granted = self
                .granted
                .iter()
                .filter(|(assumption, _)| !self.disabled_assumptions.contains(assumption))
                .map(|(_, literal)| *literal);
            let assumed: Vec<Lit> = goal_lits.iter().copied().chain([guard]).chain(granted).collect();
            let result = self.sat.solve_limited(&assumed);
            if result == lbool::FALSE {
                return if self.is_in_core(guard) { SatResult::Unknown(reason) } else { self.unsat_result(&goal_lits) };
            } else if result != lbool::TRUE {
                return SatResult::Unknown(UndecidedReason::BudgetExhausted);
            }
            let needed = self.find_implicant(goals);
            match self.build_model(&needed, guard) {
                Ok(choices) => match confirm(&choices) {
                    Ok(()) => return SatResult::Sat,
                    Err(cause) => {
                        reason = cause;
                        self.add_conflict_clause(needed.into_iter().collect(), vec![!guard]);
                        failures += 1;
                    }
                },
                Err(Some(UndecidedReason::BudgetExhausted)) => {
                    return SatResult::Unknown(UndecidedReason::BudgetExhausted);
                }
                Err(Some(cause)) => {
                    reason = cause;
                    failures += 1;
                }
                Err(None) => {}
            }
            if failures >= MAX_REJECTED_MODELS {
                return SatResult::Unknown(reason);
            }
        }
    }

    /// Minimizes the assumptions of proofs about these sets of goals: denies each assumption in turn and repeats the
    /// proofs. An assumption stays if the remaining steps run out before a proof without it is found.
    pub(crate) fn minimize_assumptions(
        &mut self,
        sets: &[Vec<(NodeId, bool)>],
        mut granted: BTreeSet<(TermId, TermAssumption)>,
    ) -> BTreeSet<(TermId, TermAssumption)> {
        let mut disabled = BTreeSet::new();
        while let Some(assumption) = granted.difference(&disabled).next().copied() {
            disabled.insert(assumption);
            self.disabled_assumptions.insert(assumption);
            match self.prove(sets) {
                Some(used_assumptions) => granted = used_assumptions,
                None => {
                    self.disabled_assumptions.remove(&assumption);
                }
            }
        }
        self.disabled_assumptions.clear();
        granted
    }

    /// Proves that no request satisfies any of these sets of goals, and returns the assumptions used. Returns `None` if
    /// a proof fails.
    pub(crate) fn prove(&mut self, sets: &[Vec<(NodeId, bool)>]) -> Option<BTreeSet<(TermId, TermAssumption)>> {
        let mut used_assumptions = BTreeSet::new();
        for goals in sets {
            match self.solve(goals, &mut |_| Ok(())) {
                SatResult::Unsat { granted, .. } => used_assumptions.extend(granted),
                SatResult::Sat | SatResult::Unknown(_) => return None,
            }
        }
        Some(used_assumptions)
    }

    /// Returns whether the contradiction needs an assumed literal.
    fn is_in_core(&self, literal: Lit) -> bool {
        // The solver may report either sign of an assumed literal, so the variable is compared.
        self.sat.unsat_core_contains_var(literal.var())
    }

    fn unsat_result(&self, goal_lits: &[Lit]) -> SatResult {
        let goals =
            goal_lits.iter().enumerate().filter(|(_, literal)| self.is_in_core(**literal)).map(|(number, _)| number);
        let granted =
            self.granted.iter().filter(|(_, literal)| self.is_in_core(**literal)).map(|(assumption, _)| *assumption);
        SatResult::Unsat { goals: goals.collect(), granted: granted.collect() }
    }

    fn node_value(&self, node: NodeId) -> bool {
        self.literal(node).is_some_and(|literal| self.sat.value_lit(literal) == lbool::TRUE)
    }

    /// Returns literals that suffice to give the goals their truth values.
    fn find_implicant(&self, goals: &[(NodeId, bool)]) -> BTreeSet<Literal> {
        let mut needed = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut pending: Vec<NodeId> = goals.iter().map(|(node, _)| *node).collect();
        while let Some(node) = pending.pop() {
            if !visited.insert(node) {
                continue;
            }
            match self.arena.get(node) {
                Node::False => {}
                Node::Atom(id) => {
                    needed.insert((*id, self.node_value(node)));
                }
                Node::Not(inner) => pending.push(*inner),
                Node::Xor(left, right) => pending.extend([left, right]),
                Node::And(operands) if self.node_value(node) => pending.extend(operands),
                Node::And(operands) => {
                    // One false operand is enough: an operand that is needed anyway, or else the simplest operand.
                    let false_operands = operands.iter().copied().filter(|operand| !self.node_value(*operand));
                    let cost = |operand: &NodeId| (!visited.contains(operand), self.node_cost(*operand), *operand);
                    pending.extend(false_operands.min_by_key(cost));
                }
            }
        }
        needed
    }

    /// Returns the cost of making a node false. Uninterpreted conditions cost most, because nothing is known about
    /// them.
    fn node_cost(&self, node: NodeId) -> usize {
        match self.arena.get(node) {
            Node::Atom(id) => {
                let term = self.arena.atoms.get(id.0).and_then(|atom| self.arena.terms.get(atom.term.0));
                if term.is_some_and(|term| term.operand.is_none()) { 3 } else { 1 }
            }
            Node::Not(inner) => match self.arena.get(*inner) {
                Node::Atom(_) => self.node_cost(*inner),
                _ => 2,
            },
            _ => 2,
        }
    }

    /// Chooses values of all terms for these literals. An error means that the solver has a new clause. The error has a
    /// reason if the clause holds only for this query.
    fn build_model(&mut self, needed: &BTreeSet<Literal>, guard: Lit) -> Result<Model, Option<UndecidedReason>> {
        let mut terms: BTreeMap<TermId, Vec<Literal>> = BTreeMap::new();
        for literal in needed {
            if let Some(atom) = self.arena.atoms.get(literal.0.0) {
                terms.entry(atom.term).or_default().push(*literal);
            }
        }
        let mut choices = Model::new();
        let mut result = Ok(());
        for (term, literals) in terms {
            match self.check_term(term, &literals) {
                TheoryResult::Consistent(choice) => {
                    choices.insert(term, choice);
                }
                TheoryResult::Conflict(conflicting, granted) => {
                    let unless =
                        granted.into_iter().map(|assumption| !self.assumption_literal(term, assumption)).collect();
                    self.add_conflict_clause(conflicting, unless);
                    result = result.and(Err(None));
                }
                TheoryResult::Unknown(reason) => {
                    self.add_conflict_clause(literals, vec![!guard]);
                    result = Err(Some(reason));
                }
            }
        }
        result.map(|()| choices)
    }

    /// Returns the SAT literal of an assumption about a term.
    fn assumption_literal(&mut self, term: TermId, assumption: TermAssumption) -> Lit {
        if let Some(literal) = self.granted.get(&(term, assumption)) {
            return *literal;
        }
        let new = self.new_literal();
        self.granted.insert((term, assumption), new);
        new
    }

    /// Adds a clause: these literals are not all true, unless one of `unless` is true.
    fn add_conflict_clause(&mut self, literals: Vec<Literal>, unless: Vec<Lit>) {
        let mut clause = unless;
        for (id, positive) in literals {
            if let Some(literal) = self.atom_literal(id) {
                clause.push(if positive { !literal } else { literal });
            }
        }
        self.add_clause(clause);
    }

    fn atom_literal(&self, atom: AtomId) -> Option<Lit> {
        self.arena.node_for_atom(atom).and_then(|node| self.literal(node))
    }
}
