//! The gallery of recipes, in a dialog.

use crate::components::dialog::Dialog;
use crate::components::markdown::InlineCode;
use leptos::prelude::*;

/// A recipe in the gallery.
#[derive(Clone, Copy)]
pub(crate) struct RecipeCard {
    /// The effect of the recipe.
    pub(crate) title: &'static str,
    /// The values to adapt, and caveats.
    pub(crate) note: &'static str,
    /// The dataset of the recipe; empty if it has none.
    pub(crate) dataset: &'static str,
    /// The text.
    pub(crate) text: &'static str,
}

/// The gallery.
#[component]
pub(crate) fn RecipeGallery(
    /// Whether the dialog is open.
    open: RwSignal<bool>,
    /// A sentence on the effect of choosing a recipe.
    intro: &'static str,
    /// The recipes.
    recipes: Vec<RecipeCard>,
    /// Called with the index of the chosen recipe.
    choose: Callback<usize>,
) -> impl IntoView {
    let rows = recipes.into_iter().enumerate().map(move |(index, recipe)| {
        let take = move |_| {
            open.set(false);
            choose.run(index);
        };
        view! {
            <li class="recipe">
                <div class="recipe-head">
                    <h3>{recipe.title}</h3>
                    {(!recipe.dataset.is_empty()).then(|| view! { <code class="quiet">{recipe.dataset}</code> })}
                    <button type="button" class="button small push" aria-label=format!("Use {}", recipe.title) on:click=take>"Use"</button>
                </div>
                <p class="quiet"><InlineCode text=recipe.note /></p>
                <pre class="code-block" tabindex="0"><code>{recipe.text}</code></pre>
            </li>
        }
    });
    let rows = rows.collect_view();
    view! {
        <Dialog open title="Recipes">
            <p class="quiet">{intro}</p>
            <ul class="recipes">{rows}</ul>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| open.set(false)>"Close"</button>
            </div>
        </Dialog>
    }
}
