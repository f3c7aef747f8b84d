//! The expression as a decision diagram, with an equivalent table.

use super::context::WorkbenchContext;
use super::flow::{Flow, StepResult, follow_steps};
use super::sample_request::SampleContext;
use crate::components::answer_view::AnswerView;
use crate::components::markdown::InlineCode;
use crate::decision_diagram::{self, Lane, Step, Target};
use crate::part::PartResult;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_expression::Kind;

/// Largest number of steps that are drawn. A larger diagram is shown only as a table.
const MAX_DRAWN_STEPS: usize = 80;
/// Height of a row: a box and the space below it.
const ROW_PX: usize = 52;
const BOX_HEIGHT_PX: usize = 32;
/// Widths of a box in pixels: in the tool pane, and on a narrow screen.
const BOX_WIDTHS_PX: (usize, usize) = (400, 220);
/// Largest width of a window with narrow boxes, in pixels.
const NARROW_WINDOW_PX: f64 = 480.0;
/// Width of "yes" or "no" between a box and the first lane, in pixels.
const LABEL_PX: usize = 30;
const LANE_PX: usize = 14;
const MARGIN_PX: usize = 10;
/// Offsets from the top of a box, in pixels. Lines leave a box below the point where others enter, because all of them
/// run downwards.
const EDGE_IN_PX: usize = 10;
const EDGE_OUT_PX: usize = 22;

/// The panel, which is a part of the app.
#[wasm_split(expression_tools, fallible)]
pub(crate) fn diagram_panel() -> PartResult<AnyView> {
    Ok(view! { <DiagramPanel /> }.into_any())
}

/// Shows the decision diagram of the expression, and its table.
#[component]
fn DiagramPanel() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let sample = SampleContext::provide(workbench.analyzed, workbench.input);
    let steps = follow_steps(workbench.analyzed);
    let result_of_step = move |flow: &Flow, step: &Step| flow.result(step, sample);
    let drawing = move |flow: Arc<Flow>| {
        let steps = &flow.steps;
        if workbench.analyzed.read().options.kind == Kind::Value {
            return view! { <p class="quiet pad">"This expression computes a value. Only conditions have a diagram."</p> }
                .into_any();
        }
        if steps.is_empty() {
            return view! { <p class="quiet pad">"Fix the syntax errors to see the diagram."</p> }.into_any();
        }
        let is_truncated = steps.len() > MAX_DRAWN_STEPS;
        view! {
            <p class="quiet pad" hidden=!is_truncated>
                {format!("{} conditions are too many for a diagram. The table lists all of them.", steps.len())}
            </p>
            {(!is_truncated).then(|| view! { <Diagram flow=flow.clone() /> })}
            <table class="table steps" aria-label="Steps">
                <thead>
                    <tr><th scope="col">"Step"</th><th scope="col">"Condition"</th><th scope="col">"If true"</th>
                    <th scope="col">"If false"</th><th scope="col">"Sample"</th></tr>
                </thead>
                <tbody>
                    {steps.iter().enumerate().map(|(index, step)| {
                        let span = step.span;
                        let result = result_of_step(&flow, step);
                        let flow = flow.clone();
                        view! {
                            <tr class:selected=move || workbench.overlaps_selection(span)>
                                <td data-label="Step"><span>{index + 1}</span></td>
                                <td data-label="Condition"><button type="button" class="link" on:click=move |_| workbench.select(&flow.source, span)><InlineCode text=step.text.clone() /></button></td>
                                <td data-label="If true"><span>{target_label(step.on_true)}</span></td>
                                <td data-label="If false"><span>{target_label(step.on_false)}</span></td>
                                <td data-label="Sample"><span class=format!("truth {}", result.class())>{result.label()}</span></td>
                            </tr>
                        }
                    }).collect_view()}
                </tbody>
            </table>
        }
        .into_any()
    };
    view! {
        <p class="quiet pad">"Read from top to bottom. The path of the test request is highlighted."</p>
        <AnswerView answer=steps ready=drawing />
    }
}

fn target_label(target: Target) -> String {
    match target {
        Target::Step(index) => format!("step {}", index + 1),
        Target::Match => "match".to_owned(),
        Target::NoMatch => "no match".to_owned(),
    }
}

