//! The type of the result, and the usage of limits.

use crate::components::usage_meter::Meter;
use crate::state::expression::ExpressionContext;
use leptos::prelude::*;

/// Largest number of regular expressions in one expression, as other tools report it. The product documents no limit.
const REGEX_LIMIT: usize = 64;

/// Shows the type and the usage of each limit.
#[component]
pub(crate) fn LimitsSection() -> impl IntoView {
    let analyzed = ExpressionContext::get().analyzed;
    let ty = move || match analyzed.read().facts.as_ref().and_then(|facts| facts.ty.clone()) {
        Some(ty) => view! { <code>{ty}</code> }.into_any(),
        None => view! { <span class="quiet">"unknown until the errors are fixed"</span> }.into_any(),
    };
    let usage = Signal::derive(move || analyzed.read().facts.as_ref().map(|facts| facts.usage));
    let meters = move || {
        let usage = usage.get()?;
        Some(view! {
            <Meter label="Characters" value=usage.length limit=usage.max_length />
            <Meter label="Nesting" value=usage.depth limit=usage.max_depth />
            <Meter label="Regular expressions" value=usage.regexes limit=REGEX_LIMIT />
        })
    };
    view! {
        <section class="section" aria-labelledby="limits-heading">
            <div class="section-head">
                <h2 id="limits-heading">"Limits"</h2>
                <span class="quiet push">"Type "</span>
                {ty}
            </div>
            <div class="usage">
                {meters}
            </div>
        </section>
    }
}
