//! Compiles the resolved tree into the tree that is evaluated.
//!
//! [`compile`] is the entry point; [`Compiler`] owns the compiled patterns of one expression.

use super::{
    condition::Part,
    entry::{Entry, entry},
    notes::Cause,
    patterns::Patterns,
    test::{AddressTest, Bound, IntegerTest, Order, Test, TextTest},
    tree::{self, Call, Compare, Many, Node, Operand},
    wildcard::{self, Wildcard},
};
use crate::{
    Value,
    ast::{ComparisonOperator as Op, LogicalOperator},
    functions::{Arguments, Computation, NotComputable},
    record,
    resolved::{self, Argument, Comparison, Condition, ConditionKind, Index, Literal, Resolved, Right, Source},
    schema::{FunctionId, ResultForm},
    search::{Case, Needle},
    sets::{Addresses, Integers, Texts},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// The number of needles for one field from which one combined search replaces separate ones.
const MANY_NEEDLES: usize = 3;

/// A compiled program.
pub(crate) struct Compiled {
    /// The function that evaluates the condition.
    pub(super) entry: Entry,
    /// The condition; [`Node::Unknown`] for a value expression.
    pub(super) condition: Node,
    pub(super) value: Option<Operand>,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").finish_non_exhaustive()
    }
}

/// Compiles a resolved expression.
pub(crate) fn compile(resolved: &Resolved) -> Compiled {
    let mut compiler = Compiler::default();
    let (condition, value) = match resolved {
        Resolved::Condition(condition) => (compiler.part(condition).node(), None),
        Resolved::Value(value) => (Node::Unknown, Some(compiler.operand(value))),
    };
    Compiled { entry: entry(&condition), condition, value }
}

/// The right operand of a comparison, compiled.
enum Against {
    Test(Test),
    Compare(Order, Operand),
    List(String),
    Opaque(Cause<'static>),
}

#[derive(Default)]
pub(super) struct Compiler {
    patterns: Patterns,
}

impl Compiler {
    fn part(&mut self, condition: &Condition) -> Part {
        match &condition.kind {
            ConditionKind::Group(inner) => self.part(inner),
            ConditionKind::Not(inner) => Part::Not(Box::new(self.part(inner))),
            ConditionKind::Logical(operator, parts) => {
                let mut parts: Vec<Part> = parts.iter().map(|part| self.part(part)).collect();
                if *operator == LogicalOperator::Or {
                    parts = self.together(parts);
                }
                parts.sort_by_cached_key(Part::cost);
                Part::Joined(*operator, parts)
            }
            ConditionKind::True | ConditionKind::Value(_) | ConditionKind::Comparison(_) => {
                Part::Test(self.leaf(condition))
            }
            ConditionKind::Invalid => Part::Not(Box::new(Part::Test(Node::True))),
        }
    }

    /// Combines the `contains` tests of each field into one search.
    fn together(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let mut fields: BTreeMap<record::FieldIndex, Vec<Box<Needle>>> = BTreeMap::new();
        let mut rest = Vec::new();
        for part in parts {
            match part {
                Part::Test(Node::Contains(field, needle)) if !needle.is_folded() => {
                    fields.entry(field).or_default().push(needle);
                }
                part => rest.push(part),
            }
        }
        for (field, needles) in fields {
            let all = (needles.len() >= MANY_NEEDLES)
                .then(|| self.patterns.any_of(needles.iter().map(|needle| needle.text())))
                .flatten();
            match all {
                Some(test) => rest.push(Part::Test(Node::Text(field, test))),
                None => rest.extend(needles.into_iter().map(|needle| Part::Test(Node::Contains(field, needle)))),
            }
        }
        rest
    }

    /// Compiles a comparison or a Boolean value.
    pub(super) fn leaf(&mut self, condition: &Condition) -> Node {
        match &condition.kind {
            ConditionKind::Value(value) => self.value_node(value),
            ConditionKind::Comparison(comparison) => {
                let (left, against) = self.comparison(comparison);
                match against {
                    Against::Test(test) => Node::test(left, test),
                    Against::Compare(order, right) => Node::Compare(Box::new(Compare { left, order, right })),
                    Against::List(name) => Node::List(Box::new((left, name))),
                    Against::Opaque(cause) => Node::Opaque(Box::new((left, cause))),
                }
            }
            _ => Node::True,
        }
    }

