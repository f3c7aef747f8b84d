//! The expression as a decision diagram, with a table that says the same.

use super::bench::Bench;
use crate::components::page_text::Inline;
use crate::flow::{self, Lane, Step, Target};
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::{Kind, Truth, explain};

/// More steps than this are a table only.
const MOST_DRAWN: usize = 80;
/// Most letters in a box of the drawing.
const MOST_LETTERS: usize = 52;
const ROW: usize = 48;
const BOX_HEIGHT: usize = 32;
const BOX_WIDTH: usize = 400;
const LANE: usize = 16;
const MARGIN: usize = 24;

/// What a sample request makes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// There is no sample.
    Nothing,
    True,
    False,
    Unknown,
    NotReached,
}

impl Seen {
    fn class(self) -> &'static str {
        match self {
            Seen::Nothing => "",
            Seen::True => "true",
            Seen::False => "false",
            Seen::Unknown => "unknown",
            Seen::NotReached => "skipped",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Seen::Nothing => "–",
            Seen::True => "true",
            Seen::False => "false",
            Seen::Unknown => "unknown",
            Seen::NotReached => "not reached",
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Seen::Nothing => "",
            Seen::True => "✓",
            Seen::False => "✕",
            Seen::Unknown => "?",
            Seen::NotReached => "·",
        }
    }
}

/// The panel "Picture".
#[component]
pub(crate) fn Picture() -> impl IntoView {
    let bench = Bench::get();
    let steps = Memo::new(move |_| {
        let analyzed = bench.analyzed.get();
        let explained = explain(&analyzed.source, &analyzed.options);
        Arc::new(explained.tree.as_ref().map(flow::steps).unwrap_or_default())
    });
    let seen = move |step: &Step| seen(step.span, &bench);
    let drawing = move || {
        let steps = steps.get();
        if bench.analyzed.read().options.kind == Kind::Value {
            return view! { <p class="quiet pad">"A value has no ways to go: only conditions are drawn."</p> }
                .into_any();
        }
        if steps.is_empty() {
            return view! { <p class="quiet pad">"There is nothing to draw while the expression cannot be read."</p> }
                .into_any();
        }
        let many = steps.len() > MOST_DRAWN;
        view! {
            <p class="quiet pad" hidden=!many>
                {format!("{} conditions are too many to draw: the table has them all.", steps.len())}
            </p>
            {(!many).then(|| view! { <Drawing steps=steps.clone() /> })}
            <table class="table steps" aria-label="Steps">
                <thead>
                    <tr><th scope="col">"Step"</th><th scope="col">"Condition"</th><th scope="col">"If true"</th>
                    <th scope="col">"If false"</th><th scope="col">"Sample"</th></tr>
                </thead>
                <tbody>
                    {steps.iter().enumerate().map(|(index, step)| {
                        let span = step.span;
                        let found = seen(step);
                        view! {
                            <tr class:chosen=move || bench.touches(span)>
                                <td data-label="Step"><span>{index + 1}</span></td>
                                <td data-label="Condition"><button type="button" class="link" on:click=move |_| bench.choose(span)><Inline text=step.text.clone() /></button></td>
                                <td data-label="If true"><span>{name(step.yes)}</span></td>
                                <td data-label="If false"><span>{name(step.no)}</span></td>
                                <td data-label="Sample"><span class=format!("truth {}", found.class())>{found.word()}</span></td>
                            </tr>
                        }
                    }).collect_view()}
                </tbody>
            </table>
        }
        .into_any()
    };
    view! {
        <p class="quiet pad">"Read from top to bottom. The request of the tab Try colours the way it takes."</p>
        {drawing}
    }
}

fn name(target: Target) -> String {
    match target {
        Target::Step(index) => format!("step {}", index + 1),
        Target::Match => "match".to_owned(),
        Target::NoMatch => "no match".to_owned(),
    }
}

/// What the sample makes of the condition at a span.
fn seen(span: Span, bench: &Bench) -> Seen {
    let sample = bench.sample.read();
    let Some(trace) = &sample.trace else { return Seen::Nothing };
    match trace.steps.iter().find(|step| step.span == span).map(|step| step.truth) {
        Some(Truth::True) => Seen::True,
        Some(Truth::False | Truth::Absent) => Seen::False,
        Some(Truth::Unknown) => Seen::Unknown,
        Some(Truth::NotReached) | None => Seen::NotReached,
    }
}

