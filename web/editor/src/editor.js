// The expression editor: CodeMirror with the engine's semantic tokens, diagnostics, completion and help.
//
// The editor is in a shadow root. There, CodeMirror puts its styles into adoptedStyleSheets, which the policy
// `style-src 'self'` allows; in the document it would need inline styles. A shadow root inherits the custom properties
// of the page, so the editor has the page's theme.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Annotation, EditorState, StateField, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { adoptBootEditor, captureBootEditor, editedBootText, hasBootEditor, mountBootEditor } from "./boot_editor.js";
import { completionSource, positionInfo } from "./complete.js";
import { createEngineCalls } from "./engine.js";
import { help } from "./help.js";
import { decorations, setAnalysis, setLinkedSelection } from "./marks.js";
import { theme } from "./theme.js";

const brackets = EditorState.languageData.of(() => [
  { closeBrackets: { brackets: ["(", "[", "{", '"'] } },
]);

// Replaces a selection with typed text. The browser would preserve the appearance of the replaced text in an inline
// style, which the policy forbids and the console reports.
const typeOverSelection = EditorView.domEventHandlers({
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

// A programmatic change is a separate undo step: it does not join the text that was typed before it.
const isolated = isolateHistory.of("full");

// Marks a selection that `reveal` sets, so that the editor does not report it back to the page.
const programmatic = Annotation.define();

// Keystrokes in an input field outside the editor form one undo step, as keystrokes in the editor do. The step
// excludes earlier changes.
const outsideInput = Annotation.define();
const outsideKeystroke = [outsideInput.of(true), Transaction.userEvent.of("input.type")];
const firstOutsideKeystroke = [...outsideKeystroke, isolateHistory.of("before")];

/** Returns the smallest change from `from` to `to`. The text around it keeps its decorations and the cursor. */
function findSmallestChange(from, to) {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/** Whether the last change of the text was a keystroke outside the editor. */
const isLastChangeOutside = StateField.define({
  create: () => false,
  update: (value, transaction) => (transaction.docChanged ? Boolean(transaction.annotation(outsideInput)) : value),
});

/**
 * Creates the view of an editor in a shadow root. It reads the callbacks in `options` at each event, so that their owner
 * can replace them.
 */
function createView(root, options) {
  const engine = createEngineCalls(options.language);
  const extensions = [
    history(),
    isLastChangeOutside,
    highlightSpecialChars(),
    brackets,
    bracketMatching(),
    closeBrackets(),
    // Both handle Escape. Help comes first because it passes the key on to the completion list.
    help(engine),
    autocompletion({ override: [completionSource(engine)], icons: false, positionInfo }),
    keymap.of([
      // Tab accepts a completion only while the list is open; otherwise it moves the focus.
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    typeOverSelection,
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
    decorations,
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
      const isProgrammatic = update.transactions.some((transaction) => transaction.annotation(programmatic));
      if (update.selectionSet && !isProgrammatic) {
        const { from, to } = update.state.selection.main;
        options.onSelect(from, to);
        update.view.dispatch({ effects: setLinkedSelection.of({ from: 0, to: 0 }) });
      }
    }),
  ];
  const view = new EditorView({ root, doc: options.doc, extensions });
  root.append(view.dom);
  return view;
}

/**
 * Creates an editor in `host`. With `adoptsBootEditor`, it adopts the boot editor: its text, selection, undo steps, and
 * focus.
 *
 * options: {doc, label, description, placeholder, language: {namespace, options}, adoptsBootEditor, onChange(text),
 * onSelect(from, to)}. All offsets are UTF-16.
 */
function create(host, options) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const description = document.createElement("span");
  description.id = "description";
  description.hidden = true;
  description.textContent = options.description;
  root.append(description);
  const bootEditor = options.adoptsBootEditor ? adoptBootEditor(root, options) : null;
  const view = bootEditor?.view ?? createView(root, options);
  const { language } = bootEditor?.options ?? options;

  const clamp = (offset) => Math.max(0, Math.min(offset, view.state.doc.length));
  const editor = {
    /** Sets the text if it differs. `typed`: the change is a keystroke in an input field outside the editor. */
    setDoc(text, typed) {
      const before = view.state.doc.toString();
      if (text === before) return;
      if (!typed) {
        view.dispatch({ changes: { from: 0, to: before.length, insert: text }, annotations: isolated });
      } else {
        const annotations = view.state.field(isLastChangeOutside) ? outsideKeystroke : firstOutsideKeystroke;
        view.dispatch({ changes: findSmallestChange(before, text), annotations });
      }
    },
    undo() {
      undo(view);
    },
    redo() {
      redo(view);
    },
    /** Sets the options of the engine for completion and help. */
    setEngineOptions(engineOptions) {
      language.options = engineOptions;
    },
    /** Shows the tokens and the diagnostics of an analysis, unless the text has changed since. */
    setAnalysis(text, analysis) {
      showAnalysis(view, text, analysis);
    },
    /** Applies [{from, to, insert}] as one undo step, and focuses the editor. */
    applyEdits(edits) {
      view.dispatch({ changes: edits, annotations: isolated, scrollIntoView: true });
      view.focus();
    },
    /** Selects a range, scrolls it into view and focuses the editor. */
    select(from, to) {
      view.dispatch({ selection: { anchor: clamp(from), head: clamp(to) }, scrollIntoView: true });
      view.focus();
    },
    /** Selects a range and scrolls it into view without moving the focus. */
    reveal(from, to) {
      view.dispatch({
        selection: { anchor: clamp(from), head: clamp(to) },
        effects: setLinkedSelection.of({ from, to }),
        // A selection is not an undo step and does not split one.
        annotations: [programmatic.of(true), Transaction.addToHistory.of(false)],
        scrollIntoView: true,
      });
    },
    destroy() {
      view.destroy();
      description.remove();
    },
  };
  if (bootEditor && !bootEditor.isEdited) editor.setDoc(options.doc, false);
  return editor;
}

/** Shows the tokens and the diagnostics of a text in its editor, unless the text has changed since it was analyzed. */
function showAnalysis(view, text, { tokens, diagnostics }) {
  if (view.state.doc.toString() === text) view.dispatch({ effects: setAnalysis.of({ tokens, diagnostics }) });
}

window.zonewrightEditor = { create, editedBootText, captureBootEditor, hasBootEditor };
mountBootEditor(createView, showAnalysis);
