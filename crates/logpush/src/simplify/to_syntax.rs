//! Builds syntax trees from formulas.

use crate::{
    Dataset, FieldType, FormatStyle, Operand, Operator, Test, TestKind,
    algebra::{Atom, Formula},
    ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral},
    print,
};
use zonewright_diagnostic::Span;

/// A builder of the nodes of one filter.
pub(super) struct SyntaxBuilder<'p> {
    pub(super) dataset: &'static Dataset,
    pub(super) test: &'p Test,
    pub(super) span: Span,
}

impl SyntaxBuilder<'_> {
    /// Builds the node of a formula.
    pub(super) fn build_formula(&self, formula: &Formula, max_integers: u32) -> Node {
        match formula {
            Formula::Always => self.build_constant(Operator::Contains),
            Formula::Never => self.build_constant(Operator::NotContains),
            Formula::Atom(atom) => self.build_atom(atom, max_integers),
            Formula::All(formulas) => self.build_joined(NodeKind::And, formulas, max_integers),
            Formula::Any(formulas) => self.build_joined(NodeKind::Or, formulas, max_integers),
        }
    }

    fn build_joined(&self, kind: fn(Vec<Node>) -> NodeKind, formulas: &[Formula], max_integers: u32) -> Node {
        self.build_chain(kind, formulas.iter().map(|formula| self.build_formula(formula, max_integers)).collect())
    }

    /// Builds a chain, and flattens nested chains of the same operator.
    fn build_chain(&self, kind: fn(Vec<Node>) -> NodeKind, nodes: Vec<Node>) -> Node {
        let is_and = matches!(kind(Vec::new()), NodeKind::And(_));
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node.kind {
                NodeKind::And(inner) if is_and => flat.extend(inner),
                NodeKind::Or(inner) if !is_and => flat.extend(inner),
                kind => flat.push(Node { kind, span: node.span }),
            }
        }
        match (flat.len(), flat.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                flat.extend(last);
                Node { kind: kind(flat), span: self.span }
            }
        }
    }

    fn build_atom(&self, atom: &Atom, max_integers: u32) -> Node {
        let conditions = atom.to_conditions(max_integers);
        let (outer, inner): (fn(_) -> _, fn(_) -> _) = match conditions.is_conjunction {
            true => (NodeKind::And, NodeKind::Or),
            false => (NodeKind::Or, NodeKind::And),
        };
        let name = atom.subject.field.name;
        let part = |part: &Vec<(Operator, Operand)>| {
            self.build_chain(
                inner,
                part.iter().map(|(operator, operand)| self.build_condition(name, *operator, operand)).collect(),
            )
        };
        self.build_chain(outer, conditions.parts.iter().map(part).collect())
    }

    /// Builds a condition that is always or never true, because every string contains the empty one.
    fn build_constant(&self, operator: Operator) -> Node {
        let mut names = Vec::new();
        collect_string_fields(self.test, &mut names);
        let all = self.dataset.fields.iter().filter(|field| field.ty == FieldType::String && field.filterable);
        let shortest = |names: &mut dyn Iterator<Item = &'static str>| names.min_by_key(|name| name.len());
        let name = shortest(&mut names.into_iter())
            .or_else(|| shortest(&mut all.clone().filter(|field| !field.deprecated).map(|field| field.name)))
            .unwrap_or_default();
        self.build_condition(name, operator, &Operand::String(String::new()))
    }

    fn build_condition(&self, name: &str, operator: Operator, operand: &Operand) -> Node {
        let text = |text: &str| StringLiteral { text: text.to_owned(), span: self.span };
        let condition = Condition {
            key: Some(text(name)),
            operator: Some(text(operator.name())),
            value: Some(Json { kind: to_json(operand, self.span), span: self.span }),
        };
        Node { kind: NodeKind::Condition(Box::new(condition)), span: self.span }
    }

    /// Rebuilds the condition of the original filter with its values in canonical form.
    pub(super) fn build_canonical_filter(&self, root: &Node) -> Node {
        self.build_canonical_node(root, self.test)
    }

    fn build_canonical_node(&self, node: &Node, test: &Test) -> Node {
        let canonical_nodes = |nodes: &[Node], tests: &[Test]| {
            nodes.iter().zip(tests).map(|(node, test)| self.build_canonical_node(node, test)).collect()
        };
        match (&node.kind, &test.kind) {
            (NodeKind::And(nodes), TestKind::All(tests)) => {
                Node { kind: NodeKind::And(canonical_nodes(nodes, tests)), ..*node }
            }
            (NodeKind::Or(nodes), TestKind::Any(tests)) => {
                Node { kind: NodeKind::Or(canonical_nodes(nodes, tests)), ..*node }
            }
            (_, TestKind::Comparison(comparison)) => {
                self.build_condition(comparison.field.name, comparison.operator, &comparison.operand)
            }
            _ => node.clone(),
        }
    }
}

/// Returns the JSON of an operand.
fn to_json(operand: &Operand, span: Span) -> JsonKind {
    match operand {
        Operand::String(text) => JsonKind::String(text.clone()),
        Operand::Number(number) => JsonKind::Number(number.to_json()),
        Operand::Bool(flag) => JsonKind::Bool(*flag),
        Operand::Items(items) => {
            JsonKind::Array(items.iter().map(|item| Json { kind: to_json(item, span), span }).collect())
        }
    }
}

/// Collects the names of the string fields that a filter compares.
fn collect_string_fields(test: &Test, names: &mut Vec<&'static str>) {
    match &test.kind {
        TestKind::All(tests) | TestKind::Any(tests) => tests.iter().for_each(|test| collect_string_fields(test, names)),
        TestKind::Comparison(comparison) if comparison.field.ty == FieldType::String => {
            names.push(comparison.field.name);
        }
        TestKind::Comparison(_) => {}
    }
}

/// The size of a node.
pub(super) struct Size {
    pub(super) operators: usize,
    pub(super) bytes: usize,
    pub(super) depth: usize,
}

impl Size {
    pub(super) fn measure(node: &Node) -> Size {
        let bytes = print(node, FormatStyle::Compact).len();
        let (operators, depth) = count_operators_and_depth(node);
        Size { operators, bytes, depth }
    }
}

fn count_operators_and_depth(node: &Node) -> (usize, usize) {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => {
            let counts: Vec<(usize, usize)> = nodes.iter().map(count_operators_and_depth).collect();
            // A chain adds two levels: an object and a list.
            (counts.iter().map(|count| count.0).sum(), 2 + counts.iter().map(|count| count.1).max().unwrap_or(0))
        }
        // Three levels: the object around `where`, the condition, and the list of its value.
        NodeKind::Condition(_) | NodeKind::Invalid => (1, 3),
    }
}
