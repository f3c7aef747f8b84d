//! Checks the structure of the project: dependencies between crates, the length of files, and boundaries that the
//! compiler does not enforce.
//!
//! [`modules`] checks the module graph of each crate, [`documents`] checks the documents, and [`job_form`] checks a form
//! of the app.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod documents;
mod job_form;
mod modules;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::ItemFn;
use syn::visit::{self, Visit};
use zonewright_expression::code;
use zonewright_logpush::destination::Scheme;
use zonewright_tests::markdown::{MarkdownElement, read};

/// The crates of the workspace that each crate may depend on. Tests may use all of them.
const ALLOWED_DEPENDENCIES: &[(&str, &[&str])] = &[
    ("diagnostic", &[]),
    ("api", &["diagnostic"]),
    ("expression", &["diagnostic"]),
    ("equivalence", &["expression"]),
    ("firewall", &["diagnostic", "api", "expression"]),
    ("logpush", &["diagnostic", "api", "expression"]),
    ("migration", &["diagnostic", "api", "expression", "equivalence", "firewall"]),
    ("request", &["diagnostic", "expression"]),
    ("cases", &["diagnostic", "expression", "request"]),
    ("trace", &["diagnostic", "api", "expression", "request", "firewall"]),
    (
        "wasm",
        &[
            "diagnostic",
            "api",
            "expression",
            "equivalence",
            "request",
            "cases",
            "firewall",
            "logpush",
            "migration",
            "trace",
        ],
    ),
    ("delivery", &["api", "logpush"]),
    ("store", &["api", "expression", "firewall", "logpush", "migration"]),
    ("server", &["diagnostic", "api", "expression", "firewall", "logpush", "migration", "delivery", "store"]),
    (
        "cli",
        &[
            "diagnostic",
            "api",
            "expression",
            "equivalence",
            "request",
            "cases",
            "firewall",
            "logpush",
            "migration",
            "trace",
            "delivery",
            "store",
            "server",
        ],
    ),
    (
        "web",
        &["diagnostic", "api", "expression", "equivalence", "request", "cases", "firewall", "logpush", "migration"],
    ),
];

/// Packages of tests, which are exempt.
const TEST_PACKAGES: [&str; 2] = ["tests", "growth"];

/// Crates that do not serialize: their JSON is defined in `api`, `wasm` and `cli`.
const ENGINE_CRATES: [&str; 5] = ["diagnostic", "expression", "equivalence", "firewall", "logpush"];

/// Extensions of the files whose length is limited.
const CODE_EXTENSIONS: [&str; 5] = ["rs", "js", "mjs", "css", "pest"];
const MAX_LINES: usize = 400;
const MAX_COMPONENT_LINES: usize = 120;
/// Tables of data, which readers search instead of reading them from top to bottom.
const LONG_TABLE_FILES: [&str; 4] = [
    "crates/expression/src/schema/fields/cf.rs",
    "crates/expression/src/schema/fields/http.rs",
    "crates/expression/src/schema/functions.rs",
    "crates/logpush/src/datasets/table.rs",
];

#[test]
fn crates_depend_only_on_allowed_crates() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed: BTreeMap<_, _> = ALLOWED_DEPENDENCIES.iter().copied().collect();
    let mut found = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let Some(name) = short_name(&package["name"]).filter(|name| !TEST_PACKAGES.contains(name)) else { continue };
        let allowed = allowed.get(name).unwrap_or_else(|| panic!("`{name}` has no row in ALLOWED_DEPENDENCIES"));
        found.insert(name);
        let declared = package["dependencies"].as_array().unwrap().iter();
        for dependency in declared.filter(|dependency| dependency["kind"] != "dev") {
            let Some(other) = short_name(&dependency["name"]) else { continue };
            assert!(allowed.contains(&other), "`{name}` may not depend on `{other}`");
        }
    }
    assert_eq!(found, allowed.keys().copied().collect(), "crates found, rows of ALLOWED_DEPENDENCIES");
}

/// Crates below the HTTP service.
const CRATES_BELOW_HTTP: [&str; 2] = ["store", "delivery"];
/// Crates of HTTP servers, which those crates must not depend on.
const HTTP_CRATES: [&str; 7] = ["axum", "hyper", "hyper-util", "tower", "tower-http", "utoipa", "utoipa-axum"];

#[test]
fn store_and_delivery_do_not_depend_on_an_http_server() {
    for name in CRATES_BELOW_HTTP {
        let manifest = text(&format!("crates/{name}/Cargo.toml"));
        for line in manifest.lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap();
            assert!(!HTTP_CRATES.contains(&dependency), "`{name}` depends on `{dependency}`");
        }
    }
}

/// `expression` for `zonewright-expression`, none for a crate of another project.
fn short_name(name: &Value) -> Option<&str> {
    name.as_str().unwrap().strip_prefix("zonewright-")
}

