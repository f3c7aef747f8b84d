//! What may stand at a cursor.

use crate::{
    Container, Options, Scalar, Type,
    ast::{ComparisonOperator as Op, Expr, ExprKind, MAX_DEPTH, Value},
    check::{is_available, signature, type_of},
    parse::parse,
    schema::{self, Certainty, FIELDS, FUNCTIONS, Field, Function, Needs, Returns},
};
use zonewright_diagnostic::Span;

/// What may stand at a place.
#[derive(Clone, Debug)]
pub struct Completions {
    /// The text that a chosen completion replaces.
    pub span: Span,
    /// The likeliest first.
    pub items: Vec<Completion>,
}

/// One thing that may stand at a place.
#[derive(Clone, Debug)]
pub struct Completion {
    /// What is shown and matched against what was typed.
    pub label: String,
    /// What is inserted.
    pub insert: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type or signature.
    pub detail: String,
    /// A few words on it, with what it needs.
    pub note: String,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A field.
    Field,
    /// A function.
    Function,
    /// A comparison or logical operator.
    Operator,
    /// A literal value.
    Value,
    /// A named list.
    List,
}

impl CompletionKind {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            CompletionKind::Field => "field",
            CompletionKind::Function => "function",
            CompletionKind::Operator => "operator",
            CompletionKind::Value => "value",
            CompletionKind::List => "list",
        }
    }
}

/// Where the cursor is, as far as it decides what may follow.
enum Situation {
    /// A condition or argument may begin.
    Start,
    /// Behind a value: an operator that its type has.
    AfterValue(Type),
    /// Behind a whole condition: a logical operator.
    AfterCondition,
    /// Behind a comparison operator: a value of the left side's type.
    AfterOperator(Op, Option<Type>),
    /// Inside a string or at an unreadable place: nothing.
    Nowhere,
}

/// What may stand at the byte `offset` of `source`.
pub fn complete(source: &str, offset: usize, options: &Options) -> Completions {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = source.get(..offset).unwrap_or_default();
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-'));
    let span = Span::new(word.len(), offset);
    let typed = span.text(source);
    let items = match situation(word) {
        Situation::Start => start(options),
        Situation::AfterValue(ty) => after_value(ty),
        Situation::AfterCondition => logical(),
        Situation::AfterOperator(Op::In, _) if typed.starts_with('$') || typed.is_empty() => in_operands(options),
        Situation::AfterOperator(operator, left) => values(operator, left, options),
        Situation::Nowhere => Vec::new(),
    };
    let prefix = typed.to_ascii_lowercase();
    let mut items: Vec<Completion> = items.into_iter().filter(|item| item.label.contains(&prefix)).collect();
    items.sort_by_key(|item| !item.label.starts_with(&prefix));
    Completions { span, items }
}

/// Reads the text before the cursor as if it ended there.
fn situation(before: &str) -> Situation {
    let text = before.trim_end();
    if text.is_empty() || text.ends_with(['(', ',', '!', '&', '|', '^']) && !ends_in_string(text) {
        return Situation::Start;
    }
    let blank_before_cursor = before.len() > text.len();
    let last_word = text.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    if matches!(last_word, "and" | "or" | "xor" | "not") && blank_before_cursor && !ends_in_string(text) {
        return Situation::Start;
    }
    // A value in place of the word at the cursor shows what the comparison before it is.
    let closing = ")".repeat(open_brackets(text));
    let with_value = parse(&format!("{text} \"\"{closing}")).ast;
    let end = text.len() + " \"\"".len();
    if let Some((operator, left)) = with_value.as_ref().and_then(|ast| open_comparison(ast, end)) {
        return Situation::AfterOperator(operator, left);
    }
    match parse(&format!("{text}{closing}")).ast.as_ref().map(|ast| last(ast, text.len())) {
        Some(Some(Last::Value(value))) if blank_before_cursor => match type_of(value) {
            Some(ty) => Situation::AfterValue(ty),
            None => Situation::Nowhere,
        },
        Some(Some(Last::Condition)) if blank_before_cursor || text.ends_with(')') => Situation::AfterCondition,
        _ => Situation::Nowhere,
    }
}

