//! Checks of literals against the type that they are compared with.

use super::{Checker, condition::excerpt};
use crate::{
    Scalar, Type,
    ast::{Literal, LiteralKind},
    code,
    number::{self, AddressError, AddressItem, IntegerError},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The context of a literal. Networks and ranges are valid only in sets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LiteralContext {
    Single,
    InSet,
}

impl Checker<'_> {
    /// Checks a literal against the expected scalar type.
    pub(super) fn check_literal(&mut self, literal: &Literal, expected: Type, context: LiteralContext) {
        match (&literal.kind, expected.scalar) {
            (LiteralKind::Invalid, _) => {}
            (LiteralKind::Quoted(_) | LiteralKind::Raw(_) | LiteralKind::Regex(_), Scalar::String | Scalar::Bytes) => {}
            (LiteralKind::Unquoted(word), Scalar::String | Scalar::Bytes) => {
                self.check_bytes_literal(word, literal.span, self.is_whole_literal(literal.span))
            }
            (LiteralKind::Unquoted(word), Scalar::Integer) => self.check_integer_literal(word, literal.span, context),
            (LiteralKind::Unquoted(word), Scalar::Ip) => self.check_address_literal(word, literal.span, context),
            (_, Scalar::Integer) => self.report_quoted_integer(literal, context),
            (_, Scalar::Ip) => self.report_quoted_address(literal, context),
            (_, Scalar::Boolean) => self.report(value_type_error(literal.span, self.text(literal.span), expected)),
        }
    }

    /// Checks an unquoted word where a string is required: it is a byte literal, or its quotes are missing.
    pub(super) fn check_bytes_literal(&mut self, word: &str, span: Span, is_clear: bool) {
        if number::parse_bytes(word).is_some() {
            return;
        }
        let is_hex = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if word.contains(':') && word.split([':', '-', '.']).all(is_hex) {
            self.report(
                Diagnostic::error(
                    code::MALFORMED_BYTES,
                    span,
                    format!("`{}` is not a valid byte literal", excerpt(word)),
                )
                .with_help("write at least two bytes, each with two hexadecimal digits: `0d:0a`"),
            );
            return;
        }
        // A `*` may be intended as a wildcard, which only `wildcard` supports.
        self.report(missing_quotes_error(span, word, is_clear && !word.contains('*')));
    }

    /// Returns whether the text after a literal certainly does not belong to it. That text is the end of the
    /// expression, of a group or of a set, or a logical operator.
    pub(super) fn is_whole_literal(&self, span: Span) -> bool {
        let following = self.text_after(span);
        let next_word = following.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        following.is_empty()
            || [")", "}", "&&", "||", "^^"].iter().any(|sign| following.starts_with(sign))
            || ["and", "or", "xor"].iter().any(|word| next_word.eq_ignore_ascii_case(word))
    }

    /// Returns the source after a span, without leading whitespace.
    pub(super) fn text_after(&self, span: Span) -> &str {
        self.source.get(span.end..).unwrap_or_default().trim_start_matches([' ', '\n', '\r'])
    }

    fn check_integer_literal(&mut self, word: &str, span: Span, context: LiteralContext) {
        if let Some((first, last)) = word.split_once("..") {
            self.check_integer_range(first, last, span, context);
            return;
        }
        if let Err(error) = number::parse_integer(word) {
            self.report(integer_error(error, word, span));
        }
    }

    fn check_integer_range(&mut self, first: &str, last: &str, span: Span, context: LiteralContext) {
        let middle = span.start + first.len();
        let (left, right) = (Span::new(span.start, middle), Span::new(middle + 2, span.end));
        match (number::parse_integer(first), number::parse_integer(last)) {
            (Err(_), _) if first.is_empty() => self.report(open_range_error(span)),
            (_, Err(_)) if last.is_empty() => self.report(open_range_error(span)),
            (Err(error), _) => self.report(integer_error(error, first, left)),
            (_, Err(error)) => self.report(integer_error(error, last, right)),
            (Ok(low), Ok(high)) if low > high => self.report(
                Diagnostic::error(
                    code::MALFORMED_RANGE,
                    span,
                    format!("the range is reversed: {low} is greater than {high}"),
                )
                .with_fix(Fix::unsafe_edits("swap the bounds", vec![Edit::replace(span, format!("{last}..{first}"))])),
            ),
            _ if context == LiteralContext::Single => self.report(range_outside_set_error(span)),
            _ => {}
        }
    }

    fn check_address_literal(&mut self, word: &str, span: Span, context: LiteralContext) {
        if context == LiteralContext::InSet && number::is_short_address(word) {
            self.report(short_address_warning(word, span));
            return;
        }
        match number::parse_address_literal(word) {
            Ok(AddressItem::Single(_))
                if context == LiteralContext::Single && word.parse::<std::net::IpAddr>().is_err() =>
            {
                self.report(
                    malformed_address_error(span, word)
                        .with_help("outside a set, the numbers of an address cannot have leading zeros"),
                )
            }
            Ok(AddressItem::Range(..)) if context == LiteralContext::Single => {
                self.report(range_outside_set_error(span))
            }
            Ok(AddressItem::Network(..)) if context == LiteralContext::Single => {
                self.report(
                    Diagnostic::error(
                        code::NETWORK_AFTER_COMPARISON,
                        span,
                        format!("expected a single address, found the network `{word}`"),
                    )
                    .with_help("put networks in a set after `in`: `ip.src in {10.0.0.0/8}`"),
                );
            }
            Ok(_) => {}
            Err(error) => self.report(address_error(error, word, span)),
        }
    }

    fn report_quoted_integer(&mut self, literal: &Literal, context: LiteralContext) {
        let word = string_text(literal);
        let is_numeric =
            number::parse_integer(&word).is_ok() || (context == LiteralContext::InSet && is_integer_range(&word));
        let source = self.text(literal.span);
        self.report(if is_numeric {
            Diagnostic::error(code::QUOTED_INTEGER, literal.span, "numbers are written without quotes")
                .with_fix(unquoted_number_fix("remove the quotes", &word, literal.span))
        } else {
            value_type_error(literal.span, source, Type::INTEGER)
        });
    }

    fn report_quoted_address(&mut self, literal: &Literal, context: LiteralContext) {
        let word = string_text(literal);
        let source = self.text(literal.span);
        self.report(match number::parse_address_literal(&word) {
            Ok(AddressItem::Single(_)) => quoted_address_error(literal.span, word),
            Err(AddressError::HostBits(_)) => quoted_address_error(literal.span, word),
            Ok(_) if context == LiteralContext::InSet => quoted_address_error(literal.span, word),
            Ok(item) => Diagnostic::error(
                code::NETWORK_AFTER_COMPARISON,
                literal.span,
                match item {
                    AddressItem::Range(..) => format!("expected a single address, found the range `{word}`"),
                    _ => format!("expected a single address, found the network `{word}`"),
                },
            )
            .with_help("put networks and ranges, without quotes, in a set after `in`: `ip.src in {10.0.0.0/8}`"),
            Err(_) => value_type_error(literal.span, source, Type::IP),
        });
    }
}

