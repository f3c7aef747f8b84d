//! Checks that the modules of a crate import each other in one direction, and that its root file lists them.
//!
//! The children of a module form a graph: one node for each child with everything below it, one edge for each
//! path in one child that names an item of another. [`imports_are_acyclic`] requires that each graph is acyclic.
//! A module may import from its own ancestors.

use super::{files, has_extension, text};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// Cycles that are allowed: the crate, two children of one module, and the reason.
const EXCEPTIONS: &[(&str, &str, &str, &str)] = &[];

/// The path of a module or an item, from the root of its crate.
type ModulePath = Vec<String>;

#[test]
fn imports_are_acyclic() {
    let mut cycles = Vec::new();
    for (name, folder) in crates() {
        for cycle in Modules::read(&folder).cycles() {
            let allowed = EXCEPTIONS.iter().any(|(krate, first, second, _)| {
                *krate == name && [first, second].iter().all(|child| cycle.members.contains(**child))
            });
            if !allowed {
                cycles.push(format!("{name}: {cycle}"));
            }
        }
    }
    assert!(cycles.is_empty(), "import cycles:\n{}", cycles.join("\n"));
}

#[test]
fn cycle_through_a_reexport_is_found() {
    let modules = Modules::from_sources([
        ("", "mod a; mod b; pub use b::Second;"),
        ("a", "use crate::Second; pub struct First;"),
        ("b", "pub struct Second(super::a::First);"),
    ]);
    let cycles: Vec<_> = modules.cycles().into_iter().map(|cycle| cycle.members).collect();
    assert_eq!(cycles, [BTreeSet::from(["a".to_owned(), "b".to_owned()])]);
}

#[test]
fn imports_from_ancestors_and_in_tests_form_no_cycle() {
    let modules = Modules::from_sources([
        ("", "mod a; mod b; pub struct Root;"),
        ("a", "mod inner; pub struct First; fn call() { inner::run() }"),
        ("a::inner", "use super::First; use crate::{Root, b::Second}; pub fn run() {}"),
        ("b", "pub struct Second; #[cfg(test)] mod tests; #[cfg(test)] mod others { use crate::a::First; }"),
        ("b::tests", "use crate::a::First;"),
    ]);
    assert_eq!(modules.cycles().len(), 0);
}

/// A newcomer starts at the root file of a crate, which lists its modules in reading order.
#[test]
fn root_files_list_every_module_on_its_own_line() {
    let mut errors = Vec::new();
    for root in files().into_iter().filter(|path| ["/src/lib.rs", "/src/main.rs"].iter().any(|end| path.ends_with(end)))
    {
        errors.extend(module_list_errors(&text(&root)).into_iter().map(|error| format!("{root}: {error}")));
    }
    assert!(errors.is_empty(), "the module lists of root files have errors:\n{}", errors.join("\n"));
}

#[test]
fn missing_and_combined_entries_of_a_module_list_are_found() {
    let source = "//! - [`a`]: one.\n//! - `b`, [`mod@c`]: two.\n\nmod a; mod b; mod c; mod d; #[cfg(test)] mod tests;";
    let errors = module_list_errors(source);
    assert_eq!(errors, ["a line names 2 modules: //! - `b`, [`mod@c`]: two.", "no line names `d`"]);
}

/// Compares the list in the doc of a root file with the modules of the file: each line names one module.
fn module_list_errors(source: &str) -> Vec<String> {
    let list: Vec<&str> = source.lines().filter(|line| line.starts_with("//! - ")).collect();
    let file = syn::parse_file(source).unwrap();
    let modules = file.items.into_iter().filter_map(|item| match item {
        Item::Mod(module) if !module.attrs.iter().any(is_test) && module.ident != "testing" => Some(module.ident),
        _ => None,
    });
    let modules: Vec<String> = modules.map(|name| name.to_string()).collect();
    let names = |line: &str, module: &str| ["", "mod@"].iter().any(|kind| line.contains(&format!("`{kind}{module}`")));
    let mut errors = Vec::new();
    for line in &list {
        let count = modules.iter().filter(|module| names(line, module)).count();
        // A list without modules describes other things.
        if count > 1 {
            errors.push(format!("a line names {count} modules: {line}"));
        }
    }
    let unlisted = modules.iter().filter(|module| !list.iter().any(|line| names(line, module)));
    errors.extend(unlisted.map(|module| format!("no line names `{module}`")));
    errors
}

