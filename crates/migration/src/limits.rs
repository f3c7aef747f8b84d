//! Defines the limits of a migration; beyond them, only the provider's support can migrate a zone (§7.4, §8).

/// The maximum number of firewall rules that can be migrated (§8). Only rules with the action `bypass` for the managed
/// rules count (assumption rules-to-migrate).
pub const MAX_BYPASS_RULES: usize = 200;
/// The maximum length of an expression that can be migrated (§8), in bytes.
pub const MAX_EXPRESSION_BYTES: usize = 4096;
