//! Lists the sections of a complete configuration, one row for each [`Section`].

use serde::Serialize;

/// A member of a complete configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// `settings`.
    Settings,
    /// `packages`.
    Packages,
    /// `groups`.
    Groups,
    /// `rules`.
    Rules,
    /// `overrides`.
    Overrides,
    /// `firewall_rules`.
    FirewallRules,
    /// `page_rules`.
    PageRules,
}

/// The names and the path of a section.
struct SectionInfo {
    name: &'static str,
    title: &'static str,
    path: &'static str,
}

impl Section {
    /// All sections, in the order of the findings.
    pub const ALL: [Section; 7] = [
        Section::Settings,
        Section::Packages,
        Section::Groups,
        Section::Rules,
        Section::Overrides,
        Section::FirewallRules,
        Section::PageRules,
    ];

    /// Returns the name of the member.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the display name.
    pub(crate) fn title(self) -> &'static str {
        self.info().title
    }

    /// Returns the path of its endpoint, relative to the zone.
    pub(crate) fn path(self) -> &'static str {
        self.info().path
    }

    fn info(self) -> SectionInfo {
        let row = |name, title, path| SectionInfo { name, title, path };
        match self {
            Section::Settings => row("settings", "Settings", "/settings/waf"),
            Section::Packages => row("packages", "Packages", "/firewall/waf/packages"),
            Section::Groups => row("groups", "Groups", "/firewall/waf/packages/{package_id}/groups"),
            Section::Rules => row("rules", "Rules", "/firewall/waf/packages/{package_id}/rules"),
            Section::Overrides => row("overrides", "Overrides", "/firewall/waf/overrides"),
            Section::FirewallRules => row("firewall_rules", "Firewall rules", "/firewall/rules"),
            Section::PageRules => row("page_rules", "Page rules", "/pagerules"),
        }
    }
}
