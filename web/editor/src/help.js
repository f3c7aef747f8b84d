// What stands at a place, and the call around the cursor: the engine knows, this shows it.
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { inline } from "./marks.js";

function element(name, className, ...children) {
  const dom = document.createElement(name);
  if (className) dom.className = className;
  dom.append(...children);
  return dom;
}

/** Name and type, what it is, and then the rest, which is quieter. */
function describe({ title, detail, text, example }) {
  const [first, ...rest] = text;
  const dom = element("div", "zw-tooltip zw-docs");
  dom.append(element("p", "zw-head", element("code", "", title), element("span", "", detail)));
  if (first) dom.append(element("p", "", ...inline(first)));
  for (const line of rest) dom.append(element("p", "zw-help", ...inline(line)));
  if (example) dom.append(element("p", "zw-example", element("code", "", example)));
  return dom;
}

function tooltip(found, length) {
  const end = Math.min(found.to, length);
  return { pos: Math.min(found.from, end), end, above: false, create: () => ({ dom: describe(found) }) };
}

const setDescribed = StateEffect.define();

/** What was asked for by key; it goes away with the next change or movement. */
const described = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setDescribed)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

const setSignature = StateEffect.define();

/** Which parameter the argument is for, in the form of the call. */
function call({ form, returns, doc, active }) {
  const dom = element("div", "zw-tooltip zw-docs");
  const shown = active
    ? [form.slice(0, active.from), element("span", "zw-active", form.slice(active.from, active.to)), form.slice(active.to)]
    : [form];
  dom.append(element("p", "zw-head", element("code", "", ...shown), element("span", "", `→ ${returns}`)));
  if (active) {
    const note = active.note ? `; ${active.note}` : "";
    dom.append(element("p", "", ...inline(`\`${active.name}\`: ${active.detail}${note}`)));
  }
  dom.append(element("p", "zw-help", ...inline(doc)));
  return dom;
}

/** A plain sentence for those who hear the page. */
function spoken(found) {
  return [found.title, found.detail, ...found.text].join(". ").replaceAll("`", "");
}

function spokenCall({ form, active }) {
  return active ? `${form}. ${active.name}: ${active.detail}` : form;
}

/** The extensions around `hover` and `signature`, both functions of (text, offset). */
export function help({ hover, signature }) {
  const around = (state) => {
    const { main } = state.selection;
    const found = main.empty ? signature(state.doc.toString(), main.head) : null;
    if (!found) return null;
    // Above the line of the cursor: below it is the list of completions.
    const { from: lineStart } = state.doc.lineAt(main.head);
    const pos = found.from >= lineStart ? found.from : main.head;
    return { pos, above: true, create: () => ({ dom: call(found) }) };
  };

  const signatures = StateField.define({
    create: () => null,
    update(value, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setSignature)) return effect.value ? around(transaction.state) : null;
      }
      if (!transaction.docChanged && !transaction.selection) return value;
      return value || opensCall(transaction) ? around(transaction.state) : null;
    },
    provide: (field) => showTooltip.from(field),
  });

  const explain = (view) => {
    const found = hover(view.state.doc.toString(), view.state.selection.main.head);
    if (!found) return true;
    view.dispatch({
      effects: [
        setDescribed.of(tooltip(found, view.state.doc.length)),
        EditorView.announce.of(spoken(found)),
      ],
    });
    return true;
  };

  const showCall = (view) => {
    const found = signature(view.state.doc.toString(), view.state.selection.main.head);
    if (found) view.dispatch({ effects: [setSignature.of(true), EditorView.announce.of(spokenCall(found))] });
    return true;
  };

  // Says that it did nothing: Escape also closes the list of completions.
  const close = (view) => {
    if (view.state.field(described) || view.state.field(signatures)) {
      view.dispatch({ effects: [setDescribed.of(null), setSignature.of(false)] });
    }
    return false;
  };

  return [
    described,
    signatures,
    hoverTooltip((view, position) => {
      const { doc } = view.state;
      const found = hover(doc.toString(), position);
      return found && found.from <= position && position <= found.to ? tooltip(found, doc.length) : null;
    }, { hoverTime: 400 }),
    Prec.highest(keymap.of([
      { key: "F1", run: explain },
      { key: "Mod-Shift-Space", run: showCall },
      { key: "Escape", run: close },
    ])),
    EditorView.domEventHandlers({
      blur(_, view) {
        // The focus may go because the editor does: then there is nothing to close any more.
        setTimeout(() => view.dom.isConnected && close(view));
      },
    }),
  ];
}

/** Whether typing, or a chosen completion, opened a call or came to its next argument. */
function opensCall(transaction) {
  if (!transaction.isUserEvent("input")) return false;
  let opens = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    opens ||= /[(,]/.test(inserted.toString());
  });
  return opens;
}
