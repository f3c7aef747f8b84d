//! The state that the panels of the page share: text, last valid tree and selection.

use super::tree::{self, NodePath, Row};
use crate::analysis::AnalyzedSource;
use crate::components::editor::EditorHandle;
use crate::selection::{SelectedSpan, is_within, overlaps, smallest_enclosing_span};
use crate::state::log_filter_draft::{AnalyzedLogFilter, LogFilterDraft};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_logpush::ast::{Encoding, Node};
use zonewright_logpush::{FormatStyle, Options, parse, print};

/// The tree of the text, or of the last text that was valid.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterTree {
    /// The condition under `where`; `None` if there is no filter.
    pub(super) root: Option<Node>,
    /// The encoding of the text, whether it is valid or not.
    pub(super) encoding: Encoding,
    /// Whether the text is invalid, so that the tree belongs to an earlier text.
    pub(super) is_stale: bool,
    /// The rows of the tree. Their spans apply to the text unless the tree is stale.
    pub(super) rows: Vec<Row>,
}

impl FilterTree {
    fn parse(source: &str, before: Option<&Arc<FilterTree>>) -> FilterTree {
        if source.trim().is_empty() {
            return FilterTree::default();
        }
        let parsed = parse(source);
        let encoding = parsed.encoding;
        let is_readable = !parsed.diagnostics.iter().any(Diagnostic::is_error);
        match parsed.ast.filter(|_| is_readable) {
            Some(ast) => {
                FilterTree { rows: tree::rows(&ast.condition), root: Some(ast.condition), encoding, is_stale: false }
            }
            None => {
                let before = before.map(|tree| FilterTree::clone(tree)).unwrap_or_default();
                FilterTree { encoding, is_stale: true, ..before }
            }
        }
    }
}

/// A control of a row that can be focused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Key,
    Operator,
    Value,
    Menu,
}

impl Control {
    /// Returns the ID of this control in a row.
    pub(super) fn id(self, path: &[usize]) -> String {
        let label = match self {
            Control::Key => "key",
            Control::Operator => "operator",
            Control::Value => "value",
            Control::Menu => "menu",
        };
        format!("row-{}-{label}", path_id(path))
    }
}

/// The ID of the `datalist` of field names that all rows share.
pub(super) const FIELD_DATALIST_ID: &str = "log-fields";

/// The ID of the button that adds the first condition.
pub(super) const FIRST_CONDITION_ID: &str = "first-condition";

/// The shared state of the page.
#[derive(Clone, Copy)]
pub(super) struct WorkbenchContext {
    /// The filter with its sample lines.
    pub(super) filter: LogFilterDraft,
    /// The filter with its analysis.
    pub(super) analyzed: Signal<Arc<AnalyzedSource<Options>>>,
    /// The editor.
    pub(super) handle: EditorHandle,
    /// The selected span, shared by all panels.
    pub(super) selected_span: SelectedSpan,
    /// The tree of the builder.
    pub(super) tree: Memo<Arc<FilterTree>>,
    /// The path of the selected row.
    pub(super) selected_row: Memo<Option<NodePath>>,
    /// The rows of the analyzed text; empty if its syntax is invalid.
    analyzed_rows: Memo<Arc<Vec<Row>>>,
}

impl WorkbenchContext {
    /// Creates the context and provides it to the panels.
    pub(super) fn provide(handle: EditorHandle, selected_span: SelectedSpan) -> Self {
        let filter = LogFilterDraft::get();
        let tree = Memo::new_with_compare(
            move |before: Option<&Arc<FilterTree>>| Arc::new(FilterTree::parse(&filter.source.read(), before)),
            |_, _| true,
        );
        let selected_row = Memo::new(move |_| {
            let tree = tree.get();
            let span = smallest_enclosing_span(
                selected_span,
                tree.rows.iter().filter(|_| !tree.is_stale).map(|row| row.span),
            )?;
            tree.rows.iter().find(|row| row.span == span).map(|row| row.path.clone())
        });
        let AnalyzedLogFilter(analyzed) = AnalyzedLogFilter::get();
        let analyzed_rows = Memo::new(move |_| Arc::new(FilterTree::parse(&analyzed.read().source, None).rows));
        let workbench = WorkbenchContext { filter, analyzed, handle, selected_span, tree, selected_row, analyzed_rows };
        provide_context(workbench);
        workbench
    }

    /// Returns the context of the page, or provides one whose editor is not mounted.
    pub(super) fn get() -> Self {
        use_context().unwrap_or_else(|| {
            WorkbenchContext::provide(EditorHandle::new(LogFilterDraft::get().source), RwSignal::new(None))
        })
    }

    /// Selects a span, also in the editor.
    fn select(self, span: Span) {
        let text = self.filter.source.get_untracked();
        self.select_in(&text, span);
    }

    /// Selects a span of a text, unless the filter has another text by now.
    pub(super) fn select_in(self, source: &str, span: Span) {
        if self.handle.reveal(source, span) {
            self.selected_span.set(Some(span));
        }
    }

    /// Returns whether the selection overlaps a span of a text, and the filter still has this text.
    pub(super) fn is_selected_in(self, source: &str, span: Span) -> bool {
        overlaps(self.selected_span, span) && *self.filter.source.read() == *source
    }