/// How many brackets are open at the end of the text.
fn open_brackets(text: &str) -> usize {
    let mut open = 0usize;
    for (index, piece) in text.split('"').enumerate() {
        // Every second piece stands between quotes.
        for byte in piece.bytes().filter(|_| index % 2 == 0) {
            match byte {
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }
    open.min(MAX_DEPTH)
}

/// Whether the text ends inside a string that is not closed, or right behind one.
fn ends_in_string(text: &str) -> bool {
    text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

/// The comparison whose right side ends at `end`.
fn open_comparison(expr: &Expr, end: usize) -> Option<(Op, Option<Type>)> {
    match &expr.kind {
        ExprKind::Comparison(comparison) if comparison.right.span.end == end => match &comparison.right.kind {
            ExprKind::Literal(literal) if literal.span.end - literal.span.start == 2 => {
                let left = match &comparison.left.kind {
                    ExprKind::Value(value) => type_of(value),
                    _ => None,
                };
                Some((comparison.operator, left))
            }
            _ => None,
        },
        _ => children(expr).into_iter().rev().find_map(|child| open_comparison(child, end)),
    }
}

enum Last<'e> {
    Value(&'e Value),
    Condition,
}

/// What ends at `end`.
fn last(expr: &Expr, end: usize) -> Option<Last<'_>> {
    match &expr.kind {
        ExprKind::Comparison(comparison) if comparison.right.span.end == end => Some(Last::Condition),
        ExprKind::Group(_) if expr.span.end == end => Some(Last::Condition),
        ExprKind::Value(value) => match &value.call {
            Some(call) if call.span.end > end => call.arguments.iter().rev().find_map(|argument| last(argument, end)),
            _ if expr.span.end == end => Some(Last::Value(value)),
            _ => None,
        },
        _ => children(expr).into_iter().rev().find_map(|child| last(child, end)),
    }
}

fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Logical(logical) => logical.operands.iter().collect(),
        ExprKind::Not(not) => vec![&not.operand],
        ExprKind::Group(inside) => vec![inside],
        ExprKind::Value(Value { call: Some(call), .. }) => call.arguments.iter().collect(),
        _ => Vec::new(),
    }
}

fn start(options: &Options) -> Vec<Completion> {
    let fields =
        FIELDS.iter().filter(|field| is_available(field, options) && field.deprecated.is_none()).map(field_item);
    let functions = FUNCTIONS.iter().filter(|function| available(function, options)).map(function_item);
    let negation = operator_item("not", "not", "negates the condition behind it");
    fields.chain(functions).chain([negation]).collect()
}

fn available(function: &Function, options: &Options) -> bool {
    let phase = options.phase.is_none_or(|phase| function.only_in.is_none_or(|phases| phases.contains(&phase)));
    phase && function.certainty == Certainty::Known
}

fn field_item(field: &Field) -> Completion {
    Completion {
        label: field.name.to_owned(),
        insert: field.name.to_owned(),
        kind: CompletionKind::Field,
        detail: field.ty.to_string(),
        note: format!("{}{}", field.doc, needs(field.needs)),
    }
}

fn function_item(function: &Function) -> Completion {
    let returns = match function.returns {
        Returns::Type(ty) => ty.to_string(),
        Returns::SameAsFirst => "type of the first argument".to_owned(),
    };
    Completion {
        label: function.name.to_owned(),
        insert: format!("{}(", function.name),
        kind: CompletionKind::Function,
        detail: format!("{} → {returns}", signature(function)),
        note: format!("{}{}", function.doc, needs(function.needs)),
    }
}

fn needs(needs: Option<Needs>) -> String {
    match needs {
        None => String::new(),
        Some(Needs::Tier(tier)) => format!("; needs {tier}"),
        Some(Needs::AddOn) => "; needs Enterprise with an add-on".to_owned(),
    }
}

fn operator_item(label: &str, detail: &str, note: &str) -> Completion {
    Completion {
        label: label.to_owned(),
        insert: format!("{label} "),
        kind: CompletionKind::Operator,
        detail: detail.to_owned(),
        note: note.to_owned(),
    }
}

fn logical() -> Vec<Completion> {
    vec![
        operator_item("and", "&&", "both conditions hold"),
        operator_item("or", "||", "at least one of the conditions holds"),
        operator_item("xor", "^^", "exactly one of the conditions holds"),
    ]
}