/// The drawing: boxes in a column, "true" jumps on the right, "false" jumps on the left.
#[component]
fn Diagram(
    /// The steps of the expression.
    flow: Arc<Flow>,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let sample = SampleContext::get();
    // The path of the sample is part of the drawing, so each sample draws it again.
    move || {
        let steps = &flow.steps;
        let yes = decision_diagram::assign_lanes(steps, |step| step.on_true);
        let no = decision_diagram::assign_lanes(steps, |step| step.on_false);
        let lanes_width = |lanes: &[Lane]| lanes.iter().map(lane_offset).max().unwrap_or(0) + MARGIN_PX;
        let is_narrow =
            window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width <= NARROW_WINDOW_PX);
        let box_width = if is_narrow { BOX_WIDTHS_PX.1 } else { BOX_WIDTHS_PX.0 };
        let left = lanes_width(&no);
        let width = left + box_width + lanes_width(&yes);
        let height = steps.len() * ROW_PX + 2 * ROW_PX;
        let layout = DiagramLayout { left, box_width, count: steps.len() };
        let (path, reached) = trace_path(steps, |step| flow.result(step, sample));
        let edges = draw_edges(steps, &layout, [&yes, &no], &path, |step| flow.result(step, sample));
        let boxes = steps.iter().enumerate().map(|(index, step)| {
            let span = step.span;
            let result = flow.result(step, sample);
            let flow = flow.clone();
            let y = layout.top(index);
            view! {
                <g
                    class=format!("flow-step {}", result.class())
                    class:selected=move || workbench.overlaps_selection(span)
                    on:click=move |_| workbench.select(&flow.source, span)
                >
                    <title>{strip_backticks(&step.text)}</title>
                    <rect x=left y=y width=box_width height=BOX_HEIGHT_PX rx="4" />
                    <text class="flow-mark" x=left + 10 y=y + 21>{result.mark()}</text>
                    <text x=left + 28 y=y + 21>{truncate(&strip_backticks(&step.text), box_width)}</text>
                </g>
            }
        });
        let ends = [(Target::Match, "Match"), (Target::NoMatch, "No match")].map(|(target, label)| {
            let (x, y) = layout.end(target);
            view! {
                <g class="flow-end" class:taken=target == reached>
                    <rect x=x y=y width=END_WIDTH_PX height=BOX_HEIGHT_PX rx="16" />
                    <text x=x + END_WIDTH_PX / 2 y=y + 21 text-anchor="middle">{label}</text>
                </g>
            }
        });
        view! {
            <div class="flow" tabindex="0" role="img" aria-label="Decision diagram; the table below has the same content">
                <svg width=width height=height viewBox=format!("0 0 {width} {height}") aria-hidden="true">
                    {edges}
                    {boxes.collect_view()}
                    {ends.collect_view()}
                </svg>
            </div>
        }
    }
}

/// Width of an end of the diagram.
const END_WIDTH_PX: usize = 140;

/// Returns the distance of a lane to the boxes, in pixels.
fn lane_offset(lane: &Lane) -> usize {
    LABEL_PX + lane.distance * LANE_PX
}

/// The geometry of the drawing.
struct DiagramLayout {
    left: usize,
    box_width: usize,
    count: usize,
}

impl DiagramLayout {
    fn top(&self, index: usize) -> usize {
        index * ROW_PX + 8
    }

    /// Returns the position of an end. The ends are below the last step, one below the other.
    fn end(&self, target: Target) -> (usize, usize) {
        let row = if target == Target::NoMatch { self.count + 1 } else { self.count };
        (self.left + (self.box_width - END_WIDTH_PX) / 2, self.top(row))
    }
}

/// Returns the steps that the sample certainly reaches, and its last target: an end, or a step that is not decided.
fn trace_path(steps: &[Step], result: impl Fn(&Step) -> StepResult) -> (Vec<usize>, Target) {
    let mut path = Vec::new();
    let mut next = Target::Step(0);
    // The loop terminates, because every step leads to a later one.
    while let Target::Step(index) = next
        && let Some(step) = steps.get(index)
    {
        path.push(index);
        next = match result(step) {
            StepResult::True => step.on_true,
            StepResult::False => step.on_false,
            _ => break,
        };
    }
    (path, next)
}

