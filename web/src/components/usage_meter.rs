//! The usage of a limit.

use leptos::prelude::*;

/// Usage, limit, and a bar that turns to a warning at 80 % and to an error above the limit.
#[component]
pub(crate) fn Meter(
    /// The name of the limit.
    label: &'static str,
    /// The usage.
    #[prop(into)]
    value: Signal<usize>,
    /// The limit.
    #[prop(into)]
    limit: Signal<usize>,
) -> impl IntoView {
    let state = move || usage_level(value.get(), limit.get());
    let share = move || format!("{}%", (value.get() * 100 / limit.get().max(1)).min(100));
    view! {
        <div class=move || format!("meter {}", state())>
            <span class="meter-label">{label}</span>
            <span class="meter-value">{move || format!("{} of {}", with_thousands(value.get()), with_thousands(limit.get()))}</span>
            <span class="meter-bar" aria-hidden="true">
                <span class="meter-fill" style:width=share></span>
            </span>
            <span class="meter-word">
                {move || match state() {
                    "over" => "over the limit",
                    "near" => "near the limit",
                    _ => "",
                }}
            </span>
        </div>
    }
}

/// Classifies a value by its distance to the limit: `over`, `near` (from 80 %) or `fine`.
pub(crate) fn usage_level(value: usize, limit: usize) -> &'static str {
    if value > limit {
        "over"
    } else if value * 5 >= limit * 4 && limit > 0 {
        "near"
    } else {
        "fine"
    }
}

/// Formats a number with commas between thousands.
pub(crate) fn with_thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut result = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}
