//! Traces a request through the rules of a zone, phase by phase, in the order of execution.
//!
//! Start with [`read_zone`] and [`trace`]. A trace says for every rule whether the request reaches it, whether its
//! condition is true, and what it does: rewrites change the request for the following phases, and blocks and redirects
//! end it. The logic is three-valued: a result that depends on a score, a list, or a counter that the request does not
//! provide is unknown, and the trace lists the values that would decide it.
//!
//! The modules in reading order:
//!
//! - `zone`: [`Zone`], the rules of a zone.
//! - `report`: [`ZoneTrace`] and its parts.
//! - `state`: the state of the request after the rules so far.
//! - `conditions`: whether the condition of a rule is true.
//! - `rewrite`: `rewrite` rules, and the targets of redirects.
//! - `actions`: the effects of all actions.
//! - `walk`: [`trace`], which runs the phases and rules in their order.

mod actions;
mod conditions;
mod report;
mod rewrite;
mod state;
mod walk;
mod zone;

pub use report::{Effect, PartValue, PhaseTrace, RuleTrace, TerminatingRule, ZoneTrace};
pub use walk::trace;
pub use zone::{Zone, ZoneRuleset, read_zone};

#[cfg(test)]
mod tests;
