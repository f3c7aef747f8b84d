//! Defines how many firewall rules and filters a zone may have (observed; the specification gives no numbers;
//! assumption quota).
//!
//! Start with [`max_active_rules`].

use zonewright_expression::schema::Tier;

/// Returns the maximum number of active firewall rules of a zone. Paused rules do not count.
pub fn max_active_rules(tier: Tier) -> u64 {
    match tier {
        Tier::Free => 5,
        Tier::Pro => 20,
        Tier::Business => 100,
        Tier::Enterprise => 1000,
    }
}

/// Returns the maximum number of filters of a zone. It bounds the filters that requests over the quota of rules leave
/// behind (assumption filter-limit).
pub fn max_filters(tier: Tier) -> u64 {
    (10 * max_active_rules(tier)).max(1000)
}

/// Returns how many of `added` new active rules fit into the quota if `active` active rules exist.
pub fn count_fitting_rules(tier: Tier, active: u64, added: u64) -> u64 {
    max_active_rules(tier).saturating_sub(active).min(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_allows_a_full_request_of_filters() {
        assert_eq!(Tier::ALL.map(max_filters), [1000, 1000, 1000, 10_000]);
    }

    #[test]
    fn added_rules_fit_up_to_the_quota() {
        let cases = [(0, 5, 5), (0, 6, 5), (4, 3, 1), (5, 1, 0), (9, 1, 0), (0, 0, 0)];
        for (active, added, expected) in cases {
            assert_eq!(count_fitting_rules(Tier::Free, active, added), expected, "{added} added to {active}");
        }
    }
}
