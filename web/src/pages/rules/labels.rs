//! Labels of actions and products.

use zonewright_api::firewall::{Action, Product};

/// Returns the label of an action.
pub(crate) fn action_title(action: Action) -> &'static str {
    match action {
        Action::Block => "Block",
        Action::Challenge => "Interactive challenge",
        Action::JsChallenge => "JavaScript challenge",
        Action::ManagedChallenge => "Managed challenge",
        Action::Allow => "Allow",
        Action::Log => "Log",
        Action::Bypass => "Bypass",
    }
}

/// Returns the label of a product.
pub(crate) fn product_title(product: Product) -> &'static str {
    match product {
        Product::ZoneLockdown => "Zone lockdown",
        Product::UaBlock => "User agent blocking",
        Product::Bic => "Browser integrity check",
        Product::Hot => "Hotlink protection",
        Product::SecurityLevel => "Security level",
        Product::RateLimit => "Rate limiting",
        Product::Waf => "Previous managed rules",
    }
}
