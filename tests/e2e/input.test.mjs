// Hostile texts: the page keeps working.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();

const texts = {
  "100 kB of conditions": 'http.host eq "a" or '.repeat(5_000),
  "100 kB of one word": "a".repeat(100_000),
  "10,000 brackets": "(".repeat(10_000),
  "10,000 negations": "not ".repeat(10_000),
  "10,000 problems": "'a' ".repeat(10_000),
  "NUL": 'http.host eq "\u0000" \u0000',
  "emoji": 'http.host eq "👩‍👩‍👧‍👦🏳️‍🌈" and 👾 eq \'😀\'',
  "a lone surrogate": "http.host eq '\ud800'",
  "an unterminated string": 'http.host eq "never',
  "only whitespace": " \n\t ",
  "nothing": "",
};

for (const [name, text] of Object.entries(texts)) {
  test(`${name} leaves the page usable`, { timeout: 120_000 }, async () => {
    const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
    await fillEditor(page, text);
    await page.locator(".problem").first().waitFor({ timeout: 30_000 });
    await fillEditor(page, "ssl");
    await page.getByText("No problems found.").waitFor({ timeout: 30_000 });
    assert.equal(await editor(page).innerText(), "ssl");
    assert.deepEqual(consoleProblems(), []);
    await context.close();
  });
}

test("all safe fixes are applied and undone in one step", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  const invalid = "http.host eq 'a' or http.referer eq 'b' or http.user_agent = \"c\"";
  await fillEditor(page, invalid);
  await page.getByRole("button", { name: /^Apply safe fixes/ }).click();
  await page.getByText("No problems found.").waitFor();
  assert.equal(await editor(page).innerText(), 'http.host eq "a" or http.referer eq "b" or http.user_agent == "c"');
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await editor(page).innerText(), invalid);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("offsets after an emoji are correct", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, `http.host eq "😀😀" and http.user_agent eq 'ü'`);
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.getByText("No problems found.").waitFor();
  assert.equal(await editor(page).innerText(), `http.host eq "😀😀" and http.user_agent eq "ü"`);
  await page.keyboard.press("ControlOrMeta+z");
  await page.locator(".problem").first().waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("completions are distinguishable on a narrow screen", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url, { width: 360, height: 740 });
  for (const begun of ["cf.bot_management.", "http.request.body.", "starts"]) {
    await fillEditor(page, "");
    await page.keyboard.type(begun);
    await page.getByRole("listbox").waitFor();
    const note = page.locator(".cm-completionInfo");
    await note.waitFor();
    const cut = await page.locator(".cm-completionLabel").evaluateAll((labels) => labels
      .filter((label) => label.scrollWidth > label.clientWidth && label.clientWidth > 0).map((label) => label.textContent));
    assert.deepEqual(cut, []);
    const box = await note.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 740, `${begun}: ${JSON.stringify(box)}`);
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
