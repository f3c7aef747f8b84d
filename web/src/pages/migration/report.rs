//! The report of the plan, to save or to print.

use super::context::SourceContext;
use super::files;
use super::findings::FindingTable;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use zonewright_migration::{ReportFormat, render_report};

/// The format of a report.
#[derive(Clone, Copy)]
enum DownloadFormat {
    Html,
    Markdown,
    Json,
}

/// Offers the report for download, and lists the settings that differ from their defaults.
#[component]
pub(super) fn Report() -> impl IntoView {
    let source = SourceContext::get();
    let toasts = ToastContext::get();
    let save = move |format: DownloadFormat| {
        let file = source.with_analysis(|analysis| {
            let name = format!("{}-migration", analysis.file_stem());
            match format {
                DownloadFormat::Html => {
                    (format!("{name}.html"), render_report(&analysis.config, &analysis.plan, ReportFormat::Html))
                }
                DownloadFormat::Markdown => {
                    (format!("{name}.md"), render_report(&analysis.config, &analysis.plan, ReportFormat::Markdown))
                }
                DownloadFormat::Json => {
                    (format!("{name}.json"), serde_json::to_string_pretty(&analysis.plan).unwrap_or_default())
                }
            }
        });
        if let Some((name, text)) = file
            && !files::download(&name, &text)
        {
            toasts.show_error("The browser could not save the file. Print the report instead.");
        }
    };
    let customized_findings = move || {
        source.with_analysis(|analysis| {
            analysis.plan.findings.iter().filter(|finding| !finding.is_default_setting()).cloned().collect::<Vec<_>>()
        })
    };
    let name = move || source.with_analysis(|analysis| format!("Migration of {}", analysis.zone_name()));
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
