//! Conversion between the filter and an expression, with a list of losses.

use super::context::WorkbenchContext;
use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::code_view::CodeView;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::engine::answers::{Diagnostic, Spans};
use crate::engine::{Answer, Worker, follow, to_js};
use crate::language::Language;
use crate::part::PartResult;
use leptos::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_diagnostic::Span;
use zonewright_expression::Options;
use zonewright_logpush::Dataset;

/// A conversion for display.
#[derive(Clone, Debug, Default, PartialEq)]
struct ConversionView {
    /// The converted text, to which the spans apply.
    source: String,
    text: String,
    losses: Vec<(Span, String)>,
}

/// Result of `logpush.convert`.
#[derive(Deserialize)]
struct ConvertResult {
    text: Option<String>,
    losses: Vec<Loss>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Loss {
    message: String,
    start: usize,
    end: usize,
}

/// Returns a signal with the conversion of a text; the conversion is `None` if the text has errors.
fn follow_conversion<L: Language>(
    analyzed: Signal<Arc<AnalyzedSource<L>>>,
    dataset: RwSignal<&'static Dataset>,
) -> Signal<Answer<Option<ConversionView>>> {
    let input = move || {
        let (analyzed, dataset) = (analyzed.get(), dataset.get());
        (analyzed.state != AnalysisState::Pending).then_some((analyzed, dataset))
    };
    follow(Worker::Tools, input, async |channel, (analyzed, dataset): (Arc<AnalyzedSource<L>>, &'static Dataset)| {
        if analyzed.source.trim().is_empty() {
            return Ok(None);
        }
        let options = to_js(&json!({ "dataset": dataset.name }));
        let result: ConvertResult =
            channel.call("logpush.convert", vec![analyzed.source.as_str().into(), options]).await?;
        if result.diagnostics.into_iter().any(|diagnostic| diagnostic.into_error().is_some()) {
            return Ok(None);
        }
        let spans = Spans::new(&analyzed.source);
        let losses = result.losses.into_iter().map(|loss| (spans.span(loss.start, loss.end), loss.message)).collect();
        let source = analyzed.source.clone();
        Ok(Some(ConversionView { source, text: result.text.unwrap_or_default(), losses }))
    })
}

/// Returns the conversion; an empty one if the text has errors.
fn view_of(conversion: &Answer<Option<ConversionView>>) -> ConversionView {
    conversion.ready().and_then(|view| ConversionView::clone(view.as_ref().as_ref()?).into()).unwrap_or_default()
}

/// Returns the text and the losses of a conversion.
fn parts_of(conversion: Signal<Answer<Option<ConversionView>>>) -> (Signal<String>, Signal<Vec<(Span, String)>>) {
    let view = move || view_of(&conversion.read());
    let text = Signal::derive(move || view().text);
    let losses = Signal::derive(move || view().losses);
    (text, losses)
}

/// The panel, which is a part of the app.
#[wasm_split(log_filter_tools, fallible)]
pub(super) fn convert_panel() -> PartResult<AnyView> {
    Ok(view! { <ConvertPanel /> }.into_any())
}

/// Converts the filter to an expression, and an expression to a filter.
#[component]
fn ConvertPanel() -> impl IntoView {
    view! {
        <ToExpression />
        <FromExpression />
    }
}

/// Converts the filter to an expression.
#[component]
fn ToExpression() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let conversion = follow_conversion(workbench.analyzed, workbench.filter.dataset);
    let (text, losses) = parts_of(conversion);
    let has_errors = move || conversion.read().ready().is_some_and(|view| view.is_none());
    view! {
        <section class="section" aria-label="To an expression">
            <div class="section-head"><h2>"As an expression"</h2></div>
            <div class="tool-form convert">
                <p class="quiet" hidden=move || !has_errors()>"Fix the errors in the filter to convert it."</p>
                <div hidden=move || text.read().is_empty()>
                    <CodeView title="Expression" note="Use it in a rule that matches the same requests, as far as the fields correspond." text />
                </div>
                <LossNotice losses choose=Callback::new(move |span| workbench.select_in(&view_of(&conversion.read_untracked()).source, span)) />
            </div>
        </section>
    }
}

/// Converts an expression to a filter.
#[component]
fn FromExpression() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let source = workbench.filter.expression;
    let analyzed = AnalyzedSource::follow(source, Signal::derive(Options::default));
    let handle = EditorHandle::new(source);
    let conversion = follow_conversion(analyzed, workbench.filter.dataset);
    let (text, losses) = parts_of(conversion);
    let problem = move || {
        let analyzed = analyzed.read();
        if analyzed.source.trim().is_empty() {
            return None;
        }
        analyzed
            .diagnostics()
            .iter()
            .find(|diagnostic| diagnostic.is_error())
            .map(|diagnostic| diagnostic.message.clone())
    };
    let choose = Callback::new(move |span| handle.select(&analyzed.get_untracked(), span));
    view! {
        <section class="section" aria-label="From an expression">
            <div class="section-head"><h2>"From an expression"</h2></div>
            <div class="tool-form convert">
                <div class="small-editor">
                    <Editor label="Expression" placeholder="http.host eq \"example.com\"" handle analyzed />
                </div>
                {move || problem().map(|message| view! {
                    <p class="field-error"><IconView icon=Icon::Error /><span><InlineCode text=message /></span></p>
                })}
                <div hidden=move || text.read().is_empty()>
                    <CodeView title="Filter" text />
                </div>
                <LossNotice losses choose />
                <button
                    type="button"
                    class="button primary"
                    disabled=move || text.read().is_empty()
                    on:click=move |_| workbench.filter.source.set(text.get_untracked())
                >"Use as filter"</button>
            </div>
        </section>
    }
}

/// Lists the parts that a conversion could not preserve.
#[component]
fn LossNotice(
    /// The span and the description of each loss.
    losses: Signal<Vec<(Span, String)>>,
    /// Called with the span of the loss that the user selects.
    choose: Callback<Span>,
) -> impl IntoView {
    let rows = move || {
        let row = |(span, message): (Span, String)| {
            view! {
                <li><button type="button" class="link" on:click=move |_| choose.run(span)><InlineCode text=message /></button></li>
            }
        };
        losses.get().into_iter().map(row).collect_view()
    };
    view! {
        <div class="notice warning" hidden=move || losses.read().is_empty()>
            <IconView icon=Icon::Warning />
            <div class="notice-body">
                <p class="notice-title">"Not converted"</p>
                <ul class="lost">{rows}</ul>
            </div>
        </div>
    }
}
