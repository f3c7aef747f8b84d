//! Converts expressions to filters.

use super::{
    Loss, node_builder,
    pattern::{self, StringTest},
};
use crate::field_mapping::{FieldMapping, ValueMapping, mapping_for_rules_field};
use crate::{
    Dataset, Field, Operator,
    ast::{JsonKind, Node},
};
use std::net::IpAddr;
use zonewright_diagnostic::Span;
use zonewright_expression::{
    Program,
    ast::{ComparisonOperator, LogicalOperator},
    resolved::{
        Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource,
        ResolvedExpression, RightOperand, SetItem,
    },
    schema::FunctionId,
};

/// The maximum number of conditions that an `xor` expands to.
const MAX_XOR_OPERATORS: usize = 16;

/// Returns the node under `where`, and appends parts without an equivalent to `losses`.
pub(super) fn build_filter(program: &Program, dataset: &'static Dataset, losses: &mut Vec<Loss>) -> Option<Node> {
    let mut converter = Converter { dataset, losses };
    match program.resolved() {
        ResolvedExpression::Condition(condition) => converter.convert_condition(&condition),
        ResolvedExpression::Value(operand) => converter.report_loss(operand.span, "a value is not a condition"),
    }
}

struct Converter<'a> {
    dataset: &'static Dataset,
    losses: &'a mut Vec<Loss>,
}

/// A field that both languages have.
type MappedField = (&'static FieldMapping, &'static Field);
/// A node, or the reason why there is none.
type ConvertResult = Result<Node, String>;

