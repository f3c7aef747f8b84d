// The expression editor: CodeMirror, told by the engine what to colour and what to underline.
//
// It lives in a shadow root: there CodeMirror puts its styles into adoptedStyleSheets, which a
// `style-src 'self'` policy allows, where in the document it would need inline styles. The page's
// custom properties (`--code-…`) reach through, so the theme is the page's.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Annotation, EditorState, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { besideList, completionSource } from "./complete.js";
import { help } from "./help.js";
import { markers, setChosen, setDiagnostics, setTokens } from "./marks.js";
import { theme } from "./theme.js";

const brackets = EditorState.languageData.of(() => [
  { closeBrackets: { brackets: ["(", "[", "{", '"'] } },
]);

// Typed over a selection, text would be inserted by the browser, which keeps the look of what it
// replaces in an inline style: the policy forbids it and the console complains. So it is done here.
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    if (event.inputType !== "insertText" || !event.data || main.empty || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, event.data, insert))) view.dispatch(insert());
    return true;
  },
});

// What the page changes is undone by itself, not together with what was typed just before.
const alone = isolateHistory.of("full");

// Marks a selection that the page made, so that it is not reported back to it.
const fromPage = Annotation.define();

// Letters that are typed in a field beside the editor are undone together, as letters typed in it are, but
// not with what was there before them.
const beside = Annotation.define();
const letter = [beside.of(true), Transaction.userEvent.of("input.type")];
const firstLetter = [...letter, isolateHistory.of("before")];

/** The smallest change that makes `to` of `from`: what stays around it keeps its marks and the cursor. */
function change(from, to) {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/**
 * Puts an editor into `host`.
 *
 * options: {doc, label, description, placeholder, onChange(text), onSelect(from, to),
 * complete(text, offset) -> {from, to, items}, hover(text, offset) -> {from, to, title, …},
 * signature(text, offset) -> {from, form, …}}. All offsets are UTF-16.
 */
function create(host, options) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const description = document.createElement("span");
  description.id = "description";
  description.hidden = true;
  description.textContent = options.description;

  let typing = false;
  const view = new EditorView({
    root,
    doc: options.doc,
    extensions: [
      history(),
      highlightSpecialChars(),
      brackets,
      bracketMatching(),
      closeBrackets(),
      // Before the list of completions: both have Escape, and this one passes it on.
      help(options),
      autocompletion({ override: [completionSource(options.complete)], icons: false, positionInfo: besideList }),
      keymap.of([
        // Tab takes a suggestion only while the list is open; otherwise it moves on in the page.
        { key: "Tab", run: acceptCompletion },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      typeOver,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        "aria-label": options.label,
        "aria-describedby": "description",
        "aria-multiline": "true",
        tabindex: "0",
        spellcheck: "false",
        autocapitalize: "off",
        autocorrect: "off",
      }),
      placeholder(options.placeholder),
      markers,
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          typing = update.transactions.some((one) => one.annotation(beside));
          options.onChange(update.state.doc.toString());
        }
        const byPage = update.transactions.some((one) => one.annotation(fromPage));
        if (update.selectionSet && !byPage) {
          const { from, to } = update.state.selection.main;
          options.onSelect(from, to);
          view.dispatch({ effects: setChosen.of({ from: 0, to: 0 }) });
        }
      }),
    ],
  });
  root.append(description, view.dom);

  const clamp = (offset) => Math.max(0, Math.min(offset, view.state.doc.length));
  return {
    /** Makes this the text, unless it is already; `typed` says that a letter was typed beside the editor. */
    setDoc(text, typed) {
      const before = view.state.doc.toString();
      if (text === before) return;
      if (!typed) view.dispatch({ changes: { from: 0, to: before.length, insert: text }, annotations: alone });
      else view.dispatch({ changes: change(before, text), annotations: typing ? letter : firstLetter });
    },
    /** Takes the last change back, or the last taking back. */
    undo() {
      undo(view);
    },
    redo() {
      redo(view);
    },
    /** Colours: [{from, to, kind}] in order, without overlap. */
    setTokens(tokens) {
      view.dispatch({ effects: setTokens.of(tokens) });
    },
    /** Underlines: [{from, to, severity, message, help}]. */
    setDiagnostics(diagnostics) {
      view.dispatch({ effects: setDiagnostics.of(diagnostics) });
    },
    /** Applies [{from, to, insert}] as one step that can be undone. */
    applyEdits(edits) {
      view.dispatch({ changes: edits, annotations: alone, scrollIntoView: true });
      view.focus();
    },
    /** Selects a range and brings it into view. */
    select(from, to) {
      view.dispatch({ selection: { anchor: clamp(from), head: clamp(to) }, scrollIntoView: true });
      view.focus();
    },
    /** Selects a range and brings it into view, and leaves the focus where it is. */
    mark(from, to) {
      view.dispatch({
        selection: { anchor: clamp(from), head: clamp(to) },
        effects: setChosen.of({ from, to }),
        // It is nothing to undo, and does not part letters that belong together.
        annotations: [fromPage.of(true), Transaction.addToHistory.of(false)],
        scrollIntoView: true,
      });
    },
    destroy() {
      view.destroy();
      description.remove();
    },
  };
}

window.zonewrightEditor = { create };