    /// Compiles a Boolean value.
    fn value_node(&mut self, value: &resolved::Operand) -> Node {
        if let Source::Call(call) = &value.source
            && value.indexes.is_empty()
            && !call.each
        {
            match (call.function.id, call.arguments.as_slice()) {
                (FunctionId::Any, [argument]) => return Node::Any(Box::new(self.many_argument(argument))),
                (FunctionId::All, [argument]) => return Node::All(Box::new(self.many_argument(argument))),
                (FunctionId::StartsWith, [Argument::Value(text), Argument::Literal(Literal::Text(start), _)]) => {
                    let (left, case) = self.subject(text);
                    return Node::test(
                        left,
                        Test::Text(folding(case, start, TextTest::Prefix, TextTest::PrefixFolded)),
                    );
                }
                (FunctionId::EndsWith, [Argument::Value(text), Argument::Literal(Literal::Text(end), _)]) => {
                    let (left, case) = self.subject(text);
                    return Node::test(left, Test::Text(folding(case, end, TextTest::Suffix, TextTest::SuffixFolded)));
                }
                _ => {}
            }
        }
        let operand = self.operand(value);
        match operand.field() {
            Some(field) => Node::Flag(field),
            None => Node::Value(Box::new(operand)),
        }
    }

    fn many(&mut self, condition: &Condition) -> Many {
        match &condition.kind {
            ConditionKind::Group(inner) => self.many(inner),
            ConditionKind::Not(inner) => Many::Not(Box::new(self.many(inner))),
            ConditionKind::Logical(operator, parts) => {
                Many::Logical(*operator, parts.iter().map(|part| self.many(part)).collect())
            }
            ConditionKind::Value(value) => Many::Values(self.operand(value)),
            ConditionKind::Comparison(comparison) => {
                let (left, against) = self.comparison(comparison);
                match against {
                    Against::Test(test) => Many::Test(left, test),
                    Against::Compare(order, right) => Many::Compare(Compare { left, order, right }),
                    Against::List(name) => Many::List(left, name),
                    Against::Opaque(cause) => Many::Opaque(left, cause),
                }
            }
            ConditionKind::True | ConditionKind::Invalid => Many::Values(Operand::constant(Value::Array(Vec::new()))),
        }
    }

    fn many_argument(&mut self, argument: &Argument) -> Many {
        match argument {
            Argument::Condition(condition) => self.many(condition),
            Argument::Value(value) => Many::Values(self.operand(value)),
            Argument::Literal(..) => Many::Values(Operand::constant(Value::Array(Vec::new()))),
        }
    }

    /// Compiles the left operand of a comparison. A `lower` or `upper` around it becomes part of the test.
    fn subject(&mut self, left: &resolved::Operand) -> (Operand, Option<Case>) {
        if let Source::Call(call) = &left.source
            && let [Argument::Value(inner)] = call.arguments.as_slice()
        {
            let case = match call.function.semantics.result_form {
                ResultForm::LowerCase => Some(Case::Lower),
                ResultForm::UpperCase => Some(Case::Upper),
                ResultForm::Any | ResultForm::NotNegative => None,
            };
            let alone = match left.indexes.as_slice() {
                [] => !call.each,
                [Index::Each] => call.each,
                _ => false,
            };
            if case.is_some() && alone {
                return (self.operand(inner), case);
            }
        }
        (self.operand(left), None)
    }

    fn comparison(&mut self, comparison: &Comparison) -> (Operand, Against) {
        let operator = comparison.operator;
        if let Right::Value(right) = &comparison.right {
            let order = Order::of(operator).unwrap_or(Order::Equal);
            return (self.operand(&comparison.left), Against::Compare(order, self.operand(right)));
        }
        let (left, case) = self.subject(&comparison.left);
        let text = |test| Against::Test(Test::Text(test));
        let against = match &comparison.right {
            Right::Literal(Literal::Text(literal)) => text(text_test(operator, literal, case)),
            Right::Literal(Literal::Integer(literal)) => Against::Test(Test::Integer(match Order::of(operator) {
                Some(order) => IntegerTest::order(order, *literal),
                None => IntegerTest::Mask(*literal),
            })),
            Right::Literal(Literal::Ip(literal)) => {
                Against::Test(Test::Address(AddressTest::Order(Order::of(operator).unwrap_or(Order::Equal), *literal)))
            }
            Right::Regex(pattern) => match self.patterns.test(pattern) {
                Some(test) => text(cased(case, test)),
                None => Against::Opaque(Cause::Pattern),
            },
            Right::Wildcard(pattern) => text(wildcard_test(pattern, operator == Op::StrictWildcard, case)),
            Right::Texts(items) => text(text_set(items, case)),
            Right::Integers(items) => {
                let ranges = items.iter().map(|item| item.value).collect();
                Against::Test(Test::Integer(IntegerTest::In(Box::new(Integers::new(ranges)))))
            }
            Right::Addresses(items) => {
                let addresses = Addresses::new(items.iter().map(|item| item.value));
                Against::Test(Test::Address(AddressTest::In(Box::new(addresses))))
            }
            Right::List(name) => return (self.operand(&comparison.left), Against::List(name.clone())),
            Right::Value(_) | Right::Invalid => text(TextTest::Never),
        };
        (left, against)
    }

