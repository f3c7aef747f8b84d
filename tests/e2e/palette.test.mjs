// The command palette: commands run from the keyboard on every page, and the palette is accessible in both themes, wide
// and narrow.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { editor, openPage } from "./support/browser.mjs";
import { withService } from "./support/setup.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.ZONEWRIGHT_SHOTS;

const harness = withService(async () => {
  if (shots) await mkdir(shots, { recursive: true });
});

const palette = (page) => page.getByRole("dialog", { name: "Commands" });
const options = (page) => palette(page).getByRole("option");
/** Returns the name of the focused element, also inside the shadow root of the editor. */
const focused = (page) => page.evaluate(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.getAttribute("aria-label") ?? element?.id ?? "";
});

/** Opens the palette and types; returns the titles of the matching commands. */
async function search(page, query) {
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  assert.equal(await focused(page), "Command");
  if (query) await page.keyboard.type(query);
  return options(page).locator("span:first-child").allInnerTexts();
}

/** Runs the first command that matches the words. */
async function runCommand(page, query, title) {
  const [first] = await search(page, query);
  assert.equal(first, title);
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "hidden" });
}

test("expression commands run from the palette and the focus is restored", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await editor(page).click();
  await search(page, "");
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "hidden" });
  assert.equal(await focused(page), "Expression");

  await runCommand(page, "fix", "Apply all safe fixes");
  await page.getByText("No problems found.").waitFor();
  assert.deepEqual(await search(page, "fix safe"), [], "without fixes there is no command");
  await palette(page).getByText("No matching commands.").waitFor();
  await page.keyboard.press("Escape");

  await runCommand(page, "new", "New expression");
  await page.locator(".cm-placeholder").waitFor();
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement);
  await page.keyboard.type("ssl");
  assert.equal(await editor(page).innerText(), "ssl");
  await runCommand(page, "example", "Load example");
  assert.match(await editor(page).innerText(), /shop\.example\.com/);

  await runCommand(page, "val", "Check as a value");
  await page.getByRole("button", { name: "Value", pressed: true }).waitFor();
  assert.deepEqual(await search(page, "create"), [], "a value expression cannot become a rule");
  await page.keyboard.press("Escape");
  await runCommand(page, "counting", "Check as a counting expression");
  await page.getByRole("button", { name: "Counting", pressed: true }).waitFor();
  await runCommand(page, "condition", "Check as a condition");

  await runCommand(page, "dark", "Theme: dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await runCommand(page, "system", "Theme: system");
  await runCommand(page, "plan free", "Plan: Free");
  assert.equal(await page.getByRole("combobox", { name: "Plan" }).inputValue(), "free");
  await runCommand(page, "request_firewall_custom", "Phase: WAF custom rules");
  assert.equal(await page.getByRole("combobox", { name: "Phase" }).inputValue(), "http_request_firewall_custom");
  await runCommand(page, "any phase", "Phase: any");
  assert.equal(await focused(page), "Expression");

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await runCommand(page, "copy", "Copy expression");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /shop\.example\.com/);

  await runCommand(page, "quotes single", "Explain single-quotes");
  const explanation = page.getByRole("dialog", { name: "single-quotes" });
  await explanation.waitFor();
  await page.keyboard.press("Control+k");
  assert.equal(await palette(page).isVisible(), false, "one dialog at a time");
  await page.keyboard.press("Escape");
  await explanation.waitFor({ state: "hidden" });
  assert.equal(await focused(page), "Expression");

  await runCommand(page, "create", "Create rule from expression");
  await page.getByRole("heading", { name: "New rule" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "main");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("arrow keys wrap around, the selected command is in view and a click runs it", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await page.getByRole("button", { name: /^Commands/ }).click();
  await palette(page).waitFor();
  const count = await options(page).count();
  const selected = palette(page).getByRole("option", { selected: true });
  const input = palette(page).getByRole("combobox", { name: "Command" });
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => {
    const list = document.querySelector("#commands").getBoundingClientRect();
    const option = document.querySelector("#commands [aria-selected=true]").getBoundingClientRect();
    return option.bottom <= list.bottom && option.top >= list.top;
  });
  assert.equal(await selected.getAttribute("id"), `command-${count - 1}`);
  assert.equal(await input.getAttribute("aria-activedescendant"), `command-${count - 1}`);
  await page.keyboard.press("ArrowDown");
  assert.equal(await selected.getAttribute("id"), "command-0");
  await page.keyboard.type("light");
  await options(page).filter({ hasText: "Theme: light" }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.match(await focused(page), /^Commands/);

  await page.keyboard.press("Control+k");
  await page.mouse.click(20, 700);
  await palette(page).waitFor({ state: "hidden" });
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+k");
  await palette(page).waitFor({ state: "hidden" });
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("commands of one page are found only on that page", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  assert.deepEqual(await search(page, "refresh"), []);
  await page.keyboard.press("Escape");
  await runCommand(page, "settings", "Go to Settings");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  assert.deepEqual(await search(page, "test"), [], "there are no credentials to test");
  await page.keyboard.press("Escape");
  await page.getByLabel("Token", { exact: true }).fill(harness.service.credentials.token);
  await runCommand(page, "test", "Test connection");
  await page.getByText("The connection works").waitFor();
  await page.getByRole("link", { name: "Connection: Demo service" }).waitFor();

  await runCommand(page, "rules", "Go to Rules");
  await page.getByText("1 to 6 of 6 rules").waitFor();
  await runCommand(page, "filters", "Show filters");
  await page.getByText("1 to 6 of 6 filters").waitFor();
  const refreshRequest = page.waitForRequest(/\/filters\?/);
  await runCommand(page, "refresh", "Refresh list");
  await refreshRequest;
  await runCommand(page, "show rules", "Show rules");
  await page.getByText("1 to 6 of 6 rules").waitFor();

  await runCommand(page, "settings", "Go to Settings");
  await page.getByLabel("Token", { exact: true }).waitFor();
  await runCommand(page, "forget", "Forget credentials");
  assert.equal(await page.getByLabel("Token", { exact: true }).inputValue(), "");
  await page.getByRole("link", { name: "Connection: Offline" }).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`the palette is accessible (${scheme}, ${width} px)`, { timeout: 60_000 }, async () => {
      const size = { width, height: width === 360 ? 740 : 800 };
      const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url, { ...size, scheme });
      for (const [name, query] of [["palette", ""], ["palette-found", "waf"], ["palette-nothing", "zzz"]]) {
        await search(page, query);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        }));
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(", ")}`), []);
        const overflows = await page.evaluate(() => [document.documentElement, document.querySelector(".palette"), document.querySelector("#commands")]
          .map((element) => element.scrollWidth - element.clientWidth));
        assert.deepEqual(overflows, [0, 0, 0], "nothing scrolls sideways");
        if (shots) await page.screenshot({ path: join(shots, `${name}-${scheme}-${width}.png`) });
        await page.keyboard.press("Escape");
      }
      assert.deepEqual(consoleProblems(), []);
      await context.close();
    });
  }
}