#[test]
fn files_are_short_enough_to_read() {
    let mut long = Vec::new();
    for path in files().into_iter().filter(|path| has_extension(path, &CODE_EXTENSIONS)) {
        let lines = text(&path).lines().count();
        if lines > MAX_LINES && !LONG_TABLE_FILES.contains(&path.as_str()) {
            long.push(format!("{path}: {lines} lines"));
        }
    }
    assert!(long.is_empty(), "longer than {MAX_LINES} lines:\n{}", long.join("\n"));
}

/// A module's file has the name of the module.
#[test]
fn no_file_is_named_mod_rs() {
    let misnamed: Vec<_> = files().into_iter().filter(|path| path.ends_with("/mod.rs")).collect();
    assert!(misnamed.is_empty(), "rename these files after their modules:\n{}", misnamed.join("\n"));
}

#[test]
fn component_functions_are_short_enough_to_read() {
    let mut long = Vec::new();
    for path in files().into_iter().filter(|path| path.starts_with("web/src/") && has_extension(path, &["rs"])) {
        for (name, lines) in component_lengths(&text(&path)) {
            if lines > MAX_COMPONENT_LINES {
                long.push(format!("{path}: {name} has {lines} lines"));
            }
        }
    }
    assert!(long.is_empty(), "longer than {MAX_COMPONENT_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn component_lengths_exclude_other_functions_and_docs() {
    let source =
        "/// Doc.\n#[component]\nfn Part(\n    a: u8,\n) {\n}\nfn helper() {\n}\nmod inner { #[component] fn B() {} }";
    assert_eq!(component_lengths(source), [("Part".to_owned(), 4), ("B".to_owned(), 1)]);
}

/// The name and the number of lines of each component in a file, from `fn` to the closing brace.
fn component_lengths(source: &str) -> Vec<(String, usize)> {
    let mut lengths = ComponentLengths(Vec::new());
    lengths.visit_file(&syn::parse_file(source).unwrap());
    lengths.0
}

struct ComponentLengths(Vec<(String, usize)>);

impl<'ast> Visit<'ast> for ComponentLengths {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if function.attrs.iter().any(|attribute| attribute.path().is_ident("component")) {
            let first_line = function.sig.fn_token.span.start().line;
            let last_line = function.block.brace_token.span.close().end().line;
            self.0.push((function.sig.ident.to_string(), last_line - first_line + 1));
        }
        visit::visit_item_fn(self, function);
    }
}

#[test]
fn only_parse_modules_use_pest() {
    // Tests that search for the name, count the parser's steps, or compile the reference grammar.
    let others = [
        "tests/architecture/main.rs",
        "tests/prose.rs",
        "crates/logpush/tests/growth.rs",
        "crates/expression/tests/reference.rs",
    ];
    for path in files().into_iter().filter(|path| has_extension(path, &["rs"]) && !others.contains(&path.as_str())) {
        let parsers = ["crates/expression/src/parse", "crates/logpush/src/parse"];
        if parsers.iter().any(|parser| path == format!("{parser}.rs") || path.starts_with(&format!("{parser}/"))) {
            continue;
        }
        for line in code_lines(&text(&path)) {
            let uses_pest = ["pest", "pest_derive", "Pairs"].iter().any(|name| words(&line).any(|word| word == *name));
            assert!(!uses_pest, "{path} uses the parser's types: {line}");
        }
    }
}

#[test]
fn engine_crates_do_not_use_serde() {
    for name in ENGINE_CRATES {
        let folder = format!("crates/{name}/src/");
        for path in files().into_iter().filter(|path| path.starts_with(&folder) && has_extension(path, &["rs"])) {
            for line in code_lines(&text(&path)) {
                let uses_serde = words(&line).any(|word| ["Serialize", "Deserialize", "serde"].contains(&word));
                assert!(!uses_serde, "{path}: {line}");
            }
        }
    }
}

