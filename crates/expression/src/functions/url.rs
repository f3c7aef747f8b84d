//! Functions on URLs.

use super::Arguments;
use crate::Value;

/// The lengths of escapes, in bytes: `%ud83e%udd80` (a surrogate pair), `%u2601`, and `%41`.
const ESCAPE_BYTES: [usize; 3] = [12, 6, 3];

/// Decodes `%41` and `+`. Flag `u` also decodes `%u2601`; flag `r` repeats decoding until nothing changes (documented).
/// Invalid escapes are unchanged.
pub(super) fn url_decode(arguments: Arguments<'_>) -> Option<Value> {
    let (source, options) = (arguments.text(0)?, arguments.flags(1)?);
    let unicode = options.contains(&b'u');
    Some(Value::Text(match options.contains(&b'r') {
        true => decode_to_fixpoint(source, unicode),
        false => decode_once(source, unicode, b' '),
    }))
}

/// Decodes `%XX` escapes, but not `+`.
pub(super) fn percent_decode(source: &[u8]) -> Vec<u8> {
    decode_once(source, false, b'+')
}

/// Decodes each escape once. `plus` replaces each literal `+`.
fn decode_once(source: &[u8], unicode: bool, plus: u8) -> Vec<u8> {
    let mut result = Vec::with_capacity(source.len());
    let mut rest = source;
    while let Some((byte, after)) = rest.split_first() {
        let decode = |length: &usize| Some((rest.get(*length..)?, decode_escape(rest.get(..*length)?, unicode)?));
        rest = match ESCAPE_BYTES.iter().filter(|_| *byte == b'%').find_map(decode) {
            Some((after, escape)) => {
                escape.write(&mut result);
                after
            }
            None => {
                result.push(if *byte == b'+' { plus } else { *byte });
                after
            }
        };
    }
    result
}

/// Decodes repeatedly in a single pass: as soon as an escape is complete at the end of the result, its value replaces
/// it. Escapes never overlap, so the order has no effect.
fn decode_to_fixpoint(source: &[u8], unicode: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(source.len());
    for byte in source {
        DecodedEscape::Byte(*byte).write(&mut result);
        while let Some((start, escape)) = ESCAPE_BYTES.iter().find_map(|length| {
            let start = result.len().checked_sub(*length)?;
            Some((start, decode_escape(result.get(start..)?, unicode)?))
        }) {
            result.truncate(start);
            escape.write(&mut result);
        }
        if let Some(plus) = result.last_mut().filter(|last| **last == b'+') {
            *plus = b' ';
        }
    }
    result
}

/// The value of an escape.
enum DecodedEscape {
    Byte(u8),
    Character(char),
}

impl DecodedEscape {
    fn write(&self, result: &mut Vec<u8>) {
        match self {
            DecodedEscape::Byte(byte) => result.push(*byte),
            DecodedEscape::Character(character) => {
                result.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

/// Decodes one complete escape. A lone surrogate has no value.
fn decode_escape(code: &[u8], unicode: bool) -> Option<DecodedEscape> {
    match code {
        [b'%', digits @ ..] if digits.len() == 2 => u8::try_from(parse_hex(digits)?).ok().map(DecodedEscape::Byte),
        [b'%', b'u', digits @ ..] if unicode && digits.len() == 4 => {
            char::from_u32(parse_hex(digits)?).map(DecodedEscape::Character)
        }
        [b'%', b'u', a, b, c, d, b'%', b'u', digits @ ..] if unicode && digits.len() == 4 => {
            let (high, low) = (parse_hex(&[*a, *b, *c, *d])?, parse_hex(digits)?);
            let is_pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
            let character = is_pair.then(|| 0x10000 + ((high & 0x3ff) << 10 | low & 0x3ff))?;
            char::from_u32(character).map(DecodedEscape::Character)
        }
        _ => None,
    }
}

fn parse_hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?))
}

/// Removes the query arguments with these names and preserves the order of the others (documented). Names are compared
/// without decoding (assumption function-edges).
pub(super) fn remove_query_args(arguments: Arguments<'_>) -> Option<Value> {
    let query = arguments.text(0)?;
    let names: Vec<&Value> = arguments.iter_from(1).collect::<Option<_>>()?;
    let is_named = |argument: &[u8]| {
        let name = argument.split(|byte| *byte == b'=').next().unwrap_or_default();
        names.iter().any(|other| matches!(other, Value::Text(other) if other == name))
    };
    let retained: Vec<&[u8]> = query.split(|byte| *byte == b'&').filter(|argument| !is_named(argument)).collect();
    Some(Value::Text(retained.join(&b'&')))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, text};
    use super::*;

