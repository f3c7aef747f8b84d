//! Builds a request from values of terms and confirms it by evaluation.
//!
//! Start with [`WitnessBuilder`]. It returns only requests that have documented formats and for which all programs have
//! the required outcomes.

mod record;

use crate::Assumption;
use crate::arena::TermId;
use crate::domain::{self, RevealedParts};
use crate::lower::{ListLookup, Lowering, ValueComparison};
use crate::solve::{Model, TermAssumption, TermValue};
use crate::step_counter::{StepCounter, UndecidedReason};
use crate::strings::StringSolver;
use record::RecordBuilder;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use zonewright_expression::resolved::{
    Argument, Condition, ConditionKind, Index, Operand, OperandSource, ResolvedExpression, RightOperand,
};
use zonewright_expression::schema::{self, Field, ValueConstraint};
use zonewright_expression::{MissingPolicy, Outcome, Program, Record, Value};

/// The maximum number of steps for automata of documented formats. They are small, and each is built once.
const MAX_FORMAT_CHECK_STEPS: u64 = 10_000_000;

/// The context for building records for a set of programs.
pub(crate) struct WitnessBuilder {
    /// The source of each term; `None` for conditions.
    terms: Vec<Option<Operand>>,
    lookups: Vec<ListLookup>,
    value_comparisons: Vec<ValueComparison>,
    /// Every field that the programs name.
    fields: Vec<&'static Field>,
    /// The automata of the documented formats.
    format_automata: StringSolver,
}

impl WitnessBuilder {
    pub(crate) fn new(fields: Vec<&'static Field>, lowering: &Lowering) -> WitnessBuilder {
        let terms = lowering.arena.terms.iter().map(|term| term.operand.clone());
        WitnessBuilder {
            terms: terms.collect(),
            lookups: lowering.list_lookups.clone(),
            value_comparisons: lowering.value_comparisons.clone(),
            fields,
            format_automata: StringSolver::default(),
        }
    }

    /// Converts assumptions about terms to public assumptions, sorted and without duplicates.
    pub(crate) fn assumptions(&self, granted: &BTreeSet<(TermId, TermAssumption)>) -> Vec<Assumption> {
        let to_assumption = |(term, kind): &(TermId, TermAssumption)| {
            let operand = self.operand(*term)?;
            match (kind, &operand.source) {
                (TermAssumption::Present, OperandSource::Field(field)) => {
                    Some(Assumption::Present(field.current().name))
                }
                (TermAssumption::Present, _) => None,
                (TermAssumption::Format, _) => domain::format_assumption(operand),
            }
        };
        let mut assumptions: Vec<Assumption> = granted.iter().filter_map(to_assumption).collect();
        assumptions.sort_unstable();
        assumptions.dedup();
        assumptions
    }

    fn operand(&self, term: TermId) -> Option<&Operand> {
        self.terms.get(term.0).and_then(Option::as_ref)
    }

    /// Builds a record with these values for which the programs have the outcomes in `goals`.
    pub(crate) fn confirm(
        &mut self,
        choices: &Model,
        programs: &[&Program],
        goals: &[(usize, bool)],
    ) -> Result<Record, UndecidedReason> {
        self.check_independence(choices)?;
        let satisfies_goals = |record: &Record| {
            goals.iter().all(|(number, truth)| {
                let outcome = programs.get(*number).map(|program| program.evaluate(record));
                matches!((outcome, truth), (Some(Outcome::True), true) | (Some(Outcome::False), false))
            })
        };
        for choices in self.candidate_models(choices) {
            let mut record = self.build_record(&choices);
            if !self.has_documented_formats(&record)? {
                continue;
            }
            if satisfies_goals(&record) {
                return Ok(record);
            }
            // The outcomes may depend on fields that are still unset.
            self.fill_missing_fields(&mut record);
            if satisfies_goals(&record) {
                return Ok(record);
            }
        }
        Err(UndecidedReason::Unconfirmed)
    }

