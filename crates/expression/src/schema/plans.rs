//! Plan tiers of a zone.

use std::fmt;

/// The plan of a zone, from the smallest up. (`zone-security-service` calls Pro "Professional".)
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
    /// All of them, from the smallest up.
    pub const ALL: [Tier; 4] = [Tier::Free, Tier::Pro, Tier::Business, Tier::Enterprise];

    /// The name used in options and in the service: `free`, `pro`, `business`, `enterprise`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Free => "free",
            Tier::Pro => "pro",
            Tier::Business => "business",
            Tier::Enterprise => "enterprise",
        }
    }

    /// The name as a person writes it.
    pub fn title(self) -> &'static str {
        match self {
            Tier::Free => "Free",
            Tier::Pro => "Pro",
            Tier::Business => "Business",
            Tier::Enterprise => "Enterprise",
        }
    }

    /// The tier of this [`name`](Tier::name).
    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
