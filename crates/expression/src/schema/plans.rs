//! The plans of a zone.

use std::fmt;

/// The plan of a zone, in ascending order. (`zone-security-service` calls Pro "Professional".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Free.
    Free,
    /// Pro.
    Pro,
    /// Business.
    Business,
    /// Enterprise.
    Enterprise,
}

impl Tier {
    /// All plans, in ascending order.
    pub const ALL: [Tier; 4] = [Tier::Free, Tier::Pro, Tier::Business, Tier::Enterprise];

    /// Returns the name in options and in the service: `free`, `pro`, `business`, `enterprise`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Free => "free",
            Tier::Pro => "pro",
            Tier::Business => "business",
            Tier::Enterprise => "enterprise",
        }
    }

    /// Returns the display name.
    pub fn display_name(self) -> &'static str {
        match self {
            Tier::Free => "Free",
            Tier::Pro => "Pro",
            Tier::Business => "Business",
            Tier::Enterprise => "Enterprise",
        }
    }

    /// Returns the plan with this [`name`](Tier::name).
    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.display_name())
    }
}