/// The crates of the workspace with the folders of their sources.
fn crates() -> BTreeMap<String, String> {
    let sources = files().into_iter().filter_map(|path| {
        let (folder, _) = path.split_once("/src/")?;
        let name = folder.strip_prefix("crates/").unwrap_or(folder);
        (path.ends_with(".rs") && !name.contains('/')).then(|| (name.to_owned(), format!("{folder}/src/")))
    });
    sources.collect()
}

/// The modules of a crate, and the paths that each of them names.
#[derive(Default)]
struct Modules {
    paths: BTreeSet<ModulePath>,
    /// Modules that are compiled for tests only.
    tests: BTreeSet<ModulePath>,
    /// Paths that a module names, as they are written.
    named: Vec<(ModulePath, ModulePath)>,
    /// Re-exports: the module and the name, with the path of the item as it is written.
    re_exports: BTreeMap<(ModulePath, String), ModulePath>,
}

/// Children of one module that import each other.
struct ImportCycle {
    parent: ModulePath,
    members: BTreeSet<String>,
    imports: Vec<String>,
}

impl std::fmt::Display for ImportCycle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<_> = self.members.iter().map(String::as_str).collect();
        write!(f, "in `{}`: {}", self.parent.join("::"), members.join(", "))?;
        self.imports.iter().try_for_each(|import| write!(f, "\n    {import}"))
    }
}

impl Modules {
    fn read(folder: &str) -> Modules {
        let sources = files().into_iter().filter(|path| path.starts_with(folder) && has_extension(path, &["rs"]));
        let sources = sources.map(|path| {
            let name = path.strip_prefix(folder).unwrap_or(&path).trim_end_matches(".rs").replace('/', "::");
            let is_root = ["lib", "main"].contains(&name.as_str());
            (if is_root { String::new() } else { name }, text(&path))
        });
        Modules::from_sources(sources)
    }

    fn from_sources<N: AsRef<str>, S: AsRef<str>>(sources: impl IntoIterator<Item = (N, S)>) -> Modules {
        let mut modules = Modules::default();
        let sources: Vec<(ModulePath, S)> =
            sources.into_iter().map(|(name, source)| (parse_module_path(name.as_ref()), source)).collect();
        modules.paths.extend(sources.iter().map(|(path, _)| path.clone()));
        for (module, source) in sources {
            let file = syn::parse_file(source.as_ref()).unwrap_or_else(|error| panic!("{module:?}: {error}"));
            Reader { module, modules: &mut modules }.visit_file(&file);
        }
        modules
    }

    /// Pairs of modules: the first names an item of the second.
    fn imports(&self) -> impl Iterator<Item = (&ModulePath, ModulePath)> {
        let is_test = |module: &ModulePath| self.tests.iter().any(|test| module.starts_with(test));
        let named = self.named.iter().filter(move |(module, _)| !is_test(module));
        named.filter_map(|(module, path)| Some((module, self.resolve_module(module, path, 8)?)))
    }

    /// The module where the item is defined; `None` for paths into other crates. A re-export is followed, at
    /// most `depth` times.
    fn resolve_module(&self, from: &ModulePath, path: &[String], depth: usize) -> Option<ModulePath> {
        let (mut module, mut rest) = self.first_module(from, path)?;
        while let Some((name, after)) = rest.split_first() {
            let child = [module.as_slice(), std::slice::from_ref(name)].concat();
            if self.paths.contains(&child) {
                module = child;
            } else if let (Some(target), true) = (self.re_exports.get(&(module.clone(), name.clone())), depth > 0) {
                return self.resolve_module(&module, &[target.as_slice(), after].concat(), depth - 1);
            } else {
                break;
            }
            rest = after;
        }
        Some(module)
    }

