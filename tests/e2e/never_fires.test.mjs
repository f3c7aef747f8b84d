// Rules that never fire: in a pasted list, and among the rules of a zone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor, openPage } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { callEmptyZone } from "./support/rules.mjs";
import { connect, emptyZone } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const panel = (page) => page.getByRole("tabpanel");
const verdict = (page) => panel(page).getByRole("status").locator(".verdict").locator("visible=true");

/** Creates rules in a zone without other rules. */
const createRules = (rules) => callEmptyZone(harness.service, "POST", "/firewall/rules", rules);

const rule = (expression, action, description, priority) => ({ filter: { expression }, action, description, priority });

test("a list of rules is decided in order and an expression is checked for matches", { timeout: 120_000 }, async () => {
  for (const viewport of [{ width: 1280, scheme: "light" }, { width: 360, height: 780, scheme: "dark" }]) {
    const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url, viewport);
    await fillEditor(page, 'http.request.method eq "get"');
    const pane = page.getByRole("button", { name: "Tools", exact: true });
    if (await pane.isVisible()) await pane.click();
    await page.getByRole("tab", { name: "Compare", exact: true }).click();
    await panel(page).getByRole("button", { name: "Can match" }).click();
    await verdict(page).getByText("Proved: the expression never matches, if http.request.method is a single uppercase word").waitFor();
    await panel(page).getByRole("button", { name: "Rule list" }).click();
    const list = panel(page).getByRole("textbox", { name: "Rules in order" });
    await panel(page).getByRole("button", { name: "Show example" }).click();
    await verdict(page).getByText("1 of 3 rules can never fire").waitFor();
    await panel(page).getByText("Rule 3 never fires: rule 1 runs first and matches everything that it matches").waitFor();
    await expectAccessible(page, `rules-in-order-${viewport.width}-${viewport.scheme}`);
    await list.fill(JSON.stringify([{ expression: "ssl", action: "log" }, { expression: "ssl" }]));
    await verdict(page).getByText("Every rule can fire").waitFor();
    await list.fill("[{}]");
    await verdict(page).getByText("This is not a list of rules").waitFor();
    await list.fill("ssl\nhttp.hots");
    await panel(page).getByText("Rule 2 has errors").waitFor();
    assert.deepEqual(consoleProblems(), []);
    await context.close();
  }
});

test("rules of the zone that never fire are marked with the reason", { timeout: 120_000 }, async () => {
  await createRules([
    rule('ip.src in {10.1.0.0/16} and http.host eq "a.example"', "block", "late", 20),
    rule("ip.src in {10.0.0.0/8}", "block", "inner network", 10),
    rule("ip.src in {10.2.0.0/16}", "log", "noted first", 1),
    { ...rule("http.request.uri.path contains \"/x\"", "block", "asleep", 2), paused: true },
  ]);
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(emptyZone(harness.service.credentials).id);
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByText("1 of 4 rules can never fire").waitFor();
  const unreachable = page.getByRole("row").filter({ hasText: "Never fires" });
  assert.equal(await unreachable.count(), 1);
  assert.match(await unreachable.innerText(), /late[^]*“inner network” runs first and matches everything that it matches/);
  for (const [width, height] of [[1280, 800], [360, 780]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `never-fires-${width}-${colorScheme}`);
    }
  }
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("200 rules are decided while the page stays responsive", { timeout: 180_000 }, async () => {
  const partExpression = (number) => `http.request.uri.path contains "/part${number}/" and not ip.src in {10.0.0.0/8}`;
  const rules = Array.from({ length: 200 }, (_, number) => rule(partExpression(number), "block", `Part ${number}`, 100 + number));
  rules.push(rule('http.request.uri.path eq "/a/part7/b" and ip.src eq 192.0.2.1', "block", "last of all", 1000));
  await createRules(rules);
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const tick = () => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
      setTimeout(tick, 0);
    };
    tick();
  });
  const start = Date.now();
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(emptyZone(harness.service.credentials).id);
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByText("2 of 205 rules can never fire").waitFor({ timeout: 120_000 });
  const longest = await page.evaluate(() => window.longest);
  console.log(`205 rules: ${Date.now() - start} ms, longest pause ${Math.round(longest)} ms`);
  assert.ok(longest < 5_000, `${longest} ms`);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
