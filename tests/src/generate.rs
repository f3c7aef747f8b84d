//! Expressions generated from sequences of choices. An exhausted sequence yields the simplest choice, so that a
//! failing expression shrinks to a short one.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

use zonewright_expression::schema::{
    AcceptedType, ArgumentKind, Certainty, Constraint, FIELDS, FUNCTIONS, Function, Param, ReturnType,
};
use zonewright_expression::{Container, Scalar, Type};

/// A sequence of choices; once it is exhausted, every choice is the first.
pub struct Choices<'a> {
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    /// Choices from bytes.
    pub fn new(choices: &'a [u8]) -> Self {
        Choices { rest: choices.iter() }
    }

    /// A number below `limit`, which is at most 256.
    pub fn index_below(&mut self, limit: usize) -> usize {
        usize::from(self.rest.next().copied().unwrap_or(0)) % limit.max(1)
    }

    /// A number below a limit of any size.
    pub fn wide_index_below(&mut self, limit: usize) -> usize {
        (self.index_below(256) * 256 + self.index_below(256)) % limit.max(1)
    }

    /// Picks one of the values.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.wide_index_below(values.len())]
    }

    /// A condition that the schema accepts.
    pub fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return "ssl".to_owned();
        }
        match self.index_below(8) {
            0 => self.value(Type::BOOLEAN, depth - 1),
            1 | 2 => self.comparison(depth - 1, false),
            3 => format!("{} {}", self.pick(&["not", "!"]), self.simple_condition(depth - 1)),
            4 => format!("({})", self.condition(depth - 1)),
            5 => format!("{}({})", self.pick(&["any", "all"]), self.comparison(depth - 1, true)),
            _ => {
                let operands: Vec<_> = (0..2 + self.index_below(3)).map(|_| self.simple_condition(depth - 1)).collect();
                operands.join(self.pick(&[" and ", " && ", " or ", " || ", " xor ", " ^^ ", "\nand "]))
            }
        }
    }

    fn simple_condition(&mut self, depth: usize) -> String {
        match self.index_below(3) {
            0 => self.value(Type::BOOLEAN, depth),
            1 => self.comparison(depth, false),
            _ => format!("({})", self.condition(depth)),
        }
    }

    fn comparison(&mut self, depth: usize, each: bool) -> String {
        // No field is an array of addresses.
        let ty =
            self.pick(if each { &[Type::STRING, Type::INTEGER] } else { &[Type::STRING, Type::INTEGER, Type::IP] });
        let left = if each { self.mapped_value(ty) } else { self.value(ty, depth) };
        let equality = ["eq", "==", "ne", "!=", "lt", "<", "le", "<=", "gt", ">", "ge", ">="];
        match (self.index_below(6), ty) {
            (0, _) => {
                let items: Vec<_> = (0..self.index_below(4)).map(|_| self.item(ty)).collect();
                format!("{left} in {{{}}}", items.join(" "))
            }
            (1, Type::STRING) => match self.index_below(3) {
                0 => format!("{left} contains {}", self.literal(ty)),
                1 => {
                    let operator = self.pick(&["wildcard", "strict wildcard"]);
                    format!("{left} {operator} {}", self.pick(&["\"\"", "\"*.example.com\"", "r\"\\*a*\""]))
                }
                _ => {
                    let operator = self.pick(&["matches", "~"]);
                    format!("{left} {operator} {}", self.pick(&["\"\"", "\"^\\d+[\"]\"", "r\"(a|b)*\\.\""]))
                }
            },
            (1, Type::INTEGER) => format!("{left} & {}", self.literal(ty)),
            (2, _) => format!("{left} {} {}", self.pick(&equality), self.value(ty, depth)),
            _ => format!("{left} {} {}", self.pick(&equality), self.literal(ty)),
        }
    }

    /// A value with the index `[*]`.
    fn mapped_value(&mut self, ty: Type) -> String {
        format!("{}[*]", self.pick(&fields(|field_ty| field_ty.is_compatible_with(ty.array()))))
    }

    fn item(&mut self, ty: Type) -> String {
        match ty.scalar {
            Scalar::Integer => self.pick(&["1", "80..90", "-5..5", "0x10", "010"]).to_owned(),
            Scalar::Ip => self.pick(&["10.0.0.0/8", "192.0.2.1", "::/0", "192.0.2.1..192.0.2.9", "10/8"]).to_owned(),
            _ => self.literal(ty),
        }
    }

    fn literal(&mut self, ty: Type) -> String {
        let texts =
            ["\"a\"", "\"\"", "\"é🦀\"", "\"\\\"\\\\\\x41\\101\"", "r\"\\d\"", "r#\"\"a\"\"#", "61:62:63", "\"a\nb\""];
        match ty.scalar {
            Scalar::Integer => self.pick(&["1", "0", "-1", "0x1F", "017", "9223372036854775807"]).to_owned(),
            Scalar::Ip => self.pick(&["192.0.2.1", "2001:db8::1", "::", "0.0.0.0"]).to_owned(),
            _ => self.pick(&texts).to_owned(),
        }
    }

    /// A literal of this type that is valid as an argument, where hexadecimal numbers and bytes such as `61:62` are
    /// read as something else. Integers stay below the maximum.
    fn argument_literal(&mut self, ty: Type) -> String {
        loop {
            let literal = self.literal(ty);
            if !matches!(literal.as_str(), "0x1F" | "61:62:63" | "9223372036854775807") {
                return literal;
            }
        }
    }

    /// A field or a call of this type.
    pub fn value(&mut self, ty: Type, depth: usize) -> String {
        let functions: Vec<_> = FUNCTIONS.iter().filter(|function| can_return(function, ty)).collect();
        match self.index_below(4) {
            0 if depth > 0 && !functions.is_empty() => self.call(&functions, ty, depth),
            1 if ty.is_scalar() => self.element(ty),
            _ => match fields(|field_ty| field_ty.is_compatible_with(ty)).as_slice() {
                [] => self.element(ty),
                fields => self.pick(fields).to_owned(),
            },
        }
    }

    /// An element of an array, of a map or of both.
    fn element(&mut self, ty: Type) -> String {
        let (arrays, maps) = (
            fields(|field_ty| field_ty.is_compatible_with(ty.array())),
            fields(|field_ty| field_ty.is_compatible_with(ty.array().map())),
        );
        match (arrays.as_slice(), maps.as_slice()) {
            ([], []) => self.pick(&fields(|field_ty| field_ty.is_compatible_with(ty))).to_owned(),
            (arrays, maps) if maps.is_empty() || self.index_below(2) == 0 => {
                format!("{}[{}]", self.pick(arrays), self.index_below(9))
            }
            (_, maps) => format!("{}[\"{}\"][{}]", self.pick(maps), self.pick(&["a", "x-b", "é"]), self.index_below(9)),
        }
    }

    fn call(&mut self, functions: &[&Function], ty: Type, depth: usize) -> String {
        let function = self.pick(functions);
        let first = match function.returns {
            ReturnType::SameAsFirst => ty,
            ReturnType::Type(_) => self.first_type(function),
        };
        let mut arguments = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let min = if param.optional { 0 } else { 1 };
            let count = if param.variadic || param.optional {
                min.max(self.index_below(if param.variadic { 3 } else { 2 }))
            } else {
                1
            };
            if count == 0 {
                break;
            }
            for _ in 0..count {
                arguments.push(self.argument(param, if index == 0 { Some(first) } else { None }, first, depth - 1));
            }
        }
        format!("{}({})", function.name, arguments.join(", "))
    }

    fn first_type(&mut self, function: &Function) -> Type {
        match function.params.first().map(|param| param.accepts) {
            Some(accepts) => self.pick_accepted_type(accepts, Type::STRING),
            None => Type::STRING,
        }
    }

    fn pick_accepted_type(&mut self, accepts: &[AcceptedType], first: Type) -> Type {
        match self.pick(accepts) {
            AcceptedType::Type(ty) => ty,
            AcceptedType::Anything => self.pick(&[Type::STRING, Type::INTEGER, Type::IP]),
            AcceptedType::AnyArray | AcceptedType::CollectionOfScalars => Type::STRING.array(),
            AcceptedType::AnyMap => Type::STRING.array().map(),
            AcceptedType::SameAsFirst => first,
            AcceptedType::ElementOfFirst => first.element(),
        }
    }

    fn argument(&mut self, param: &Param, ty: Option<Type>, first: Type, depth: usize) -> String {
        let ty = ty.unwrap_or_else(|| self.pick_accepted_type(param.accepts, first));
        match param.constraint {
            Some(Constraint::Range(low, high)) => return self.pick(&[low, high, low + (high - low) / 2]).to_string(),
            Some(Constraint::NonEmpty | Constraint::Regex | Constraint::Wildcard) => return "\"a\"".to_owned(),
            Some(Constraint::Flags(flags)) => {
                let all: String = flags.iter().map(|(flag, _)| *flag).collect();
                return format!("\"{}\"", self.pick(&["", &all]));
            }
            Some(Constraint::Replacement) => return "\"${1}\"".to_owned(),
            Some(Constraint::OneOfFields(names)) => return self.pick(names).to_owned(),
            Some(Constraint::GreaterThanFirst) => return i64::MAX.to_string(),
            None => {}
        }
        // Booleans and containers have no literals.
        let has_literal = ty.is_scalar() && ty != Type::BOOLEAN;
        match param.kind {
            ArgumentKind::Literal => self.argument_literal(ty),
            ArgumentKind::Either if has_literal && self.index_below(2) == 0 => self.argument_literal(ty),
            _ if ty == Type::BOOLEAN.array() => self.comparison(depth, true),
            _ => self.value(ty, depth),
        }
    }
}

/// Names of the fields with a matching type.
fn fields(is_suitable: impl Fn(Type) -> bool) -> Vec<&'static str> {
    let in_use = FIELDS.iter().filter(|field| field.deprecated.is_none() && field.certainty == Certainty::Confirmed);
    in_use.filter(|field| is_suitable(field.ty)).map(|field| field.name).collect()
}

/// Whether a call of the function can have this type. Functions that an expression may call only once are excluded.
fn can_return(function: &Function, ty: Type) -> bool {
    let has_type = match function.returns {
        ReturnType::Type(returns) => returns.is_compatible_with(ty),
        ReturnType::SameAsFirst => match function.params.first().map(|param| param.accepts) {
            Some(accepts) => accepts.iter().any(|accept| match accept {
                AcceptedType::Type(accepted) => accepted.is_compatible_with(ty),
                AcceptedType::AnyArray => ty.container() == Some(Container::Array),
                AcceptedType::Anything => ty != Type::BOOLEAN,
                _ => false,
            }),
            None => false,
        },
    };
    has_type && !function.once_per_expression
}