    fn first_module<'p>(&self, from: &ModulePath, path: &'p [String]) -> Option<(ModulePath, &'p [String])> {
        let (first, mut rest) = path.split_first()?;
        let mut module = from.clone();
        match first.as_str() {
            "crate" => module.clear(),
            "self" => {}
            "super" => {
                module.pop();
                while let Some((_, after)) = rest.split_first().filter(|(name, _)| *name == "super") {
                    module.pop();
                    rest = after;
                }
            }
            _ => {
                let is_child = self.paths.contains(&[from.as_slice(), std::slice::from_ref(first)].concat());
                return is_child.then_some((module, path));
            }
        }
        Some((module, rest))
    }

    fn cycles(&self) -> Vec<ImportCycle> {
        let mut graphs: BTreeMap<ModulePath, Vec<(String, String, String)>> = BTreeMap::new();
        for (from, to) in self.imports() {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // Without a child on both sides, one of the two is an ancestor of the other.
            let (Some(child), Some(other)) = (from.get(common), to.get(common)) else { continue };
            let import = format!("`{}` imports from `{}`", from.join("::"), to.join("::"));
            graphs.entry(from[..common].to_vec()).or_default().push((child.clone(), other.clone(), import));
        }
        graphs.into_iter().flat_map(|(parent, edges)| find_cycles(&parent, &edges)).collect()
    }
}

/// The strongly connected parts of a graph that have more than one node.
fn find_cycles(parent: &ModulePath, edges: &[(String, String, String)]) -> Vec<ImportCycle> {
    let mut reachable: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, ..) in edges {
        let (mut found, mut waiting) = (BTreeSet::new(), vec![from.as_str()]);
        while let Some(node) = waiting.pop() {
            let next = edges.iter().filter(|(from, ..)| from == node).map(|(_, to, _)| to.as_str());
            waiting.extend(next.filter(|to| found.insert(*to)));
        }
        reachable.insert(from, found);
    }
    let reaches = |from: &str, to: &str| reachable.get(from).is_some_and(|found| found.contains(to));
    let mut cycles: Vec<ImportCycle> = Vec::new();
    for node in reachable.keys().filter(|node| reaches(node, node)) {
        if cycles.iter().any(|cycle| cycle.members.contains(*node)) {
            continue;
        }
        let members: BTreeSet<String> = reachable
            .keys()
            .filter(|other| reaches(node, other) && reaches(other, node))
            .map(|m| (*m).to_owned())
            .collect();
        let inside = edges.iter().filter(|(from, to, _)| members.contains(from) && members.contains(to));
        let imports: BTreeSet<String> = inside.map(|(_, _, import)| import.clone()).collect();
        cycles.push(ImportCycle { parent: parent.clone(), members, imports: imports.into_iter().collect() });
    }
    cycles
}

/// Collects the paths of one file. Tests inside it are skipped.
struct Reader<'m> {
    module: ModulePath,
    modules: &'m mut Modules,
}

impl Reader<'_> {
    fn read_use(&mut self, prefix: &[String], tree: &UseTree, is_public: bool) {
        let append = |name: String| [prefix, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.read_use(&append(path.ident.to_string()), &path.tree, is_public),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.read_use(prefix, tree, is_public)),
            UseTree::Glob(_) => self.import(prefix.to_vec()),
            UseTree::Name(name) if name.ident == "self" => self.import(prefix.to_vec()),
            UseTree::Name(name) => self.use_item(name.ident.to_string(), append(name.ident.to_string()), is_public),
            UseTree::Rename(rename) => {
                self.use_item(rename.rename.to_string(), append(rename.ident.to_string()), is_public);
            }
        }
    }

    fn use_item(&mut self, name: String, path: ModulePath, is_public: bool) {
        if is_public {
            self.modules.re_exports.insert((self.module.clone(), name), path);
        } else {
            self.import(path);
        }
    }

    fn import(&mut self, path: ModulePath) {
        self.modules.named.push((self.module.clone(), path));
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Mod(ItemMod { attrs, .. }) => attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        match item {
            _ if !attributes.iter().any(is_test) => visit::visit_item(self, item),
            Item::Mod(tests) => {
                self.modules.tests.insert([self.module.as_slice(), &[tests.ident.to_string()]].concat());
            }
            _ => {}
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_public = !matches!(item.vis, Visibility::Inherited);
        self.read_use(&[], &item.tree, is_public);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.import(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// Whether the attribute is `#[cfg(test)]`.
fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
}

fn parse_module_path(name: &str) -> ModulePath {
    name.split("::").filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}