fn after_value(ty: Type) -> Vec<Completion> {
    if ty.fits(Type::BOOLEAN) {
        return logical();
    }
    match ty.container() {
        Some(Container::Array | Container::Map) => return Vec::new(),
        None => {}
    }
    let mut items = vec![
        operator_item("eq", "==", "is the same as"),
        operator_item("ne", "!=", "is not the same as"),
        operator_item("in", "{…} or $list", "is one of several values"),
    ];
    if ty.is_text() {
        items.push(operator_item("contains", "contains", "has this text somewhere in it"));
        items.push(operator_item("wildcard", "wildcard", "is like this pattern with `*`, in any letter case"));
        items.push(operator_item("strict wildcard", "strict wildcard", "is like this pattern with `*`"));
        items.push(operator_item("matches", "~", "matches this regular expression; needs Business"));
    }
    items.push(operator_item("lt", "<", "is less than"));
    items.push(operator_item("le", "<=", "is at most"));
    items.push(operator_item("gt", ">", "is greater than"));
    items.push(operator_item("ge", ">=", "is at least"));
    if ty.scalar == Scalar::Integer {
        items.push(operator_item("bitwise_and", "&", "has one of these bits set"));
    }
    items
}

fn in_operands(options: &Options) -> Vec<Completion> {
    let set = Completion {
        label: "{".to_owned(),
        insert: "{".to_owned(),
        kind: CompletionKind::Value,
        detail: "set".to_owned(),
        note: "values separated by spaces".to_owned(),
    };
    let own = options.lists.iter().flatten().map(|(name, kind)| list_item(name, kind.name(), "named list"));
    let managed = schema::MANAGED_LISTS.iter().map(|name| list_item(name, "ip", "managed list; needs Enterprise"));
    [set].into_iter().chain(own).chain(managed).collect()
}

fn list_item(name: &str, kind: &str, note: &str) -> Completion {
    Completion {
        label: format!("${name}"),
        insert: format!("${name}"),
        kind: CompletionKind::List,
        detail: kind.to_owned(),
        note: note.to_owned(),
    }
}

/// Fields of the same type, for the right side of operators that compare with one.
fn values(operator: Op, left: Option<Type>, options: &Options) -> Vec<Completion> {
    let dynamic =
        matches!(operator, Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual);
    let Some(left) = left.filter(|_| dynamic) else { return Vec::new() };
    let same = |field: &&Field| field.ty.fits(left) && field.deprecated.is_none() && is_available(field, options);
    FIELDS.iter().filter(same).map(field_item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first labels at the `|` of a text.
    fn labels(marked: &str) -> Vec<String> {
        let offset = marked.find('|').unwrap();
        let source = marked.replacen('|', "", 1);
        complete(&source, offset, &Options::default()).items.into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn what_may_stand_where() {
        let cases = [
            ("http.ho|", "http.host"),
            ("ssl and ip.src.cou|", "ip.src.country"),
            ("ssl and (start|", "starts_with"),
            ("lower(http.user_|", "http.user_agent"),
            ("concat(http.host, http.re|", "http.referer"),
            ("http.host |", "eq"),
            ("http.host cont|", "contains"),
            ("ip.src |", "eq"),
            ("lower(http.host) st|", "strict wildcard"),
            ("any(http.request.headers.names[*] |", "eq"),
            ("(http.host |", "eq"),
            ("ssl |", "and"),
            ("http.host eq \"a\" |", "and"),
            ("http.host eq \"a\" o|", "or"),
            ("(ssl) |", "and"),
            ("ip.src in |", "{"),
            ("ip.src in $cf.v|", "$cf.vpn"),
            ("http.host eq http.re|", "http.referer"),
            ("not |", "cf.api_gateway.auth_id_present"),
        ];
        for (marked, first) in cases {
            assert_eq!(labels(marked).first().map(String::as_str), Some(first), "{marked}");
        }
    }

    #[test]
    fn nothing_where_nothing_fits() {
        for marked in ["http.host eq \"ht|", "http.host contains |", "ip.src |contains", "\u{0}|"] {
            let found = labels(marked);
            assert!(!found.contains(&"contains".to_owned()), "{marked}: {found:?}");
        }
        assert!(labels("http.host eq \"ht|").is_empty());
    }
}
