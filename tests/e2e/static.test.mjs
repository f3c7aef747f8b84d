// The built app without a service, on a static host under a subpath.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { dist } from "./support/service.mjs";
import { startStatic } from "./support/static.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost("/some/where/");

test("deep links work without rewrites", { timeout: 120_000 }, async () => {
  for (const [link, title] of [["#/rules", "Rules"], ["#/settings", "Settings"], ["#/expressions", "Expressions"], ["#/nothing", "Expressions"], ["", "Expressions"]]) {
    const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url + link);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    assert.equal(await page.title(), `${title} · Zonewright`);
    assert.deepEqual(consoleProblems(), []);
    await context.close();
  }
});

test("features that need no service work offline and the text is restored", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  const requests = [];
  // The browser requests the icon of the tab at any time, and the app requests its parts from its own host.
  const isOwnFile = (url) => url.startsWith(harness.host.url) && /icon|\.wasm$/.test(url);
  page.on("request", (request) => isOwnFile(request.url()) || requests.push(request.url()));
  await fillEditor(page, 'http.host eq "kept.example.com"');
  await page.getByText("No problems found.").waitFor();
  await page.getByRole("combobox", { name: "Plan" }).selectOption("free");
  await fillEditor(page, 'http.host matches "kept"');
  await page.locator(".problem").first().waitFor();
  await page.getByRole("button", { name: "Create rule" }).click();
  const send = page.getByRole("form", { name: "New rule" }).getByRole("button", { name: "Create rule" });
  assert.equal(await send.isDisabled(), true);
  await page.getByText("Not connected. Add credentials in Settings.").first().waitFor();
  assert.deepEqual(requests, [], "nothing leaves the browser");

  await page.goto(`${harness.host.url}#/expressions`);
  await page.reload();
  await editor(page).waitFor();
  assert.equal(await editor(page).innerText(), 'http.host matches "kept"');
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the licenses of the editor's dependencies are served", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, `${harness.host.url}#/settings`);
  const link = page.getByRole("link", { name: "Licenses" });
  const response = await page.request.get(await link.evaluate((element) => element.href));
  assert.equal(response.status(), 200);
  assert.match(await response.text(), /@codemirror\/view \d[^]+MIT License/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the chosen theme is restored after a reload", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url, { scheme: "light" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Theme: System. Switch to Light" }).click();
  await page.getByRole("button", { name: "Theme: Light. Switch to Dark" }).click();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await page.getByRole("button", { name: "Theme: Dark. Switch to System" }).waitFor();
  assert.equal(await background(), dark);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a problem leads to its position on a narrow screen", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url, { width: 360, height: 740 });
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("tab", { name: "Explain", selected: true }).waitFor();
  await page.getByRole("button", { name: "Editor" }).click();
  await page.getByRole("button", { name: /^Go to line/ }).first().click();
  await editor(page).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot?.getSelection?.()?.toString() ?? getSelection().toString()), "'shop.example.com'");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a text area replaces the editor when its module is missing", { timeout: 120_000 }, async () => {
  const broken = await startStatic(dist, "/", /^editor/);
  const { page, context } = await openPage(harness.browser, broken.url);
  const area = page.locator("textarea");
  await area.fill("http.host eq 'a'");
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  assert.equal(await area.inputValue(), 'http.host eq "a"');
  await context.close();
  await broken.stop();
});
