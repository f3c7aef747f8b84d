//! The usage of a zone's quotas, and the next positions in its lists.

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::owner::Zone;
use crate::rows::count;
use crate::statements::{BatchResults, StatementBatch};
use zonewright_firewall::quota;

/// The usage of one zone.
pub(crate) struct QuotaUsage {
    filters: u64,
    /// The number of rules that are not paused.
    pub(crate) active_rules: u64,
    /// The `seq` of the next filter.
    pub(crate) next_filter_seq: i64,
    /// The `seq` of the next rule.
    pub(crate) next_rule_seq: i64,
}

impl QuotaUsage {
    /// Returns how many more filters the zone may have (assumption filter-limit).
    pub(crate) fn remaining_filters(&self, zone: &Zone) -> usize {
        usize::try_from(quota::max_filters(zone.tier).saturating_sub(self.filters)).unwrap_or(usize::MAX)
    }

    /// Adds the queries for the current usage. [`QuotaUsage::from_results`] reads the results.
    pub(crate) fn query(statements: &mut StatementBatch, zone: &str) {
        statements.select_value(lists::TOTAL_SQL).bind(zone.to_owned()).bind(CountedList::Filters.name());
        for question in [
            "select count(*) from firewall_rules where zone_id = $1 and paused = 0",
            "select coalesce(max(seq), 0) + 1 from filters where zone_id = $1",
            "select coalesce(max(seq), 0) + 1 from firewall_rules where zone_id = $1",
        ] {
            statements.select_value(question).bind(zone.to_owned());
        }
    }

    /// Reads the results of [`QuotaUsage::query`].
    pub(crate) fn from_results(answers: &mut BatchResults) -> Result<QuotaUsage, Error> {
        Ok(QuotaUsage {
            filters: count(answers.value()?),
            active_rules: count(answers.value()?),
            next_filter_seq: answers.value()?,
            next_rule_seq: answers.value()?,
        })
    }
}
