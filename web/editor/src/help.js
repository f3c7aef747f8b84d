// Hover help and signature help. The engine computes both; this module shows them as tooltips and announces them to
// screen readers.
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { renderInlineCode } from "./marks.js";

function createElement(name, className, ...children) {
  const dom = document.createElement(name);
  if (className) dom.className = className;
  dom.append(...children);
  return dom;
}

/** The help for a token: its title, its type or role, lines of text (all but the first are muted), and an example. */
function renderHelp({ title, detail, text, example }) {
  const [first, ...rest] = text;
  const dom = createElement("div", "zw-tooltip zw-docs");
  dom.append(createElement("p", "zw-head", createElement("code", "", title), createElement("span", "", detail)));
  if (first) dom.append(createElement("p", "", ...renderInlineCode(first)));
  for (const line of rest) dom.append(createElement("p", "zw-help", ...renderInlineCode(line)));
  if (example) dom.append(createElement("p", "zw-example", createElement("code", "", example)));
  return dom;
}

function createTooltip(tokenHelp, length) {
  const end = Math.min(tokenHelp.end, length);
  return { pos: Math.min(tokenHelp.start, end), end, above: false, create: () => ({ dom: renderHelp(tokenHelp) }) };
}

/** Shows a tooltip with help, or hides it (`null`). */
const setKeyboardHelp = StateEffect.define();

/** The help that the user opened with F1. The next edit or cursor movement closes it. */
const keyboardHelp = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setKeyboardHelp)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Shows the tooltip of a signature, or hides it (`null`). */
const setSignature = StateEffect.define();

/** The tooltip of the signature. It remains until the next result, so that it does not flicker while the user types. */
const signatureTooltip = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setSignature)) return effect.value;
    return value && transaction.docChanged ? { ...value, pos: transaction.changes.mapPos(value.pos) } : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** The signature of a call with the current parameter highlighted. */
function renderSignature(call) {
  const { label, returns, doc } = call;
  const active = activeParameter(call);
  const dom = createElement("div", "zw-tooltip zw-docs");
  const renderedLabel = active
    ? [
        label.slice(0, active.start),
        createElement("span", "zw-active", label.slice(active.start, active.end)),
        label.slice(active.end),
      ]
    : [label];
  const type = createElement("span", "", `→ ${returns}`);
  dom.append(createElement("p", "zw-head", createElement("code", "", ...renderedLabel), type));
  if (active) {
    const note = active.note ? `; ${active.note}` : "";
    dom.append(createElement("p", "", ...renderInlineCode(`\`${active.name}\`: ${active.detail}${note}`)));
  }
  dom.append(createElement("p", "zw-help", ...renderInlineCode(doc)));
  return dom;
}

/** The help as plain text, for screen readers. */
function toAnnouncement({ title, detail, text }) {
  return [title, detail, ...text].join(". ").replaceAll("`", "");
}

function toSignatureAnnouncement(call) {
  const active = activeParameter(call);
  return active ? `${call.label}. ${active.name}: ${active.detail}` : call.label;
}

/** The parameter at the cursor, if any. */
function activeParameter({ parameters, active }) {
  return active === null ? undefined : parameters[active];
}

/** The extensions that show hover help and signature help. `engine` calls the engine (engine.js). */
export function help(engine) {
  /** The number of times that the user closed the tooltips. */
  let closings = 0;

  /**
   * Returns the result of a call for the text and the cursor, or undefined if either has changed in the meantime, or if
   * the user closed the tooltips.
   */
  const callAtCursor = async (view, verb, purpose) => {
    const { state } = view;
    const closingsBefore = closings;
    const result = await engine[verb](state.doc.toString(), state.selection.main.head, purpose);
    const { state: current } = view;
    const isCurrent = current.doc === state.doc && current.selection.eq(state.selection);
    return isCurrent && closings === closingsBefore ? result : undefined;
  };

  /** Shows the signature of the call at the cursor, or hides the tooltip. Returns the signature. */
  const updateSignature = async (view) => {
    const { main } = view.state.selection;
    const call = main.empty ? await callAtCursor(view, "signature") : null;
    if (call === undefined) return null;
    if (call || view.state.field(signatureTooltip)) {
      view.dispatch({ effects: setSignature.of(call && createSignatureTooltip(view.state, call)) });
    }
    return call;
  };

  const showHelp = (view) => {
    void callAtCursor(view, "hover", "help").then((tokenHelp) => {
      if (!tokenHelp) return;
      view.dispatch({
        effects: [
          setKeyboardHelp.of(createTooltip(tokenHelp, view.state.doc.length)),
          EditorView.announce.of(toAnnouncement(tokenHelp)),
        ],
      });
    });
    return true;
  };

  const showSignature = (view) => {
    void updateSignature(view).then((call) => {
      if (call) view.dispatch({ effects: EditorView.announce.of(toSignatureAnnouncement(call)) });
    });
    return true;
  };

  // Returns false, so that Escape also closes the completion list.
  const close = (view) => {
    closings += 1;
    if (view.state.field(keyboardHelp) || view.state.field(signatureTooltip)) {
      view.dispatch({ effects: [setKeyboardHelp.of(null), setSignature.of(null)] });
    }
    return false;
  };

  return [
    keyboardHelp,
    signatureTooltip,
    EditorView.updateListener.of((update) => {
      if (!update.docChanged && !update.selectionSet) return;
      const isOpen = update.state.field(signatureTooltip) !== null;
      if (isOpen || update.transactions.some(opensCall)) void updateSignature(update.view);
    }),
    hoverTooltip(async (view, position) => {
      const { doc } = view.state;
      const tokenHelp = await engine.hover(doc.toString(), position, "hover");
      const isInside = tokenHelp && tokenHelp.start <= position && position <= tokenHelp.end;
      return isInside && view.state.doc === doc ? createTooltip(tokenHelp, doc.length) : null;
    }, { hoverTime: 400 }),
    Prec.highest(keymap.of([
      { key: "F1", run: showHelp },
      { key: "Mod-Shift-Space", run: showSignature },
      { key: "Escape", run: close },
    ])),
    EditorView.domEventHandlers({
      blur(_, view) {
        // Removing the editor also removes the focus; a removed editor has no tooltips to close.
        setTimeout(() => view.dom.isConnected && close(view));
      },
    }),
  ];
}

/** The tooltip is above the line of the cursor, because the completion list is below it. */
function createSignatureTooltip(state, call) {
  const { head } = state.selection.main;
  const { from: lineStart } = state.doc.lineAt(head);
  const pos = call.start >= lineStart ? call.start : head;
  return { pos, above: true, create: () => ({ dom: renderSignature(call) }) };
}

/** Whether text that the user entered opens a call or starts its next argument. */
function opensCall(transaction) {
  if (!transaction.isUserEvent("input")) return false;
  let opens = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    opens ||= /[(,]/.test(inserted.toString());
  });
  return opens;
}