/// Returns the text of a literal.
pub(super) fn string_text(literal: &Literal) -> String {
    match &literal.kind {
        LiteralKind::Quoted(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => text.clone(),
        LiteralKind::Unquoted(text) => text.to_string(),
        LiteralKind::Invalid => String::new(),
    }
}

/// Returns the diagnostic of a word without quotes. `is_clear` is set if no text around the word may belong to the
/// string. The fix is then safe if the word is plain text.
pub(super) fn missing_quotes_error(span: Span, word: &str, is_clear: bool) -> Diagnostic {
    let quoted = format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""));
    let diagnostic =
        Diagnostic::error(code::MISSING_QUOTES, span, format!("expected a string, found `{}`", excerpt(word)))
            .with_label("strings must be quoted");
    let edits = vec![Edit::replace(span, quoted)];
    if ["null", "nil", "none", "empty"].iter().any(|none| word.eq_ignore_ascii_case(none)) {
        return diagnostic
            .with_help("there is no null literal; use `not has_key(…, \"…\")` for a map, and `not len(…) ge 0` for any other value")
            .with_fix(Fix::unsafe_edits("add quotes", edits));
    }
    diagnostic.with_fix(match is_clear && is_plain_text(word) {
        true => Fix::safe_edits("add quotes", edits),
        false => Fix::unsafe_edits("add quotes", edits),
    })
}

/// Returns whether a word can only be text: not a name, a range, a foreign quote or a placeholder.
fn is_plain_text(word: &str) -> bool {
    crate::schema::function(word).is_none()
        && crate::schema::field(word).is_none()
        && word.is_ascii()
        && !word.contains("..")
        && !word.contains(['$', '\\', ';', '=', '~', '"', '{', '}', '<', '>'])
}

