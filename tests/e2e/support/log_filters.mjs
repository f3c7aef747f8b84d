// Shared helpers for the log filter page tests.
import { editor, fillEditor } from "./browser.mjs";

export const openTool = (page, name) => page.getByRole("tab", { name, exact: true }).click();
export const panel = (page) => page.getByRole("tabpanel");
export const verdict = (page) => panel(page).locator(".verdict");
export const readFilterText = async (page) => (await editor(page, "Filter").innerText()).trim();
export const readFilter = async (page) => JSON.parse(await readFilterText(page));
export const fillFilter = (page, text) => fillEditor(page, text, "Filter");
export const expectNoProblems = (page) => page.getByText("No problems found.").waitFor();
export const applyFirstFix = (page) => page.getByRole("button", { name: /^Fix/ }).first().click();
/** Waits until the editor contains this filter. */
export const waitForFilter = (page, where) => page.waitForFunction((expected) => {
  const text = document.querySelector(".editor-host").shadowRoot.querySelector(".cm-content").innerText;
  try {
    return JSON.stringify(JSON.parse(text)) === expected;
  } catch {
    return false;
  }
}, JSON.stringify({ where }));
export const condition = (key, operator, value) => ({ key, operator, value });