/// Draws the edges between the boxes, each with "yes" or "no" at its start. The path of the sample is drawn above the
/// other edges.
fn draw_edges(
    steps: &[Step],
    layout: &DiagramLayout,
    [yes, no]: [&[Lane]; 2],
    path: &[usize],
    result: impl Fn(&Step) -> StepResult,
) -> AnyView {
    let (mut others, mut taken) = (Vec::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        let step_result = if path.contains(&index) { result(step) } else { StepResult::NoSample };
        for (is_yes, target, lanes) in [(true, step.on_true, yes), (false, step.on_false, no)] {
            let is_taken = step_result == if is_yes { StepResult::True } else { StepResult::False };
            let lane = lanes.iter().find(|lane| lane.target == target && target != Target::Step(index + 1));
            let mut edge = layout.edge(index, is_yes, target, lane);
            if lane.is_some_and(|lane| lane.first != index) && !is_taken {
                edge.end_at_lane();
            }
            if is_taken { taken.push(edge.view(true)) } else { others.push(edge.view(false)) }
        }
    }
    view! { {others} {taken} }.into_any()
}

/// An edge from the box of a step to its target: the box of a later step, or an end.
struct Edge {
    /// Whether the condition is true on this edge.
    is_yes: bool,
    path: String,
    /// The path of the arrowhead.
    tip: String,
    word_x: usize,
    word_y: usize,
}

impl DiagramLayout {
    fn edge(&self, index: usize, is_yes: bool, target: Target, lane: Option<&Lane>) -> Edge {
        let top = self.top(index);
        let Some(lane) = lane else {
            let x = self.left + if is_yes { self.box_width * 2 / 3 } else { self.box_width / 3 };
            let (from, to) = (top + BOX_HEIGHT_PX, self.top(index + 1));
            return Edge {
                is_yes,
                path: format!("M{x} {from}V{to}"),
                tip: format!("M{x} {to}l-4 -6h8z"),
                word_x: x + 8,
                word_y: from + 14,
            };
        };
        let (right, away) = (self.left + self.box_width, lane_offset(lane));
        let (from, out) = if is_yes { (right, right + away) } else { (self.left, self.left.saturating_sub(away)) };
        let (into, bottom) = match target {
            Target::Step(next) => (from, self.top(next) + EDGE_IN_PX),
            end => {
                let (x, y) = self.end(end);
                (if is_yes { x + END_WIDTH_PX } else { x }, y + BOX_HEIGHT_PX / 2)
            }
        };
        let tip = if is_yes { "l6 -4v8z" } else { "l-6 -4v8z" };
        Edge {
            is_yes,
            path: format!("M{from} {}H{out}V{bottom}H{into}", top + EDGE_OUT_PX),
            tip: format!("M{into} {bottom}{tip}"),
            word_x: if is_yes { from + 4 } else { from.saturating_sub(18) },
            word_y: top + EDGE_OUT_PX + 13,
        }
    }
}

impl Edge {
    /// Ends the edge where it joins its lane, because an earlier edge has drawn the lane. Overlapping dashes would
    /// close their gaps.
    fn end_at_lane(&mut self) {
        let end = self.path.find('V').unwrap_or(self.path.len());
        self.path.truncate(end);
        self.tip.clear();
    }

    fn view(self, taken: bool) -> AnyView {
        let label = if self.is_yes { "yes" } else { "no" };
        let class = |part: &str| format!("{part} {label}{}", if taken { " taken" } else { "" });
        view! {
            <path class=class("flow-edge") d=self.path />
            <path class=class("flow-tip") d=self.tip />
            <text class="flow-word" x=self.word_x y=self.word_y>{label}</text>
        }
        .into_any()
    }
}

/// Removes backticks, because a drawing has no code style.
fn strip_backticks(text: &str) -> String {
    text.replace('`', "")
}

/// Truncates a text to the width of a box.
fn truncate(text: &str, box_width: usize) -> String {
    let max_chars = box_width.saturating_sub(48) / 7;
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
