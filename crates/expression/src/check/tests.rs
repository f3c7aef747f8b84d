//! Suggestions for what other languages write.

use crate::{Options, check};
use zonewright_diagnostic::Safety;

#[test]
fn foreign_names_get_unsafe_suggestions() {
    let cases = [
        ("tolower(http.host) eq \"a\"", "lower"),
        ("ip.src.asnum eq AS13335", "13335"),
        ("ip.src.asnum in {AS13335}", "13335"),
        ("ip.src in {192.0.2.1-192.0.2.9}", "192.0.2.1..192.0.2.9"),
        ("ip.src in office", "$office"),
    ];
    for (source, expected) in cases {
        let found = check(source, &Options::default()).diagnostics;
        let fixes: Vec<_> = found.iter().flat_map(|one| &one.fixes).collect();
        let [fix] = fixes.as_slice() else { panic!("{source}: {fixes:?}") };
        assert_eq!((fix.edits[0].text.as_str(), fix.safety), (expected, Safety::Unsafe), "{source}");
    }
}
