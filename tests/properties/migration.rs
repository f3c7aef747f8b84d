//! Migrations: every setting has a finding, and migrated settings keep their effect.

use crate::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use zonewright_api::finding::FindingOutcome;
use zonewright_api::ruleset::EntryPoint;
use zonewright_expression::schema::Tier;
use zonewright_migration::{ZoneConfig, read_config};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_zone::{inconsistent_zone, zone};
use zonewright_tests::migration_invariants::{
    effective_actions_after, effective_actions_before, mutate_document, plan_and_check_invariants,
};

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn migrated_settings_keep_their_effect(choices in vec(any::<u8>(), 0..400)) {
        let config = read(&zone(&mut Choices::new(&choices)))?;
        let plan = plan_and_check_invariants(&config).map_err(TestCaseError::fail)?;
        if config.tier != Tier::Free {
            prop_assert_eq!(effective_actions_before(&config), effective_actions_after(&plan.entry_point));
        }
        // Such a zone has no doubtful settings, and every changed group has a pointer into the entry point.
        for finding in &plan.findings {
            prop_assert!(!["duplicate", "package-unknown", "mode-not-allowed"].contains(&finding.code)
                || finding.setting.starts_with("/rules"), "{finding:?}");
            if finding.setting.starts_with("/groups") && finding.outcome == FindingOutcome::Changed {
                prop_assert!(!finding.targets.is_empty(), "{finding:?}");
            }
        }
    }

    #[test]
    fn plan_of_inconsistent_configuration_keeps_invariants(choices in vec(any::<u8>(), 0..400)) {
        let Ok(config) = read_config(&inconsistent_zone(&mut Choices::new(&choices))) else { return Ok(()) };
        plan_and_check_invariants(&config).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn plan_of_mutated_configuration_keeps_invariants(choices in vec(any::<u8>(), 0..300), mutations in vec(any::<u8>(), 3..40)) {
        let mut mutations = Choices::new(&mutations);
        let mut document = inconsistent_zone(&mut Choices::new(&choices));
        for _ in 0..3 {
            document = mutate_document(document, &mut |below| mutations.wide_index_below(below));
            if let Ok(config) = read_config(&document) {
                plan_and_check_invariants(&config).map_err(TestCaseError::fail)?;
            }
        }
    }

    #[test]
    fn entry_point_round_trips_through_json(choices in vec(any::<u8>(), 0..300)) {
        let config = read(&zone(&mut Choices::new(&choices)))?;
        let plan = plan_and_check_invariants(&config).map_err(TestCaseError::fail)?;
        let text = serde_json::to_string(&plan.entry_point).unwrap();
        prop_assert_eq!(serde_json::from_str::<EntryPoint>(&text).unwrap(), plan.entry_point);
    }
}

fn read(document: &Value) -> Result<ZoneConfig, TestCaseError> {
    read_config(document).map_err(|problems| TestCaseError::fail(format!("{document}\n{problems:#?}")))
}
