//! Validates actions, the products of `bypass`, and the plans that have them.
//!
//! Start with [`check_action`].

use zonewright_api::ValidationError;
use zonewright_api::firewall::{Action, Product};
use zonewright_api::join_alternatives;
use zonewright_expression::schema::Tier;

/// Validates an action and its products for a zone with this plan. Returns all errors.
///
/// An action or product that the plan lacks is an error, so rule and filter are rejected together. Only an exceeded
/// quota leaves the filter stored (assumption unavailable-feature).
pub fn check_action(action: Action, products: &[Product], tier: Tier) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    if action == Action::Log && tier < Tier::Enterprise {
        let message = format!("the action `log` needs the Enterprise plan; the zone has the {tier} plan");
        errors.push(ValidationError::invalid_value("/action", message));
    }
    match action {
        Action::Bypass if products.is_empty() => {
            let names: Vec<&str> = Product::ALL.iter().map(|product| product.name()).collect();
            let message =
                format!("the action `bypass` needs at least one of the products {}", join_alternatives(&names));
            errors.push(ValidationError::invalid_value("/products", message));
        }
        Action::Bypass => errors.extend(check_products(products, tier)),
        other if !products.is_empty() => {
            let message = format!("`products` is only allowed with the action `bypass`, not with `{}`", other.name());
            errors.push(ValidationError::invalid_value("/products", message));
        }
        _ => {}
    }
    errors
}

fn check_products(products: &[Product], tier: Tier) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    for (index, product) in products.iter().enumerate() {
        let name = product.name();
        if tier < minimum_plan(*product) {
            let message = format!("the product `{name}` needs the Pro plan or higher; the zone has the {tier} plan");
            errors.push(ValidationError::invalid_value(format!("/products/{index}"), message));
        }
        if products.iter().take(index).any(|earlier| earlier == product) {
            errors.push(ValidationError::invalid_value(
                format!("/products/{index}"),
                format!("duplicate product `{name}`"),
            ));
        }
    }
    errors
}

fn minimum_plan(product: Product) -> Tier {
    match product {
        Product::ZoneLockdown | Product::Waf => Tier::Pro,
        Product::UaBlock | Product::Bic | Product::Hot | Product::SecurityLevel | Product::RateLimit => Tier::Free,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_and_products_depend_on_the_plan() {
        use Action::{Allow, Block, Bypass, Log};
        use Product::{Hot, Waf, ZoneLockdown};
        let cases: [(Action, &[Product], Tier, &[&str]); 10] = [
            (Block, &[], Tier::Free, &[]),
            (Log, &[], Tier::Business, &["/action"]),
            (Log, &[], Tier::Enterprise, &[]),
            (Bypass, &[], Tier::Enterprise, &["/products"]),
            (Bypass, &[Hot], Tier::Free, &[]),
            (Bypass, &[Hot, Waf, ZoneLockdown], Tier::Free, &["/products/1", "/products/2"]),
            (Bypass, &[Waf], Tier::Pro, &[]),
            (Bypass, &[Waf, Hot, Waf], Tier::Pro, &["/products/2"]),
            (Allow, &[Hot], Tier::Free, &["/products"]),
            (Log, &[Hot], Tier::Free, &["/action", "/products"]),
        ];
        for (action, products, tier, expected) in cases {
            let found: Vec<String> =
                check_action(action, products, tier).into_iter().map(|error| error.pointer).collect();
            assert_eq!(found, expected, "{action:?} {products:?} {tier:?}");
        }
    }
}