    /// Returns whether all values have their documented format. Values chosen for a term have their format. Values
    /// derived for a call or for another value may not.
    fn has_documented_formats(&mut self, record: &Record) -> Result<bool, UndecidedReason> {
        let counter = StepCounter::new(MAX_FORMAT_CHECK_STEPS);
        for (name, value) in record.fields() {
            let Some(field) = schema::field(name) else { continue };
            let Some(value) = value else {
                if domain::is_always_present(field) {
                    return Ok(false);
                }
                continue;
            };
            let fits = match value {
                Value::Map(entries) => entries.iter().all(|(key, entry)| {
                    let has_valid_key = !field.has_lower_case_keys() || !key.iter().any(u8::is_ascii_uppercase);
                    let is_empty = matches!(entry, Value::Array(values) if values.is_empty());
                    has_valid_key && !(field.has_named_values() && is_empty)
                }),
                _ => true,
            };
            if !fits || !self.satisfies_constraint(field.form.constraint(), value, &counter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a value, or each of its elements, satisfies the constraint.
    fn satisfies_constraint(
        &mut self,
        constraint: Option<ValueConstraint>,
        value: &Value,
        counter: &StepCounter,
    ) -> Result<bool, UndecidedReason> {
        let Some(constraint) = constraint else { return Ok(true) };
        Ok(match (constraint, value) {
            (_, Value::Array(elements)) => self.all_satisfy_constraint(constraint, elements.iter(), counter)?,
            (_, Value::Map(elements)) => self.all_satisfy_constraint(constraint, elements.values(), counter)?,
            (ValueConstraint::Text { pattern, .. }, Value::Text(text)) => {
                self.format_automata.matches_format(text, pattern, counter)?
            }
            (ValueConstraint::Integers { low, high }, Value::Integer(number)) => (low..=high).contains(number),
            _ => true,
        })
    }

    fn all_satisfy_constraint<'a>(
        &mut self,
        constraint: ValueConstraint,
        mut values: impl Iterator<Item = &'a Value>,
        counter: &StepCounter,
    ) -> Result<bool, UndecidedReason> {
        values.try_fold(true, |fits, value| Ok(fits && self.satisfies_constraint(Some(constraint), value, counter)?))
    }

    /// Checks that no two chosen values are known to depend on each other.
    fn check_independence(&self, choices: &Model) -> Result<(), UndecidedReason> {
        // Many chosen values belong to few fields, so the set stays small.
        let mut revealed = BTreeSet::new();
        for operand in choices.keys().filter_map(|term| self.operand(*term)) {
            visit_operand_fields(operand, &mut |field, indexes| {
                revealed.insert(RevealedParts::new(field, indexes));
            });
        }
        for (index, second) in revealed.iter().enumerate() {
            if let Some(first) = revealed.iter().take(index).find(|first| second.depends_on(first)) {
                return Err(UndecidedReason::DependentFields(first.field.to_owned(), second.field.to_owned()));
            }
        }
        Ok(())
    }

    /// Returns the model, then variants of it. In a variant, the values of compared terms give each comparison its
    /// chosen truth value.
    fn candidate_models(&self, choices: &Model) -> Vec<Model> {
        let mut variants = vec![choices.clone()];
        let decided_comparisons: Vec<(&ValueComparison, bool)> = self
            .value_comparisons
            .iter()
            .filter_map(|comparison| match choices.get(&comparison.term) {
                Some(TermValue::Value(Value::Boolean(truth))) => Some((comparison, *truth)),
                _ => None,
            })
            .collect();
        if decided_comparisons.is_empty() {
            return variants;
        }
        for is_swapped in [false, true] {
            let mut variant = choices.clone();
            for (comparison, truth) in &decided_comparisons {
                let ValueComparison { left, right, relation, .. } = **comparison;
                let (from, to) = if is_swapped { (right, left) } else { (left, right) };
                let value = match variant.get(&from) {
                    Some(TermValue::Value(value)) => value.clone(),
                    _ => continue,
                };
                let value = if *truth == relation.holds_for_equal_values() { value } else { different_value(&value) };
                variant.insert(to, TermValue::Value(value));
            }
            variants.push(variant);
        }
        variants
    }

    fn build_record(&self, choices: &Model) -> Record {
        let mut builder = RecordBuilder::default();
        // Fields and their elements come first. A value derived from a call is used only where the field is still
        // unset.
        let mut values: Vec<(&Operand, &TermValue)> =
            choices.iter().filter_map(|(term, choice)| self.operand(*term).map(|operand| (operand, choice))).collect();
        values.sort_by_key(|(operand, choice)| {
            let is_call = matches!(operand.source, OperandSource::Call(_));
            (is_call, matches!(choice, TermValue::Value(Value::Array(_))))
        });
        for (operand, choice) in values {
            builder.insert(operand, choice);
        }
        let mut record = builder.build();
        for lookup in &self.lookups {
            let mut items = record.list(&lookup.list).map(<[_]>::to_vec).unwrap_or_default();
            let is_in_list = choices.get(&lookup.term) == Some(&TermValue::Value(Value::Boolean(true)));
            if let (true, Some(TermValue::Value(value))) = (is_in_list, choices.get(&lookup.value)) {
                items.extend(record::list_item(value));
            }
            record.set_list(&lookup.list, items);
        }
        record
    }

    /// Sets all fields that the programs name and that are still unset, and the missing policy of the record, so that
    /// no outcome is unknown because of a field.
    pub(crate) fn fill_missing_fields(&self, record: &mut Record) {
        record.set_missing_policy(MissingPolicy::Absent);
        let present: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
        for field in self.fields.iter().filter(|field| !present.contains(field.name)) {
            // Setting cannot fail: the name is a field's, and the value has its type.
            let _ = match record::typical_value(field) {
                Some(value) => record.set(field.name, value),
                None => record.set_absent(field.name),
            };
        }
    }
}

/// Returns a different value where the type allows it. A different text, integer or address is greater, except that
/// there is no greater value than the greatest integer or address.
fn different_value(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Text([text.as_slice(), b"a"].concat()),
        Value::Integer(number) => Value::Integer(number.wrapping_add(1)),
        Value::Ip(IpAddr::V4(address)) => {
            let example = Ipv4Addr::new(198, 51, 100, 1).to_bits();
            let next = address.to_bits().wrapping_add(1);
            Value::Ip(Ipv4Addr::from_bits(next.max(example)).into())
        }
        Value::Ip(IpAddr::V6(address)) => Value::Ip(Ipv6Addr::from_bits(address.to_bits().wrapping_add(1)).into()),
        Value::Boolean(_) | Value::Array(_) | Value::Map(_) => value.clone(),
    }
}

/// Visits every field that a value depends on, with its indexes.
fn visit_operand_fields<'a>(operand: &'a Operand, visit: &mut dyn FnMut(&'static Field, &'a [Index])) {
    match &operand.source {
        OperandSource::Field(field) => visit(field, &operand.indexes),
        OperandSource::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Value(inner) => visit_operand_fields(inner, visit),
                    Argument::Condition(inner) => visit_condition_fields(inner, visit),
                    Argument::Literal(..) => {}
                }
            }
        }
        OperandSource::Invalid => {}
    }
}

