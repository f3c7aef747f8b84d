//! Records generated from sequences of choices for an expression: they have the fields that it names, with values
//! close to those that it compares with.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use crate::generate::Choices;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use zonewright_expression::resolved::{
    Argument, Condition, ConditionKind, Index, Literal, Operand, OperandSource, ResolvedExpression, RightOperand,
};
use zonewright_expression::schema::Field;
use zonewright_expression::{Container, ListItem, MissingPolicy, Program, Record, Scalar, Type, Value};

/// Text that the functions transform.
const TEXTS: [&[u8]; 22] = [
    b"",
    b"a",
    b"A",
    b"ab",
    b"aB",
    b"AB",
    b"aba",
    b"abab",
    b"b/a.",
    b"aXa",
    b"b,a,,c",
    b"www.Example.com",
    b"/a/b/a.html",
    b"a=1&b=2&a&A=3",
    b"%41%2541+%u0041%zz%",
    b"%25%32%35%3%35%ud83e%udd80%ud83e",
    b"YWJj",
    b"YWI=",
    b"/+8",
    b"a\xff\n\x00b",
    "é🦀".as_bytes(),
    b"\x45\x00\x00\x14\xff\xff\xff\xff\x01",
];
/// JSON, valid and invalid.
const BODIES: [&[u8]; 8] = [
    br#"{"a":{"a":1,"b":["x",2,-3]},"a.b":"\u0061\ud83e\udd80","e":1e2}"#,
    br#"{"a":"first","a":"last","e":7,"":0}"#,
    br#"["a",{"a":"b"},17,2.0,null]"#,
    br#"[9223372036854775807,{"a":9223372036854775808}]"#,
    br#" {"e" : -9223372036854775808, "a.b":""} "#,
    br#"{"a":{"b":[0,"c"]},"e":{}}"#,
    br#"{"a":1}{"#,
    b"{\"a\":\"\xff\"}",
];
/// URLs with a token signed with `mysecretkey`, valid and invalid.
const TOKENS: [&[u8]; 6] = [
    b"/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5%2BBFS9zZZ0%3D",
    b"/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5%2BBFS9zZZ0",
    b"/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5-BFS9zZZ0",
    b"/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5-BFS9zZZ0=",
    b"/download/dog.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5-BFS9zZZ0",
    b"1484063787-1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5-BFS9zZZ0",
];
const TIMES: [i64; 4] = [1_484_063_787, 1_484_063_787 + 10_799, 1_484_063_787 + 10_800, 0];
const INTEGERS: [i64; 8] = [0, 1, -1, 80, 1_484_063_787, 1_484_074_586, i64::MIN, i64::MAX];
const ADDRESSES: [&str; 6] = ["0.0.0.0", "10.1.2.3", "192.0.2.1", "::", "2001:db8::1", "::ffff:10.1.2.3"];

/// The fields, lists and constants of an expression.
#[derive(Default)]
struct ExpressionConstants {
    fields: BTreeMap<&'static str, &'static Field>,
    lists: BTreeSet<String>,
    keys: BTreeSet<Vec<u8>>,
    texts: Vec<Vec<u8>>,
    integers: Vec<i64>,
    addresses: Vec<IpAddr>,
}

/// A record for an expression.
pub fn generate_record(program: &Program, choices: &mut Choices) -> Record {
    let constants = ExpressionConstants::from_program(program);
    let mut record = Record::new(choices.pick(&MissingPolicy::ALL));
    for (name, field) in &constants.fields {
        match choices.index_below(8) {
            0 => {}
            1 => record.set_absent(name).unwrap(),
            _ => record.set(name, constants.field_value(field, choices)).unwrap(),
        }
    }
    for name in &constants.lists {
        if choices.index_below(4) > 0 {
            let items = (0..choices.index_below(4)).map(|_| constants.item(choices)).collect();
            record.set_list(name, items);
        }
    }
    record
}