impl Converter<'_> {
    fn report_loss(&mut self, span: Span, message: impl Into<String>) -> Option<Node> {
        self.losses.push(Loss { span, message: message.into() });
        None
    }

    fn convert_condition(&mut self, condition: &Condition) -> Option<Node> {
        match &condition.kind {
            ConditionKind::True => {
                self.report_loss(condition.span, "`true` matches every request; use a job without a filter")
            }
            ConditionKind::Logical(operator, parts) => self.convert_logical(*operator, parts, condition.span),
            ConditionKind::Not(inner) => self.convert_condition(inner).map(node_builder::negate),
            ConditionKind::Group(inner) => self.convert_condition(inner),
            ConditionKind::Value(operand) => self.convert_value(operand),
            ConditionKind::Comparison(comparison) => self.convert_comparison(comparison, condition.span),
            ConditionKind::Invalid => None,
        }
    }

    fn convert_logical(&mut self, operator: LogicalOperator, parts: &[Condition], span: Span) -> Option<Node> {
        // Every part is converted, even after a loss, so that all losses are reported.
        let nodes: Vec<Option<Node>> = parts.iter().map(|part| self.convert_condition(part)).collect();
        let nodes: Vec<Node> = nodes.into_iter().collect::<Option<_>>()?;
        if operator != LogicalOperator::Xor {
            return Some(node_builder::join_nodes(operator == LogicalOperator::And, nodes));
        }
        let mut nodes = nodes.into_iter();
        let first = nodes.next()?;
        let xor = nodes.try_fold(first, |a, b| {
            let size = 2 * (node_builder::count_operators(&a) + node_builder::count_operators(&b));
            let only = |positive: &Node, negative: &Node| {
                node_builder::join_nodes(true, vec![positive.clone(), node_builder::negate(negative.clone())])
            };
            (size <= MAX_XOR_OPERATORS).then(|| node_builder::join_nodes(false, vec![only(&a, &b), only(&b, &a)]))
        });
        xor.or_else(|| self.report_loss(span, "filters have no `xor`, and this one is too large to rewrite"))
    }

    /// Converts a Boolean value that is a condition by itself, such as `ssl` or a call.
    fn convert_value(&mut self, operand: &Operand) -> Option<Node> {
        if let OperandSource::Call(call) = &operand.source
            && operand.indexes.is_empty()
        {
            return self.convert_call(call, operand.span);
        }
        let (mapping, field) = self.mapped_field(operand)?;
        match mapping.kind {
            ValueMapping::Scheme => {
                Some(node_builder::build_condition(field.name, Operator::Equal, text_json("https")))
            }
            _ => self.report_loss(operand.span, "this has no equivalent log field"),
        }
    }

    fn convert_call(&mut self, call: &Call, span: Span) -> Option<Node> {
        let operator = match call.function.id {
            FunctionId::StartsWith => Operator::StartsWith,
            FunctionId::EndsWith => Operator::EndsWith,
            FunctionId::Any => return self.convert_any(call, span),
            _ => return self.report_loss(span, format!("filters have no equivalent of `{}`", call.function.name)),
        };
        let [Argument::Value(operand), Argument::Literal(Literal::Text(bytes), text_span)] = call.arguments.as_slice()
        else {
            return self.report_loss(span, "filters can only compare with literal values");
        };
        let mapped = self.mapped_field(operand)?;
        let converted = decode_utf8(bytes).and_then(|substring| convert_substring(mapped, operator, &substring));
        self.node_or_loss(converted, *text_span)
    }

    /// Converts `any(names[*] eq "a")`, which tests the elements of an array.
    fn convert_any(&mut self, call: &Call, span: Span) -> Option<Node> {
        let [Argument::Condition(Condition { kind: ConditionKind::Comparison(comparison), .. })] =
            call.arguments.as_slice()
        else {
            return self.report_loss(span, "filters can only test whether an array contains an element");
        };
        let Operand { source: OperandSource::Field(rules), indexes, .. } = &comparison.left else {
            return self.report_loss(comparison.left.span, "filters cannot transform values");
        };
        let Some((mapping, field)) =
            mapping_for_rules_field(rules, self.dataset).filter(|(mapping, _)| is_array(mapping))
        else {
            return self
                .report_loss(comparison.left.span, format!("the log has no equivalent of the field `{}`", rules.name));
        };
        let values = match (&comparison.right, comparison.operator) {
            (RightOperand::Literal(literal), ComparisonOperator::Equal) => {
                convert_literal(literal, mapping).map(|value| vec![value])
            }
            (RightOperand::Texts(items), ComparisonOperator::In) => {
                items.iter().map(|item| decode_utf8(&item.value).map(JsonKind::String)).collect()
            }
            _ => Err("filters can only test whether an array contains an element".to_owned()),
        };
        let converted = values.and_then(|values| match indexes.as_slice() {
            [Index::Each] => {
                let contains = |value| node_builder::build_condition(field.name, Operator::Contains, value);
                Ok(node_builder::join_nodes(false, values.into_iter().map(contains).collect()))
            }
            _ => Err("filters cannot index into an array".to_owned()),
        });
        self.node_or_loss(converted, comparison.right_span)
    }

    fn convert_comparison(&mut self, comparison: &Comparison, span: Span) -> Option<Node> {
        let mapped = self.mapped_field(&comparison.left)?;
        if is_array(mapped.0) {
            return self.report_loss(span, "filters can only test whether an array contains an element");
        }
        self.node_or_loss(convert_right_operand(mapped, comparison), comparison.right_span)
    }

    fn node_or_loss(&mut self, converted: ConvertResult, span: Span) -> Option<Node> {
        converted.map_or_else(|message| self.report_loss(span, message), Some)
    }

    /// Returns the field of an operand if the dataset has it.
    fn mapped_field(&mut self, operand: &Operand) -> Option<MappedField> {
        let message = match &operand.source {
            OperandSource::Field(field) if operand.indexes.is_empty() => {
                match mapping_for_rules_field(field, self.dataset) {
                    Some(mapped) => return Some(mapped),
                    None => format!("`{}` has no equivalent of the field `{}`", self.dataset.name, field.name),
                }
            }
            OperandSource::Field(field) => format!("filters cannot compare a part of `{}`", field.name),
            OperandSource::Call(call) => format!("filters have no equivalent of `{}`", call.function.name),
            OperandSource::Invalid => return None,
        };
        self.losses.push(Loss { span: operand.span, message });
        None
    }
}

