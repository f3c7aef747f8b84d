//! Builds syntax trees of formulas.

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
    pub(super) fn formula(&self, formula: &Formula, most_listed: u32) -> Node {
        match formula {
            Formula::Always => self.constant(Operator::Contains),
            Formula::Never => self.constant(Operator::NotContains),
            Formula::Atom(atom) => self.atom(atom, most_listed),
            Formula::All(formulas) => self.joined(NodeKind::And, formulas, most_listed),
            Formula::Any(formulas) => self.joined(NodeKind::Or, formulas, most_listed),
        }
    }

    fn joined(&self, kind: fn(Vec<Node>) -> NodeKind, formulas: &[Formula], most_listed: u32) -> Node {
        self.chain(kind, formulas.iter().map(|formula| self.formula(formula, most_listed)).collect())
    }

    /// Builds a chain, and flattens nested chains of the same operator.
    fn chain(&self, kind: fn(Vec<Node>) -> NodeKind, nodes: Vec<Node>) -> Node {
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

    fn atom(&self, atom: &Atom, most_listed: u32) -> Node {
        let conditions = atom.written(most_listed);
        let (outer, inner): (fn(_) -> _, fn(_) -> _) = match conditions.all {
            true => (NodeKind::And, NodeKind::Or),
            false => (NodeKind::Or, NodeKind::And),
        };
        let name = atom.subject.field.name;
        let part = |part: &Vec<(Operator, Operand)>| {
            self.chain(inner, part.iter().map(|(operator, operand)| self.condition(name, *operator, operand)).collect())
        };
        self.chain(outer, conditions.parts.iter().map(part).collect())
    }

    /// Builds a condition that is always or never true, because every string contains the empty one.
    fn constant(&self, operator: Operator) -> Node {
        let mut names = Vec::new();
        text_fields(self.test, &mut names);
        let all = self.dataset.fields.iter().filter(|field| field.ty == FieldType::String && field.filterable);
        let shortest = |names: &mut dyn Iterator<Item = &'static str>| names.min_by_key(|name| name.len());
        let name = shortest(&mut names.into_iter())
            .or_else(|| shortest(&mut all.clone().filter(|field| !field.deprecated).map(|field| field.name)))
            .unwrap_or_default();
        self.condition(name, operator, &Operand::String(String::new()))
    }

    fn condition(&self, name: &str, operator: Operator, operand: &Operand) -> Node {
        let text = |text: &str| StringLiteral { text: text.to_owned(), span: self.span };
        let condition = Condition {
            key: Some(text(name)),
            operator: Some(text(operator.name())),
            value: Some(Json { kind: value(operand, self.span), span: self.span }),
        };
        Node { kind: NodeKind::Condition(Box::new(condition)), span: self.span }
    }

    /// Rebuilds the original filter with values in their shortest form.
    pub(super) fn canonical_filter(&self, root: &Node) -> Node {
        self.canonical_node(root, self.test)
    }

    fn canonical_node(&self, node: &Node, test: &Test) -> Node {
        let canonical_nodes = |nodes: &[Node], tests: &[Test]| {
            nodes.iter().zip(tests).map(|(node, test)| self.canonical_node(node, test)).collect()
        };
        match (&node.kind, &test.kind) {
            (NodeKind::And(nodes), TestKind::All(tests)) => {
                Node { kind: NodeKind::And(canonical_nodes(nodes, tests)), ..*node }
            }
            (NodeKind::Or(nodes), TestKind::Any(tests)) => {
                Node { kind: NodeKind::Or(canonical_nodes(nodes, tests)), ..*node }
            }
            (_, TestKind::Comparison(comparison)) => {
                self.condition(comparison.field.name, comparison.operator, &comparison.operand)
            }
            _ => node.clone(),
        }
    }
}

/// Returns the JSON of an operand.
fn value(operand: &Operand, span: Span) -> JsonKind {
    match operand {
        Operand::String(text) => JsonKind::String(text.clone()),
        Operand::Number(number) => JsonKind::Number(number.to_json()),
        Operand::Bool(flag) => JsonKind::Bool(*flag),
        Operand::Items(items) => {
            JsonKind::Array(items.iter().map(|item| Json { kind: value(item, span), span }).collect())
        }
    }
}

/// Collects the names of the string fields that a filter compares.
fn text_fields(test: &Test, names: &mut Vec<&'static str>) {
    match &test.kind {
        TestKind::All(tests) | TestKind::Any(tests) => tests.iter().for_each(|test| text_fields(test, names)),
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
            // A chain is an object and a list.
            (counts.iter().map(|count| count.0).sum(), 2 + counts.iter().map(|count| count.1).max().unwrap_or(0))
        }
        // The list of its value and the object around `where` are included.
        NodeKind::Condition(_) | NodeKind::Invalid => (1, 3),
    }
}
