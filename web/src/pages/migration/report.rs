//! The report of the plan, to save or to print.

use super::analysis::{ConfigurationAnalysis, call};
use super::context::SourceContext;
use super::files;
use super::findings::FindingTable;
use crate::engine::{Channel, EngineError, Worker, to_js};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The format of a report.
#[derive(Clone, Copy)]
enum DownloadFormat {
    Html,
    Markdown,
    Json,
}

impl DownloadFormat {
    fn extension(self) -> &'static str {
        match self {
            DownloadFormat::Html => "html",
            DownloadFormat::Markdown => "md",
            DownloadFormat::Json => "json",
        }
    }
}

#[derive(Serialize)]
struct ReportOptions {
    format: &'static str,
}

/// Result of `migration.report`.
#[derive(Deserialize)]
struct ReportResult {
    text: Option<String>,
}

/// Renders the plan.
async fn render(analysis: &ConfigurationAnalysis, format: DownloadFormat) -> Result<String, EngineError> {
    let format = match format {
        DownloadFormat::Html => "html",
        DownloadFormat::Markdown => "markdown",
        DownloadFormat::Json => return Ok(serde_json::to_string_pretty(&analysis.plan).unwrap_or_default()),
    };
    let values = vec![analysis.configuration.text.as_str().into(), to_js(&ReportOptions { format })];
    let report: ReportResult = call(Channel::new(Worker::Tools), "migration.report", values).await?;
    report.text.ok_or_else(|| EngineError::Failed("the engine cannot read the configuration".to_owned()))
}

/// Offers the report for download, and lists the settings that differ from their defaults.
#[component]
pub(super) fn Report() -> impl IntoView {
    let source = SourceContext::get();
    let toasts = ToastContext::get();
    let save = move |format: DownloadFormat| {
        let Some(analysis) = untrack(move || source.with_analysis(Arc::clone)) else { return };
        spawn_local(async move {
            let name = format!("{}-migration.{}", analysis.configuration.file_stem(), format.extension());
            match render(&analysis, format).await {
                Ok(text) if files::download(&name, &text) => {}
                Ok(_) => toasts.show_error("The browser could not save the file. Print the report instead."),
                Err(error) => toasts.show_error(format!("The report was not created: {}", error.reason())),
            }
        });
    };
    let customized_findings = move || {
        source.with_analysis(|analysis| {
            analysis.plan.findings.iter().filter(|finding| !finding.is_default_setting()).cloned().collect::<Vec<_>>()
        })
    };
    let name = move || source.with_configuration(|configuration| format!("Migration of {}", configuration.zone_name()));
    view! {
        <div class="pad part">
            <h2>{name}</h2>
            <p class="no-print">"The outcome of every setting and the new configuration, for reviewers. The HTML report is a single self-contained file."</p>
            <div class="wrap-row no-print">
                <button type="button" class="button" on:click=move |_| save(DownloadFormat::Html)>"Save HTML"</button>
                <button type="button" class="button" on:click=move |_| save(DownloadFormat::Markdown)>"Save Markdown"</button>
                <button type="button" class="button" on:click=move |_| save(DownloadFormat::Json)>"Save JSON"</button>
                <button type="button" class="button" on:click=move |_| drop(window().print())>"Print"</button>
            </div>
        </div>
        {move || view! { <FindingTable findings=customized_findings().unwrap_or_default() label="Report settings" /> }}
    }
}