fn is_array(mapping: &FieldMapping) -> bool {
    matches!(mapping.kind, ValueMapping::Texts | ValueMapping::Integers)
}

fn text_json(text: &str) -> JsonKind {
    JsonKind::String(text.to_owned())
}

fn integer_json(integer: i64) -> JsonKind {
    JsonKind::Number(integer.to_string())
}

fn decode_utf8(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec())
        .map_err(|_| "filters support only UTF-8 strings, but these bytes are not valid UTF-8".to_owned())
}

fn convert_literal(literal: &Literal, mapping: &FieldMapping) -> Result<JsonKind, String> {
    match literal {
        Literal::Text(bytes) => {
            decode_utf8(bytes).and_then(|text| to_log_spelling(mapping, &text)).map(JsonKind::String)
        }
        Literal::Integer(number) => Ok(integer_json(*number)),
        Literal::Ip(address) => Ok(text_json(&address.to_string())),
    }
}

/// Converts a string to its spelling in the log.
fn to_log_spelling(mapping: &FieldMapping, text: &str) -> Result<String, String> {
    match mapping.kind {
        ValueMapping::Country if text.bytes().any(|byte| byte.is_ascii_lowercase()) => {
            Err("country codes are uppercase here, so this matches no country".to_owned())
        }
        ValueMapping::Country => Ok(text.to_ascii_lowercase()),
        ValueMapping::Encryption if text.is_empty() || text.eq_ignore_ascii_case("none") => {
            Err("the log value for unencrypted requests is not documented".to_owned())
        }
        _ => Ok(text.to_owned()),
    }
}

fn convert_substring((mapping, field): MappedField, operator: Operator, substring: &str) -> ConvertResult {
    match mapping.kind {
        ValueMapping::Text | ValueMapping::Country => to_log_spelling(mapping, substring)
            .map(|substring| node_builder::build_condition(field.name, operator, text_json(&substring))),
        _ => Err(format!("`{}` can only be compared as a whole", mapping.rules)),
    }
}

fn convert_string_tests(mapped: MappedField, tests: Vec<StringTest>) -> ConvertResult {
    let nodes = tests.iter().map(|(operator, substring)| convert_substring(mapped, *operator, substring));
    nodes.collect::<Result<Vec<Node>, String>>().map(|nodes| node_builder::join_nodes(false, nodes))
}

fn convert_right_operand(mapped: MappedField, comparison: &Comparison) -> ConvertResult {
    let (mapping, field) = mapped;
    let no_pattern = || "this pattern is more than a substring test".to_owned();
    match (&comparison.right, comparison.operator) {
        (RightOperand::Literal(Literal::Text(bytes)), ComparisonOperator::Contains) => {
            convert_substring(mapped, Operator::Contains, &decode_utf8(bytes)?)
        }
        (RightOperand::Literal(literal), operator) => {
            let operator = map_operator(operator, literal)?;
            Ok(node_builder::build_condition(field.name, operator, convert_literal(literal, mapping)?))
        }
        (RightOperand::Texts(items), _) => {
            let texts =
                items.iter().map(|item| to_log_spelling(mapping, &decode_utf8(&item.value)?).map(JsonKind::String));
            convert_values(field, texts.collect::<Result<_, _>>()?)
        }
        (RightOperand::Integers(items), _) => convert_integers(field, items),
        (RightOperand::Addresses(items), _) => convert_addresses(field, items),
        (RightOperand::Regex(regex), _) => {
            convert_string_tests(mapped, pattern::parse_regex(regex).ok_or_else(no_pattern)?)
        }
        (RightOperand::Wildcard(bytes), operator) => {
            let text = decode_utf8(bytes)?;
            let has_case = text.chars().any(|c| c.to_lowercase().ne(c.to_uppercase()));
            if operator == ComparisonOperator::Wildcard && has_case {
                return Err("`wildcard` is case-insensitive, but filters are case-sensitive".to_owned());
            }
            convert_string_tests(mapped, vec![pattern::parse_wildcard(&text).ok_or_else(no_pattern)?])
        }
        (RightOperand::List(name), _) => Err(format!("filters do not support named lists such as `${name}`")),
        (RightOperand::Value(_), _) => Err("filters can only compare with literal values".to_owned()),
        (RightOperand::Invalid, _) => Err("this is not a value".to_owned()),
    }
}

