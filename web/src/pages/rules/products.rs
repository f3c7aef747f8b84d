//! What a bypass passes over.

use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use crate::pages::rules::action::product_title;
use crate::state::rule_draft::RuleDraft;
use leptos::prelude::*;
use zonewright_api::firewall::Product;

/// A check box for each product.
#[component]
pub(crate) fn Products(
    /// What is wrong with the choice; empty when nothing is.
    error: Signal<String>,
) -> impl IntoView {
    let products = RuleDraft::get().products;
    let boxes = Product::ALL.iter().copied().map(|product| {
        let toggle = move |_| {
            products.update(|products| match products.iter().position(|one| *one == product) {
                Some(index) => drop(products.remove(index)),
                None => products.push(product),
            });
        };
        view! {
            <label class="check">
                <input type="checkbox" prop:checked=move || products.read().contains(&product) on:change=toggle />
                <span>{product_title(product)} " " <code class="quiet">{product.name()}</code></span>
            </label>
        }
    });
    view! {
        <fieldset class="field" id="rule-products" tabindex="-1" class:wrong=move || !error.read().is_empty() aria-describedby="rule-products-error">
            <legend class="field-label">"Passes over"</legend>
            <div class="checks">{boxes.collect_view()}</div>
            <div class="field-error" id="rule-products-error" hidden=move || error.read().is_empty()>
                <Pictogram icon=Icon::Error />
                <span>{move || view! { <Inline text=error.get() /> }}</span>
            </div>
        </fieldset>
    }
}
