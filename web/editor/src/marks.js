// What the engine says about the text, as decorations: colours and underlines.
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip } from "@codemirror/view";

/** Replaces all colours. */
export const setTokens = StateEffect.define();
/** Replaces all underlines. */
export const setDiagnostics = StateEffect.define();

/** Marks what another view of the text has chosen: {from, to}. */
export const setChosen = StateEffect.define();

const tokenMarks = new Map();
function tokenMark(kind) {
  let mark = tokenMarks.get(kind);
  if (!mark) tokenMarks.set(kind, (mark = Decoration.mark({ class: `zw-${kind}` })));
  return mark;
}

/** Keeps a range inside the text: the answer may be about a text that has just changed. */
function within(length, { from, to }) {
  const start = Math.min(from, length);
  return [start, Math.max(start, Math.min(to, length))];
}

const tokens = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const length = transaction.state.doc.length;
      const ranges = [];
      for (const token of effect.value) {
        const [from, to] = within(length, token);
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
      if (!effect.is(setDiagnostics)) continue;
      const length = transaction.state.doc.length;
      const ranges = [];
      for (const diagnostic of effect.value) {
        let [from, to] = within(length, diagnostic);
        // An empty place is shown on the character beside it.
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

const chosenMark = Decoration.mark({ class: "zw-chosen" });

// A selection shows only in an editor that has the focus: this shows without it.
const chosen = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setChosen)) continue;
      const [from, to] = within(transaction.state.doc.length, effect.value);
      result = from < to ? RangeSet.of([chosenMark.range(from, to)]) : Decoration.none;
    }
    return result;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Text with `code` between backticks, as nodes. */
export function inline(text) {
  return text.split("`").map((piece, index) => {
    if (index % 2 === 0) return piece;
    const code = document.createElement("code");
    code.textContent = piece;
    return code;
  });
}

function describe(found) {
  const dom = document.createElement("div");
  dom.className = "zw-tooltip";
  for (const { severity, message, help } of found) {
    const row = dom.appendChild(document.createElement("p"));
    const word = row.appendChild(document.createElement("strong"));
    word.className = `zw-word-${severity}`;
    word.textContent = severity;
    row.append(" ", ...inline(message));
    if (help) {
      const more = dom.appendChild(document.createElement("p"));
      more.className = "zw-help";
      more.append(...inline(help));
    }
  }
  return dom;
}

const hover = hoverTooltip((view, position) => {
  const found = [];
  let start = position;
  let end = position;
  view.state.field(diagnostics).between(position, position, (from, to, mark) => {
    found.push(mark.spec.diagnostic);
    start = Math.min(start, from);
    end = Math.max(end, to);
  });
  if (found.length === 0) return null;
  return { pos: start, end, above: false, create: () => ({ dom: describe(found) }) };
}, { hoverTime: 200 });

/** All of it, as one extension. */
export const markers = [tokens, diagnostics, chosen, hover];
