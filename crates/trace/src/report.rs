//! The result of a trace.

use zonewright_expression::Ternary;
use zonewright_expression::schema::Phase;

/// The trace of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneTrace {
    /// One item for each entry point and for the firewall rules, in the order of execution.
    pub phases: Vec<PhaseTrace>,
    /// The rules that end the request, or may end it, in the order of execution.
    pub terminating_rules: Vec<TerminatingRule>,
    /// Whether the request reaches the origin, unless the cache answers it.
    pub reaches_origin: Ternary,
    /// Remarks about the zone for the user, one sentence each.
    pub notes: Vec<String>,
}

/// The rules of one entry point, or the firewall rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseTrace {
    /// The phase.
    pub phase: Phase,
    /// The name of the product, such as `WAF custom rules`.
    pub title: &'static str,
    /// The JSON pointer to the ruleset, or to the list of firewall rules.
    pub pointer: String,
    /// The name of the ruleset; empty for firewall rules.
    pub name: String,
    /// The rules in the order of execution.
    pub rules: Vec<RuleTrace>,
}

/// The trace of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleTrace {
    /// The JSON pointer to the rule.
    pub pointer: String,
    /// The description, or else the reference or the ID; may be empty.
    pub name: String,
    /// The name of the action.
    pub action: &'static str,
    /// The condition.
    pub expression: String,
    /// Whether the rule is enabled. A disabled rule is not evaluated.
    pub is_enabled: bool,
    /// Whether an earlier rule skips this rule, or its ruleset is not executed.
    pub is_skipped: Ternary,
    /// Whether the request reaches the rule: no earlier rule ends the request, and the rule is not skipped.
    pub reached: Ternary,
    /// Whether the condition is true, together with conditions outside of the expression, such as a rate limit. Unknown if
    /// the rule is disabled or not reached.
    pub matches: Ternary,
    /// The values that would decide an unknown result: fields, lists as `$name`, and descriptions of other facts.
    pub depends_on: Vec<String>,
    /// The first error of an expression or a parameter, whose result is then unknown.
    pub error: Option<String>,
    /// The effects of the rule, if its condition is true.
    pub effects: Vec<Effect>,
    /// The rules of the ruleset that the rule executes.
    pub executed: Vec<RuleTrace>,
}

impl RuleTrace {
    /// Returns whether the rule fires: the request reaches it, and its condition is true.
    pub fn fires(&self) -> Ternary {
        if self.is_enabled { self.reached.and(self.matches) } else { Ternary::False }
    }

    /// Returns whether the rule fires unless an earlier rule ended the request. Later rules depend on this value, because
    /// they run only if the request did not end.
    pub(crate) fn fires_if_running(&self) -> Ternary {
        if self.is_enabled { (!self.is_skipped).and(self.matches) } else { Ternary::False }
    }
}

/// An effect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The request ends here.
    Termination {
        /// A verb phrase with the rule as its subject: `blocks the request`.
        description: String,
        /// Whether the request ends: true or unknown.
        terminates: Ternary,
    },
    /// A component or a header of the request changes.
    Rewrite {
        /// The field, such as `http.request.uri.path`.
        field: String,
        /// The value before.
        before: PartValue,
        /// The value afterwards.
        after: PartValue,
    },
    /// Any other effect, as a verb phrase with the rule as its subject.
    Other(String),
}

/// The value of a component or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartValue {
    /// This text, shortened if it is long.
    Set(String),
    /// The request does not have it.
    Absent,
    /// It depends on values that the request does not provide.
    Unknown,
}

/// A rule that ends the request, or may end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminatingRule {
    /// The JSON pointer to the rule.
    pub pointer: String,
    /// The name of the rule; may be empty.
    pub name: String,
    /// A verb phrase with the rule as its subject: `blocks the request`.
    pub description: String,
    /// Whether the rule ends the request: true or unknown.
    pub terminates: Ternary,
    /// The values that would decide an unknown result.
    pub depends_on: Vec<String>,
}
