//! Defines the evaluation order of firewall rules.
//!
//! Start with [`sort_for_evaluation`].

use zonewright_api::firewall::{Action, FirewallRule};
use zonewright_diagnostic::sort_by_key;

/// Returns the rules in evaluation order, with their indexes in the list. Lower priorities come first, and rules
/// without a priority come last. Rules of equal priority run in the order `log`, `bypass`, `allow`, the challenges,
/// `block` (observed).
pub fn sort_for_evaluation(rules: &[FirewallRule]) -> Vec<(usize, &FirewallRule)> {
    let mut order: Vec<_> = rules.iter().enumerate().collect();
    sort_by_key(&mut order, |(_, rule)| (rule.priority.is_none(), rule.priority, action_precedence(rule.action)));
    order
}

/// Returns the rank of an action among rules of equal priority. The lower rank runs first.
pub(crate) fn action_precedence(action: Action) -> u8 {
    match action {
        Action::Log => 1,
        Action::Bypass => 2,
        Action::Allow => 3,
        Action::Challenge => 4,
        Action::ManagedChallenge => 5,
        Action::JsChallenge => 6,
        Action::Block => 7,
    }
}
