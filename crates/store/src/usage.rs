//! The usage of a zone's quotas, and the next positions in its lists.

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::owner::Zone;
use crate::rows::to_u64;
use crate::statements::{BatchResults, StatementBatch};
use crate::{filters, rules};
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
        statements.select_value("filters", lists::TOTAL_SQL).bind(zone.to_owned()).bind(CountedList::Filters.name());
        for (name, query) in [
            ("active_rules", rules::COUNT_ACTIVE_SQL),
            ("next_filter_seq", filters::NEXT_SEQ_SQL),
            ("next_rule_seq", rules::NEXT_SEQ_SQL),
        ] {
            statements.select_value(name, query).bind(zone.to_owned());
        }
    }

    /// Reads the results of [`QuotaUsage::query`].
    pub(crate) fn from_results(results: &BatchResults) -> Result<QuotaUsage, Error> {
        Ok(QuotaUsage {
            filters: to_u64(results.value("filters")?),
            active_rules: to_u64(results.value("active_rules")?),
            next_filter_seq: results.value("next_filter_seq")?,
            next_rule_seq: results.value("next_rule_seq")?,
        })
    }
}
