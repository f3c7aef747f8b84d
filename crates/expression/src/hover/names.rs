//! Hover information for fields and functions.

use super::{Hover, Place, example::example};
use crate::{
    Container, Kind, Options,
    check::{self, is_available, is_in_plan},
    schema::{Available, Certainty, Field, Function, Needs, Phase},
    signature,
};

/// Describes a field.
pub(super) fn field(place: &Place<'_>, field: &Field) -> Hover {
    let mut text = vec![field.doc.to_owned()];
    if let Some(deprecated) = field.deprecated {
        text.push(match deprecated.replacement {
            Some(name) => format!("deprecated: `{name}` has the same value"),
            None => "deprecated: nothing took its place".to_owned(),
        });
    }
    if field.certainty == Certainty::Doubtful {
        text.push("not in the public documentation".to_owned());
    }
    match place.options.phase {
        Some(phase) if !is_available(field, place.options) => {
            let counting = Options { kind: Kind::Counting, ..place.options.clone() };
            text.push(match is_available(field, &counting) {
                true => format!("only available in counting expressions of {}", phase.name()),
                false => format!("not available in {}; {}", phase.name(), seen(field)),
            });
        }
        _ => text.push(seen(field)),
    }
    text.extend(field.needs.map(|needs| needed(place, needs)));
    match field.ty.container() {
        Some(Container::Map) => {
            text.push("a name that is not there is missing, and every comparison with it is false".to_owned());
        }
        Some(Container::Array) => {
            text.push("an element that is not there is missing, and every comparison with it is false".to_owned());
        }
        None => {}
    }
    Hover { example: Some(example(field)), ..place.hover(field.ty.to_string(), text) }
}

/// Describes where a field is available.
fn seen(field: &Field) -> String {
    if let Some(phases) = field.only_in {
        return only_in(phases);
    }
    match field.available {
        Available::Request => "available in all HTTP phases",
        Available::Response => "available once the response is there, and in counting expressions of rate limits",
        Available::Packet => "available in network-layer phases only",
        Available::RequestAndPacket => "available in all HTTP and network-layer phases",
    }
    .to_owned()
}

fn only_in(phases: &[Phase]) -> String {
    let names: Vec<&str> = phases.iter().map(|phase| phase.name()).collect();
    format!("only in {}", names.join(", "))
}

fn needed(place: &Place<'_>, needs: Needs) -> String {
    let lacking = if is_in_plan(needs, place.options) { "" } else { ", which the zone does not have" };
    match needs {
        Needs::Tier(tier) => format!("needs {tier}{lacking}"),
        Needs::AddOn => format!("needs Enterprise with an add-on{lacking}"),
    }
}

/// Describes a function.
pub(super) fn function(place: &Place<'_>, function: &Function) -> Hover {
    let mut text = vec![function.doc.to_owned()];
    for param in function.params {
        let note = signature::note(param);
        let note = if note.is_empty() { note } else { format!("; {note}") };
        text.push(format!("`{}`: {}{note}", param.name, signature::types(param)));
    }
    if let Some(phases) = function.only_in {
        let lacking = place.options.phase.filter(|phase| !phases.contains(phase));
        let lacking = lacking.map_or(String::new(), |phase| format!("not available in {}; ", phase.name()));
        text.push(format!("{lacking}{}", only_in(phases)));
    }
    text.extend(function.needs.map(|needs| needed(place, needs)));
    if function.once_per_expression {
        text.push("once in an expression, and never inside the other such function".to_owned());
    }
    if function.certainty == Certainty::Doubtful {
        text.push("not in the public documentation".to_owned());
    }
    Hover { title: check::signature(function), ..place.hover(format!("→ {}", signature::returns(function)), text) }
}