    /// Compiles a field or call.
    pub(super) fn operand(&mut self, value: &resolved::Operand) -> Operand {
        let source = match &value.source {
            Source::Field(field) => match record::index_of(field.name) {
                Some(index) => tree::Source::Field(index),
                None => tree::Source::Opaque(Cause::Field(field)),
            },
            Source::Call(call) => self.call(call),
            Source::Invalid => tree::Source::Constant(Value::Boolean(false)),
        };
        let path = value.indexes.iter().map(|index| match index {
            Index::Element(position) => tree::Index::Element(*position as usize),
            Index::Key(key) => tree::Index::Key(key.as_bytes().into()),
            Index::Each => tree::Index::Each,
        });
        Operand { source, path: path.collect() }
    }

    fn call(&mut self, call: &resolved::Call) -> tree::Source {
        match (call.function.id, call.arguments.as_slice()) {
            (FunctionId::Any, [argument]) => {
                return tree::Source::Condition(Box::new(Node::Any(Box::new(self.many_argument(argument)))));
            }
            (FunctionId::All, [argument]) => {
                return tree::Source::Condition(Box::new(Node::All(Box::new(self.many_argument(argument)))));
            }
            _ => {}
        }
        let literals: Vec<_> = call.arguments.iter().map(literal).collect();
        let computation = match Computation::new(call.function, Arguments::new(&literals)) {
            Ok(computation) => computation,
            Err(NotComputable::Function) => return tree::Source::Opaque(Cause::Function(call.function.name)),
            Err(NotComputable::Pattern) => return tree::Source::Opaque(Cause::Pattern),
        };
        let arguments = call.arguments.iter().map(|argument| self.argument(argument)).collect();
        tree::Source::Call(Box::new(Call {
            computation,
            missing_argument: call.function.semantics.missing_argument,
            arguments,
            each: call.each,
        }))
    }

    fn argument(&mut self, argument: &Argument) -> Operand {
        let source = match argument {
            Argument::Literal(literal, _) => return Operand::constant(literal.value()),
            Argument::Value(value) => return self.operand(value),
            Argument::Condition(condition) if condition.each() => {
                tree::Source::Conditions(Box::new(self.many(condition)))
            }
            Argument::Condition(condition) => tree::Source::Condition(Box::new(self.part(condition).node())),
        };
        Operand { source, path: Box::default() }
    }
}

/// Returns the value of a literal argument.
fn literal(argument: &Argument) -> Option<Cow<'static, Value>> {
    match argument {
        Argument::Literal(literal, _) => Some(Cow::Owned(literal.value())),
        Argument::Value(_) | Argument::Condition(_) => None,
    }
}

/// Returns a test that first converts the text to a case, if there is one.
fn cased(case: Option<Case>, test: TextTest) -> TextTest {
    match case {
        Some(case) => TextTest::Cased(case, Box::new(test)),
        None => test,
    }
}

/// Returns the exact test, or the case-insensitive one if `lower` or `upper` surrounds the value. A literal with
/// letters of the other case never matches.
fn folding(
    case: Option<Case>,
    text: &[u8],
    exact: impl Fn(Box<[u8]>) -> TextTest,
    folded: impl Fn(Box<[u8]>) -> TextTest,
) -> TextTest {
    match case {
        None => exact(text.into()),
        Some(case) if case.admits(text) => folded(text.to_ascii_lowercase().into()),
        Some(_) => TextTest::Never,
    }
}

fn text_test(operator: Op, literal: &[u8], case: Option<Case>) -> TextTest {
    match operator {
        Op::Equal => folding(case, literal, TextTest::Equal, TextTest::EqualFolded),
        Op::NotEqual => match folding(case, literal, TextTest::NotEqual, TextTest::NotEqualFolded) {
            TextTest::Never => TextTest::Always,
            test => test,
        },
        Op::Contains => folding(
            case,
            literal,
            |text| TextTest::Contains(Box::new(Needle::new(&text, false))),
            |text| TextTest::Contains(Box::new(Needle::new(&text, true))),
        ),
        _ => match Order::of(operator) {
            Some(order) => cased(case, TextTest::Order(order, Box::new(Bound::new(literal)))),
            None => TextTest::Never,
        },
    }
}

fn wildcard_test(pattern: &[u8], strict: bool, case: Option<Case>) -> TextTest {
    let wildcard = |fold| TextTest::Wildcard(Box::new(Wildcard::new(pattern, fold)));
    match case {
        // Case-insensitive matching makes `lower` and `upper` redundant.
        _ if !strict => wildcard(true),
        None => wildcard(false),
        Some(case) if wildcard::pieces(pattern).iter().all(|piece| case.admits(piece)) => wildcard(true),
        Some(_) => TextTest::Never,
    }
}

fn text_set(items: &[resolved::Item<Vec<u8>>], case: Option<Case>) -> TextTest {
    let texts = items.iter().map(|item| item.value.as_slice());
    match case {
        None => TextTest::In(Box::new(Texts::new(texts.collect()))),
        Some(case) => {
            let lower: Vec<Vec<u8>> = texts.filter(|text| case.admits(text)).map(<[u8]>::to_ascii_lowercase).collect();
            TextTest::InFolded(Box::new(Texts::new(lower.iter().map(Vec::as_slice).collect())))
        }
    }
}
