//! The usage of a limit.

use leptos::prelude::*;

/// Usage, limit, and a bar. The bar has the color of warnings from 80 % of the limit, and of errors above the limit.
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
    let level = move || UsageLevel::new(value.get(), limit.get());
    let percent = move || format!("{}%", (value.get() * 100 / limit.get().max(1)).min(100));
    view! {
        <div class=move || format!("meter {}", level().class())>
            <span class="meter-label">{label}</span>
            <span class="meter-value">{move || format!("{} of {}", with_thousands(value.get()), with_thousands(limit.get()))}</span>
            <span class="meter-bar" aria-hidden="true">
                <span class="meter-fill" style:width=percent></span>
            </span>
            <span class="meter-level">
                {move || match level() {
                    UsageLevel::Over => "over the limit",
                    UsageLevel::Near => "near the limit",
                    UsageLevel::Fine => "",
                }}
            </span>
        </div>
    }
}

/// The distance of a usage from its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsageLevel {
    /// Below 80 % of the limit.
    Fine,
    /// From 80 % of the limit.
    Near,
    /// Above the limit.
    Over,
}

impl UsageLevel {
    /// Classifies a usage.
    pub(crate) fn new(usage: usize, limit: usize) -> Self {
        if usage > limit {
            UsageLevel::Over
        } else if usage * 5 >= limit * 4 && limit > 0 {
            UsageLevel::Near
        } else {
            UsageLevel::Fine
        }
    }

    /// Returns the CSS class.
    pub(crate) fn class(self) -> &'static str {
        match self {
            UsageLevel::Fine => "fine",
            UsageLevel::Near => "near",
            UsageLevel::Over => "over",
        }
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
