//! Completions of fields and functions.

use super::{
    Candidate, Completion, CompletionContext, CompletionKind, accepts_boolean_array, operators, parameter_accepts,
    values,
};
use crate::{
    Container, Options, Type,
    ast::ComparisonOperator as Op,
    check::{self, is_available, is_in_plan},
    cursor::{OpenCall, OperandInfo},
    schema::{
        ArgumentKind, Availability, COMMON_FIELDS, COMMON_FUNCTIONS, Certainty, Constraint, FIELDS, FUNCTIONS, Field,
        Function, Param, PlanRequirement, ReturnType, field,
    },
    signature,
};

/// The first rank of the common functions. The ranks of the common fields start at 0.
const FUNCTION_RANK: u16 = 60;
/// The rank of other fields and functions, before penalties.
const OTHER_RANK: u16 = 100;

// Penalties are added to ranks.
const RARE_PENALTY: u16 = 100;
const INDEXED_PENALTY: u16 = 200;
/// The penalty of computed values, so that they follow literals.
const COMPUTED_PENALTY: u16 = 500;
const MISSING_PLAN_PENALTY: u16 = 2000;

/// Returns the candidates that may begin a condition or a value expression.
pub(super) fn complete_start(context: &CompletionContext<'_>) -> Vec<Candidate> {
    if context.expects_boolean_array() {
        let mut candidates = complete_map_each(context);
        candidates.push(operators::not_candidate(context));
        return candidates;
    }
    let mut candidates = field_candidates(context.options, |field| Some(FieldInsertion::plain(field)));
    candidates.extend(function_candidates(context, |_| true));
    if context.options.kind.is_condition() {
        candidates.push(operators::not_candidate(context));
    }
    candidates
}

/// Returns the candidates for the argument of a parameter.
pub(super) fn complete_argument(
    context: &CompletionContext<'_>,
    function: &Function,
    param: &Param,
    call: &OpenCall,
) -> Vec<Candidate> {
    let mut candidates = match param.kind {
        ArgumentKind::Computed => Vec::new(),
        ArgumentKind::Literal | ArgumentKind::Either => values::complete_literals(function, param, call),
    };
    if param.kind == ArgumentKind::Literal {
        return candidates;
    }
    if accepts_boolean_array(param) {
        return complete_map_each(context);
    }
    if let Some(Constraint::OneOfFields(names)) = param.constraint {
        candidates.extend(field_candidates(context.options, |field| {
            names.contains(&field.name).then(|| FieldInsertion::plain(field))
        }));
        return candidates;
    }
    let first = call.first.ty;
    let maps_each = call.argument == 0 && function.maps_each && context.is_inside_quantifier();
    candidates.extend(field_candidates(context.options, |field| match parameter_accepts(param, field.ty, first) {
        true if !maps_each || field.ty.is_scalar() => Some(FieldInsertion::plain(field)),
        _ => indexed_insertion(field, maps_each, |ty| parameter_accepts(param, ty, first)),
    }));
    candidates.extend(function_candidates(context, |function| {
        can_return(function, |ty| parameter_accepts(param, ty, first))
    }));
    candidates
}

/// Returns the candidates for the right side of an operator.
pub(super) fn complete_right_side(context: &CompletionContext<'_>, operator: Op, left: OperandInfo) -> Vec<Candidate> {
    let mut candidates = values::complete_right_operand(context, operator, left);
    if let (Some(ty), true) = (left.ty, accepts_computed_value(operator)) {
        candidates.extend(complete_computed(context, ty, left.field));
    }
    candidates
}

/// Returns whether the right side of an operator may be a computed value.
fn accepts_computed_value(operator: Op) -> bool {
    match operator {
        Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => true,
        Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard | Op::In | Op::BitwiseAnd => false,
    }
}

