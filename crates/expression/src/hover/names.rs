//! Hover information for fields and functions.

use super::{Hover, HoverContext, example::build_example};
use crate::{
    Container, Kind, Options,
    check::{self, is_available, is_in_plan},
    schema::{self, Availability, Certainty, Field, Function, Phase, PlanRequirement},
    signature,
};

/// Describes a field.
pub(super) fn hover_field(context: &HoverContext<'_>, field: &Field) -> Hover {
    let mut text = vec![field.help().doc.to_owned()];
    if let Some(deprecated) = field.deprecated {
        text.push(match deprecated.replacement {
            Some(name) => format!("deprecated: `{name}` has the same value"),
            None => "deprecated without a replacement".to_owned(),
        });
    }
    if field.certainty == Certainty::Unconfirmed {
        text.push("undocumented".to_owned());
    }
    match context.options.phase {
        Some(phase) if !is_available(field, context.options) => {
            let counting = Options { kind: Kind::Counting, ..context.options.clone() };
            text.push(match is_available(field, &counting) {
                true => format!("only available in counting expressions of {}", phase.name()),
                false => format!("not available in {}; {}", phase.name(), format_availability(field)),
            });
        }
        _ => text.push(format_availability(field)),
    }
    text.extend(field.needs.map(|needs| format_requirement(context, needs)));
    match field.ty.container() {
        Some(Container::Map) => {
            text.push(
                "a key that the map lacks has a missing value; every comparison with a missing value is false"
                    .to_owned(),
            );
        }
        Some(Container::Array) => {
            text.push(
                "an index past the end has a missing value; every comparison with a missing value is false".to_owned(),
            );
        }
        None => {}
    }
    Hover { example: Some(build_example(field)), ..context.build_hover(field.ty.to_string(), text) }
}

/// Describes where a field is available.
fn format_availability(field: &Field) -> String {
    if let Some(phases) = field.only_in {
        return format_phases(phases);
    }
    match field.available {
        Availability::Request => "available in all HTTP phases",
        Availability::Response => "available in response phases, and in counting expressions of rate limits",
        Availability::Packet => "available in network-layer phases only",
        Availability::RequestAndPacket => "available in all HTTP and network-layer phases",
    }
    .to_owned()
}

fn format_phases(phases: &[Phase]) -> String {
    let names: Vec<&str> = phases.iter().map(|phase| phase.name()).collect();
    format!("only in {}", names.join(", "))
}

fn format_requirement(context: &HoverContext<'_>, needs: PlanRequirement) -> String {
    let unavailable_text = if is_in_plan(needs, context.options) { "" } else { ", which the zone does not have" };
    match needs {
        PlanRequirement::Tier(tier) => format!("requires {tier}{unavailable_text}"),
        PlanRequirement::AddOn => format!("requires Enterprise with an add-on{unavailable_text}"),
    }
}

/// Describes a function.
pub(super) fn hover_function(context: &HoverContext<'_>, function: &Function) -> Hover {
    let mut text = vec![function.doc().to_owned()];
    for param in function.params {
        let note = signature::format_constraints(param);
        let note = if note.is_empty() { note } else { format!("; {note}") };
        text.push(format!("`{}`: {}{note}", param.name, signature::format_accepted_types(param)));
    }
    if let Some(phases) = function.only_in {
        let other_phase = context.options.phase.filter(|phase| !phases.contains(phase));
        let unavailable_text =
            other_phase.map_or(String::new(), |phase| format!("not available in {}; ", phase.name()));
        text.push(format!("{unavailable_text}{}", format_phases(phases)));
    }
    text.extend(function.needs.map(|needs| format_requirement(context, needs)));
    if function.once_per_expression {
        let others = schema::FUNCTIONS.iter().filter(|other| other.once_per_expression && other.name != function.name);
        let names: Vec<String> = others.map(|other| format!("`{}`", other.name)).collect();
        text.push(format!("can be used once per expression, and not inside {}", names.join(" or ")));
    }
    if function.certainty == Certainty::Unconfirmed {
        text.push("undocumented".to_owned());
    }
    Hover {
        title: check::format_signature(function),
        ..context.build_hover(format!("→ {}", signature::format_return_type(function)), text)
    }
}
