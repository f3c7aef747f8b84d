//! Completions of fields and functions.

use super::{Candidate, Completion, CompletionKind, Place, operators, takes, takes_booleans, values};
use crate::{
    Container, Options, Type,
    ast::ComparisonOperator as Op,
    check::{self, is_available, is_in_plan},
    cursor::{OpenCall, Subject},
    schema::{
        ArgumentKind, Available, COMMON_FIELDS, COMMON_FUNCTIONS, Certainty, Constraint, FIELDS, FUNCTIONS, Field,
        Function, Needs, Param, Returns, field,
    },
    signature,
};

// The ranks of other candidates. Common fields have the ranks from 0.
const FUNCTION: u16 = 60;
const OTHER: u16 = 100;
const WITH_INDEX: u16 = 200;
const RARE: u16 = 100;
const LAST: u16 = 2000;
/// The offset of the rank of computed values, so that they follow literals.
const COMPUTED: u16 = 500;

/// Returns the candidates that may begin a condition or a value expression.
pub(super) fn start(place: &Place<'_>) -> Vec<Candidate> {
    if place.wants_booleans() {
        let mut found = many(place);
        found.push(operators::negation(place));
        return found;
    }
    let mut found = fields(place.options, |field| Some(Insert::plain(field, 0)));
    found.extend(functions(place, |_| true));
    if place.options.kind.is_condition() {
        found.push(operators::negation(place));
    }
    found
}

/// Returns the candidates for the argument of a parameter.
pub(super) fn argument(place: &Place<'_>, function: &Function, param: &Param, call: &OpenCall) -> Vec<Candidate> {
    let mut found = match param.kind {
        ArgumentKind::Computed => Vec::new(),
        ArgumentKind::Literal | ArgumentKind::Either => values::literals(function, param, call),
    };
    if param.kind == ArgumentKind::Literal {
        return found;
    }
    if takes_booleans(param) {
        return many(place);
    }
    if let Some(Constraint::OneOfFields(names)) = param.constraint {
        found.extend(fields(place.options, |field| names.contains(&field.name).then(|| Insert::plain(field, 0))));
        return found;
    }
    let first = call.first.ty;
    let each = call.argument == 0 && function.maps_each && place.is_inside_quantifier();
    found.extend(fields(place.options, |field| match takes(param, field.ty, first) {
        true if !each || field.ty.is_scalar() => Some(Insert::plain(field, 0)),
        _ => indexed(field, each, |ty| takes(param, ty, first)),
    }));
    found.extend(functions(place, |function| may_give(function, |ty| takes(param, ty, first))));
    found
}

/// Returns the candidates for the right side of an operator.
pub(super) fn right_side(place: &Place<'_>, operator: Op, left: Subject) -> Vec<Candidate> {
    let mut found = values::right_side(place, operator, left);
    if let (Some(ty), true) = (left.ty, is_order(operator)) {
        found.extend(of_type(place, ty, left.field));
    }
    found
}

/// Returns whether the right side of an operator may be a computed value.
fn is_order(operator: Op) -> bool {
    match operator {
        Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => true,
        Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard | Op::In | Op::BitwiseAnd => false,
    }
}

/// Returns the computed values of a type, ranked after all literals.
fn of_type(place: &Place<'_>, ty: Type, besides: Option<&'static Field>) -> Vec<Candidate> {
    let other = |field: &Field| besides.is_none_or(|besides| besides.name != field.name);
    let mut found = fields(place.options, |field| match field.ty.fits(ty) {
        true => other(field).then(|| Insert::plain(field, 0)),
        false => indexed(field, false, |element| element.fits(ty)),
    });
    found.extend(functions(place, |function| may_give(function, |result| result.fits(ty))));
    for candidate in &mut found {
        candidate.rank += COMPUTED;
    }
    found
}

/// Returns the values that represent many, as `any` and `all` require.
fn many(place: &Place<'_>) -> Vec<Candidate> {
    let mut found = fields(place.options, |field| indexed(field, true, Type::is_scalar));
    found.extend(functions(place, |function| function.maps_each && may_give(function, Type::is_scalar)));
    found
}

/// The result types that are tried for a function whose result has the type of its first argument.
const PASSED_ON: [Type; 6] =
    [Type::STRING, Type::INTEGER, Type::IP, Type::BOOLEAN, Type::STRING.array(), Type::STRING.array().map()];

/// Returns whether a call may have a wanted type.
fn may_give(function: &Function, wanted: impl Fn(Type) -> bool) -> bool {
    match function.returns {
        Returns::Type(ty) => wanted(ty),
        Returns::SameAsFirst => {
            let first = function.params.first();
            PASSED_ON.into_iter().any(|ty| wanted(ty) && first.is_some_and(|first| takes(first, ty, None)))
        }
    }
}

/// The text to insert for a field.
struct Insert {
    text: String,
    /// The position of the cursor after insertion, in bytes.
    cursor: usize,
    /// Whether the cursor is at the position of a key.
    keyed: bool,
    /// The offset that is added to the rank of the field.
    rank: u16,
}

