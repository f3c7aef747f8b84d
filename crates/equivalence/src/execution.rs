//! Analyzes an ordered list of execute rules and skip rules, and proves that no execute rule ever runs.
//!
//! Start with [`ExecutionAnalysis`]. A parameter `ruleset` is the identifier of an executed ruleset. A ruleset is open
//! while no earlier rule skips it, and closed otherwise.

use crate::Budget;
use crate::arena::{Arena, NodeId};
use crate::deprecated_names;
use crate::lower::Lowering;
use crate::solve::{self, Solver};
use crate::step_counter::StepCounter;
use std::collections::HashMap;
use std::fmt;
use zonewright_expression::Program;
use zonewright_expression::resolved::ResolvedExpression;

/// An analysis of an ordered list to which rules are added one by one. Each rule adds its own expression and a few
/// nodes, regardless of earlier rules. [`ExecutionAnalysis::prove_never_executed`] runs one query for the whole
/// list, so all rules share one budget.
pub struct ExecutionAnalysis {
    lowering: Lowering,
    /// The condition under which no rule has skipped all rulesets.
    not_skipped: NodeId,
    /// The condition under which no rule has skipped a ruleset by name. A ruleset without an entry is open.
    not_skipped_by_ruleset: HashMap<String, NodeId>,
    /// The condition under which no rule has executed.
    not_executed: NodeId,
}

impl Default for ExecutionAnalysis {
    fn default() -> Self {
        ExecutionAnalysis {
            lowering: Lowering::new(),
            not_skipped: Arena::TRUE,
            not_skipped_by_ruleset: HashMap::new(),
            not_executed: Arena::TRUE,
        }
    }
}

impl ExecutionAnalysis {
    /// Adds an execute rule, which runs if its program is true and its ruleset is open. A rule without a program, or
    /// with a value expression, may run for any request.
    pub fn add_execute_rule(&mut self, ruleset: &str, program: Option<&Program>) {
        let condition = program.and_then(|program| self.lower_program(program)).unwrap_or(Arena::TRUE);
        let is_open = self.open_condition(ruleset);
        let executes = self.lowering.arena.and_unsimplified(is_open, condition);
        let does_not_execute = self.lowering.arena.not(executes);
        self.not_executed = self.lowering.arena.and_unsimplified(self.not_executed, does_not_execute);
    }

    /// Adds a skip rule. It closes these rulesets for all later rules if its program is true. A value expression has no
    /// effect.
    pub fn add_skip_rule<'a>(&mut self, rulesets: impl IntoIterator<Item = &'a str>, program: &Program) {
        let Some(does_not_skip) = self.lower_negated(program) else { return };
        for ruleset in rulesets {
            let is_open = self.not_skipped_by_ruleset.entry(ruleset.to_owned()).or_insert(Arena::TRUE);
            *is_open = self.lowering.arena.and_unsimplified(*is_open, does_not_skip);
        }
    }

    /// Adds a skip rule. It closes every ruleset for all later rules if its program is true. A value expression has no
    /// effect.
    pub fn add_skip_all_rule(&mut self, program: &Program) {
        if let Some(does_not_skip) = self.lower_negated(program) {
            self.not_skipped = self.lowering.arena.and_unsimplified(self.not_skipped, does_not_skip);
        }
    }

    /// Returns whether simplification shows that the ruleset is skipped for every request. A rule added after such a
    /// skip never executes the ruleset.
    pub fn is_always_skipped(&mut self, ruleset: &str) -> bool {
        self.open_condition(ruleset) == Arena::FALSE
    }

    /// Returns whether simplification shows that some rule executes for every request, so that no query is needed.
    pub fn is_always_executed(&self) -> bool {
        self.not_executed == Arena::FALSE
    }

    /// Proves that no rule executes for any request. Returns false if the proof fails or exceeds the budget.
    pub fn prove_never_executed(self, budget: &Budget) -> bool {
        let ExecutionAnalysis { lowering, not_executed, .. } = self;
        if not_executed == Arena::TRUE {
            return true;
        }
        let mut solver = Solver::new(lowering, &[not_executed], &StepCounter::new(budget.steps));
        matches!(solver.solve(&[(not_executed, false)], &mut |_| Ok(())), solve::SatResult::Unsat { .. })
    }

    fn lower_program(&mut self, program: &Program) -> Option<NodeId> {
        let mut resolved = program.resolved();
        deprecated_names::replace_deprecated_fields(&mut resolved, &[]);
        match resolved {
            ResolvedExpression::Condition(condition) => Some(self.lowering.lower_condition(&condition)),
            ResolvedExpression::Value(_) => None,
        }
    }

    /// Returns the condition under which a skip rule skips nothing; `None` for a value expression.
    fn lower_negated(&mut self, program: &Program) -> Option<NodeId> {
        let condition = self.lower_program(program)?;
        Some(self.lowering.arena.not(condition))
    }

    /// Returns the condition under which the ruleset is open.
    fn open_condition(&mut self, ruleset: &str) -> NodeId {
        let not_skipped_by_name = self.not_skipped_by_ruleset.get(ruleset).copied().unwrap_or(Arena::TRUE);
        self.lowering.arena.and_unsimplified(self.not_skipped, not_skipped_by_name)
    }
}

