// Decorations for the engine's results: syntax highlighting, diagnostics, and the selection of other views.
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip } from "@codemirror/view";

/** Largest number of underlined diagnostics, because many underlines slow the browser down. */
const MAX_UNDERLINES = 500;

/**
 * Replaces the marks of an analysis, as the engine returns it: `tokens` [{start, end, kind}] and `diagnostics` [{start,
 * end, severity, message, help}]. Both change together, because each update of the view can cost a layout of the page.
 */
export const setAnalysis = StateEffect.define();

/** Highlights the range that is selected in another view of the text: {from, to}. */
export const setLinkedSelection = StateEffect.define();

const tokenMarks = new Map();
function tokenMark(kind) {
  let mark = tokenMarks.get(kind);
  if (!mark) tokenMarks.set(kind, (mark = Decoration.mark({ class: `zw-${kind}` })));
  return mark;
}

/** Clamps a range to the text. */
function clampRange(length, start, end) {
  const from = Math.min(start, length);
  return [from, Math.max(from, Math.min(end, length))];
}

const tokens = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setAnalysis)) continue;
      const length = transaction.state.doc.length;
      const ranges = [];
      for (const token of effect.value.tokens) {
        const [from, to] = clampRange(length, token.start, token.end);
        if (from < to) ranges.push(tokenMark(token.kind).range(from, to));
      }
      result = RangeSet.of(ranges, true);
    }
    return result;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const diagnostics = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setAnalysis)) continue;
      const length = transaction.state.doc.length;
      const ranges = [];
      for (const diagnostic of effect.value.diagnostics.slice(0, MAX_UNDERLINES)) {
        let [from, to] = clampRange(length, diagnostic.start, diagnostic.end);
        // An empty range has no visible mark, so an adjacent character gets it.
        if (from === to && to < length) to += 1;
        else if (from === to && from > 0) from -= 1;
        if (from === to) continue;
        ranges.push(Decoration.mark({ class: `zw-${diagnostic.severity}`, diagnostic }).range(from, to));
      }
      result = RangeSet.of(ranges, true);
    }
    return result;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const linkedSelectionMark = Decoration.mark({ class: "zw-linked-selection" });

// CodeMirror shows its selection only while the editor has the focus; this mark is always visible.
const linkedSelection = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLinkedSelection)) continue;
      const [from, to] = clampRange(transaction.state.doc.length, effect.value.from, effect.value.to);
      result = from < to ? RangeSet.of([linkedSelectionMark.range(from, to)]) : Decoration.none;
    }
    return result;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Converts text with `code` in backticks to DOM nodes. An unpaired backtick is literal, as in the rest of the app. */
export function renderInlineCode(text) {
  return text.split("`").map((segment, index, segments) => {
    if (index % 2 === 0) return segment;
    if (index === segments.length - 1) return `\`${segment}`;
    const code = document.createElement("code");
    code.textContent = segment;
    return code;
  });
}

function renderDiagnostics(found) {
  const dom = document.createElement("div");
  dom.className = "zw-tooltip";
  for (const { severity, message, help } of found) {
    const row = dom.appendChild(document.createElement("p"));
    const label = row.appendChild(document.createElement("strong"));
    label.className = `zw-word-${severity}`;
    label.textContent = severity;
    row.append(" ", ...renderInlineCode(message));
    if (help) {
      const more = dom.appendChild(document.createElement("p"));
      more.className = "zw-help";
      more.append(...renderInlineCode(help));
    }
  }
  return dom;
}

const diagnosticTooltip = hoverTooltip((view, position) => {
  const found = [];
  let start = position;
  let end = position;
  view.state.field(diagnostics).between(position, position, (from, to, mark) => {
    found.push(mark.spec.diagnostic);
    start = Math.min(start, from);
    end = Math.max(end, to);
  });
  if (found.length === 0) return null;
  return { pos: start, end, above: false, create: () => ({ dom: renderDiagnostics(found) }) };
}, { hoverTime: 200 });

/** The decorations and the tooltip of the diagnostics, as one extension. */
export const decorations = [tokens, diagnostics, linkedSelection, diagnosticTooltip];
