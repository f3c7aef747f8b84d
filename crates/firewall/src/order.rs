//! In which order firewall rules are asked.

use zonewright_api::firewall::{Action, FirewallRule};

/// The rules in the order in which they are asked, with their places in the list: small priorities first,
/// those without one last; of equal ones `log`, `bypass`, `allow`, the challenges and `block`, in that
/// order (observed).
pub fn in_order(rules: &[FirewallRule]) -> Vec<(usize, &FirewallRule)> {
    let mut order: Vec<_> = rules.iter().enumerate().collect();
    order.sort_by_key(|(_, rule)| (rule.priority.is_none(), rule.priority, precedence(rule.action)));
    order
}

/// Which of two rules of one priority is asked first: the one of the smaller number.
pub(crate) fn precedence(action: Action) -> u8 {
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
