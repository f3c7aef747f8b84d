//! The strictness of the new core rule set, as charts with text.

use super::context::{ProposalContext, SourceContext};
use super::new_configuration::NewConfiguration;
use super::zone_configuration::Configuration;
use crate::components::answer_view::AnswerView;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_api::ruleset::{EntryPoint, RulesetAction};
use zonewright_migration::catalog::{CORE_RULESET_ID, SCORE_RULE_ID};

/// Descriptions of the paranoia levels.
const LEVELS: [&str; 4] = [
    "Rules with very few false positives.",
    "More rules, for sites with sensitive data; some legitimate requests need exceptions.",
    "Strict rules; many forms and uploads need exceptions.",
    "All rules; nearly every site needs many exceptions.",
];
/// The named score thresholds, from the strictest.
const THRESHOLDS: [(u32, &str); 3] = [(25, "high"), (40, "medium"), (60, "low")];
/// The right end of the threshold chart.
const MAX_SCORE: u32 = 70;

/// The strictness of a configuration.
struct OwaspSettings {
    level: usize,
    threshold: Option<u32>,
    action: Option<RulesetAction>,
    enabled: bool,
}

fn read_settings(entry_point: &EntryPoint) -> Option<OwaspSettings> {
    let rule = entry_point.rules.iter().find(|rule| {
        rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref()) == Some(CORE_RULESET_ID)
    })?;
    let overrides =
        rule.action_parameters.as_ref().and_then(|parameters| parameters.overrides.clone()).unwrap_or_default();
    let is_off = |level: usize| {
        let name = format!("paranoia-level-{level}");
        overrides
            .categories
            .iter()
            .rev()
            .find(|category| category.category == name)
            .and_then(|category| category.enabled)
            == Some(false)
    };
    let score = overrides.rules.iter().find(|rule| rule.id == SCORE_RULE_ID);
    Some(OwaspSettings {
        level: (1..=4).rev().find(|level| !is_off(*level)).unwrap_or(0),
        threshold: score.and_then(|rule| rule.score_threshold),
        action: score.and_then(|rule| rule.action).or(overrides.action),
        enabled: rule.enabled,
    })
}

/// Shows the paranoia level and the score threshold of the new configuration.
#[component]
pub(super) fn OwaspPanel() -> impl IntoView {
    let proposal = ProposalContext::get();
    let ready = |new: Arc<NewConfiguration>| {
        match new.entry_point.as_ref().map(read_settings) {
        None => view! { <p class="quiet pad">"The new configuration is invalid. Fix it first."</p> }.into_any(),
        Some(None) => view! { <p class="pad">"The OWASP Core Ruleset does not run: its sensitivity is off, or the configuration does not include it."</p> }.into_any(),
        Some(Some(settings)) => view! { <OwaspCharts settings /> }.into_any(),
    }
    };
    view! { <AnswerView answer=proposal.answer ready /> }
}

#[component]
fn OwaspCharts(settings: OwaspSettings) -> impl IntoView {
    let OwaspSettings { level, threshold, action, enabled } = settings;
    let sensitivity = |configuration: &Configuration| {
        configuration
            .config
            .packages
            .iter()
            .find_map(|package| package.sensitivity.map(|sensitivity| sensitivity.name()))
            .unwrap_or("high")
    };
    let before = untrack(|| SourceContext::get().with_configuration(sensitivity));
    let named =
        threshold.and_then(|number| THRESHOLDS.iter().find(|(value, _)| *value == number)).map(|(_, name)| *name);
    let score = match (threshold, named) {
        (Some(number), Some(name)) => format!("Score threshold {number} ({name})"),
        (Some(number), None) => format!("Score threshold {number}"),
        (None, _) => "Default score threshold".to_owned(),
    };
    let action = action.map_or("the default of the ruleset", RulesetAction::name);
    view! {
        <div class="columns">
            <figure class="part picture">
                <h2>{if level == 0 { "All paranoia levels are off: no rule runs".to_owned() } else { format!("Paranoia level {level} of 4") }}</h2>
                <ParanoiaChart level />
                <figcaption>
                    <ol class="levels">{LEVELS.iter().enumerate().map(|(index, description)| view! {
                        <li><strong>{format!("Level {}", index + 1)}</strong> {if index < level { " (on): " } else { " (off): " }} {*description}</li>
                    }).collect_view()}</ol>
                </figcaption>
            </figure>
            <figure class="part picture">
                <h2>{score}</h2>
                <ThresholdChart threshold />
                <figcaption>
                    <p>"Each rule that matches adds points to the score of the request. Once the score reaches the threshold, the action is " <strong>{action}</strong> ". A lower threshold is stricter."</p>
                    <p class="quiet">{format!("Before, the sensitivity was {}. Old and new thresholds are not comparable, because the rules and their points differ.", before.unwrap_or("high"))}</p>
                    {(!enabled).then(|| view! { <p><strong>"The rule is disabled, so none of this has an effect."</strong></p> })}
                </figcaption>
            </figure>
        </div>
    }
}

/// A chart of four steps; the enabled ones are filled.
#[component]
fn ParanoiaChart(level: usize) -> impl IntoView {
    let steps = (1..=4_usize).map(|step| {
        let class = if step <= level { "stair on" } else { "stair" };
        let (x, height) = (8 + (step - 1) * 72, step * 22);
        view! {
            <rect class=class x=x y=100 - height width="64" height=height rx="3"></rect>
            <text class="picture-text" x=x + 32 y="116" text-anchor="middle">{step}</text>
        }
    });
    view! { <svg class="strict-picture" viewBox="0 0 296 124" role="img" aria-label=format!("Paranoia level {level} of 4")>{steps.collect_view()}</svg> }
}

/// A chart of the score with the threshold.
#[component]
fn ThresholdChart(threshold: Option<u32>) -> impl IntoView {
    let x_position = |number: u32| 8 + number.min(MAX_SCORE) * 280 / MAX_SCORE;
    let ticks = THRESHOLDS.iter().map(|(number, name)| {
        let x = x_position(*number);
        view! {
            <path class="tick" d=format!("M{x} 58v14")></path>
            <text class="picture-text" x=x y="88" text-anchor="middle">{*number}</text>
            <text class="picture-text" x=x y="104" text-anchor="middle">{*name}</text>
        }
    });
    let mark = threshold.map(|number| {
        let x = x_position(number);
        let width = 288_u32.saturating_sub(x);
        view! {
            <rect class="acted" x=x y="44" width=width height="14"></rect>
            <path class="threshold" d=format!("M{x} 30v34")></path>
            <text class="picture-text strong" x=x y="22" text-anchor="middle">{format!("acts at {number}")}</text>
        }
    });
    let label = threshold.map_or("No custom threshold".to_owned(), |number| {
        format!("A scale of points; the action applies from {number} points")
    });
    view! {
        <svg class="strict-picture" viewBox="0 0 296 124" role="img" aria-label=label>
            <rect class="passed" x="8" y="44" width="280" height="14"></rect>
            {mark}
            {ticks.collect_view()}
        </svg>
    }
}
