//! The products that a `bypass` rule skips.

use super::labels::product_title;
use crate::components::form::{Checkbox, FieldError};
use crate::state::rule_draft::RuleDraft;
use leptos::prelude::*;
use zonewright_api::firewall::Product;

/// A check box for each product.
#[component]
pub(crate) fn Products(
    /// The error of the selection; empty for none.
    error: Signal<String>,
) -> impl IntoView {
    let products = RuleDraft::get().products;
    let boxes = Product::ALL.iter().copied().map(|product| {
        let toggle = move |_: bool| {
            products.update(|products| match products.iter().position(|item| *item == product) {
                Some(index) => drop(products.remove(index)),
                None => products.push(product),
            });
        };
        view! {
            <Checkbox checked=Signal::derive(move || products.read().contains(&product)) on_change=toggle>
                {product_title(product)} " " <code class="quiet">{product.name()}</code>
            </Checkbox>
        }
    });
    view! {
        <fieldset class="field" id="rule-products" tabindex="-1" class:wrong=move || !error.read().is_empty() aria-describedby="rule-products-error">
            <legend class="field-label">"Products to bypass"</legend>
            <div class="checks">{boxes.collect_view()}</div>
            <FieldError id="rule-products-error" message=error />
        </fieldset>
    }
}
