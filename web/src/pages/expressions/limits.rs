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
    let ty = move || match analyzed.read().analysis.ty {
        Some(ty) => view! { <code>{ty.to_string()}</code> }.into_any(),
        None => view! { <span class="quiet">"unknown until the errors are fixed"</span> }.into_any(),
    };
    let usage = move || analyzed.read().analysis.usage;
    view! {
        <section class="section" aria-labelledby="limits-heading">
            <div class="section-head">
                <h2 id="limits-heading">"Limits"</h2>
                <span class="quiet push">"Type "</span>
                {ty}
            </div>
            <div class="usage">
                <Meter label="Characters" value=Signal::derive(move || usage().length) limit=Signal::derive(move || usage().max_length) />
                <Meter label="Nesting" value=Signal::derive(move || usage().depth) limit=Signal::derive(move || usage().max_depth) />
                <Meter label="Regular expressions" value=Signal::derive(move || usage().regexes) limit=Signal::derive(|| REGEX_LIMIT) />
            </div>
        </section>
    }
}
