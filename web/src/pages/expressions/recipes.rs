//! The gallery of recipes, in a dialog.

use crate::components::dialog::Dialog;
use crate::components::page_text::Inline;
use crate::recipes::{RECIPES, Recipe};
use leptos::prelude::*;

/// The recipes; `choose` is called with the one that is taken.
#[component]
pub(crate) fn Recipes(
    /// Whether the dialog is shown.
    open: RwSignal<bool>,
    /// Called with the recipe that is taken.
    choose: Callback<&'static Recipe>,
) -> impl IntoView {
    let rows = RECIPES.iter().map(move |recipe| {
        let take = move |_| {
            open.set(false);
            choose.run(recipe);
        };
        view! {
            <li class="recipe">
                <div class="recipe-head">
                    <h3>{recipe.title}</h3>
                    <button type="button" class="button small push" aria-label=format!("Use {}", recipe.title) on:click=take>"Use"</button>
                </div>
                <p class="quiet"><Inline text=recipe.note /></p>
                <pre class="code-block" tabindex="0"><code>{recipe.text}</code></pre>
            </li>
        }
    });
    view! {
        <Dialog open title="Recipes">
            <p class="quiet">"The text in the editor is replaced; undo brings it back."</p>
            <ul class="recipes">{rows.collect_view()}</ul>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| open.set(false)>"Close"</button>
            </div>
        </Dialog>
    }
}