/// Returns the computed values of a type, ranked after all literals.
fn complete_computed(context: &CompletionContext<'_>, ty: Type, excluded: Option<&'static Field>) -> Vec<Candidate> {
    let is_not_excluded = |field: &Field| excluded.is_none_or(|excluded| excluded.name != field.name);
    let mut candidates = field_candidates(context.options, |field| match field.ty.is_compatible_with(ty) {
        true => is_not_excluded(field).then(|| FieldInsertion::plain(field)),
        false => indexed_insertion(field, false, |element| element.is_compatible_with(ty)),
    });
    candidates
        .extend(function_candidates(context, |function| can_return(function, |result| result.is_compatible_with(ty))));
    for candidate in &mut candidates {
        candidate.rank += COMPUTED_PENALTY;
    }
    candidates
}

/// Returns the values with `[*]`, as `any` and `all` require them.
fn complete_map_each(context: &CompletionContext<'_>) -> Vec<Candidate> {
    let mut candidates = field_candidates(context.options, |field| indexed_insertion(field, true, Type::is_scalar));
    candidates
        .extend(function_candidates(context, |function| function.maps_each && can_return(function, Type::is_scalar)));
    candidates
}

/// The result types that are tried for a function whose result has the type of its first argument.
const PASS_THROUGH_TYPES: [Type; 6] =
    [Type::STRING, Type::INTEGER, Type::IP, Type::BOOLEAN, Type::STRING.array(), Type::STRING.array().map()];

/// Returns whether a call may have an accepted type.
fn can_return(function: &Function, is_accepted: impl Fn(Type) -> bool) -> bool {
    match function.returns {
        ReturnType::Type(ty) => is_accepted(ty),
        ReturnType::SameAsFirst => {
            let first = function.params.first();
            PASS_THROUGH_TYPES
                .into_iter()
                .any(|ty| is_accepted(ty) && first.is_some_and(|first| parameter_accepts(first, ty, None)))
        }
    }
}

/// The text to insert for a field.
struct FieldInsertion {
    text: String,
    /// The position of the cursor after insertion, in bytes.
    cursor: usize,
    /// Whether the cursor is at the position of a key.
    is_at_key: bool,
    /// The penalty that is added to the rank of the field.
    penalty: u16,
}

impl FieldInsertion {
    fn plain(field: &Field) -> FieldInsertion {
        FieldInsertion { text: field.name.to_owned(), cursor: field.name.len(), is_at_key: false, penalty: 0 }
    }
}

/// Indexes a field until its type is accepted: arrays by `[*]` if `maps_each` is set, otherwise by `[0]`.
fn indexed_insertion(field: &Field, maps_each: bool, is_accepted: impl Fn(Type) -> bool) -> Option<FieldInsertion> {
    let mut text = field.name.to_owned();
    let mut cursor = None;
    let mut ty = field.ty;
    loop {
        match ty.container()? {
            Container::Array => text.push_str(if maps_each { "[*]" } else { "[0]" }),
            Container::Map => {
                text.push_str("[\"\"]");
                cursor.get_or_insert(text.len() - 2);
            }
        }
        ty = ty.element();
        if is_accepted(ty) {
            let penalty = if maps_each { 0 } else { INDEXED_PENALTY };
            return Some(FieldInsertion {
                cursor: cursor.unwrap_or(text.len()),
                is_at_key: cursor.is_some(),
                text,
                penalty,
            });
        }
    }
}

/// Returns the available fields that `insert` accepts, under their names, their aliases and their deprecated names.
fn field_candidates(options: &Options, insert: impl Fn(&Field) -> Option<FieldInsertion>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for field in FIELDS.iter().filter(|field| is_available(field, options) && field.deprecated.is_none()) {
        if let Some(insert) = insert(field) {
            candidates.push(field_candidate(field, insert, options));
        }
    }
    let aliases = FIELDS.iter().flat_map(|field| field.aliases.iter().map(|alias| (*alias, field.name)));
    let deprecated = FIELDS.iter().filter_map(|field| Some((field.name, field.deprecated?.replacement?)));
    for (alias, name) in aliases.chain(deprecated) {
        let Some(field) = field(name).filter(|field| is_available(field, options)) else { continue };
        if let Some(insert) = insert(field) {
            let candidate = field_candidate(field, insert, options);
            candidates.push(Candidate { alias: Some(alias), ..candidate });
        }
    }
    candidates
}