    #[test]
    fn url_decode_follows_flags() {
        let once = |source: &str, expected: &[u8]| (vec![text(source)], text(expected));
        let with = |source: &str, options: &str, expected: &str| (vec![text(source), text(options)], text(expected));
        assert_results(
            "url_decode",
            [
                once("John%20Doe", b"John Doe"),
                once("John+Doe", b"John Doe"),
                once("%2520", b"%20"),
                once("%E4%BD", b"\xe4\xbd"),
                once("%2B%2b", b"++"),
                once("%", b"%"),
                once("%4", b"%4"),
                once("%zz%4g%+1", b"%zz%4g% 1"),
                once("%%41", b"%A"),
                once("%u2601", b"%u2601"),
                once("", b""),
                with("%2520", "r", " "),
                with("%25252525252520", "r", " "),
                with("%252B", "r", " "),
                with("%3%3%35", "r", "5"),
                with("%%32%35", "r", "%"),
                with("%u2601", "u", "☁"),
                with("%u0041%42", "u", "AB"),
                with("%ud83e%udd80", "u", "🦀"),
                with("%ud83e", "u", "%ud83e"),
                with("%udd80%ud83e", "u", "%udd80%ud83e"),
                with("%ud83e%ud83e%udd80", "u", "%ud83e🦀"),
                with("%u26", "u", "%u26"),
                with("%25u2601", "u", "%u2601"),
                with("%25u2601", "ur", "☁"),
                with("%25u2601", "ru", "☁"),
                with("%u0025u2601", "ru", "☁"),
                with("%25u2601", "r", "%u2601"),
                with("%25ud83e%u0025udd80", "ru", "🦀"),
                (vec![text(b"\xff%ff")], text(b"\xff\xff")),
                (vec![MISSING], MISSING),
            ],
        );
    }

    #[test]
    fn single_pass_agrees_with_repeated_decoding() {
        let words = ["%", "2", "5", "3", "%25", "%35", "u", "%u00", "35", "+", "%2B", "d83e", "dd80", "%u", "b"];
        let mut state = 1_usize;
        for _ in 0..20_000 {
            let mut source = Vec::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                source.extend_from_slice(words[(state >> 33) % words.len()].as_bytes());
            }
            let mut expected = source.clone();
            loop {
                let next = decode_once(&expected, true, b' ');
                if next == expected {
                    break;
                }
                expected = next;
            }
            assert_eq!(decode_to_fixpoint(&source, true), expected, "{}", String::from_utf8_lossy(&source));
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let layers = format!("%{}20", "25".repeat(1 << 19));
        assert_eq!(decode_to_fixpoint(layers.as_bytes(), true), b" ");
        let cascade = format!("{}35", "%3".repeat(1 << 19).trim_end_matches('3'));
        assert_eq!(decode_to_fixpoint(cascade.as_bytes(), true), b"5");
    }

    #[test]
    fn remove_query_args_removes_whole_arguments() {
        let case = |query: &str, name: &str, expected: &str| (vec![text(query), text(name)], text(expected));
        assert_results(
            "remove_query_args",
            [
                case("order=asc&country=GB", "country", "order=asc"),
                case("order=asc&country=GB", "order", "country=GB"),
                case("order=asc&country=GB", "search", "order=asc&country=GB"),
                case("category=Foo&order=desc&category=Bar", "order", "category=Foo&category=Bar"),
                case("category=Foo&order=desc&category=Bar", "category", "order=desc"),
                case("a=1&b&a", "a", "b"),
                case("a=1&b", "b", "a=1"),
                case("a=1=2&b=a", "a", "b=a"),
                case("A=1", "a", "A=1"),
                case("%61=1", "a", "%61=1"),
                case("a&&b", "a", "&b"),
                case("a", "a", ""),
                case("", "a", ""),
                (vec![text("a=1&b=2&c=3"), text("c"), text("a")], text("b=2")),
                (vec![MISSING, text("a")], MISSING),
            ],
        );
    }
}
