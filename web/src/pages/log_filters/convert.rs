//! Conversion between the filter and an expression, with a list of losses.

use super::context::WorkbenchContext;
use crate::analysis::AnalyzedSource;
use crate::components::code_view::CodeView;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::part::PartResult;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_diagnostic::Span;
use zonewright_expression::Options;
use zonewright_logpush::check;
use zonewright_logpush::{Conversion, from_expression, to_expression};

/// A conversion for display.
#[derive(Clone, Debug, Default, PartialEq)]
struct ConversionView {
    text: String,
    losses: Vec<(Span, String)>,
}

impl From<Conversion> for ConversionView {
    fn from(conversion: Conversion) -> Self {
        let losses = conversion.losses.into_iter().map(|loss| (loss.span, loss.message)).collect();
        ConversionView { text: conversion.text.unwrap_or_default(), losses }
    }
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
    let conversion = Memo::new(move |_| {
        let analyzed = workbench.analyzed.get();
        check(&analyzed.source, &analyzed.options).program.map(|program| ConversionView::from(to_expression(&program)))
    });
    let text = Signal::derive(move || {
        conversion.read().as_ref().map(|conversion| conversion.text.clone()).unwrap_or_default()
    });
    let losses = Signal::derive(move || {
        conversion.read().as_ref().map(|conversion| conversion.losses.clone()).unwrap_or_default()
    });
    view! {
        <section class="section" aria-label="To an expression">
            <div class="section-head"><h2>"As an expression"</h2></div>
            <div class="tool-form convert">
                <p class="quiet" hidden=move || conversion.read().is_some()>"Fix the errors in the filter to convert it."</p>
                <div hidden=move || text.read().is_empty()>
                    <CodeView title="Expression" note="Use it in a rule that matches the same requests, as far as the fields correspond." text />
                </div>
                <LossNotice losses choose=Callback::new(move |span| workbench.select(span)) />
            </div>
        </section>
    }
}

/// Converts an expression to a filter.
#[component]
fn FromExpression() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let source = workbench.filter.expression;
    let analyzed = AnalyzedSource::memo(source, Signal::derive(Options::default));
    let handle = EditorHandle::new(source);
    let conversion = Memo::new(move |_| {
        let analyzed: Arc<AnalyzedSource> = analyzed.get();
        let program = zonewright_expression::check(&analyzed.source, &analyzed.options).program?;
        Some(ConversionView::from(from_expression(&program, workbench.filter.dataset.get())))
    });
    let text = Signal::derive(move || {
        conversion.read().as_ref().map(|conversion| conversion.text.clone()).unwrap_or_default()
    });
    let losses = Signal::derive(move || {
        conversion.read().as_ref().map(|conversion| conversion.losses.clone()).unwrap_or_default()
    });
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