pub(super) fn value_type_error(span: Span, text: &str, expected: Type) -> Diagnostic {
    let example = match expected.scalar {
        Scalar::Integer => "a number such as `80`",
        Scalar::Ip => "an IP address such as `192.0.2.1`",
        Scalar::Boolean => "no value at all",
        Scalar::String | Scalar::Bytes => "a string such as `\"a\"`",
    };
    Diagnostic::error(code::VALUE_TYPE, span, format!("expected {example}, found `{}`", excerpt(text)))
        .with_label(format!("the left side is {expected}"))
}

fn quoted_address_error(span: Span, word: String) -> Diagnostic {
    Diagnostic::error(code::QUOTED_ADDRESS, span, "addresses are written without quotes")
        .with_fix(Fix::safe_edits("remove the quotes", vec![Edit::replace(span, word)]))
}

fn integer_error(error: IntegerError, word: &str, span: Span) -> Diagnostic {
    match error {
        IntegerError::OutOfRange => Diagnostic::error(
            code::INTEGER_OUT_OF_RANGE,
            span,
            format!("`{}` does not fit into a 64-bit integer", excerpt(word)),
        ),
        IntegerError::Octal => {
            let decimal = word.trim_start_matches('0');
            Diagnostic::error(
                code::MALFORMED_INTEGER,
                span,
                format!("`{word}` is octal because it starts with 0, but octal digits only go up to 7"),
            )
            .with_fix(Fix::unsafe_edits("write it as a decimal number", vec![Edit::replace(span, decimal)]))
        }
        IntegerError::Malformed => {
            let diagnostic = Diagnostic::error(
                code::MALFORMED_INTEGER,
                span,
                format!("expected an integer, found `{}`", excerpt(word)),
            )
            .with_help("integers are decimal (`80`), hexadecimal (`0x50`) or octal (`0120`)");
            if let Some(digits) = parse_as_number(word) {
                return diagnostic
                    .with_help("write an AS number without `AS`: `13335`")
                    .with_fix(Fix::unsafe_edits(format!("use `{digits}`"), vec![Edit::replace(span, digits)]));
            }
            let plain = word.replace('_', "");
            let plain = plain.strip_prefix('+').unwrap_or(&plain);
            match number::parse_integer(plain) {
                Ok(_) => diagnostic.with_fix(unquoted_number_fix(&format!("use `{plain}`"), plain, span)),
                Err(_) => diagnostic,
            }
        }
    }
}

/// Returns whether a word is a range of integers that a set may contain, such as `80..90`.
fn is_integer_range(word: &str) -> bool {
    let Some((first, last)) = word.split_once("..") else { return false };
    matches!((number::parse_integer(first), number::parse_integer(last)), (Ok(low), Ok(high)) if low <= high)
}

/// Returns a fix that writes a number without quotes or separators. It is unsafe if a leading zero makes the number
/// octal.
fn unquoted_number_fix(title: &str, number: &str, span: Span) -> Fix {
    let edits = vec![Edit::replace(span, number)];
    let is_octal = |part: &str| part.len() > 1 && part.starts_with('0') && !part.starts_with("0x");
    match number.split("..").any(is_octal) {
        true => Fix::unsafe_edits(title, edits),
        false => Fix::safe_edits(title, edits),
    }
}

fn malformed_address_error(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error(code::MALFORMED_ADDRESS, span, format!("expected an IP address, found `{}`", excerpt(word)))
}

fn address_error(error: AddressError, word: &str, span: Span) -> Diagnostic {
    match error {
        AddressError::Malformed if word.contains('*') => {
            malformed_address_error(span, word).with_help("write a block of addresses as a network: `192.0.2.0/24`")
        }
        AddressError::Malformed if parse_dashed_range(word).is_some() => {
            let range = parse_dashed_range(word).unwrap_or_default();
            malformed_address_error(span, word)
                .with_help("write a range of addresses with two dots, in a set: `192.0.2.1..192.0.2.9`")
                .with_fix(Fix::unsafe_edits(format!("use `{range}`"), vec![Edit::replace(span, range)]))
        }
        AddressError::Malformed => {
            malformed_address_error(span, word).with_help("write an address such as `192.0.2.1` or `2001:db8::1`")
        }
        AddressError::PrefixTooLong(width) => Diagnostic::error(
            code::MALFORMED_ADDRESS,
            span,
            format!("the prefix of `{}` is longer than the {width} bits of the address", excerpt(word)),
        ),
        AddressError::HostBits(network) => {
            Diagnostic::error(code::HOST_BITS, span, format!("`{}` has bits set after its prefix", excerpt(word)))
                .with_help("write a network with its first address")
                .with_fix(Fix::unsafe_edits(format!("use `{network}`"), vec![Edit::replace(span, network)]))
        }
        AddressError::ReversedRange => {
            let swapped = word.split_once("..").map(|(first, last)| format!("{last}..{first}")).unwrap_or_default();
            Diagnostic::error(
                code::MALFORMED_RANGE,
                span,
                "the range is reversed: its first address is greater than its last",
            )
            .with_fix(Fix::unsafe_edits("swap the bounds", vec![Edit::replace(span, swapped)]))
        }
        AddressError::MixedFamilies => {
            Diagnostic::error(code::MALFORMED_RANGE, span, "a range cannot mix IPv4 and IPv6 addresses")
        }
    }
}

