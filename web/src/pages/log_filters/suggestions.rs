//! Suggestions for a pasted text: another dataset, or a conversion from an expression.

use super::context::WorkbenchContext;
use crate::engine::answers::TextResult;
use crate::engine::{Worker, follow};
use crate::state::log_filter_draft::LogFilterPanel;
use leptos::prelude::*;
use zonewright_logpush::Dataset;
use zonewright_logpush::ast::{Node, NodeKind};
use zonewright_logpush::parse;

/// Largest number of datasets that are suggested.
const MAX_SUGGESTED_DATASETS: usize = 4;

/// A row below the diagnostics; empty without a suggestion.
#[component]
pub(super) fn Suggestions(
    /// The index of the pane that a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    let WorkbenchContext { filter, analyzed, .. } = WorkbenchContext::get();
    let has_diagnostic =
        move |code: &str| analyzed.read().diagnostics().iter().any(|diagnostic| diagnostic.code == code);
    let matching = Memo::new(move |_| {
        if has_diagnostic("key-of-other-dataset") { matching_datasets(&filter.source.read()) } else { Vec::new() }
    });
    let candidate = move || has_diagnostic("not-json").then(|| filter.source.get());
    let has_valid_syntax = follow(Worker::Editor, candidate, async |channel, source: String| {
        let formatted: TextResult = channel.call("format", vec![source.as_str().into()]).await?;
        Ok(formatted.text.is_some())
    });
    let is_expression =
        Memo::new(move |_| has_diagnostic("not-json") && has_valid_syntax.read().ready().is_some_and(|valid| **valid));
    let convert = move |_| {
        filter.expression.set(filter.source.get_untracked());
        filter.panel.set(LogFilterPanel::Convert);
        active.set(1);
    };
    let datasets = move || {
        let button = |dataset: &'static Dataset| {
            view! {
                <button type="button" class="button small" on:click=move |_| filter.dataset.set(dataset)>
                    "Use " <code>{dataset.name}</code>
                </button>
            }
        };
        matching.get().into_iter().take(MAX_SUGGESTED_DATASETS).map(button).collect_view()
    };
    view! {
        <div class="hint-row" hidden=move || matching.read().is_empty()>
            <span class="quiet">"Another dataset has all of these fields:"</span>
            {datasets}
        </div>
        <div class="hint-row" hidden=move || !is_expression.get()>
            <span class="quiet">"This looks like an expression:"</span>
            <button type="button" class="button small" on:click=convert>"Convert"</button>
        </div>
    }
}

/// Returns the datasets that have every field of a filter.
fn matching_datasets(source: &str) -> Vec<&'static Dataset> {
    let Some(filter) = parse(source).ast else { return Vec::new() };
    let mut keys = Vec::new();
    collect_keys(&filter.condition, &mut keys);
    Dataset::all().iter().filter(|dataset| keys.iter().all(|key| dataset.field(key).is_some())).collect()
}

// The parser bounds the depth of a filter, so the recursion is bounded.
fn collect_keys<'a>(node: &'a Node, keys: &mut Vec<&'a str>) {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => nodes.iter().for_each(|node| collect_keys(node, keys)),
        NodeKind::Condition(condition) => keys.extend(condition.key.as_ref().map(|key| key.text.as_str())),
        NodeKind::Invalid => {}
    }
}
