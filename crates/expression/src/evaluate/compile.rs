//! Compiles the resolved tree into the tree that is evaluated.
//!
//! [`compile`] is the entry point; [`Compiler`] owns the compiled patterns of one expression.

use super::{
    condition::ConditionTree,
    matcher::{AddressMatcher, IntegerMatcher, Matcher, Order, TextBound, TextMatcher},
    regex_compiler::Patterns,
    specialize::{EvalFn, specialize},
    tree::{self, ArrayCondition, Call, Compare, Node, Operand},
    unknown_causes::UnknownCause,
    wildcard::{self, WildcardMatcher},
};
use crate::{
    Value,
    ast::{ComparisonOperator as Op, LogicalOperator},
    functions::{Arguments, Computation, UnsupportedCall},
    record,
    resolved::{
        self, Argument, Comparison, Condition, ConditionKind, Index, Literal, OperandSource, ResolvedExpression,
        RightOperand,
    },
    schema::{FunctionId, ResultForm},
    search::{Case, Needle},
    sets::{Addresses, TextSet},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// The minimum number of needles for one field for which one combined search replaces the separate searches.
const MIN_MULTI_PATTERN_NEEDLES: usize = 3;

/// A compiled program.
pub(crate) struct CompiledProgram {
    /// The function that evaluates the condition.
    pub(super) entry: EvalFn,
    /// The condition; [`Node::Unknown`] for a value expression.
    pub(super) condition: Node,
    pub(super) value: Option<Operand>,
}

impl fmt::Debug for CompiledProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledProgram").finish_non_exhaustive()
    }
}

/// Compiles a resolved expression.
pub(crate) fn compile(resolved: &ResolvedExpression) -> CompiledProgram {
    let mut compiler = Compiler::default();
    let (condition, value) = match resolved {
        ResolvedExpression::Condition(condition) => (compiler.compile_condition(condition).into_node(), None),
        ResolvedExpression::Value(value) => (Node::Unknown, Some(compiler.compile_operand(value))),
    };
    CompiledProgram { entry: specialize(&condition), condition, value }
}

/// The compiled right operand of a comparison.
enum CompiledRight {
    Test(Matcher),
    Compare(Order, Operand),
    List(String),
    Uncomputable(UnknownCause<'static>),
}

#[derive(Default)]
pub(super) struct Compiler {
    patterns: Patterns,
}

impl Compiler {
    fn compile_condition(&mut self, condition: &Condition) -> ConditionTree {
        match &condition.kind {
            ConditionKind::Group(inner) => self.compile_condition(inner),
            ConditionKind::Not(inner) => ConditionTree::Not(Box::new(self.compile_condition(inner))),
            ConditionKind::Logical(operator, parts) => {
                let mut parts: Vec<ConditionTree> = parts.iter().map(|part| self.compile_condition(part)).collect();
                if *operator == LogicalOperator::Or {
                    parts = self.merge_contains(parts);
                }
                parts.sort_by_cached_key(ConditionTree::cost);
                ConditionTree::Joined(*operator, parts)
            }
            ConditionKind::True | ConditionKind::Value(_) | ConditionKind::Comparison(_) => {
                ConditionTree::Test(self.compile_leaf(condition))
            }
            ConditionKind::Invalid => ConditionTree::Not(Box::new(ConditionTree::Test(Node::True))),
        }
    }

    /// Combines the `contains` tests of each field into one search.
    fn merge_contains(&mut self, parts: Vec<ConditionTree>) -> Vec<ConditionTree> {
        let mut fields: BTreeMap<record::FieldIndex, Vec<Box<Needle>>> = BTreeMap::new();
        let mut operands = Vec::new();
        for part in parts {
            match part {
                ConditionTree::Test(Node::TextContains(field, needle)) if !needle.is_folded() => {
                    fields.entry(field).or_default().push(needle);
                }
                part => operands.push(part),
            }
        }
        for (field, needles) in fields {
            let combined = (needles.len() >= MIN_MULTI_PATTERN_NEEDLES)
                .then(|| self.patterns.compile_any_of(needles.iter().map(|needle| needle.text())))
                .flatten();
            match combined {
                Some(matcher) => operands.push(ConditionTree::Test(Node::Text(field, matcher))),
                None => operands
                    .extend(needles.into_iter().map(|needle| ConditionTree::Test(Node::TextContains(field, needle)))),
            }
        }
        operands
    }

