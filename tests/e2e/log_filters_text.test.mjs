// The text of a log filter: paste, undo, count and share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, openPage } from "./support/browser.mjs";
import { condition, expectNoProblems, fillFilter, openTool, panel, readFilter, readFilterText, verdict, waitForFilter } from "./support/log_filters.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();
const open = (options) => openPage(harness.browser, `${harness.host.url}#/log-filters`, options);

test("a pasted filter of another dataset and a pasted expression are recognized", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await fillFilter(page, JSON.stringify({ where: { and: [condition("QueryName", "contains", "a"), condition("ResponseCode", "eq", 3)] } }));
  await page.getByText("key-of-other-dataset").first().waitFor();
  await page.getByRole("button", { name: "Use dns_logs" }).click();
  await expectNoProblems(page);
  assert.equal(await page.getByRole("combobox", { name: "Dataset" }).inputValue(), "dns_logs");
  await page.getByRole("combobox", { name: "Dataset" }).selectOption("http_requests");
  await fillFilter(page, 'http.host eq "a.example"');
  await page.getByRole("button", { name: "Convert" }).click();
  await panel(page).getByRole("button", { name: "Use as filter" }).click();
  await waitForFilter(page, condition("ClientRequestHost", "eq", "a.example"));
  await expectNoProblems(page);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("undo reverts typed letters together and restores a removed row", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  const [first, second] = [condition("ClientRequestHost", "eq", "a"), condition("ClientCountry", "eq", "de")];
  await fillFilter(page, JSON.stringify({ where: { and: [first, second] } }));
  await expectNoProblems(page);
  const value = panel(page).getByRole("textbox", { name: "Condition 1: value" });
  await value.click();
  await page.keyboard.press("End");
  await page.keyboard.type("bcdef");
  await waitForFilter(page, { and: [{ ...first, value: "abcdef" }, second] });
  await editor(page, "Filter").focus();
  // A pause separates undo steps, and a busy machine pauses: the test requires fewer steps than letters.
  const currentValue = async () => (await readFilter(page)).where.and[0].value;
  let steps = 0;
  while ((await currentValue()) !== "a") {
    await page.keyboard.press("ControlOrMeta+z");
    steps += 1;
    assert.ok(steps < 4, `after ${steps} steps: ${await currentValue()}`);
  }
  for (; steps > 0; steps -= 1) await page.keyboard.press("ControlOrMeta+y");
  await waitForFilter(page, { and: [{ ...first, value: "abcdef" }, second] });

  await panel(page).getByRole("button", { name: "Condition 2: more actions" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await waitForFilter(page, { and: [{ ...first, value: "abcdef" }] });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.endsWith(": more actions"));
  await page.keyboard.press("ControlOrMeta+z");
  await waitForFilter(page, { and: [{ ...first, value: "abcdef" }, second] });
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the funnel of an or filter counts the new lines of each condition", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await fillFilter(page, JSON.stringify({ where: { or: [condition("EdgeResponseStatus", "geq", 500), condition("ClientCountry", "in", ["de", "at"])] } }));
  await expectNoProblems(page);
  await openTool(page, "Test");
  await verdict(page).getByText("Matches 6 of 7 lines (85.7%), 1 malformed").waitFor();
  const funnel = panel(page).getByRole("table", { name: "Lines after each condition" });
  assert.deepEqual(await funnel.locator("td[data-label=Lines]").allInnerTexts(), ["7", "4", "6"]);
  assert.deepEqual(await funnel.locator("td[data-label=Change]").allInnerTexts(), ["", "+4", "+2"]);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the lines of a file are numbered over its chunks, and a newer filter replaces the counts", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  const count = 20_000;
  const line = (index) => JSON.stringify({ ClientRequestPath: `/é/${index}`, EdgeResponseStatus: index === count ? 503 : 200, RayID: "0".repeat(40) });
  const buffer = Buffer.from(Array.from({ length: count }, (_, index) => line(index + 1)).join("\n"));
  await fillFilter(page, JSON.stringify({ where: condition("EdgeResponseStatus", "geq", 500) }));
  await openTool(page, "Test");
  await panel(page).locator("input[type=file]").setInputFiles({ name: "day.ndjson", mimeType: "application/x-ndjson", buffer });
  await verdict(page).getByText("Matches 1 of 20,000 lines (0%)", { exact: true }).waitFor();
  const lines = panel(page).getByRole("table", { name: "Lines", exact: true });
  assert.equal(await lines.locator("td[data-label=Line]").innerText(), "20000");
  assert.match(await lines.locator("td[data-label=Text]").innerText(), /"\/é\/20000"/);
  await fillFilter(page, JSON.stringify({ where: condition("EdgeResponseStatus", "lt", 500) }));
  await fillFilter(page, JSON.stringify({ where: condition("ClientRequestPath", "endsWith", "/20000") }));
  await verdict(page).getByText("Matches 1 of 20,000 lines (0%)", { exact: true }).waitFor();
  await panel(page).getByRole("button", { name: "ClientRequestPath is" }).first().waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a shared link contains the filter and its dataset, and warns about secrets", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await page.getByRole("combobox", { name: "Dataset" }).selectOption("dns_logs");
  const text = '{"where":{"key":"QueryName","operator":"eq","value":"xoxb-1234567890-abcdefABCDEF"}}';
  await fillFilter(page, text);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByText("This may contain secrets or personal data").waitFor();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  assert.match(link, /#\/log-filters\?f=[\w-]+$/);

  const other = await openPage(harness.browser, link);
  await other.page.locator(".toast").filter({ hasText: "Opened the shared filter" }).waitFor();
  await other.page.waitForFunction(() => location.hash === "#/log-filters");
  assert.equal(await readFilterText(other.page), text);
  assert.equal(await other.page.getByRole("combobox", { name: "Dataset" }).inputValue(), "dns_logs");
  await editor(other.page, "Filter").click();
  await other.page.keyboard.press("ControlOrMeta+z");
  await other.page.getByText("unknown-operator").first().waitFor({ state: "attached" });
  await other.page.evaluate((hash) => { location.hash = hash; }, link.split("#")[1].slice(0, -9));
  await other.page.locator(".toast").filter({ hasText: "damaged" }).waitFor();
  assert.deepEqual([...consoleProblems(), ...other.consoleProblems()], []);
  await other.context.close();
  await context.close();
});
