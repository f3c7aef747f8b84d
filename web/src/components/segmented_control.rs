//! A choice of few that stand side by side.

use leptos::prelude::*;

/// A segmented control: one of `choices` is on.
#[component]
pub(crate) fn SegmentedControl<T>(
    /// What is chosen, for assistive technology.
    label: &'static str,
    /// The choices with their words.
    choices: Vec<(T, &'static str)>,
    /// The one that is on.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the one that was chosen.
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
    /// A remark behind the last word, such as a count.
    #[prop(optional, into)]
    note: Signal<String>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let last = choices.len().saturating_sub(1);
    let buttons = choices.into_iter().enumerate().map(|(index, (choice, word))| {
        let remark = (index == last).then(|| view! { <span class="segment-note">{note}</span> });
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || if value.get() == choice { "true" } else { "false" }
                on:click=move |_| choose(choice)
            >
                {word}
                {remark}
            </button>
        }
    });
    view! {
        <div class="segments" role="group" aria-label=label>
            {buttons.collect_view()}
        </div>
    }
}