    /// Compiles a comparison or a Boolean value.
    pub(super) fn compile_leaf(&mut self, condition: &Condition) -> Node {
        match &condition.kind {
            ConditionKind::Value(value) => self.compile_boolean(value),
            ConditionKind::Comparison(comparison) => {
                let (left, right) = self.compile_comparison(comparison);
                match right {
                    CompiledRight::Test(matcher) => Node::from_matcher(left, matcher),
                    CompiledRight::Compare(order, right) => Node::Compare(Box::new(Compare { left, order, right })),
                    CompiledRight::List(name) => Node::List(Box::new((left, name))),
                    CompiledRight::Uncomputable(cause) => Node::Uncomputable(Box::new((left, cause))),
                }
            }
            _ => Node::True,
        }
    }

    /// Compiles a Boolean value.
    fn compile_boolean(&mut self, value: &resolved::Operand) -> Node {
        if let OperandSource::Call(call) = &value.source
            && value.indexes.is_empty()
            && !call.each
        {
            match (call.function.id, call.arguments.as_slice()) {
                (FunctionId::Any, [argument]) => return Node::Any(Box::new(self.compile_array_argument(argument))),
                (FunctionId::All, [argument]) => return Node::All(Box::new(self.compile_array_argument(argument))),
                (FunctionId::StartsWith, [Argument::Value(text), Argument::Literal(Literal::Text(start), _)]) => {
                    let (left, case) = self.compile_left_operand(text);
                    return Node::from_matcher(
                        left,
                        Matcher::Text(case_matcher(case, start, TextMatcher::Prefix, TextMatcher::PrefixIgnoreCase)),
                    );
                }
                (FunctionId::EndsWith, [Argument::Value(text), Argument::Literal(Literal::Text(end), _)]) => {
                    let (left, case) = self.compile_left_operand(text);
                    return Node::from_matcher(
                        left,
                        Matcher::Text(case_matcher(case, end, TextMatcher::Suffix, TextMatcher::SuffixIgnoreCase)),
                    );
                }
                _ => {}
            }
        }
        let operand = self.compile_operand(value);
        match operand.field() {
            Some(field) => Node::BooleanField(field),
            None => Node::Value(Box::new(operand)),
        }
    }

    fn compile_array_condition(&mut self, condition: &Condition) -> ArrayCondition {
        match &condition.kind {
            ConditionKind::Group(inner) => self.compile_array_condition(inner),
            ConditionKind::Not(inner) => ArrayCondition::Not(Box::new(self.compile_array_condition(inner))),
            ConditionKind::Logical(operator, parts) => ArrayCondition::Logical(
                *operator,
                parts.iter().map(|part| self.compile_array_condition(part)).collect(),
            ),
            ConditionKind::Value(value) => ArrayCondition::Values(self.compile_operand(value)),
            ConditionKind::Comparison(comparison) => {
                let (left, right) = self.compile_comparison(comparison);
                match right {
                    CompiledRight::Test(matcher) => ArrayCondition::Test(left, matcher),
                    CompiledRight::Compare(order, right) => ArrayCondition::Compare(Compare { left, order, right }),
                    CompiledRight::List(name) => ArrayCondition::List(left, name),
                    CompiledRight::Uncomputable(cause) => ArrayCondition::Uncomputable(left, cause),
                }
            }
            ConditionKind::True | ConditionKind::Invalid => {
                ArrayCondition::Values(Operand::constant(Value::Array(Vec::new())))
            }
        }
    }

    fn compile_array_argument(&mut self, argument: &Argument) -> ArrayCondition {
        match argument {
            Argument::Condition(condition) => self.compile_array_condition(condition),
            Argument::Value(value) => ArrayCondition::Values(self.compile_operand(value)),
            Argument::Literal(..) => ArrayCondition::Values(Operand::constant(Value::Array(Vec::new()))),
        }
    }

