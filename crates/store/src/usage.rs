//! The usage of a zone's quotas, and the next positions in its lists.

use crate::error::Error;
use crate::lists::{self, List};
use crate::owner::Zone;
use crate::rows::count;
use crate::statements::{Answers, Statements};
use zonewright_firewall::quota;

/// The usage of one zone.
pub(crate) struct Usage {
    filters: u64,
    /// The number of rules that are not paused.
    pub(crate) rules: u64,
    /// The `seq` of the next filter.
    pub(crate) next_filter: i64,
    /// The `seq` of the next rule.
    pub(crate) next_rule: i64,
}

impl Usage {
    /// Returns how many more filters the zone may have (assumption filter-limit).
    pub(crate) fn room(&self, zone: &Zone) -> usize {
        usize::try_from(quota::filters(zone.tier).saturating_sub(self.filters)).unwrap_or(usize::MAX)
    }

    /// Adds the queries for the current usage. [`Usage::read`] reads the results.
    pub(crate) fn ask(statements: &mut Statements, zone: &str) {
        statements.ask(lists::TOTAL).bind(zone.to_owned()).bind(List::Filters.name());
        for question in [
            "select count(*) from firewall_rules where zone_id = $1 and paused = 0",
            "select coalesce(max(seq), 0) + 1 from filters where zone_id = $1",
            "select coalesce(max(seq), 0) + 1 from firewall_rules where zone_id = $1",
        ] {
            statements.ask(question).bind(zone.to_owned());
        }
    }

    /// Reads the results of [`Usage::ask`].
    pub(crate) fn read(answers: &mut Answers) -> Result<Usage, Error> {
        Ok(Usage {
            filters: count(answers.answer()?),
            rules: count(answers.answer()?),
            next_filter: answers.answer()?,
            next_rule: answers.answer()?,
        })
    }
}