/// The same record with a value for every field of the schema and every list that it lacks.
pub fn fill_missing_fields(program: &Program, record: &Record, choices: &mut Choices) -> Record {
    let constants = ExpressionConstants::from_program(program);
    let known: BTreeSet<_> = record.fields().map(|(name, _)| name).collect();
    let mut full_record = record.clone();
    for (name, field) in constants.fields.iter().filter(|(name, _)| !known.contains(**name)) {
        match choices.index_below(4) {
            0 => full_record.set_absent(name).unwrap(),
            _ => full_record.set(name, constants.field_value(field, choices)).unwrap(),
        }
    }
    for name in constants.lists.iter().filter(|name| record.list(name).is_none()) {
        full_record.set_list(name, (0..choices.index_below(4)).map(|_| constants.item(choices)).collect());
    }
    full_record
}

impl ExpressionConstants {
    fn from_program(program: &Program) -> Self {
        let mut constants = ExpressionConstants::default();
        match program.resolved() {
            ResolvedExpression::Condition(root) => constants.condition(&root),
            ResolvedExpression::Value(root) => constants.operand(&root),
        }
        constants
    }

    fn condition(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionKind::True | ConditionKind::Invalid => {}
            ConditionKind::Logical(_, operands) => operands.iter().for_each(|operand| self.condition(operand)),
            ConditionKind::Not(inside) | ConditionKind::Group(inside) => self.condition(inside),
            ConditionKind::Value(value) => self.operand(value),
            ConditionKind::Comparison(comparison) => {
                self.operand(&comparison.left);
                self.right(&comparison.right);
            }
        }
    }

    fn right(&mut self, right: &RightOperand) {
        match right {
            RightOperand::Literal(literal) => self.literal(literal),
            RightOperand::Value(value) => self.operand(value),
            RightOperand::Regex(pattern) => self.texts.push(pattern.clone().into_bytes()),
            RightOperand::Wildcard(pattern) => self.texts.push(pattern.clone()),
            RightOperand::Texts(items) => self.texts.extend(items.iter().map(|item| item.value.clone())),
            RightOperand::Integers(items) => {
                self.integers.extend(items.iter().flat_map(|item| [item.value.0, item.value.1]))
            }
            RightOperand::Addresses(items) => {
                self.addresses.extend(items.iter().flat_map(|item| [item.value.0, item.value.1]));
            }
            RightOperand::List(name) => {
                self.lists.insert(name.clone());
            }
            RightOperand::Invalid => {}
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Text(text) => self.texts.push(text.clone()),
            Literal::Integer(integer) => self.integers.push(*integer),
            Literal::Ip(address) => self.addresses.push(*address),
        }
    }

    fn operand(&mut self, operand: &Operand) {
        for index in &operand.indexes {
            if let Index::Key(key) = index {
                self.keys.insert(key.clone().into_bytes());
            }
        }
        match &operand.source {
            OperandSource::Field(field) => {
                self.fields.insert(field.name, field);
            }
            OperandSource::Call(call) => {
                for argument in &call.arguments {
                    match argument {
                        Argument::Literal(literal, _) => self.literal(literal),
                        Argument::Value(value) => self.operand(value),
                        Argument::Condition(condition) => self.condition(condition),
                    }
                }
            }
            OperandSource::Invalid => {}
        }
    }

    fn field_value(&self, field: &Field, choices: &mut Choices) -> Value {
        match field.name {
            "http.request.body.raw" => Value::Text(choices.pick(&BODIES).to_vec()),
            "http.request.uri" => Value::Text(choices.pick(&TOKENS).to_vec()),
            "http.request.timestamp.sec" => Value::Integer(choices.pick(&TIMES)),
            _ => self.value(field.ty, choices),
        }
    }

    fn value(&self, ty: Type, choices: &mut Choices) -> Value {
        match (ty.container(), ty.scalar) {
            (Some(Container::Array), _) => {
                Value::Array((0..choices.index_below(4)).map(|_| self.value(ty.element(), choices)).collect())
            }
            (Some(Container::Map), _) => {
                let keys: Vec<_> = self.keys.iter().cloned().chain([b"a".to_vec(), b"".to_vec()]).collect();
                let selected_keys: Vec<_> = keys.into_iter().filter(|_| choices.index_below(3) > 0).collect();
                Value::Map(selected_keys.into_iter().map(|key| (key, self.value(ty.element(), choices))).collect())
            }
            (None, Scalar::String | Scalar::Bytes) => Value::Text(self.text(choices)),
            (None, Scalar::Integer) => Value::Integer(self.integer(choices)),
            (None, Scalar::Ip) => Value::Ip(self.address(choices)),
            (None, Scalar::Boolean) => Value::Boolean(choices.index_below(2) == 1),
        }
    }

    /// Text of the expression, exact or slightly changed, or text for functions.
    fn text(&self, choices: &mut Choices) -> Vec<u8> {
        if self.texts.is_empty() || choices.index_below(2) == 0 {
            return choices.pick(&TEXTS).to_vec();
        }
        let mut text = self.texts[choices.index_below(self.texts.len().min(256))].clone();
        match choices.index_below(9) {
            // Long and short texts use different search algorithms.
            7 | 8 => {
                let filler: [&[u8]; 6] = [b"a", b"b", b"ab", b"aB", b"aab", b"baaaaaaa"];
                let mut padding = || choices.pick(&filler).repeat(choices.index_below(70));
                text = [padding(), text, padding()].concat();
            }
            0 => text.push(b'a'),
            1 => text.insert(0, b'.'),
            2 => text.make_ascii_uppercase(),
            3 => text.retain(|byte| !b"*\\^$".contains(byte)),
            4 => text.truncate(text.len() / 2),
            _ => {}
        }
        text
    }

    fn integer(&self, choices: &mut Choices) -> i64 {
        let candidates: Vec<_> = self.integers.iter().copied().chain(INTEGERS).collect();
        choices.pick(&candidates).saturating_add(choices.pick(&[0, 0, 1, -1]))
    }

    fn address(&self, choices: &mut Choices) -> IpAddr {
        let candidates = self.addresses.iter().copied().chain(ADDRESSES.map(|address| address.parse().unwrap()));
        let address = choices.pick(&candidates.collect::<Vec<_>>());
        match (address, choices.index_below(3)) {
            (IpAddr::V4(v4), 0) => IpAddr::V4(v4.to_bits().wrapping_add(1).into()),
            (IpAddr::V6(v6), 0) => IpAddr::V6(v6.to_bits().wrapping_sub(1).into()),
            _ => address,
        }
    }

    fn item(&self, choices: &mut Choices) -> ListItem {
        match choices.index_below(3) {
            0 => ListItem::Asn(self.integer(choices)),
            1 => {
                let name = [choices.pick(&[&b""[..], b"*."]), &self.text(choices)].concat();
                ListItem::Hostname(name)
            }
            _ => {
                let (first, second) = (self.address(choices), self.address(choices));
                let is_same_family = first.is_ipv4() == second.is_ipv4();
                ListItem::Addresses(
                    if is_same_family { first.min(second) } else { first },
                    if is_same_family { first.max(second) } else { first },
                )
            }
        }
    }
}