    /// Compiles the left operand of a comparison. A `lower` or `upper` around the operand becomes part of the matcher.
    fn compile_left_operand(&mut self, left: &resolved::Operand) -> (Operand, Option<Case>) {
        if let OperandSource::Call(call) = &left.source
            && let [Argument::Value(inner)] = call.arguments.as_slice()
        {
            let case = match call.function.semantics.result_form {
                ResultForm::LowerCase => Some(Case::Lower),
                ResultForm::UpperCase => Some(Case::Upper),
                ResultForm::Any | ResultForm::NotNegative => None,
            };
            let is_whole_operand = match left.indexes.as_slice() {
                [] => !call.each,
                [Index::Each] => call.each,
                _ => false,
            };
            if case.is_some() && is_whole_operand {
                return (self.compile_operand(inner), case);
            }
        }
        (self.compile_operand(left), None)
    }

    fn compile_comparison(&mut self, comparison: &Comparison) -> (Operand, CompiledRight) {
        let operator = comparison.operator;
        if let RightOperand::Value(right) = &comparison.right {
            let order = Order::from_operator(operator).unwrap_or(Order::Equal);
            return (
                self.compile_operand(&comparison.left),
                CompiledRight::Compare(order, self.compile_operand(right)),
            );
        }
        let (left, case) = self.compile_left_operand(&comparison.left);
        let text = |matcher| CompiledRight::Test(Matcher::Text(matcher));
        let right = match &comparison.right {
            RightOperand::Literal(Literal::Text(literal)) => text(text_matcher(operator, literal, case)),
            RightOperand::Literal(Literal::Integer(literal)) => {
                CompiledRight::Test(Matcher::Integer(match Order::from_operator(operator) {
                    Some(order) => IntegerMatcher::from_order(order, *literal),
                    None => IntegerMatcher::Mask(*literal),
                }))
            }
            RightOperand::Literal(Literal::Ip(literal)) => CompiledRight::Test(Matcher::Address(
                AddressMatcher::Order(Order::from_operator(operator).unwrap_or(Order::Equal), *literal),
            )),
            RightOperand::Regex(pattern) => match self.patterns.compile_pattern(pattern) {
                Some(matcher) => text(wrap_in_case(case, matcher)),
                None => CompiledRight::Uncomputable(UnknownCause::Pattern),
            },
            RightOperand::Wildcard(pattern) => text(wildcard_matcher(pattern, operator == Op::StrictWildcard, case)),
            RightOperand::Texts(items) => text(text_set(items, case)),
            RightOperand::Integers(items) => {
                let ranges = items.iter().map(|item| item.value).collect();
                CompiledRight::Test(Matcher::Integer(IntegerMatcher::from_ranges(ranges)))
            }
            RightOperand::Addresses(items) => {
                let addresses = Addresses::new(items.iter().map(|item| item.value));
                CompiledRight::Test(Matcher::Address(AddressMatcher::In(Box::new(addresses))))
            }
            RightOperand::List(name) => {
                return (self.compile_operand(&comparison.left), CompiledRight::List(name.clone()));
            }
            RightOperand::Value(_) | RightOperand::Invalid => text(TextMatcher::Never),
        };
        (left, right)
    }

    /// Compiles a field or a call with its indexes.
    pub(super) fn compile_operand(&mut self, value: &resolved::Operand) -> Operand {
        let source = match &value.source {
            OperandSource::Field(field) => match record::index_of(field.name) {
                Some(index) => tree::Source::Field(index),
                None => tree::Source::Uncomputable(UnknownCause::Field(field)),
            },
            OperandSource::Call(call) => self.compile_call(call),
            OperandSource::Invalid => tree::Source::Constant(Value::Boolean(false)),
        };
        let path = value.indexes.iter().map(|index| match index {
            Index::Element(index) => tree::Index::Element(*index as usize),
            Index::Key(key) => tree::Index::Key(key.as_bytes().into()),
            Index::Each => tree::Index::Each,
        });
        Operand { source, path: path.collect() }
    }

    fn compile_call(&mut self, call: &resolved::Call) -> tree::Source {
        match (call.function.id, call.arguments.as_slice()) {
            (FunctionId::Any, [argument]) => {
                return tree::Source::Condition(Box::new(Node::Any(Box::new(self.compile_array_argument(argument)))));
            }
            (FunctionId::All, [argument]) => {
                return tree::Source::Condition(Box::new(Node::All(Box::new(self.compile_array_argument(argument)))));
            }
            _ => {}
        }
        let literals: Vec<_> = call.arguments.iter().map(literal_value).collect();
        let computation = match Computation::new(call.function, Arguments::new(&literals)) {
            Ok(computation) => computation,
            Err(UnsupportedCall::Function) => {
                return tree::Source::Uncomputable(UnknownCause::Function(call.function.name));
            }
            Err(UnsupportedCall::Pattern) => return tree::Source::Uncomputable(UnknownCause::Pattern),
        };
        let arguments = call.arguments.iter().map(|argument| self.compile_argument(argument)).collect();
        tree::Source::Call(Box::new(Call {
            computation,
            missing_argument: call.function.semantics.missing_argument,
            arguments,
            maps_each: call.each,
        }))
    }