impl Insert {
    fn plain(field: &Field, rank: u16) -> Insert {
        Insert { text: field.name.to_owned(), cursor: field.name.len(), keyed: false, rank }
    }
}

/// Indexes a field until its type is wanted: arrays by `[*]` if `each` is set, otherwise by `[0]`.
fn indexed(field: &Field, each: bool, wanted: impl Fn(Type) -> bool) -> Option<Insert> {
    let mut text = field.name.to_owned();
    let mut cursor = None;
    let mut ty = field.ty;
    loop {
        match ty.container()? {
            Container::Array => text.push_str(if each { "[*]" } else { "[0]" }),
            Container::Map => {
                text.push_str("[\"\"]");
                cursor.get_or_insert(text.len() - 2);
            }
        }
        ty = ty.element();
        if wanted(ty) {
            let rank = if each { 0 } else { WITH_INDEX };
            return Some(Insert { cursor: cursor.unwrap_or(text.len()), keyed: cursor.is_some(), text, rank });
        }
    }
}

/// Returns the available fields that `insert` accepts, under their own names, their aliases and their former names.
fn fields(options: &Options, insert: impl Fn(&Field) -> Option<Insert>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for field in FIELDS.iter().filter(|field| is_available(field, options) && field.deprecated.is_none()) {
        if let Some(insert) = insert(field) {
            found.push(field_candidate(field, insert, options));
        }
    }
    let aliases = FIELDS.iter().flat_map(|field| field.aliases.iter().map(|alias| (*alias, field.name)));
    let former = FIELDS.iter().filter_map(|old| Some((old.name, old.deprecated?.replacement?)));
    for (name, right) in aliases.chain(former) {
        let Some(field) = field(right).filter(|field| is_available(field, options)) else { continue };
        if let Some(insert) = insert(field) {
            let candidate = field_candidate(field, insert, options);
            found.push(Candidate { other_name: Some(name), ..candidate });
        }
    }
    found
}

fn field_candidate(field: &Field, insert: Insert, options: &Options) -> Candidate {
    let rank = match COMMON_FIELDS.iter().position(|name| *name == field.name) {
        Some(position) => u16::try_from(position).unwrap_or(OTHER),
        None => {
            let packet = if field.available == Available::Packet && options.phase.is_none() { RARE } else { 0 };
            let add_on = if field.needs == Some(Needs::AddOn) { RARE / 2 } else { 0 };
            OTHER + packet + add_on
        }
    };
    let doubtful = if field.certainty == Certainty::Doubtful { 2 * RARE } else { 0 };
    let item = Completion {
        label: field.name.to_owned(),
        insert: insert.text,
        cursor: insert.cursor,
        again: insert.keyed && !field.suggested_keys().is_empty(),
        kind: CompletionKind::Field,
        detail: field.ty.to_string(),
        note: format!("{}{}", field.doc, needs(field.needs)),
    };
    let rank = rank + insert.rank + doubtful + beyond_plan(field.needs, options);
    Candidate { item, rank, other_name: None }
}

fn functions(place: &Place<'_>, wanted: impl Fn(&Function) -> bool) -> Vec<Candidate> {
    let options = place.options;
    let in_phase =
        |one: &Function| options.phase.is_none_or(|phase| one.only_in.is_none_or(|phases| phases.contains(&phase)));
    let is_called = place.rest().starts_with('(');
    FUNCTIONS
        .iter()
        .filter(|function| in_phase(function) && function.certainty == Certainty::Known && wanted(function))
        .map(|function| function_candidate(function, is_called, options))
        .collect()
}

fn function_candidate(function: &Function, is_called: bool, options: &Options) -> Candidate {
    let name = function.name;
    let item = Completion {
        label: name.to_owned(),
        insert: if is_called { name.to_owned() } else { format!("{name}()") },
        cursor: if is_called { name.len() } else { name.len() + 1 },
        again: !is_called,
        kind: CompletionKind::Function,
        detail: format!("{} → {}", check::signature(function), signature::returns(function)),
        note: format!("{}{}", function.doc, needs(function.needs)),
    };
    let rank = match COMMON_FUNCTIONS.iter().position(|common| *common == function.id) {
        Some(position) => FUNCTION + u16::try_from(position).unwrap_or(0),
        None => OTHER + RARE / 4,
    };
    Candidate { item, rank: rank + beyond_plan(function.needs, options), other_name: None }
}

/// Returns the rank offset of a feature that the plan does not include. It is still listed, because users may upgrade.
fn beyond_plan(needs: Option<Needs>, options: &Options) -> u16 {
    if needs.is_none_or(|needs| is_in_plan(needs, options)) { 0 } else { LAST }
}

/// Formats the required plan as the end of a note.
pub(crate) fn needs(needs: Option<Needs>) -> String {
    match needs {
        None => String::new(),
        Some(Needs::Tier(tier)) => format!("; needs {tier}"),
        Some(Needs::AddOn) => "; needs Enterprise with an add-on".to_owned(),
    }
}