fn visit_condition_fields<'a>(condition: &'a Condition, visit: &mut dyn FnMut(&'static Field, &'a [Index])) {
    match &condition.kind {
        ConditionKind::Logical(_, operands) => {
            operands.iter().for_each(|operand| visit_condition_fields(operand, visit))
        }
        ConditionKind::Not(inner) | ConditionKind::Group(inner) => visit_condition_fields(inner, visit),
        ConditionKind::Value(operand) => visit_operand_fields(operand, visit),
        ConditionKind::Comparison(comparison) => {
            visit_operand_fields(&comparison.left, visit);
            if let RightOperand::Value(right) = &comparison.right {
                visit_operand_fields(right, visit);
            }
        }
        ConditionKind::True | ConditionKind::Invalid => {}
    }
}

/// Returns the fields that expressions name, by the names that the expressions use.
pub(crate) fn referenced_fields(resolved: &[ResolvedExpression]) -> Vec<&'static Field> {
    let mut fields = Vec::new();
    for program in resolved {
        let mut visit = |field, _: &[Index]| fields.push(field);
        match program {
            ResolvedExpression::Condition(condition) => visit_condition_fields(condition, &mut visit),
            ResolvedExpression::Value(operand) => visit_operand_fields(operand, &mut visit),
        }
    }
    fields.sort_unstable_by_key(|field: &&'static Field| field.name);
    fields.dedup_by_key(|field| field.name);
    fields
}
