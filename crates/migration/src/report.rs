//! Renders a plan as a report to read, print or archive: Markdown, or one self-contained HTML file.

mod html;
mod markdown;

use crate::{
    EvaluationStep, MigrationPhase, Plan, ZoneConfig, eligibility::check_eligibility,
    evaluation_order::evaluation_order,
};
use std::fmt::Write;
use zonewright_api::finding::{Draft, Finding, FindingOutcome};
use zonewright_api::ruleset::{RulesetAction, RulesetRule};
use zonewright_expression::schema::Tier;

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
}

/// A part of a report.
enum ReportBlock {
    Heading(String),
    Paragraph(String),
    /// The headings of the columns, and rows with the same number of cells.
    Table(&'static [&'static str], Vec<Vec<String>>),
    /// Text that is reproduced verbatim.
    Code(String),
}

/// Renders the report of a plan: eligibility, findings, suggested requests, evaluation order, and the new
/// configuration. Texts from the configuration are escaped.
pub fn render_report(config: &ZoneConfig, plan: &Plan, format: ReportFormat) -> String {
    let name = if config.name.is_empty() { "an unnamed zone" } else { &config.name };
    let title = format!("Migration of {name} to ruleset-based managed rules");
    let blocks = report_blocks(config, plan);
    match format {
        ReportFormat::Markdown => markdown::write(&title, &blocks),
        ReportFormat::Html => html::write(&title, &blocks),
    }
}

fn report_blocks(config: &ZoneConfig, plan: &Plan) -> Vec<ReportBlock> {
    let mut blocks = vec![
        ReportBlock::Paragraph(summarize(config, plan)),
        ReportBlock::Table(&["Outcome", "Settings"], count_rows(plan)),
    ];
    for (outcome, title) in OUTCOME_HEADINGS {
        let findings: Vec<&Finding> = plan
            .findings
            .iter()
            .filter(|finding| finding.outcome == outcome && !finding.is_default_setting())
            .collect();
        if findings.is_empty() {
            continue;
        }
        blocks.push(ReportBlock::Heading(title.to_owned()));
        blocks.push(ReportBlock::Table(
            &["Setting", "Result", "New location"],
            findings.iter().map(|finding| finding_row(finding)).collect(),
        ));
        let drafts: Vec<String> =
            findings.iter().filter_map(|finding| finding.draft.as_ref()).map(draft_line).collect();
        if !drafts.is_empty() {
            blocks.push(ReportBlock::Paragraph("Suggested requests. Review each one before you send it. Lines that start with ADD are additions to the new configuration:".to_owned()));
            blocks.push(ReportBlock::Code(drafts.join("\n")));
        }
    }
    if !plan.warnings.is_empty() {
        let rows = plan.warnings.iter().map(|warning| vec![warning.message.clone(), warning.pointer.clone()]);
        blocks.push(ReportBlock::Heading("Warnings".to_owned()));
        blocks.push(ReportBlock::Table(&["Warning", "Location"], rows.collect()));
    }
    blocks.push(ReportBlock::Heading("Evaluation order".to_owned()));
    blocks.push(ReportBlock::Table(&["", "Before", "After"], order_rows(config, plan)));
    blocks.push(ReportBlock::Heading("Rules of the new configuration".to_owned()));
    let rules = plan.entry_point.rules.iter().enumerate().map(|(index, rule)| rule_row(index, rule)).collect();
    blocks.push(ReportBlock::Table(&["Rule", "Action", "Expression", "Enabled", "Description"], rules));
    blocks.push(ReportBlock::Heading("New configuration".to_owned()));
    blocks.push(ReportBlock::Code(serde_json::to_string_pretty(&plan.entry_point).unwrap_or_default()));
    blocks
}

/// The outcomes with their headings, the most urgent first.
pub const OUTCOME_HEADINGS: [(FindingOutcome, &str); 6] = [
    (FindingOutcome::Blocked, "Blocks the migration"),
    (FindingOutcome::NeedsSupport, "Needs support"),
    (FindingOutcome::Lost, "Lost"),
    (FindingOutcome::Changed, "Changed"),
    (FindingOutcome::Carried, "Carried over"),
    (FindingOutcome::Unaffected, "Unaffected"),
];

fn summarize(config: &ZoneConfig, plan: &Plan) -> String {
    let blocking = check_eligibility(config, MigrationPhase::Two).len();
    let support = plan.findings.iter().filter(|finding| finding.outcome == FindingOutcome::NeedsSupport).count();
    let lost = plan.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Lost).count();
    let eligibility = match (blocking, support) {
        (0, 0) => "The zone can migrate.".to_owned(),
        (0, _) => "The zone can migrate only with help from the provider's support.".to_owned(),
        _ if config.tier == Tier::Free => "The zone cannot migrate: it has no previous managed rules.".to_owned(),
        (1, _) => "The zone cannot migrate yet: one setting blocks the migration.".to_owned(),
        (many, _) => format!("The zone cannot migrate yet: {many} settings block the migration."),
    };
    let losses = match lost {
        0 => "No setting is lost.".to_owned(),
        1 => "One setting is lost and must be recreated.".to_owned(),
        many => format!("{many} settings are lost and must be recreated."),
    };
    format!("Plan of the zone: {}. {eligibility} {losses} The migration cannot be undone.", config.tier.display_name())
}

fn count_rows(plan: &Plan) -> Vec<Vec<String>> {
    let count = |outcome| plan.findings.iter().filter(|finding| finding.outcome == outcome).count();
    let row = |(outcome, title): &(FindingOutcome, &str)| vec![(*title).to_owned(), count(*outcome).to_string()];
    OUTCOME_HEADINGS.iter().map(row).chain([vec!["Total".to_owned(), plan.findings.len().to_string()]]).collect()
}

fn finding_row(finding: &Finding) -> Vec<String> {
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        let _ = write!(text, "; {help}");
    }
    vec![finding.name.clone(), text, finding.targets.join(", ")]
}

fn order_rows(config: &ZoneConfig, plan: &Plan) -> Vec<Vec<String>> {
    let order = evaluation_order(config, &plan.entry_point);
    let name = |step: Option<&EvaluationStep>| step.map(|step| step.name.clone()).unwrap_or_default();
    let rows = 0..order.before.len().max(order.after.len());
    rows.map(|row| vec![(row + 1).to_string(), name(order.before.get(row)), name(order.after.get(row))]).collect()
}

fn rule_row(index: usize, rule: &RulesetRule) -> Vec<String> {
    let executed = || {
        let id = rule.action_parameters.as_ref()?.id.as_deref()?;
        Some(crate::catalog::ruleset(id).map_or(id, |ruleset| ruleset.name))
    };
    let action = match rule.action {
        RulesetAction::Execute => format!("execute {}", executed().unwrap_or_default()),
        other => other.name().to_owned(),
    };
    let enabled = if rule.enabled { "yes" } else { "no" };
    vec![format!("/rules/{index}"), action, rule.expression.clone(), enabled.to_owned(), rule.description.clone()]
}

fn draft_line(draft: &Draft) -> String {
    let body = draft.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
    format!("{} {}{body}", draft.method, draft.path)
}

#[cfg(test)]
mod tests;