/// A value expression that calls functions with arguments of matching types.
pub fn call(choices: &mut Choices) -> String {
    let call = choices.pick(&CALLS);
    let text = choices.pick(&[
        "http.host",
        "http.request.uri.path",
        "http.request.headers[\"a\"][0]",
        "lower(http.host)",
        "http.request.body.raw",
    ]);
    let literal = choices.pick(&["\"\"", "\"a\"", "\"A\"", "\",\"", "\"a/b\"", "\"\\xff\"", "\"b\"", "r\"${1}\""]);
    let number = choices.pick(&["0", "1", "2", "3", "7", "8", "24", "32"]);
    let bits = choices.pick(&["1", "24", "63", "128"]);
    let index =
        choices.pick(&["0", "1", "-1", "2", "-3", "100", "-100", "9223372036854775807", "-9223372036854775808"]);
    let pattern = choices.pick(&[
        "a",
        "*",
        "a*",
        "*a",
        "*a*",
        "/*/*.*",
        "*,*",
        "a*a",
        "ab*ba",
        "a*b*c*d",
        r"\\\\*",
        r"\\**",
        "*.EXAMPLE.*",
    ]);
    let regex = choices.pick(&["a", "(a)(b)?", "^(.*)/(.*)$", "(?i)A+", "[^a]", "", "(x)|(a)", "(?s)^.", r"\\.|,"]);
    let replacement = choices.pick(&["", "x", "${1}", "[${2}${1}]$$", "${0}-${9}", "$1${", "$$${1}", "${a}"]);
    let key = choices.pick(&[
        "\"a\"",
        "0",
        "1",
        "\"a\", \"b\", 1",
        "1, \"a\"",
        "\"a\", \"a\"",
        "2",
        "\"\"",
        "\"a.b\"",
        "\"e\"",
    ]);
    let mut source = call.to_owned();
    for (placeholder, value) in [
        ("TEXT", text),
        ("LITERAL", literal),
        ("NUMBER", number),
        ("BITS", bits),
        ("INDEX", index),
        ("PATTERN", pattern),
        ("REGEX", regex),
        ("REPLACEMENT", replacement),
        ("KEY", key),
    ] {
        source = source.replace(placeholder, value);
    }
    source
}

