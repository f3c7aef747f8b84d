//! The result of a trace.

use zonewright_expression::Ternary;
use zonewright_expression::schema::Phase;

/// The trace of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneTrace {
    /// One item for each entry point and for the firewall rules, in the order of execution.
    pub phases: Vec<PhaseTrace>,
    /// The rules that end the request, or may end it, in the order of execution. Only the last one is certain.
    pub endings: Vec<Ending>,
    /// Whether the request reaches the origin, unless the cache answers it.
    pub reaches_origin: Ternary,
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
    /// Whether the condition is true. Without meaning if the rule is disabled or not reached.
    pub matches: Ternary,
    /// The values that would decide an unknown result: fields, lists as `$name`, and descriptions of other facts.
    pub needs: Vec<String>,
    /// The first error of the condition, which is then unknown.
    pub error: Option<String>,
    /// The effects of the rule, if its condition is true.
    pub effects: Vec<Effect>,
    /// The rules of the ruleset that the rule executes.
    pub executed: Vec<RuleTrace>,
}

impl RuleTrace {
    /// Returns whether the rule takes effect.
    pub fn acts(&self) -> Ternary {
        if self.is_enabled { self.reached.and(self.matches) } else { Ternary::False }
    }

    /// Returns whether the rule takes effect if no earlier rule ended the request. Only this matters for later rules: they
    /// run only if the request did not end.
    pub(crate) fn acts_if_running(&self) -> Ternary {
        if self.is_enabled { (!self.is_skipped).and(self.matches) } else { Ternary::False }
    }
}

/// An effect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The request ends here.
    Ends {
        /// The response to the visitor, as a statement.
        response: String,
        /// Whether it ends: true or unknown.
        certainty: Ternary,
    },
    /// A part of the request changes.
    Changes {
        /// The field, such as `http.request.uri.path`.
        field: String,
        /// The value before; `None` if it is unknown or absent.
        before: Option<String>,
        /// The value afterwards; `None` if the part is removed or its value is unknown.
        after: Option<String>,
        /// Whether the new value is unknown.
        is_unknown: bool,
    },
    /// Something that does not change whether later rules match: a statement about the rule.
    Does(String),
}

/// A rule that ends the request, or may end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The JSON pointer to the rule.
    pub pointer: String,
    /// The name of the rule; may be empty.
    pub name: String,
    /// The response to the visitor, as a statement.
    pub response: String,
    /// Whether the rule ends the request: true or unknown.
    pub certainty: Ternary,
    /// The values that would decide an unknown result.
    pub needs: Vec<String>,
}
