//! A segmented control: a choice of a few options in a row.

use leptos::prelude::*;

/// A row of buttons, one of which is selected.
#[component]
pub(crate) fn SegmentedControl<T>(
    /// The accessible name of the group.
    label: &'static str,
    /// The options with their labels.
    choices: Vec<(T, &'static str)>,
    /// The selected option.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the option that the user selects.
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let buttons = choices.into_iter().map(|(choice, label)| {
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || if value.get() == choice { "true" } else { "false" }
                on:click=move |_| choose(choice)
            >
                {label}
            </button>
        }
    });
    view! {
        <div class="segments" role="group" aria-label=label>
            {buttons.collect_view()}
        </div>
    }
}
