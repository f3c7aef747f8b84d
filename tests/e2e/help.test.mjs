// Editor help at a position: by pointer, by key and while typing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { editor, fillEditor, openPage, startBrowser } from "./support/browser.mjs";
import { dist } from "./support/service.mjs";
import { startStatic } from "./support/static.mjs";

let chromium;
let host;
before(async () => {
  host = await startStatic(dist);
  chromium = await startBrowser();
}, { timeout: 120_000 });
after(async () => {
  await chromium?.stop();
  await host?.stop();
}, { timeout: 60_000 });

/** Accepts the first completion; a list that has just opened ignores keys. */
async function acceptCompletion(page, key = "Enter") {
  await page.getByRole("listbox").waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press(key);
}

test("an accepted completion puts the cursor inside the call", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, "");
  await page.keyboard.type("starts");
  await acceptCompletion(page);
  const help = page.locator(".zw-docs");
  await help.getByText("whether a string starts with another").waitFor();
  await help.locator(".zw-active", { hasText: /^source$/ }).waitFor();
  await acceptCompletion(page);
  await page.keyboard.type(", ");
  await help.locator(".zw-active", { hasText: /^substring$/ }).waitFor();
  await page.keyboard.type('"www.');
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  assert.equal(await editor(page).innerText(), 'starts_with(http.host, "www.")');
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("completion lists known values with descriptions", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, "");
  await page.keyboard.type("ip.src.country eq germ");
  await acceptCompletion(page, "Tab");
  assert.equal(await editor(page).innerText(), 'ip.src.country eq "DE"');
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("completion lists header names as soon as the key is started", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, "");
  await page.keyboard.type('http.request.headers["');
  await page.getByRole("option", { name: "user-agent" }).waitFor();
  await acceptCompletion(page);
  assert.match(await editor(page).innerText(), /^http\.request\.headers\["user-agent"\]/);
  await fillEditor(page, "");
  await page.keyboard.type('http.host eq "a" ');
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole("listbox").count(), 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("completion details on a narrow screen cover no other row", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url, { width: 360, height: 780 });
  await fillEditor(page, "");
  await page.keyboard.type("starts_with(htt", { delay: 30 });
  const [list, info] = [page.getByRole("listbox"), page.locator(".cm-completionInfo")];
  await list.waitFor();
  await info.waitFor();
  await page.waitForTimeout(300);
  const [listBox, details] = [await list.boundingBox(), await info.boundingBox()];
  assert.ok(details.y >= listBox.y + listBox.height - 1 || details.y + details.height <= listBox.y + 1, JSON.stringify([listBox, details]));
  assert.ok(details.x >= 0 && details.x + details.width <= 360, JSON.stringify(details));
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the help key shows and announces help until Escape is pressed", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, "ip.src in {10.0.0.0/8} and lower(http.host) eq \"a\"");
  await page.keyboard.press("Home");
  // The announcement is cleared shortly afterwards.
  await page.locator(".cm-announced").evaluate((live) => {
    window.announcements = [];
    new MutationObserver(() => window.announcements.push(live.textContent)).observe(live, { childList: true });
  });
  await page.keyboard.press("F1");
  const help = page.locator(".zw-docs");
  await help.getByText("IP address of the client").waitFor();
  assert.match(await page.evaluate(() => window.announcements.join("\n")), /^ip\.src\. IP\. IP address of the client/);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  for (let presses = 0; presses < 34; presses += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ControlOrMeta+Shift+Space");
  await help.getByText("lower(value)").waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  assert.equal(await editor(page).evaluate((field) => field.matches(":focus")), false);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("hovering shows documentation and problems together", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, 'ip.geoip.country eq "DE"');
  const token = page.locator(".zw-field").first();
  await token.waitFor();
  const box = await token.boundingBox();
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.move(box.x + 22, box.y + box.height / 2);
  await page.locator(".zw-docs").getByText("deprecated name of the client's country").waitFor();
  await page.locator(".zw-word-warning").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("an unpaired backtick is literal in the tooltip and in the list of problems", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(chromium.browser, host.url);
  await fillEditor(page, 'ip.src eq "`"');
  const message = 'expected an IP address such as 192.0.2.1, found ""`';
  await page.locator(".problem").getByText(message).waitFor();
  const box = await page.locator(".zw-error").first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
  await page.locator(".zw-tooltip").getByText(message).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
