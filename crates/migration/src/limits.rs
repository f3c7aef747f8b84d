//! What a migration can carry over; beyond these limits the provider's support does it (§7.4, §8).

/// The most firewall rules that can be migrated (§8). Only rules with the action `bypass` for the managed rules count
/// (assumption rules-to-migrate).
pub const MAX_BYPASS_RULES: usize = 200;
/// The longest expression that can be migrated (§8), in bytes.
pub const MAX_EXPRESSION_BYTES: usize = 4096;
