// The Expressions page and the form of a rule, by keyboard alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();

/** Name or text of the focused element. */
const focused = (page) => page.evaluate(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
});

async function tabTo(page, name, key = "Tab") {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (name.test(now)) return now;
  }
  throw new Error(`the focus never reached ${name}; it is on ${await focused(page)}`);
}

test("skip link, editor, fix, divider, dialog and pages work by keyboard alone", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");

  await tabTo(page, /^Expression$/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("http.hos");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  assert.equal(await focused(page), "Expression");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(page), "Expression");

  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "Expression");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("http.host eq 'a.example'");
  await page.keyboard.press("Escape");
  await tabTo(page, /^Resize panes$/);
  const divider = page.getByRole("separator", { name: "Resize panes" });
  const before = Number(await divider.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowLeft");
  assert.equal(Number(await divider.getAttribute("aria-valuenow")), before - 2);

  await tabTo(page, /^Fix/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByText("No problems found.").waitFor();

  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("http.hots eq 1");
  await page.keyboard.press("Escape");
  await tabTo(page, /^unknown-field$/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "unknown-field" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "unknown-field");

  await tabTo(page, /^Rules$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New rule" }).waitFor();
  await tabTo(page, /^Filter expression/);
  await page.keyboard.type("ssl");
  await page.keyboard.press("Escape");
  await page.getByText("No problems found.").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
