// The log filter page: JSON, builder and explanation of one filter, and its results for log lines.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { applyFirstFix, condition, expectNoProblems, fillFilter, openTool, panel, readFilter, readFilterText, verdict, waitForFilter } from "./support/log_filters.mjs";
import { withStaticHost } from "./support/setup.mjs";

const shots = process.env.ZONEWRIGHT_SHOTS;

const harness = withStaticHost();

const open = (options) => openPage(harness.browser, `${harness.host.url}#/log-filters`, options);

test("a first visit shows an error with its fix, and malformed JSON is fixed without changing the rows", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await panel(page).locator(".build-row").filter({ hasText: "gte" }).locator(".field-error").waitFor();
  await applyFirstFix(page);
  await expectNoProblems(page);
  assert.equal((await readFilter(page)).where.and[1].operator, "geq");

  const key = panel(page).getByRole("combobox", { name: "Condition 1: field" });
  await fillFilter(page, '{"where":{"and":[{"key":"EdgeResponseStatus","operator":"geq","value":500},{"key":"ClientIP","operator":"eq","value":"192.0.2.1"}]}}');
  await expectNoProblems(page);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Backspace");
  await panel(page).getByText("The JSON is invalid").waitFor();
  assert.ok(await key.isDisabled(), "the builder is disabled for malformed JSON");
  await applyFirstFix(page);
  await expectNoProblems(page);
  assert.ok(await key.isEnabled());
  assert.equal(await key.inputValue(), "EdgeResponseStatus");

  await fillFilter(page, "");
  await panel(page).getByText("No filter: every line is sent").waitFor();
  assert.equal(await page.locator(".problem").count(), 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the encoding of a filter is detected and converted", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  const text = '{"where":{"key":"ClientRequestHost","operator":"eq","value":"a \\"b\\""}}';
  await fillFilter(page, JSON.stringify(text));
  await page.getByRole("button", { name: "Escaped string", pressed: true }).waitFor();
  await expectNoProblems(page);
  await page.getByRole("button", { name: "Object", exact: true }).click();
  await page.getByRole("button", { name: "Object", exact: true, pressed: true }).waitFor();
  assert.deepEqual(await readFilter(page), JSON.parse(text));
  await page.getByRole("button", { name: "Escaped string" }).click();
  await page.getByRole("button", { name: "Escaped string", pressed: true }).waitFor();
  assert.equal(JSON.parse(await readFilterText(page)), text);
  // The rows keep the encoding.
  await panel(page).getByRole("textbox", { name: "Condition: value" }).fill("c");
  await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.querySelector(".cm-content").innerText.includes('\\"c\\"'));
  await page.reload();
  await page.getByRole("button", { name: "Escaped string", pressed: true }).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a filter is built with the keyboard alone", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await open({ storage: { "zonewright.log-filter": "" } });
  const keys = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
  };
  const focused = (name) => page.waitForFunction((expectedLabel) => document.activeElement?.getAttribute("aria-label") === expectedLabel, name);
  await panel(page).getByRole("button", { name: "Add condition" }).first().focus();
  await keys("Enter");
  await focused("Condition: field");
  await page.keyboard.type("EdgeResponseStatus");
  await keys("Tab");
  await focused("Condition: operator");
  await page.keyboard.type("geq");
  await keys("Tab");
  await focused("Condition: value");
  await page.keyboard.type("500");
  await waitForFilter(page, condition("EdgeResponseStatus", "geq", 500));

  await keys("Control+Enter");
  await focused("Condition 2: field");
  await page.keyboard.type("ClientCountry");
  await keys("Tab");
  await page.keyboard.type("in");
  await keys("Tab");
  await focused("Condition 2: add a value");
  await page.keyboard.type("at,de,fr");
  await keys("Enter", "Backspace");
  const first = condition("EdgeResponseStatus", "geq", 500);
  const second = condition("ClientCountry", "in", ["at", "de"]);
  await waitForFilter(page, { and: [first, second] });
  await focused("Condition 2: add a value");

  await keys("Alt+Shift+ArrowUp");
  await waitForFilter(page, { and: [second, first] });
  await focused("Condition 1: add a value");
  await keys("Tab");
  await focused("Condition 1: more actions");
  await keys("Enter");
  await page.getByRole("menuitem", { name: "Move down" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem", { name: "Move down" }).waitFor({ state: "detached" });
  await focused("Condition 1: more actions");
  const choose = async (entry) => {
    await keys("Enter");
    await page.getByRole("menuitem", { name: entry }).waitFor();
    for (let presses = 0; presses < 12; presses += 1) {
      if ((await page.evaluate(() => document.activeElement?.textContent ?? "")).startsWith(entry)) break;
      await keys("ArrowDown");
    }
    await keys("Enter");
  };
  await choose("Wrap in a group");
  await waitForFilter(page, { and: [{ or: [second] }, first] });
  await focused("Condition 1.1: more actions");
  await choose("Duplicate");
  await waitForFilter(page, { and: [{ or: [second, second] }, first] });
  await focused("Condition 1.2: more actions");
  await choose("Remove");
  await waitForFilter(page, { and: [{ or: [second] }, first] });
  await focused("Condition 1.1: more actions");
  await choose("Move down");
  await waitForFilter(page, { and: [second, first] });
  await focused("Condition 1: more actions");
  await expectNoProblems(page);
  await choose("Remove");
  await focused("Condition 1: more actions");
  await keys("Shift+Tab", "Shift+Tab", "Shift+Tab");
  await focused("Condition 1: field");
  // For another field, operator and value follow its type.
  await keys("ControlOrMeta+a");
  await page.keyboard.type("WorkerSubrequest");
  await keys("Tab");
  await waitForFilter(page, { and: [condition("WorkerSubrequest", "eq", true)] });
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a selection is shown in all views", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await applyFirstFix(page);
  await expectNoProblems(page);
  const selected = panel(page).locator(".build-row.selected");
  const marked = () => page.evaluate(() => [...document.querySelector(".editor-host").shadowRoot.querySelectorAll(".zw-linked-selection")]
    .map((element) => element.textContent).join(""));
  const sentence = (text, on) => panel(page).locator(`.sentence-text[aria-pressed=${on}]`).filter({ hasText: text });
  await sentence("500", "false").click();
  await sentence("500", "true").waitFor();
  assert.equal(await selected.getAttribute("aria-label"), "Condition 2");
  assert.match(await marked(), /"EdgeResponseStatus".*500/);
  await panel(page).getByRole("textbox", { name: "Condition 3: value" }).click();
  await sentence("/health", "true").waitFor();
  assert.match(await marked(), /"ClientRequestPath"/);
  await editor(page, "Filter").getByText("shop.example.com").click();
  await sentence("shop.example.com", "true").waitFor();
  assert.equal(await selected.getAttribute("aria-label"), "Condition 1");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

/** Records the texts of the verdict, and returns a function that reads them. */
async function recordVerdicts(page) {
  const noted = await panel(page).evaluateHandle((panel) => {
    const texts = [];
    const note = () => texts.push(panel.querySelector(".verdict")?.textContent ?? "");
    new MutationObserver(note).observe(panel, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => noted.jsonValue();
}

test("each line is kept, dropped or rejected with its reason", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await openTool(page, "Test");
  await verdict(page).getByText("Fix the errors in the filter first").waitFor();
  await applyFirstFix(page);
  await verdict(page).getByText("Matches 2 of 7 lines (28.6%), 1 malformed").waitFor();
  const funnel = panel(page).getByRole("table", { name: "Lines after each condition" });
  assert.deepEqual(await funnel.locator("td[data-label=Lines]").allInnerTexts(), ["7", "5", "3", "2"]);
  assert.equal(await panel(page).locator(".funnel-bar").count(), 4);
  const rows = panel(page).getByRole("table", { name: "Lines", exact: true }).getByRole("row");
  await panel(page).getByRole("button", { name: "Dropped 5" }).click();
  await rows.filter({ hasText: "EdgeResponseStatus is 404" }).waitFor();
  await panel(page).getByRole("button", { name: "Malformed 1" }).click();
  assert.equal(await rows.count(), 2);
  await panel(page).getByRole("textbox", { name: "Lines per day" }).fill("2m");
  await panel(page).getByText(/About 571,429 lines and .* per day/).waitFor();

  const lines = panel(page).getByRole("textbox", { name: "Log lines" });
  await lines.fill('{"ClientRequestHost":"shop.example.com","EdgeResponseStatus":500,"ClientRequestPath":"/"}');
  await verdict(page).getByText("Matches 1 of 1 line (100%)").waitFor();
  // 12.97% is rounded to an integer.
  const lineWithStatus = (status) => JSON.stringify({ ClientRequestHost: "shop.example.com", EdgeResponseStatus: status, ClientRequestPath: "/" });
  await lines.fill(Array.from({ length: 185 }, (_, index) => lineWithStatus(index < 24 ? 500 : 200)).join("\n"));
  await verdict(page).getByText("Matches 24 of 185 lines (13%)", { exact: true }).waitFor();
  await lines.fill("");
  await verdict(page).getByText("No log lines yet").waitFor();

  // A file of megabytes is read in slices; the page stays responsive.
  const many = 40_000;
  const line = (index) => JSON.stringify({
    ClientRequestHost: "shop.example.com",
    ClientRequestPath: `/page/${index}`,
    EdgeResponseStatus: index % 4 ? 200 : 503,
    RayID: "0".repeat(120),
  });
  const buffer = Buffer.from(Array.from({ length: many }, (_, index) => line(index)).join("\n"));
  // A fast machine shows the progress only briefly.
  const verdicts = await recordVerdicts(page);
  await panel(page).locator("input[type=file]").setInputFiles({ name: "day.ndjson", mimeType: "application/x-ndjson", buffer });
  await panel(page).getByText("day.ndjson").waitFor();
  await verdict(page).getByText("Matches 10,000 of 40,000 lines (25%)", { exact: true }).waitFor({ timeout: 60_000 });
  assert.ok((await verdicts()).some((text) => /Matches .* MB read/.test(text)));
  await panel(page).getByRole("button", { name: "Sent 10,000" }).click();
  await panel(page).getByText("and 9,900 more; the first 100 are shown").waitFor({ state: "attached" });
  await panel(page).getByRole("button", { name: "Remove" }).click();
  await lines.waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a filter exports for other tools and converts to and from an expression", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await fillFilter(page, JSON.stringify({ where: { or: [condition("ClientRequestHost", "eq", "a'${b}"), condition("EdgeResponseStatus", "in", [500, 502])] } }));
  await expectNoProblems(page);
  await openTool(page, "Copy as");
  const code = (name) => panel(page).getByRole("region", { name, exact: true }).locator("code").innerText();
  const object = await code("Object");
  assert.equal(JSON.parse(object).where.or[0].value, "a'${b}");
  assert.equal(JSON.parse(await code("Escaped string")), object);
  assert.match(await code("Terraform"), /filter = jsonencode\(\{\n[^]*value = "a'\$\$\{b\}" \},\n[^]*value = \[500, 502\] \}/);
  const curl = await code("curl");
  assert.match(curl, /zones\/\$ZONE_ID\/logpush\/jobs"/);
  assert.match(curl, /Bearer \$TOKEN"/);
  assert.match(curl, /"destination_conf":"'"\$DESTINATION"'"/);

  await openTool(page, "Convert");
  assert.match(await code("Expression"), /http\.host eq "a'\$\{b\}"/);
  await fillEditor(page, 'http.host eq "a.example" and http.response.code ge 500', "Expression");
  await panel(page).getByRole("button", { name: "Use as filter" }).click();
  await waitForFilter(page, { and: [condition("ClientRequestHost", "eq", "a.example"), condition("EdgeResponseStatus", "geq", 500)] });
  await expectNoProblems(page);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("every recipe is valid for its dataset and the palette runs the commands of the page", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  const recipes = () => page.getByRole("button", { name: "Recipes" }).click();
  const dialog = page.getByRole("dialog", { name: "Recipes" });
  await recipes();
  const names = await dialog.getByRole("heading", { level: 3 }).allInnerTexts();
  assert.equal(names.length, 8);
  await page.keyboard.press("Escape");
  for (const name of names) {
    await recipes();
    await dialog.getByRole("button", { name: `Use ${name}`, exact: true }).click();
    await expectNoProblems(page);
    const before = await readFilter(page);
    await page.getByRole("button", { name: "Format", exact: true }).click();
    await expectNoProblems(page);
    assert.deepEqual(await readFilter(page), before);
    await panel(page).locator(".sentence").first().waitFor();
  }
  assert.equal(await page.getByRole("combobox", { name: "Dataset" }).inputValue(), "workers_trace_events");
  const give = async (text) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  await give("minify filter");
  await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.querySelectorAll(".cm-line").length === 1);
  await give("tool test");
  await page.getByRole("tab", { name: "Test", selected: true }).waitFor();
  await give("add condition");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Condition 3: field");
  await give("new filter");
  await page.getByText("No filter: every line is sent").first().waitFor();
  await give("load example");
  await page.getByText("unknown-operator").first().waitFor();
  await give("explain unknown-operator");
  await page.getByRole("dialog", { name: "unknown-operator" }).getByText("geq").first().waitFor();
  await page.keyboard.press("Escape");
  await give("share filter");
  await page.getByRole("dialog", { name: "Share" }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    const isNarrow = width === 360;
    test(`the log filter page is accessible (${scheme}, ${width} px)`, { timeout: 180_000 }, async () => {
      const { page, context, consoleProblems } = await open({ width, height: isNarrow ? 740 : 800, scheme });
      const name = (view) => `log-filters-${view}-${scheme}-${width}`;
      const pane = (label) => (isNarrow ? page.getByRole("button", { name: label, exact: true }).click() : undefined);
      await page.getByText("unknown-operator").first().waitFor();
      await expectAccessible(page, name("first"));
      await page.getByRole("button", { name: "Recipes" }).click();
      await expectAccessible(page, name("recipes"));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await expectAccessible(page, name("share"));
      await page.keyboard.press("Escape");
      await applyFirstFix(page);
      await expectNoProblems(page);
      await pane("Tools");
      const label = await page.locator(".build-row.group code").first().boundingBox();
      assert.ok(label.height < 30, "the label of a group is in one line");
      await expectAccessible(page, name("build"));
      await page.getByRole("button", { name: "Condition 2: more actions" }).click();
      await expectAccessible(page, name("menu"));
      await page.keyboard.press("Escape");
      await pane("Editor");
      await fillFilter(page, JSON.stringify({ where: { or: [
        { and: [condition("ClientRequestHost", "eq", "shop.example.com"), condition("EdgeResponseStatus", "in", [500, 502, 503, 504, 520, 521, 522])] },
        { and: [condition("OriginRequestHeaderSendDurationMs", "geq", 2000), { or: [condition("WorkerSubrequest", "eq", false), condition("ClientCountry", "!in", ["at", "de"])] }] },
      ] } }));
      await page.getByRole("button", { name: "Format", exact: true }).click();
      await expectAccessible(page, name("nested"));
      await pane("Tools");
      await expectAccessible(page, name("nested-build"));
      for (const label of ["Test", "Copy as", "Convert"]) {
        await openTool(page, label);
        if (label === "Test") await panel(page).getByRole("button", { name: /^Dropped/ }).click();
        await page.waitForTimeout(300);
        await expectAccessible(page, name(label.replace(" ", "-").toLowerCase()));
        await panel(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
        if (shots) await page.screenshot({ path: join(shots, `${name(label.replace(" ", "-").toLowerCase())}-end.png`) });
      }
      await pane("Editor");
      await fillFilter(page, '{"where": {"and": [');
      await pane("Tools");
      await openTool(page, "Build");
      await expectAccessible(page, name("unreadable"));
      await pane("Editor");
      await fillFilter(page, "");
      await pane("Tools");
      await expectAccessible(page, name("empty"));
      assert.deepEqual(consoleProblems(), []);
      await context.close();
    });
  }
}
