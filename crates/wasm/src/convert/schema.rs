//! Converts the schema.

use super::parameters;
use crate::types;
use zonewright_expression::schema::{self, Availability, Certainty, Phase, PlanRequirement, Tier};
use zonewright_expression::{code, signature};

pub(crate) fn schema() -> types::Schema {
    types::Schema {
        reference_date: schema::REFERENCE_DATE,
        fields: schema::FIELDS.iter().map(field).collect(),
        functions: schema::FUNCTIONS.iter().map(function).collect(),
        operators: schema::COMPARISON_OPERATORS.into_iter().map(operator).collect(),
        logical: schema::LOGICAL_OPERATORS.into_iter().map(operator).collect(),
        phases: Phase::ALL.iter().map(|phase| types::NamedItem { name: phase.name(), title: phase.title() }).collect(),
        plans: Tier::ALL
            .iter()
            .map(|plan| types::NamedItem { name: plan.name(), title: plan.display_name() })
            .collect(),
        managed_lists: schema::MANAGED_LISTS.map(|(name, _)| name),
        lints: code::LINTS,
    }
}

fn field(field: &schema::Field) -> types::Field {
    types::Field {
        name: field.name,
        ty: field.ty.to_string(),
        doc: field.help().doc,
        available: match field.available {
            Availability::Request => "request",
            Availability::Response => "response",
            Availability::Packet => "packet",
            Availability::RequestAndPacket => "request-and-packet",
        },
        phases: phases(field.only_in),
        needs: needs(field.needs),
        deprecated: field.deprecated.is_some(),
        replacement: field.deprecated.and_then(|deprecated| deprecated.replacement),
        unconfirmed: field.certainty == Certainty::Unconfirmed,
    }
}

fn function(function: &'static schema::Function) -> types::Function {
    // The signature is the one that an editor shows after the opening parenthesis.
    let call = format!("{}(", function.name);
    let (signature_text, returns, parameters) = match signature(&call, call.len()) {
        Some(help) => (help.label.clone(), help.returns.clone(), parameters(help)),
        None => (call, String::new(), Vec::new()),
    };
    types::Function {
        name: function.name,
        signature: signature_text,
        returns,
        doc: function.doc(),
        parameters,
        phases: phases(function.only_in),
        needs: needs(function.needs),
        unconfirmed: function.certainty == Certainty::Unconfirmed,
    }
}

fn operator(operator: &schema::Operator) -> types::Operator {
    types::Operator { name: operator.name, symbol: operator.symbol, doc: operator.doc, notes: operator.notes }
}

fn phases(only_in: Option<&[Phase]>) -> Option<Vec<&'static str>> {
    only_in.map(|phases| phases.iter().map(|phase| phase.name()).collect())
}

fn needs(needs: Option<PlanRequirement>) -> Option<&'static str> {
    needs.map(|needs| match needs {
        PlanRequirement::Tier(tier) => tier.name(),
        PlanRequirement::AddOn => "add-on",
    })
}
