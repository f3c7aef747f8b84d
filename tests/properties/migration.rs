//! Migrations: that nothing falls through, and that what is carried does what it did.

use crate::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use zonewright_api::finding::Fate;
use zonewright_api::ruleset::EntryPoint;
use zonewright_expression::schema::Tier;
use zonewright_migration::{ZoneConfig, read_config};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_zone::{odd_zone, zone};
use zonewright_tests::migration_promises::{after, before, planned, spoiled};

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn what_is_carried_does_what_it_did(choices in vec(any::<u8>(), 0..400)) {
        let config = read(&zone(&mut Choices::new(&choices)))?;
        let plan = planned(&config).map_err(TestCaseError::fail)?;
        if config.tier != Tier::Free {
            prop_assert_eq!(before(&config), after(&plan.entry_point));
        }
        // Nothing in such a zone is doubted, and what is not Lost or beside the point is somewhere.
        for finding in &plan.findings {
            prop_assert!(!["duplicate", "package-unknown", "mode-not-allowed"].contains(&finding.code)
                || finding.setting.starts_with("/rules"), "{finding:?}");
            if finding.setting.starts_with("/groups") && finding.fate == Fate::Changed {
                prop_assert!(!finding.became.is_empty(), "{finding:?}");
            }
        }
    }

    #[test]
    fn no_setting_falls_through(choices in vec(any::<u8>(), 0..400)) {
        let Ok(config) = read_config(&odd_zone(&mut Choices::new(&choices))) else { return Ok(()) };
        planned(&config).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn spoiled_configurations_are_survived(choices in vec(any::<u8>(), 0..300), spoils in vec(any::<u8>(), 3..40)) {
        let mut spoils = Choices::new(&spoils);
        let mut document = odd_zone(&mut Choices::new(&choices));
        for _ in 0..3 {
            document = spoiled(document, &mut |below| spoils.below_wide(below));
            if let Ok(config) = read_config(&document) {
                planned(&config).map_err(TestCaseError::fail)?;
            }
        }
    }

    #[test]
    fn a_plan_comes_back_from_its_json(choices in vec(any::<u8>(), 0..300)) {
        let config = read(&zone(&mut Choices::new(&choices)))?;
        let plan = planned(&config).map_err(TestCaseError::fail)?;
        let text = serde_json::to_string(&plan.entry_point).unwrap();
        prop_assert_eq!(serde_json::from_str::<EntryPoint>(&text).unwrap(), plan.entry_point);
    }
}

fn read(document: &Value) -> Result<ZoneConfig, TestCaseError> {
    read_config(document).map_err(|problems| TestCaseError::fail(format!("{document}\n{problems:#?}")))
}