/// Every write on behalf of a client adds an entry to the audit log.
#[test]
fn only_internal_writes_have_no_audit_entry() {
    let allowed = [
        // The service's own state: deliveries, its key, its leases.
        ("jobs.rs", "Scope::Unlocked", 2),
        ("keys.rs", "Scope::Unlocked", 1),
        ("lease.rs", "Scope::Unlocked", 2),
        // Initial data, and a restored backup, which contains its own log.
        ("accounts.rs", "commit_unlogged", 1),
        ("backup.rs", "commit_unlogged", 1),
    ];
    let mut found = Vec::new();
    for path in files().into_iter().filter(|path| path.starts_with("crates/store/src/") && has_extension(path, &["rs"]))
    {
        let text = text(&path);
        for marker in ["Scope::Unlocked", "commit_unlogged"] {
            let count = code_lines(&text).filter(|line| line.contains(marker)).count();
            if count > 0 && !path.ends_with("store/src/unit_of_work.rs") && !path.ends_with("store/src/scope.rs") {
                found.push((path.rsplit('/').next().unwrap().to_owned(), marker, count));
            }
        }
        for line in code_lines(&text).filter(|line| line.contains("audit_log")) {
            assert!(!line.contains("update audit_log") && !line.contains("delete from audit_log"), "{path}: {line}");
        }
        let opens = code_lines(&text).any(|line| line.contains(".writer.begin"));
        assert!(
            !opens || path.ends_with("store/src/unit_of_work.rs"),
            "{path} opens a transaction without a unit of work"
        );
    }
    let mut expected = allowed.map(|(file, marker, count)| (file.to_owned(), marker, count)).to_vec();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn files_have_no_debt_marker_and_no_private_path() {
    // Concatenated, because this file is searched too.
    let debt_markers = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ig", "nore")];
    let private_paths = [concat!("/wo", "rk"), concat!("../sha", "red")];
    let mut found = Vec::new();
    for path in files() {
        // Pictures are not UTF-8.
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else { continue };
        for (number, line) in text.lines().enumerate() {
            let debt = debt_markers.iter().any(|word| line.contains(word));
            if debt || private_paths.iter().any(|path| mentions_path(line, path)) {
                found.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether the line contains the path, and not as a part of a longer name.
fn mentions_path(line: &str, path: &str) -> bool {
    let is_name_char = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let parts: Vec<&str> = line.split(path).collect();
    parts.windows(2).any(|around| {
        let (before, after) = (around[0].chars().next_back(), around[1].chars().next());
        !before.is_some_and(|c| is_name_char(c) || c == '.') && !after.is_some_and(is_name_char)
    })
}

/// The pages are printed in terminals and in the app, which do not follow links.
#[test]
fn code_pages_have_no_links() {
    for (name, page) in code::ALL.iter().chain(zonewright_logpush::code::ALL) {
        for block in read(page) {
            let (MarkdownElement::Line(line) | MarkdownElement::Heading(_, line)) = block else { continue };
            let links = ["](", "http:", "https:", "www.", "<a "].iter().any(|mark| line.contains(mark));
            assert!(!links, "the page of {name}: {line}");
        }
    }
}

/// A class that only one side names is a rule without effect, or an element without style.
#[test]
fn style_sheets_have_no_unused_class() {
    let is_source = |path: &String| path.starts_with("web/") && has_extension(path, &["rs", "js", "html"]);
    let sources: String = files().into_iter().filter(is_source).map(|path| text(&path)).collect();
    let is_class = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let used: BTreeSet<&str> = sources.split(|c| !is_class(c)).collect();
    let mut unused = Vec::new();
    for path in files().into_iter().filter(|path| path.starts_with("web/styles/") && has_extension(path, &["css"])) {
        let sheet = text(&path);
        let selectors = sheet.split('}').filter_map(|rule| rule.rsplit_once('{')).map(|(selectors, _)| selectors);
        for after_dot in selectors.flat_map(|selectors| selectors.split('.').skip(1)) {
            let class = after_dot.split(|c| !is_class(c)).next().unwrap();
            if class.starts_with(|c: char| c.is_ascii_lowercase()) && !used.contains(class) {
                unused.push(format!("{path}: .{class}"));
            }
        }
    }
    assert!(unused.is_empty(), "no element has these classes:\n{}", unused.join("\n"));
}

#[test]
fn job_form_has_a_provider_for_every_scheme() {
    let providers = text("web/src/job/providers.rs");
    let missing: Vec<_> = Scheme::ALL.iter().filter(|scheme| !providers.contains(&format!("\"{scheme}\""))).collect();
    assert!(missing.is_empty(), "web/src/job/providers.rs has no row for {missing:?}");
}

#[test]
fn secret_parameters_of_every_scheme_are_secret_fields_of_the_job_form() {
    let providers = text("web/src/job/providers.rs");
    let parameters = Scheme::ALL.iter().flat_map(|scheme| scheme.parameters());
    let secrets: BTreeSet<&str> =
        parameters.filter(|parameter| parameter.is_secret()).map(|parameter| parameter.name).collect();
    // A pattern of a value ends with the key of its field: `("channel", "{channel}")`.
    let has_field = |name: &&str| providers.contains(&format!("{{{name}}}\")"));
    let is_visible = |name: &&str| {
        !providers.contains(&format!("secret(\"{name}\"")) || providers.contains(&format!("text(\"{name}\""))
    };
    let visible: Vec<_> = secrets.into_iter().filter(has_field).filter(is_visible).collect();
    assert!(visible.is_empty(), "the form shows the values of {visible:?}, which `redact` hides");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file of the project: tracked files and new ones that git does not ignore.
fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    let files: Vec<_> = names.split_terminator('\0').map(str::to_owned).collect();
    assert!(files.len() > 100, "only {} files", files.len());
    // Git lists a deleted file until its deletion is committed.
    files.into_iter().filter(|path| root().join(path).is_file()).collect()
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// The lines that are not comments.
fn code_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}
