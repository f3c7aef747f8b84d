//! The funnel: the number of lines that remain after each condition, with an equivalent table.

use super::context::WorkbenchContext;
use super::evaluation::FilterStats;
use crate::components::usage_meter::with_thousands;
use leptos::prelude::*;
use serde_json::Value;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// Largest number of conditions that are drawn; larger funnels are only a table.
const MAX_DRAWN_STAGES: usize = 24;
const WIDTH_PX: usize = 560;
const BAR_PX: usize = 28;
const ROW_PX: usize = 56;
/// Largest number of characters between two bars.
const MAX_LABEL_CHARS: usize = 64;
/// Largest number of characters of a condition in the table.
const MAX_CELL_CHARS: usize = 120;
/// Smallest width of a bar with at least one line, in pixels, so that it is visible.
const MIN_BAR_PX: usize = 2;

/// A bar of the chart and a row of the table.
#[derive(Clone)]
struct FunnelStage {
    title: String,
    span: Option<Span>,
    remaining: usize,
}

/// The chart and its table.
#[component]
pub(super) fn Funnel(
    /// The counts of the evaluation.
    stats: Arc<FilterStats>,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let stages = build_stages(&stats);
    let all = stats.parsed;
    let is_truncated = stages.len() > MAX_DRAWN_STAGES;
    let rows = stages.iter().enumerate().map(|(index, stage)| {
        let span = stage.span;
        let title = stage.title.clone();
        let (source, row_source) = (Arc::clone(&stats.source), Arc::clone(&stats.source));
        let cell = match span {
            Some(span) => {
                view! { <button type="button" class="link mono" on:click=move |_| workbench.select_in(&source, span)>{title}</button> }
                    .into_any()
            }
            None => view! { <span>{title}</span> }.into_any(),
        };
        let change = index.checked_sub(1).and_then(|before| stages.get(before)).map(|before| {
            if stats.is_or {
                let before = if before.span.is_some() { before.remaining } else { 0 };
                format!("+{}", with_thousands(stage.remaining.saturating_sub(before)))
            } else {
                format!("−{}", with_thousands(before.remaining.saturating_sub(stage.remaining)))
            }
        });
        view! {
            <tr class:selected=move || span.is_some_and(|span| workbench.is_selected_in(&row_source, span))>
                <td data-label="After">{cell}</td>
                <td data-label="Lines" class="number"><span>{with_thousands(stage.remaining)}</span></td>
                <td data-label="Share" class="number"><span>{format_percent(stage.remaining, all)}</span></td>
                <td data-label="Change" class="number"><span>{change}</span></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <section class="section" aria-label="Funnel">
            <div class="section-head">
                <h2>"Funnel"</h2>
                <span class="quiet">{if stats.is_or { "lines that match at least one condition so far" } else { "lines that remain after each condition" }}</span>
            </div>
            {(!is_truncated).then(|| view! { <FunnelChart source=Arc::clone(&stats.source) stages=stages.clone() all /> })}
            <table class="table funnel-table" aria-label="Lines after each condition">
                <thead><tr><th scope="col">"After"</th><th scope="col" class="number">"Lines"</th><th scope="col" class="number">"Share"</th><th scope="col" class="number">"Change"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

fn build_stages(stats: &FilterStats) -> Vec<FunnelStage> {
    let all_lines = FunnelStage { title: "All lines".to_owned(), span: None, remaining: stats.parsed };
    let to_stage = |stage: &super::evaluation::StageCount| FunnelStage {
        title: stage_title(&stats.source, stage.span),
        span: Some(stage.span),
        remaining: stage.remaining,
    };
    std::iter::once(all_lines).chain(stats.stages.iter().map(to_stage)).collect()
}

/// Formats the condition at a span without the punctuation of JSON.
fn stage_title(source: &str, span: Span) -> String {
    let text = span.text(source);
    // In an escaped string, the quotes are escaped too.
    let value = serde_json::from_str(text).or_else(|_| serde_json::from_str(&text.replace("\\\"", "\"")));
    truncate(&value.map_or_else(|_| text.to_owned(), |value| format_condition_tree(&value, true)), MAX_CELL_CHARS)
}

// The parser bounds the depth of a filter, so the recursion is bounded.
fn format_condition_tree(node: &Value, is_root: bool) -> String {
    let member = |name: &str| node.get(name);
    for name in ["and", "or"] {
        if let Some(items) = member(name).and_then(Value::as_array) {
            let all: Vec<String> = items.iter().map(|item| format_condition_tree(item, items.len() == 1)).collect();
            let all = all.join(&format!(" {name} "));
            return if is_root { all } else { format!("({all})") };
        }
    }
    let text = |name: &str| member(name).and_then(Value::as_str).unwrap_or_default();
    format!("{} {} {}", text("key"), text("operator"), member("value").unwrap_or(&Value::Null))
}

fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The chart: centered bars, joined by the loss between them.
#[component]
fn FunnelChart(
    /// The text of the filter, to which the spans of the bars apply.
    source: Arc<str>,
    /// The bars.
    stages: Vec<FunnelStage>,
    /// Number of all lines.
    all: usize,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let width = |remaining: usize| if remaining == 0 { 0 } else { (remaining * WIDTH_PX / all.max(1)).max(MIN_BAR_PX) };
    let edges = |remaining: usize| ((WIDTH_PX - width(remaining)) / 2, (WIDTH_PX + width(remaining)) / 2);
    let mut views = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        let top = index * ROW_PX;
        let (from, to) = edges(stage.remaining);
        let span = stage.span;
        if let Some(next) = stages.get(index + 1) {
            let (next_from, next_to) = edges(next.remaining);
            let (bottom, next_top) = (top + BAR_PX, top + ROW_PX);
            views.push(view! {
                <path class="funnel-fall" d=format!("M{from} {bottom}H{to}L{next_to} {next_top}H{next_from}Z") />
                <text class="funnel-word" x=WIDTH_PX / 2 y=bottom + 19 text-anchor="middle">{truncate(&next.title, MAX_LABEL_CHARS)}</text>
            }.into_any());
        }
        let last = index + 1 == stages.len();
        let (source, bar_source) = (Arc::clone(&source), Arc::clone(&source));
        views.push(
            view! {
                <g
                    class=if last { "funnel-bar last" } else { "funnel-bar" }
                    class:selected=move || span.is_some_and(|span| workbench.is_selected_in(&bar_source, span))
                    on:click=move |_| if let Some(span) = span { workbench.select_in(&source, span) }
                >
                    <title>{format!("{}: {}", stage.title, with_thousands(stage.remaining))}</title>
                    <rect x=from y=top width=to - from height=BAR_PX rx="3" />
                    <text x=WIDTH_PX / 2 y=top + 19 text-anchor="middle">{format!("{} · {}", with_thousands(stage.remaining), format_percent(stage.remaining, all))}</text>
                </g>
            }
            .into_any(),
        );
    }
    let height = (stages.len().saturating_sub(1)) * ROW_PX + BAR_PX;
    view! {
        <div class="funnel" role="img" aria-label="Funnel; the table below has the same content">
            <svg viewBox=format!("-1 -1 {} {}", WIDTH_PX + 2, height + 2) aria-hidden="true">{views}</svg>
        </div>
    }
}

/// Formats a share in percent, rounded to one decimal. A decimal of 0 is omitted.
pub(super) fn format_percent(part: usize, total: usize) -> String {
    let share = format!("{:.1}", ratio(part, total) * 100.0);
    format!("{}%", share.strip_suffix(".0").unwrap_or(&share))
}

/// Returns a share between 0 and 1; a share of zero lines is 0.
#[allow(clippy::cast_precision_loss)]
pub(super) fn ratio(part: usize, total: usize) -> f64 {
    part as f64 / total.max(1) as f64
}
