//! The initial contents of a zone.

use crate::error::Error;
use crate::legacy_waf::{self, WafSettingChange};
use crate::unit_of_work::UnitOfWork;
use crate::{filters, overrides, page_rules, rules};
use zonewright_api::firewall::{FilterReference, NewRule};
use zonewright_api::legacy_waf::UrlOverride;
use zonewright_api::page_rule::PageRule;

/// The settings of a new zone that differ from the defaults. Its rules come with new filters.
#[derive(Default)]
pub struct ZoneSeed {
    /// Settings of the previous managed rules.
    pub settings: Vec<WafSettingChange>,
    /// Firewall rules with their filters.
    pub rules: Vec<NewRule>,
    /// Overrides of the previous managed rules.
    pub overrides: Vec<UrlOverride>,
    /// Page rules.
    pub page_rules: Vec<PageRule>,
}

impl ZoneSeed {
    /// Inserts the contents into an empty zone. A rule that refers to an existing filter is skipped.
    pub(crate) async fn insert(&self, unit: &mut UnitOfWork, zone: &str) -> Result<(), Error> {
        for change in &self.settings {
            legacy_waf::store_setting(unit.connection(), zone, change).await?;
        }
        let new = self.rules.iter().filter_map(|rule| match &rule.filter {
            FilterReference::New(filter) => Some((rule, filter)),
            FilterReference::Existing { .. } => None,
        });
        let (new, filters): (Vec<_>, Vec<_>) = new.unzip();
        let filters = filters::insert(unit.deferred(), zone, 1, filters)?;
        rules::insert(unit.deferred(), zone, 1, new.into_iter().zip(filters))?;
        for new in &self.overrides {
            overrides::insert(unit.connection(), zone, new.clone()).await?;
        }
        for new in &self.page_rules {
            page_rules::insert(unit.connection(), zone, new.clone()).await?;
        }
        Ok(())
    }
}
