//! Reading a filter takes steps in proportion to its length. Alone in its process, as the steps of pest
//! are counted for all of it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::num::NonZeroUsize;
use zonewright_logpush::{code, parse};

/// How many calls of a rule the grammar makes of a text, those that lead nowhere included.
fn steps(source: &str) -> usize {
    let suffice = |steps: usize| {
        pest::set_call_limit(NonZeroUsize::new(steps));
        let found = parse(source).diagnostics;
        !found.iter().any(|one| one.code == code::NOT_JSON && one.message == "the filter cannot be read")
    };
    let most = (4..).map(|power| 1 << power).find(|steps| suffice(*steps)).unwrap();
    let (mut too_few, mut enough) = (most / 2, most);
    while too_few + 1 < enough {
        let middle = usize::midpoint(too_few, enough);
        if suffice(middle) { enough = middle } else { too_few = middle }
    }
    enough
}

#[test]
fn steps_grow_with_the_length() {
    let pieces = [
        r#"{"key":"ClientIP","operator":"eq","value":"a"},"#,
        r#"{"and":["#,
        r#""a":1,"#,
        "]}",
        "[1,",
        "\"a\n",
        "\"\\\n\\",
        "'\\\n\\",
        "\u{201c}\\\n\\",
        "\"\\\"\n",
        "\\\"",
        "\"\"",
        "'`",
        "/*",
        "/**/",
        "\u{a0}x",
        "a b ",
        ":=,;",
        "\n   x",
    ];
    for piece in pieces {
        for before in ["", "{\"where\":", "{\"where\":{\"or\":[", "\"", "'"] {
            let text = |count: usize| format!("{before}{}", piece.repeat(count));
            let (once, twice) = (steps(&text(40)), steps(&text(80)));
            // What a few lines at the end cost more is no growth.
            assert!(once > 40 && twice <= 2 * once + once / 4 + 64, "{before:?}, {piece:?}: {once}, then {twice}");
        }
    }
}