fn map_operator(operator: ComparisonOperator, literal: &Literal) -> Result<Operator, String> {
    let is_number = matches!(literal, Literal::Integer(_));
    Ok(match operator {
        ComparisonOperator::Equal => Operator::Equal,
        ComparisonOperator::NotEqual => Operator::NotEqual,
        ComparisonOperator::Less if is_number => Operator::Less,
        ComparisonOperator::LessOrEqual if is_number => Operator::LessOrEqual,
        ComparisonOperator::Greater if is_number => Operator::Greater,
        ComparisonOperator::GreaterOrEqual if is_number => Operator::GreaterOrEqual,
        other => return Err(format!("filters have no equivalent of `{}` here", other.word())),
    })
}

fn convert_values(field: &Field, values: Vec<JsonKind>) -> ConvertResult {
    match values.is_empty() {
        true => Err("an empty set matches nothing".to_owned()),
        false => Ok(node_builder::build_equals_any(field.name, values)),
    }
}

fn convert_integers(field: &Field, items: &[SetItem<(i64, i64)>]) -> ConvertResult {
    let (single, ranges): (Vec<_>, Vec<_>) = items.iter().map(|item| item.value).partition(|(low, high)| low == high);
    let mut nodes = Vec::new();
    if !single.is_empty() {
        nodes.push(node_builder::build_equals_any(
            field.name,
            single.into_iter().map(|(number, _)| integer_json(number)).collect(),
        ));
    }
    for (low, high) in ranges {
        let bounds = [(Operator::GreaterOrEqual, low), (Operator::LessOrEqual, high)];
        let bound = |(operator, number)| node_builder::build_condition(field.name, operator, integer_json(number));
        nodes.push(node_builder::join_nodes(true, bounds.map(bound).into()));
    }
    match nodes.is_empty() {
        true => Err("an empty set matches nothing".to_owned()),
        false => Ok(node_builder::join_nodes(false, nodes)),
    }
}

fn convert_addresses(field: &Field, items: &[SetItem<(IpAddr, IpAddr)>]) -> ConvertResult {
    let mut single = Vec::new();
    let mut nodes = Vec::new();
    for (first, last) in items.iter().map(|item| item.value) {
        match ipv4_prefix_text(first, last) {
            _ if first == last => single.push(text_json(&first.to_string())),
            Some(start) => {
                nodes.push(node_builder::build_condition(field.name, Operator::StartsWith, text_json(&start)))
            }
            None => {
                return Err(format!(
                    "the addresses from `{first}` to `{last}` cannot be selected by a common text prefix"
                ));
            }
        }
    }
    if !single.is_empty() {
        nodes.insert(0, node_builder::build_equals_any(field.name, single));
    }
    match nodes.is_empty() {
        true => Err("an empty set matches nothing".to_owned()),
        false => Ok(node_builder::join_nodes(false, nodes)),
    }
}

/// Returns the common text prefix of the addresses in a range: `10.` for `10.0.0.0/8`.
fn ipv4_prefix_text(first: IpAddr, last: IpAddr) -> Option<String> {
    let (IpAddr::V4(first), IpAddr::V4(last)) = (first, last) else { return None };
    let (first, last) = (first.octets(), last.octets());
    let common_bytes = first.iter().zip(&last).take_while(|(low, high)| low == high).count();
    let is_filled = |bytes: &[u8; 4], byte: u8| bytes.iter().skip(common_bytes).all(|found| *found == byte);
    if !(1..=3).contains(&common_bytes) || !is_filled(&first, 0) || !is_filled(&last, 255) {
        return None;
    }
    Some(first.iter().take(common_bytes).map(|byte| format!("{byte}.")).collect())
}