fn short_address_warning(word: &str, span: Span) -> Diagnostic {
    let octets: Vec<&str> = word.split('.').map(|octet| octet.trim_start_matches('0')).collect();
    let octets: Vec<&str> = octets.iter().map(|octet| if octet.is_empty() { "0" } else { octet }).collect();
    let padded = format!("{}{}", octets.join("."), ".0".repeat(4 - octets.len().min(4)));
    let network = format!("{padded}/{}", 8 * octets.len());
    Diagnostic::warning(code::SHORT_ADDRESS, span, format!("`{word}` is the single address {padded}"))
        .with_help("to match a network, add a prefix length")
        .with_fix(Fix::unsafe_edits(format!("use `{network}`"), vec![Edit::replace(span, network)]))
        .with_fix(Fix::unsafe_edits(format!("use `{padded}`"), vec![Edit::replace(span, padded)]))
}

/// Returns the range that a word with a dash means, such as `192.0.2.1-192.0.2.9`.
fn parse_dashed_range(word: &str) -> Option<String> {
    let (first, last) = word.split_once('-')?;
    let range = format!("{first}..{last}");
    matches!(number::parse_address_literal(&range), Ok(AddressItem::Range(..))).then_some(range)
}

/// Returns the diagnostic of a literal that the open-source engine reads differently in an argument (observed). It
/// reads `0x1f` as a name, and bytes that begin with two decimal digits as an integer. An IP address of eight groups is
/// not affected. `is_accepted` returns whether the parameter accepts a type.
pub(super) fn ambiguous_argument_error(
    word: &str,
    span: Span,
    is_accepted: impl Fn(Type) -> bool,
) -> Option<Diagnostic> {
    let fix = |text: String, is_clear: bool| {
        let (title, edits) = (format!("use `{}`", excerpt(&text)), vec![Edit::replace(span, text)]);
        if is_clear { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) }
    };
    if let (true, Ok(integer)) = (word.starts_with("0x"), number::parse_integer(word)) {
        let diagnostic =
            Diagnostic::error(code::MALFORMED_INTEGER, span, format!("`{}` is parsed as a name here", excerpt(word)))
                .with_help("write an integer argument in decimal or octal")
                .with_fix(fix(integer.to_string(), is_accepted(Type::INTEGER)));
        return Some(diagnostic);
    }
    let bytes = number::parse_bytes(word).filter(|_| word.parse::<std::net::IpAddr>().is_err())?;
    // The first byte is not an integer if it is an invalid octal number, such as `09`.
    word.get(..2).filter(|first| number::parse_integer(first).is_ok())?;
    let text = format!("\"{}\"", bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>());
    // `10.20.30` may be the start of an IP address, and `10-20` a range.
    let is_clear = is_accepted(Type::STRING) && !word.contains(['.', '-']);
    let diagnostic =
        Diagnostic::error(code::MALFORMED_BYTES, span, format!("`{}` is parsed as an integer here", excerpt(word)))
            .with_help("in an argument, write bytes that start with two decimal digits as a string")
            .with_fix(fix(text, is_clear));
    Some(diagnostic)
}

/// Returns the number of an AS name such as `AS13335`.
fn parse_as_number(word: &str) -> Option<&str> {
    let (prefix, digits) = word.split_at_checked(2)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    (prefix.eq_ignore_ascii_case("as") && is_number).then_some(digits)
}

fn open_range_error(span: Span) -> Diagnostic {
    Diagnostic::error(code::MALFORMED_RANGE, span, "a range needs both bounds: `1..10`")
        .with_help("for an open range, compare with `le` or `ge` instead")
}

fn range_outside_set_error(span: Span) -> Diagnostic {
    Diagnostic::error(code::MALFORMED_RANGE, span, "a range is only allowed in a set after `in`: `… in {1..10}`")
}
