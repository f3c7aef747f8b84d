//! The steps of the migration, and the visible one.

use leptos::prelude::*;

/// A step of the migration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MigrationStep {
    /// The eligibility of the zone.
    #[default]
    Check,
    /// The current configuration and its backup.
    Configuration,
    /// The outcome of every setting.
    Review,
    /// The validation, in which old and new rules run side by side.
    Validation,
    /// The irreversible switch to the new rules.
    Finish,
    /// The migration state of the service.
    Status,
}

impl MigrationStep {
    /// All steps in order, with their titles.
    pub(crate) const ALL: [(MigrationStep, &'static str); 6] = [
        (MigrationStep::Check, "Check"),
        (MigrationStep::Configuration, "Configuration"),
        (MigrationStep::Review, "Review"),
        (MigrationStep::Validation, "Validation"),
        (MigrationStep::Finish, "Finish"),
        (MigrationStep::Status, "Status"),
    ];

    /// Returns the title.
    pub(crate) fn title(self) -> &'static str {
        MigrationStep::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, title)| title)
    }
}

/// The navigation between the steps.
#[derive(Clone, Copy)]
pub(crate) struct StepContext {
    /// The visible step.
    pub(crate) current: RwSignal<MigrationStep>,
}

impl StepContext {
    /// Provides a context that shows the first step.
    pub(crate) fn provide() -> Self {
        let steps = StepContext { current: RwSignal::new(MigrationStep::Check) };
        provide_context(steps);
        steps
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Shows a step.
    pub(crate) fn show(self, step: MigrationStep) {
        self.current.set(step);
    }
}
