//! Converts patterns that are equivalent to substring tests.

use crate::Operator;

/// An operator, and the string that it compares with.
pub(super) type StringTest = (Operator, String);

/// Converts a regular expression to string tests; `None` if it has no equivalent. A string matches the expression
/// if and only if it satisfies at least one of the tests.
pub(super) fn parse_regex(pattern: &str) -> Option<Vec<StringTest>> {
    let mut tests = Vec::new();
    let mut rest = pattern;
    loop {
        let (test, after) = parse_branch(rest)?;
        tests.push(test);
        match after {
            Some(after) => rest = after,
            None => return Some(tests),
        }
    }
}

/// Parses one branch, and returns the text after the next `|`, if there is one.
fn parse_branch(pattern: &str) -> Option<(StringTest, Option<&str>)> {
    let (pattern, is_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let mut text = String::new();
    let mut is_end = false;
    let mut characters = pattern.char_indices();
    let mut after = None;
    while let Some((index, character)) = characters.next() {
        match character {
            '|' => {
                after = pattern.get(index + 1..);
                break;
            }
            _ if is_end => return None,
            '$' => is_end = true,
            '\\' => match characters.next()?.1 {
                // `\<` and `\>` match word boundaries.
                '<' | '>' => return None,
                escaped if escaped.is_ascii_punctuation() => text.push(escaped),
                _ => return None,
            },
            // A final `.*` adds nothing, because the end is not anchored.
            '.' if pattern.get(index..).is_some_and(|rest| rest == ".*") => break,
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' => return None,
            plain => text.push(plain),
        }
    }
    let operator = match (is_start, is_end) {
        (true, true) => Operator::Equal,
        (true, false) => Operator::StartsWith,
        (false, true) => Operator::EndsWith,
        (false, false) => Operator::Contains,
    };
    Some(((operator, text), after))
}

/// Converts a wildcard pattern to the equivalent string test; `None` if there is none.
pub(super) fn parse_wildcard(pattern: &str) -> Option<StringTest> {
    let mut substrings: Vec<String> = vec![String::new()];
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '*' => substrings.push(String::new()),
            '\\' => substrings.last_mut()?.push(characters.next()?),
            plain => substrings.last_mut()?.push(plain),
        }
    }
    match substrings.as_slice() {
        [whole] => Some((Operator::Equal, whole.clone())),
        [start, end] if end.is_empty() => Some((Operator::StartsWith, start.clone())),
        [start, end] if start.is_empty() => Some((Operator::EndsWith, end.clone())),
        [start, middle, end] if start.is_empty() && end.is_empty() => Some((Operator::Contains, middle.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_simple_patterns_are_converted() {
        let describe = |test: &StringTest| format!("{} {}", test.0.name(), test.1);
        let regexes = [
            ("^/api/", "startsWith /api/"),
            ("^/api/.*", "startsWith /api/"),
            (r"\.php$", "endsWith .php"),
            ("^/a$|^/b", "eq /a, startsWith /b"),
            ("bot|crawl", "contains bot, contains crawl"),
            ("^/a.b", ""),
            ("(?i)bot", ""),
            (r"\d", ""),
            (r"\<bot", ""),
            (r"bot\>", ""),
            ("a$b", ""),
            ("^/api/.*$", ""),
        ];
        for (pattern, expected) in regexes {
            let tests: Vec<String> = parse_regex(pattern).unwrap_or_default().iter().map(describe).collect();
            assert_eq!(tests.join(", "), expected, "{pattern}");
        }
        let wildcards = [
            ("/api/*", "startsWith /api/"),
            ("*.php", "endsWith .php"),
            ("*x*", "contains x"),
            (r"a\*", "eq a*"),
            ("a*b", ""),
            ("**", "contains "),
        ];
        for (pattern, expected) in wildcards {
            assert_eq!(parse_wildcard(pattern).as_ref().map(describe).unwrap_or_default(), expected, "{pattern}");
        }
    }
}