fn field_candidate(field: &Field, insert: FieldInsertion, options: &Options) -> Candidate {
    let rank = match COMMON_FIELDS.iter().position(|name| *name == field.name) {
        Some(position) => u16::try_from(position).unwrap_or(OTHER_RANK),
        None => {
            let packet_penalty =
                if field.available == Availability::Packet && options.phase.is_none() { RARE_PENALTY } else { 0 };
            let add_on_penalty = if field.needs == Some(PlanRequirement::AddOn) { RARE_PENALTY / 2 } else { 0 };
            OTHER_RANK + packet_penalty + add_on_penalty
        }
    };
    let unconfirmed_penalty = if field.certainty == Certainty::Unconfirmed { 2 * RARE_PENALTY } else { 0 };
    let item = Completion {
        label: field.name.to_owned(),
        insert: insert.text,
        cursor: insert.cursor,
        retrigger: insert.is_at_key && !field.help().keys.is_empty(),
        kind: CompletionKind::Field,
        detail: field.ty.to_string(),
        note: format!("{}{}", field.help().doc, format_requirement(field.needs)),
    };
    let rank = rank + insert.penalty + unconfirmed_penalty + plan_penalty(field.needs, options);
    Candidate { item, rank, alias: None }
}

fn function_candidates(context: &CompletionContext<'_>, is_accepted: impl Fn(&Function) -> bool) -> Vec<Candidate> {
    let options = context.options;
    let in_phase = |function: &Function| {
        options.phase.is_none_or(|phase| function.only_in.is_none_or(|phases| phases.contains(&phase)))
    };
    let is_called = context.text_after().starts_with('(');
    FUNCTIONS
        .iter()
        .filter(|function| in_phase(function) && function.certainty == Certainty::Confirmed && is_accepted(function))
        .map(|function| function_candidate(function, is_called, options))
        .collect()
}

fn function_candidate(function: &Function, is_called: bool, options: &Options) -> Candidate {
    let name = function.name;
    let item = Completion {
        label: name.to_owned(),
        insert: if is_called { name.to_owned() } else { format!("{name}()") },
        cursor: if is_called { name.len() } else { name.len() + 1 },
        retrigger: !is_called,
        kind: CompletionKind::Function,
        detail: format!("{} → {}", check::format_signature(function), signature::format_return_type(function)),
        note: format!("{}{}", function.doc(), format_requirement(function.needs)),
    };
    let rank = match COMMON_FUNCTIONS.iter().position(|common| *common == function.id) {
        Some(position) => FUNCTION_RANK + u16::try_from(position).unwrap_or(0),
        None => OTHER_RANK + RARE_PENALTY / 4,
    };
    Candidate { item, rank: rank + plan_penalty(function.needs, options), alias: None }
}

/// Returns the penalty of a feature that the plan does not include. The feature is still listed, because users may
/// upgrade.
fn plan_penalty(needs: Option<PlanRequirement>, options: &Options) -> u16 {
    if needs.is_none_or(|needs| is_in_plan(needs, options)) { 0 } else { MISSING_PLAN_PENALTY }
}

/// Formats the required plan as the end of a note.
pub(crate) fn format_requirement(needs: Option<PlanRequirement>) -> String {
    match needs {
        None => String::new(),
        Some(PlanRequirement::Tier(tier)) => format!("; requires {tier}"),
        Some(PlanRequirement::AddOn) => "; requires Enterprise with an add-on".to_owned(),
    }
}
