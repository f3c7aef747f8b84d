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
  const end = Math.min(tokenHelp.to, length);
  return { pos: Math.min(tokenHelp.from, end), end, above: false, create: () => ({ dom: renderHelp(tokenHelp) }) };
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

/** Shows (`true`) or hides (`false`) the signature of the call at the cursor. */
const setSignatureVisible = StateEffect.define();

/** The signature of a call with the current parameter highlighted. */
function renderSignature({ label, returns, doc, active }) {
  const dom = createElement("div", "zw-tooltip zw-docs");
  const renderedLabel = active
    ? [
        label.slice(0, active.from),
        createElement("span", "zw-active", label.slice(active.from, active.to)),
        label.slice(active.to),
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

function toSignatureAnnouncement({ label, active }) {
  return active ? `${label}. ${active.name}: ${active.detail}` : label;
}

/** The extensions that show the results of `options.hover(text, offset)` and `options.signature(text, offset)`. */
export function help(options) {
  const signatureTooltipAt = (state) => {
    const { main } = state.selection;
    const call = main.empty ? options.signature(state.doc.toString(), main.head) : null;
    if (!call) return null;
    // The tooltip is above the line of the cursor, because the completion list is below it.
    const { from: lineStart } = state.doc.lineAt(main.head);
    const pos = call.from >= lineStart ? call.from : main.head;
    return { pos, above: true, create: () => ({ dom: renderSignature(call) }) };
  };

  const signatureTooltip = StateField.define({
    create: () => null,
    update(value, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setSignatureVisible)) return effect.value ? signatureTooltipAt(transaction.state) : null;
      }
      if (!transaction.docChanged && !transaction.selection) return value;
      return value || opensCall(transaction) ? signatureTooltipAt(transaction.state) : null;
    },
    provide: (field) => showTooltip.from(field),
  });

  const showHelp = (view) => {
    const tokenHelp = options.hover(view.state.doc.toString(), view.state.selection.main.head);
    if (!tokenHelp) return true;
    view.dispatch({
      effects: [
        setKeyboardHelp.of(createTooltip(tokenHelp, view.state.doc.length)),
        EditorView.announce.of(toAnnouncement(tokenHelp)),
      ],
    });
    return true;
  };

  const showSignature = (view) => {
    const call = options.signature(view.state.doc.toString(), view.state.selection.main.head);
    if (!call) return true;
    view.dispatch({ effects: [setSignatureVisible.of(true), EditorView.announce.of(toSignatureAnnouncement(call))] });
    return true;
  };

  // Returns false, so that Escape also closes the completion list.
  const close = (view) => {
    if (view.state.field(keyboardHelp) || view.state.field(signatureTooltip)) {
      view.dispatch({ effects: [setKeyboardHelp.of(null), setSignatureVisible.of(false)] });
    }
    return false;
  };

  return [
    keyboardHelp,
    signatureTooltip,
    hoverTooltip((view, position) => {
      const { doc } = view.state;
      const tokenHelp = options.hover(doc.toString(), position);
      const isInside = tokenHelp && tokenHelp.from <= position && position <= tokenHelp.to;
      return isInside ? createTooltip(tokenHelp, doc.length) : null;
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

/** Whether text that the user entered opens a call or starts its next argument. */
function opensCall(transaction) {
  if (!transaction.isUserEvent("input")) return false;
  let opens = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    opens ||= /[(,]/.test(inserted.toString());
  });
  return opens;
}