    fn compile_argument(&mut self, argument: &Argument) -> Operand {
        let source = match argument {
            Argument::Literal(literal, _) => return Operand::constant(literal.to_value()),
            Argument::Value(value) => return self.compile_operand(value),
            Argument::Condition(condition) if condition.maps_each() => {
                tree::Source::ArrayCondition(Box::new(self.compile_array_condition(condition)))
            }
            Argument::Condition(condition) => {
                tree::Source::Condition(Box::new(self.compile_condition(condition).into_node()))
            }
        };
        Operand { source, path: Box::default() }
    }
}

/// Returns the value of a literal argument.
fn literal_value(argument: &Argument) -> Option<Cow<'static, Value>> {
    match argument {
        Argument::Literal(literal, _) => Some(Cow::Owned(literal.to_value())),
        Argument::Value(_) | Argument::Condition(_) => None,
    }
}

/// Returns a matcher that first converts the text to the case, if there is a case.
fn wrap_in_case(case: Option<Case>, matcher: TextMatcher) -> TextMatcher {
    match case {
        Some(case) => TextMatcher::Transformed(case, Box::new(matcher)),
        None => matcher,
    }
}

/// Returns the exact matcher, or the case-insensitive matcher if the value is an argument of `lower` or `upper`. A
/// literal with letters of the opposite case never matches.
fn case_matcher(
    case: Option<Case>,
    text: &[u8],
    exact: impl Fn(Box<[u8]>) -> TextMatcher,
    folded: impl Fn(Box<[u8]>) -> TextMatcher,
) -> TextMatcher {
    match case {
        None => exact(text.into()),
        Some(case) if case.can_contain(text) => folded(text.to_ascii_lowercase().into()),
        Some(_) => TextMatcher::Never,
    }
}

fn text_matcher(operator: Op, literal: &[u8], case: Option<Case>) -> TextMatcher {
    match operator {
        Op::Equal => case_matcher(case, literal, TextMatcher::Equal, TextMatcher::EqualIgnoreCase),
        Op::NotEqual => match case_matcher(case, literal, TextMatcher::NotEqual, TextMatcher::NotEqualIgnoreCase) {
            TextMatcher::Never => TextMatcher::Always,
            matcher => matcher,
        },
        Op::Contains => case_matcher(
            case,
            literal,
            |text| TextMatcher::Contains(Box::new(Needle::new(&text, false))),
            |text| TextMatcher::Contains(Box::new(Needle::new(&text, true))),
        ),
        _ => match Order::from_operator(operator) {
            Some(order) => wrap_in_case(case, TextMatcher::Order(order, Box::new(TextBound::new(literal)))),
            None => TextMatcher::Never,
        },
    }
}

fn wildcard_matcher(pattern: &[u8], strict: bool, case: Option<Case>) -> TextMatcher {
    let wildcard = |ignores_case| TextMatcher::Wildcard(Box::new(WildcardMatcher::new(pattern, ignores_case)));
    match case {
        // Case-insensitive matching makes `lower` and `upper` redundant.
        _ if !strict => wildcard(true),
        None => wildcard(false),
        Some(case) if wildcard::literal_segments(pattern).iter().all(|segment| case.can_contain(segment)) => {
            wildcard(true)
        }
        Some(_) => TextMatcher::Never,
    }
}

fn text_set(items: &[resolved::SetItem<Vec<u8>>], case: Option<Case>) -> TextMatcher {
    let texts = items.iter().map(|item| item.value.as_slice());
    match case {
        None => TextMatcher::In(Box::new(TextSet::new(texts.collect()))),
        Some(case) => {
            let lower: Vec<Vec<u8>> =
                texts.filter(|text| case.can_contain(text)).map(<[u8]>::to_ascii_lowercase).collect();
            TextMatcher::InIgnoreCase(Box::new(TextSet::new(lower.iter().map(Vec::as_slice).collect())))
        }
    }
}