const CALLS: [&str; 46] = [
    "bit_slice(ip, NUMBER, 32)",
    "bit_slice(udp, 0, NUMBER)",
    "cidr(ip.src, 24, BITS)",
    "cidr(ip.src, 1, 64)",
    "cidr6(ip.src, BITS)",
    "coalesce(TEXT, http.referer, LITERAL)",
    "coalesce(len(http.referer), INDEX)",
    "concat(TEXT, LITERAL, http.user_agent)",
    "concat(http.request.headers.names, http.request.headers.values)",
    "decode_base64(TEXT)",
    "decode_base64(encode_base64(TEXT, \"p\"))",
    "encode_base64(TEXT)",
    "encode_base64(TEXT, \"u\")",
    "encode_base64(TEXT, \"pu\")",
    "ends_with(TEXT, LITERAL)",
    "has_key(http.request.headers, LITERAL)",
    "has_key(http.request.headers, TEXT)",
    "has_value(http.request.headers.names, LITERAL)",
    "has_value(http.request.headers.names, TEXT)",
    "hash_in_range(-NUMBER, 100, TEXT, ip.src, ssl, http.request.headers)",
    "hash_in_range(-9223372036854775808, NUMBER, http.request.timestamp.sec, cf.random_seed)",
    "is_timed_hmac_valid_v0(\"mysecretkey\", http.request.uri, 10800, http.request.timestamp.sec, 8)",
    "is_timed_hmac_valid_v0(\"mysecretkey\", http.request.uri, 10800, http.request.timestamp.sec, NUMBER, \"s\")",
    "is_timed_hmac_valid_v0(LITERAL, http.request.uri, INDEX, http.request.timestamp.sec, 8, \"s\")",
    "join(http.request.headers.names, LITERAL)",
    "join(split(TEXT, \",\", 3), LITERAL)",
    "len(http.request.headers.names)",
    "lookup_json_integer(http.request.body.raw, KEY)",
    "lookup_json_string(http.request.body.raw, KEY)",
    "lower(TEXT)",
    "regex_replace(TEXT, \"REGEX\", \"REPLACEMENT\")",
    "remove_bytes(TEXT, LITERAL)",
    "remove_query_args(http.request.uri.query, LITERAL, \"b\")",
    "sha256(TEXT)",
    "split(TEXT, \"a\", 24)",
    "split(TEXT, \"xa\", 2)[1]",
    "starts_with(TEXT, LITERAL)",
    "substring(TEXT, INDEX)",
    "substring(TEXT, INDEX, NUMBER)",
    "substring(TEXT, NUMBER, INDEX)",
    "to_string(ip.src)",
    "upper(TEXT)",
    "url_decode(TEXT, \"ru\")",
    "url_decode(upper(http.user_agent))",
    "uuidv4(cf.random_seed)",
    "wildcard_replace(TEXT, \"PATTERN\", \"REPLACEMENT\")",
];
