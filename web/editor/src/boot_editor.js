// The boot editor: the editor of the expression in the layout of index.html, until the app has started. It is smaller
// than the app, so it loads first, and the user can already type. The page of expressions then adopts it (`create` in
// editor.js).
import { EditorView } from "@codemirror/view";
import example from "../../example-expression.txt";
import { EXPRESSION_KEY, SCOPE_KEY, readStoredText, storeText } from "../../stored_text.js";
import { createEngineCalls } from "./engine.js";

/** The label of the editor, which equals that of the app (`web/src/pages/expressions.rs`). */
const LABEL = "Expression";
/** The fragments of the page of expressions. A fragment with a query is a shared expression, which the app opens. */
const FRAGMENTS = ["", "#", "#/", "#/expressions"];
const PLACEHOLDER = 'http.host eq "example.com"';

/** The toolbar of the page, with disabled buttons: so the editor does not move when the app replaces the toolbar. */
const TOOLBAR = `
  <div class="segments">
    <button class="segment" disabled>Condition</button><button class="segment" disabled>Value</button><button class="segment" disabled>Counting</button>
  </div>
  <button class="button quiet" disabled>Recipes</button>
  <button class="button quiet" disabled>Format</button>
  <button class="button push" disabled>Share</button>
  <button class="button" disabled><svg class="icon"></svg><span class="copy-word">Copy</span></button>
  <button class="button primary" disabled>Create rule</button>`;

/**
 * The editor until the app adopts it: `{view, options, isEdited}`. `captureBootEditor` adds `hasFocus` and
 * `scrollPosition`.
 */
let bootEditor = null;

function createElement(className, ...children) {
  const element = document.createElement("div");
  element.className = className;
  element.append(...children);
  return element;
}

/** Returns the options of the engine that the app stored: the kind, the phase and the plan, or `-` (`web/src/scope.rs`). */
function readEngineOptions() {
  const [kind, phase, plan] = (readStoredText(SCOPE_KEY) ?? "").split(" ");
  const entries = Object.entries({ kind, phase, plan });
  return Object.fromEntries(entries.filter(([, value]) => value && value !== "-"));
}

/** Analyzes the text of the boot editor, and shows the result. After the adoption, the app does so. */
async function analyze(editor, engine, showAnalysis) {
  const text = editor.view.state.doc.toString();
  const analysis = await engine.analyze(text);
  if (analysis && bootEditor === editor) showAnalysis(editor.view, text, analysis);
}

/** Shows the editor in the first pane of the layout, above the loading state. */
export function mountBootEditor(createView, showAnalysis) {
  const pane = document.querySelector("#boot-shell .pane.first");
  if (!pane || !FRAGMENTS.includes(location.hash)) return;
  const host = createElement("editor-host");
  const below = createElement("below scroll", ...pane.childNodes);
  const toolbar = createElement("toolbar");
  toolbar.innerHTML = TOOLBAR;
  toolbar.setAttribute("aria-hidden", "true");
  pane.append(createElement("stack", toolbar, createElement("editor", host), below));

  const editor = { isEdited: false };
  const language = { namespace: "", options: readEngineOptions() };
  const engine = createEngineCalls(language);
  editor.options = {
    doc: readStoredText(EXPRESSION_KEY) ?? example.trimEnd(),
    label: LABEL,
    placeholder: PLACEHOLDER,
    language,
    onChange(text) {
      editor.isEdited = true;
      storeText(EXPRESSION_KEY, text);
      void analyze(editor, engine, showAnalysis);
    },
    onSelect() {},
  };
  editor.view = createView(host.attachShadow({ mode: "open" }), editor.options);
  bootEditor = editor;
  void analyze(editor, engine, showAnalysis);
}

/** Whether the boot editor is shown. */
export const hasBootEditor = () => bootEditor !== null;

/**
 * Remembers the focus and the scroll position, which an editor loses when it or its layout is removed. If the app started
 * on another page, the user will open the editor later: then it takes no focus, and the stored text is the current one.
 */
export function captureBootEditor() {
  if (!bootEditor || "hasFocus" in bootEditor) return;
  bootEditor.hasFocus = bootEditor.view.hasFocus;
  bootEditor.scrollPosition = bootEditor.view.scrollSnapshot();
  setTimeout(() => {
    if (!bootEditor) return;
    bootEditor.hasFocus = false;
    if (readStoredText(EXPRESSION_KEY) === editedBootText()) bootEditor.isEdited = false;
  });
}

/** Returns the text if the user has edited it, or null. */
export function editedBootText() {
  return bootEditor?.isEdited ? bootEditor.view.state.doc.toString() : null;
}

/**
 * Moves the boot editor to another shadow root, and returns it. From then on it calls the callbacks of `options`, and the
 * caller owns it. Returns null if there is none.
 */
export function adoptBootEditor(root, options) {
  if (!bootEditor) return null;
  captureBootEditor();
  const { view, isEdited, hasFocus, scrollPosition, options: ownOptions } = bootEditor;
  // The view holds a reference to `language`, so that object is updated.
  const language = Object.assign(ownOptions.language, options.language);
  Object.assign(ownOptions, options, { language });
  bootEditor = null;
  root.append(view.dom);
  view.setRoot(root);
  view.dispatch({ effects: scrollPosition });
  if (isEdited) options.onChange(view.state.doc.toString());
  if (hasFocus) {
    const { from, to } = view.state.selection.main;
    view.focus();
    options.onSelect(from, to);
  }
  return { view, isEdited, options: ownOptions };
}