/// The drawing: boxes in a column, "true" jumps at the right, "false" jumps at the left.
#[component]
fn Drawing(
    /// The steps.
    steps: Arc<Vec<Step>>,
) -> impl IntoView {
    let bench = Bench::get();
    // Drawn anew with each sample: the way it takes is a part of the drawing.
    move || {
        let yes = flow::lanes(&steps, |step| step.yes);
        let no = flow::lanes(&steps, |step| step.no);
        let reach = |lanes: &[Lane]| lanes.iter().map(|lane| lane.distance + 1).max().unwrap_or(0) * LANE + MARGIN;
        let left = reach(&no);
        let width = left + BOX_WIDTH + reach(&yes);
        let height = steps.len() * ROW + 2 * ROW;
        let plan = Plan { left, count: steps.len() };
        let edges = edges(&steps, &plan, [&yes, &no], |step| seen(step.span, &bench));
        let boxes = steps.iter().enumerate().map(|(index, step)| {
            let span = step.span;
            let found = seen(span, &bench);
            let y = plan.top(index);
            view! {
                <g
                    class=format!("flow-step {}", found.class())
                    class:chosen=move || bench.touches(span)
                    on:click=move |_| bench.choose(span)
                >
                    <title>{plain(&step.text)}</title>
                    <rect x=left y=y width=BOX_WIDTH height=BOX_HEIGHT rx="4" />
                    <text class="flow-mark" x=left + 10 y=y + 21>{found.mark()}</text>
                    <text x=left + 28 y=y + 21>{short(&plain(&step.text))}</text>
                </g>
            }
        });
        let ends = [(Target::Match, "Match"), (Target::NoMatch, "No match")].map(|(target, word)| {
            let (x, y) = plan.end(target);
            view! {
                <g class="flow-end">
                    <rect x=x y=y width=END_WIDTH height=BOX_HEIGHT rx="16" />
                    <text x=x + END_WIDTH / 2 y=y + 21 text-anchor="middle">{word}</text>
                </g>
            }
        });
        view! {
            <div class="flow" tabindex="0" role="img" aria-label="Decision diagram; the table below says the same">
                <svg width=width height=height viewBox=format!("0 0 {width} {height}") aria-hidden="true">
                    {edges}
                    {boxes.collect_view()}
                    {ends.collect_view()}
                </svg>
            </div>
        }
    }
}

const END_WIDTH: usize = 160;

/// Where things stand.
struct Plan {
    left: usize,
    count: usize,
}

impl Plan {
    fn top(&self, index: usize) -> usize {
        index * ROW + 8
    }

    /// The ends stand below the last step, one below the other.
    fn end(&self, target: Target) -> (usize, usize) {
        let row = if target == Target::NoMatch { self.count + 1 } else { self.count };
        (self.left + (BOX_WIDTH - END_WIDTH) / 2, self.top(row))
    }
}

/// The steps that the sample surely comes to: where one is not decided, nobody knows what comes next.
fn way(steps: &[Step], seen: impl Fn(&Step) -> Seen) -> Vec<usize> {
    let mut way = Vec::new();
    let mut next = Target::Step(0);
    // Every step leads to a later one, so this ends.
    while let Target::Step(index) = next
        && let Some(step) = steps.get(index)
    {
        way.push(index);
        next = match seen(step) {
            Seen::True => step.yes,
            Seen::False => step.no,
            _ => break,
        };
    }
    way
}

/// The ways between the boxes; each says "yes" or "no" where it starts.
fn edges(steps: &[Step], plan: &Plan, lanes: [&[Lane]; 2], seen: impl Fn(&Step) -> Seen) -> AnyView {
    let [yes, no] = lanes;
    let way = way(steps, &seen);
    let mut views = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let found = if way.contains(&index) { seen(step) } else { Seen::Nothing };
        for (answer, target, lanes) in [(true, step.yes, yes), (false, step.no, no)] {
            let word = if answer { "yes" } else { "no" };
            let taken = found == if answer { Seen::True } else { Seen::False };
            let class = format!("flow-edge {word}{}", if taken { " taken" } else { "" });
            let middle = plan.top(index) + BOX_HEIGHT / 2;
            let Some(lane) = lanes.iter().find(|lane| lane.target == target && target != Target::Step(index + 1))
            else {
                let x = plan.left + if answer { BOX_WIDTH * 2 / 3 } else { BOX_WIDTH / 3 };
                let (from, to) = (plan.top(index) + BOX_HEIGHT, plan.top(index + 1));
                views.push(
                    view! {
                        <path class=class d=format!("M{x} {from}V{to}") />
                        <text class="flow-word" x=x + 4 y=from + 12>{word}</text>
                    }
                    .into_any(),
                );
                continue;
            };
            let side = (lane.distance + 1) * LANE;
            let (from, out) = if answer {
                (plan.left + BOX_WIDTH, plan.left + BOX_WIDTH + side)
            } else {
                (plan.left, plan.left.saturating_sub(side))
            };
            let (into, bottom) = match target {
                Target::Step(next) => (from, plan.top(next) + BOX_HEIGHT / 2),
                end => {
                    let (x, y) = plan.end(end);
                    (if answer { x + END_WIDTH } else { x }, y + BOX_HEIGHT / 2)
                }
            };
            let word_x = if answer { from + 2 } else { from.saturating_sub(16) };
            views.push(
                view! {
                    <path class=class d=format!("M{from} {middle}H{out}V{bottom}H{into}") />
                    <text class="flow-word" x=word_x y=middle.saturating_sub(3)>{word}</text>
                }
                .into_any(),
            );
        }
    }
    views.collect_view().into_any()
}

/// The text without the marks of code, which a drawing cannot set apart.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