    /// Selects a row.
    pub(super) fn select_row(self, path: &[usize]) {
        // The page may be unmounted by the next frame.
        let Some(tree) = self.tree.try_get_untracked() else { return };
        let row = tree.rows.iter().find(|row| row.path == path).filter(|_| !tree.is_stale);
        if let Some(row) = row {
            self.select(row.span);
        }
    }

    /// Returns the first diagnostic that is inside a row, but not inside one of its descendants.
    pub(super) fn problem(self, path: &[usize]) -> Option<Diagnostic> {
        let tree = self.tree.get();
        let analyzed = self.analyzed.get();
        let rows = self.analyzed_rows.get();
        let source = self.filter.source.read();
        // The analysis may be of an earlier text.
        if tree.is_stale
            || *source != analyzed.source && !has_same_rows((&tree.rows, &source), (&rows, &analyzed.source))
        {
            return None;
        }
        let row = rows.iter().find(|row| row.path == path)?;
        let is_in_descendant = |span: Span| {
            rows.iter()
                .any(|row| row.path.len() > path.len() && row.path.starts_with(path) && is_within(span, row.span))
        };
        analyzed
            .diagnostics()
            .iter()
            .find(|diagnostic| is_within(diagnostic.span, row.span) && !is_in_descendant(diagnostic.span))
            .cloned()
    }

    /// Changes the tree, rewrites the text, and selects the row whose path `change` returns. Then focuses `control` in
    /// that row, if given. An empty filter becomes an empty condition, without a call of `change`.
    pub(super) fn edit(self, control: Option<Control>, change: impl FnOnce(&mut Node) -> Option<NodePath>) {
        self.rewrite(control, false, change);
    }

    /// Like [`Self::edit`], for typing in a row, which does not move the focus. Successive changes are grouped for
    /// undo.
    pub(super) fn edit_typed(self, change: impl FnOnce(&mut Node) -> Option<NodePath>) {
        self.rewrite(None, true, change);
    }

    fn rewrite(self, control: Option<Control>, is_typed: bool, change: impl FnOnce(&mut Node) -> Option<NodePath>) {
        let tree = self.tree.get_untracked();
        if tree.is_stale {
            return;
        }
        let mut root = tree.root.clone().unwrap_or_else(tree::empty_condition);
        let path = if tree.root.is_some() { change(&mut root) } else { Some(Vec::new()) };
        let text = self.print(&root);
        if is_typed {
            self.handle.set_text_as_typed(text)
        } else {
            self.filter.source.set(text)
        }
        let Some(path) = path else { return };
        // By the next frame, the rows are rendered and the editor has the text.
        request_animation_frame(move || match control {
            Some(control) => {
                self.select_row(&path);
                focus(&path, control);
            }
            // The user may be moving the focus to another row, which is then selected.
            None => self.select_row(&focused_row().unwrap_or(path)),
        });
    }

    /// Removes a row. Removing the last one clears the filter.
    pub(super) fn remove(self, path: &[usize]) {
        let tree = self.tree.get_untracked();
        let Some(mut root) = tree.root.clone().filter(|_| !tree.is_stale) else { return };
        match tree::remove(&mut root, path) {
            Some(near) => self.edit(Some(Control::Menu), move |target| {
                *target = root;
                Some(near)
            }),
            None => {
                self.filter.source.set(String::new());
                request_animation_frame(|| {
                    focus_id(FIRST_CONDITION_ID);
                });
            }
        }
    }

    fn print(self, root: &Node) -> String {
        print(root, self.style())
    }

    /// Returns the style that keeps the encoding and the layout of the current text.
    pub(super) fn style(self) -> FormatStyle {
        let encoding = self.tree.get_untracked().encoding;
        self.filter.source.with_untracked(|text| match encoding {
            Encoding::Escaped => FormatStyle::Escaped,
            Encoding::Object if text.trim().is_empty() || text.trim().contains('\n') => FormatStyle::Pretty,
            Encoding::Object => FormatStyle::Compact,
        })
    }
}

/// Returns whether two texts have the same rows, of which at most one condition was edited. Otherwise, a row may have
/// another path. Each argument has the rows and the text.
fn has_same_rows((rows, source): (&[Row], &str), (earlier_rows, earlier_source): (&[Row], &str)) -> bool {
    let is_edited =
        |(row, earlier): &(&Row, &Row)| !row.is_group && row.span.text(source) != earlier.span.text(earlier_source);
    let has_same_paths =
        rows.iter().map(|row| (&row.path, row.is_group)).eq(earlier_rows.iter().map(|row| (&row.path, row.is_group)));
    has_same_paths && rows.iter().zip(earlier_rows).filter(is_edited).count() <= 1
}

/// Focuses a control of a row, or its menu if the row does not have the control.
fn focus(path: &[usize], control: Control) {
    if !focus_id(&control.id(path)) {
        focus_id(&Control::Menu.id(path));
    }
}

/// Returns the path of the row that has the focus.
fn focused_row() -> Option<NodePath> {
    let row = document().active_element()?.closest(".build-row").ok()??;
    let path = row.get_attribute("data-path")?;
    path.split('-').filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

/// Formats a path as a part of an ID.
pub(super) fn path_id(path: &[usize]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

fn focus_id(id: &str) -> bool {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}