impl fmt::Debug for ExecutionAnalysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecutionAnalysis").field("nodes", &self.lowering.arena.nodes.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Node;
    use zonewright_expression::{Options, check};

    fn program(source: &str) -> Program {
        check(source, &Options { max_length: usize::MAX, ..Options::default() }).program.unwrap()
    }

    /// Builds an analysis from rules as text. `a: ssl` executes ruleset a, `!a b: ssl` skips two rulesets, `!: ssl`
    /// skips all rulesets, and `?` is a missing program.
    fn list(rules: &[&str]) -> ExecutionAnalysis {
        let mut analysis = ExecutionAnalysis::default();
        for rule in rules {
            let (description, source) = rule.split_once(": ").unwrap();
            match description.strip_prefix('!') {
                None => analysis.add_execute_rule(description, (source != "?").then(|| program(source)).as_ref()),
                Some("") => analysis.add_skip_all_rule(&program(source)),
                Some(rulesets) => analysis.add_skip_rule(rulesets.split(' '), &program(source)),
            }
        }
        analysis
    }

    #[test]
    fn prove_never_executed_finds_lists_without_execution() {
        let cases: [(&[&str], bool); 16] = [
            (&[], true),
            (&["a: true"], false),
            (&["a: ?"], false),
            (&["a: ssl and not ssl"], true),
            (&["a: ssl and not ssl", "a: ssl"], false),
            (&["a: ssl and not ssl", "b: http.host eq \"a\" and http.host eq \"b\""], true),
            (&["!: true", "a: ?"], true),
            (&["!: ssl", "a: true"], false),
            (&["!: ssl", "!: not ssl", "a: true"], true),
            (&["!a: ssl", "!: not ssl", "a: true"], true),
            (&["!a: ssl", "!: not ssl", "b: true"], false),
            (&["!a: true", "a: true", "b: ssl"], false),
            (&["!a b: true", "a: true", "b: ssl"], true),
            (&["a: true", "!: true"], false),
            (&["!: ssl", "a: ssl", "b: ssl and http.host eq \"a\""], true),
            (&["!: ip.src in {10.0.0.0/8}", "a: ip.src eq 10.1.2.3 or ip.src eq 10.0.0.1"], true),
        ];
        for (rules, expected) in cases {
            assert_eq!(list(rules).prove_never_executed(&Budget::default()), expected, "{rules:?}");
        }
    }

    #[test]
    fn node_count_grows_linearly_with_the_list() {
        // Skip rules and execute rules alternate, so every execute rule follows all earlier skip rules.
        let alternating_list = |number: usize| {
            let mut rules = Vec::new();
            for index in 0..number {
                rules.push(format!("!: http.host eq \"host-{index}\" or ip.src in {{10.0.0.{index}}}"));
                rules.push(format!("a: http.host eq \"host-{index}\" and http.request.uri.path contains \"x\""));
            }
            list(&rules.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let size = |analysis: &ExecutionAnalysis| {
            let operands = |node: &Node| if let Node::And(operands) = node { operands.len() } else { 1 };
            analysis.lowering.arena.nodes.iter().map(operands).sum::<usize>()
        };
        let [few, many] = [60, 240].map(|number| size(&alternating_list(number)));
        assert!(many <= 5 * few, "{few} {many}");
        assert!(alternating_list(240).prove_never_executed(&Budget { steps: 1_000_000 }));
        assert!(!alternating_list(240).prove_never_executed(&Budget { steps: 10 }), "an undecided rule may execute");
    }
}
