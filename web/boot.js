// Starts the app. It is not an inline script, so that the content security policy needs no hash (see Trunk.toml).
import { EXPRESSION_KEY, readStoredText, storeText } from "./stored_text.js";

const { module, wasm, editor } = document.querySelector('meta[name="zonewright-app"]').dataset;
const absolute = (path) => new URL(path, document.baseURI).href;
/** The texts that this page shows if the app cannot start, with their storage keys (`web/src/storage/item.rs`). */
const STORED_TEXTS = [["Expression", EXPRESSION_KEY], ["Log push filter", "zonewright.log-filter"]];

/** Whether the page of expressions is opened, which has an editor from the start. */
const isOnExpressions = document.documentElement.dataset.page === "expressions";
/** The longest time that the app waits for the engine before it loads too. */
const ENGINE_HEAD_START_MS = 5000;
let editorModule;

/** Loads the code editor, once. The app calls it when a page has an editor. Then `zonewrightEditor` exists. */
globalThis.zonewrightLoadEditor = () => (editorModule ??= import(absolute(editor)).then(nextTask));

/** Resolves in a new task, so that the browser can handle input between the start of a module and its use. */
function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Removes the layout of index.html, which the app replaces. */
function removeShell() {
  globalThis.zonewrightEditor?.captureBootEditor();
  document.getElementById("boot-shell")?.remove();
}

function createElement(name, members) {
  return Object.assign(document.createElement(name), members);
}

function showAlert(text, ...more) {
  const alert = createElement("div", { className: "boot-message" });
  alert.setAttribute("role", "alert");
  alert.append(createElement("p", { textContent: text }), ...more);
  document.body.prepend(alert);
}

/** Renames all stored input, so that the app starts without it and nothing is lost. */
function setStoredInputAside() {
  for (const name of ["sessionStorage", "localStorage"]) {
    try {
      const storage = globalThis[name];
      for (const key of Object.keys(storage).filter((key) => key.startsWith("zonewright."))) {
        storage.setItem(`set-aside.${key}`, storage.getItem(key));
        storage.removeItem(key);
      }
    } catch {
      // The storage is full or denied; then its input stays.
    }
  }
}

/** Creates plain fields with the stored texts, so that they can be copied and edited if the app cannot start. */
function createStoredTextFields() {
  const fields = [];
  for (const [label, key] of STORED_TEXTS) {
    const edited = key === EXPRESSION_KEY ? globalThis.zonewrightEditor?.editedBootText() : null;
    const stored = edited ?? readStoredText(key);
    if (!stored) continue;
    const field = createElement("textarea", { className: "mono boot-text", value: stored, rows: 8, spellcheck: false });
    field.addEventListener("input", () => storeText(key, field.value));
    const wrapper = createElement("label", { className: "boot-field", textContent: label });
    wrapper.append(field);
    fields.push(wrapper);
  }
  return fields;
}

function createButton(text, className, onClick) {
  const button = createElement("button", { type: "button", className, textContent: text });
  button.addEventListener("click", onClick);
  return button;
}

/** Buttons for a new start. Stored input that crashes the app would crash it again. */
function createStartButtons() {
  const buttons = createElement("div", { className: "boot-buttons" });
  buttons.append(
    createButton("Reload", "button primary", () => location.reload()),
    createButton("Start without stored input", "button", () => {
      setStoredInputAside();
      location.reload();
    }),
  );
  return buttons;
}

addEventListener("error", ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError) {
    showAlert("The app crashed. Reload the page; your input is saved, except secrets.", createStartButtons());
  }
});

try {
  // Without the editor, the app shows plain fields.
  if (isOnExpressions) await globalThis.zonewrightLoadEditor().catch(() => {});
  // The engine is as large as the app. With the boot editor, it loads first, so that the user sees problems early. If it
  // fails, the app reports it.
  if (globalThis.zonewrightEditor?.hasBootEditor()) {
    const started = globalThis.zonewrightEngine?.start().catch(() => {});
    await Promise.race([started, new Promise((resolve) => setTimeout(resolve, ENGINE_HEAD_START_MS))]);
  }
  const { default: init, startApp } = await import(absolute(module));
  await init({ module_or_path: absolute(wasm) });
  await nextTask();
  // Both in one task, so that the app replaces the layout without a flicker.
  startApp();
  removeShell();
  dispatchEvent(new Event("zonewright-started"));
} catch (error) {
  removeShell();
  const help = "Check your network connection, that your browser allows WebAssembly, and that all files of the app are deployed.";
  showAlert(`The app could not start: ${error.message}. ${help}`, ...createStoredTextFields(), createStartButtons());
  throw error;
}
