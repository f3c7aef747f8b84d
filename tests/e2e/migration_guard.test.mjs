// Safeguards of the migration page: it never sends an unreviewed configuration, to another zone, or twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import {
  button,
  chooseZone,
  completeChecklist,
  editNewConfiguration,
  goTo,
  migrationHelpers,
  readZone,
  requestBody,
  step,
  tab,
} from "./support/migration.mjs";
import { holdRequest } from "./support/requests.mjs";
import { withStaticHost, withService } from "./support/setup.mjs";

const harness = withService(undefined, () => ["--migration-delay", "3600"]);
const host = withStaticHost();
const { api, zoneId, open, logIn, status } = migrationHelpers(harness);
const ENTRY_POINT = "rulesets/phases/http_request_firewall_managed/entrypoint";
const testOptions = { timeout: 240_000 };

/** Records the updates that the page sends. */
async function recordUpdates(page, respond = (route) => route.continue()) {
  const updates = [];
  await page.route(/entrypoint\?waf_migration/, (route) => {
    updates.push(route.request().url());
    return respond(route);
  });
  return updates;
}

for (const call of ["check", "config", "status"]) {
  test(`a zone change during the preflight request ${call} aborts the update`, testOptions, async () => {
    const zone = "pro.example";
    const { page, context } = await open(zone);
    await readZone(page, zone);
    await completeChecklist(page, zone);
    const updates = await recordUpdates(page);
    const { arrived, release } = await holdRequest(page, "GET", { pattern: new RegExp(`waf_migration/${call}`) });
    await button(page, "Migrate permanently").click();
    await arrived;
    await chooseZone(page, zoneId("business.example"));
    release();
    await page.getByText("Nothing was sent to pro.example: another zone or connection was selected").waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(updates, []);
    for (const name of [zone, "business.example"]) assert.equal(await status(name), "start");
    await button(page, "Close").click();
    await page.getByText("Nothing was sent to pro.example").waitFor({ state: "detached" });
    await context.close();
  });
}

test("a zone change during the update reports the outcome for the original zone", testOptions, async () => {
  const zone = "enterprise.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await step(page, "Validation").click();
  let sent;
  const arrived = new Promise((resolve) => { sent = resolve; });
  const updates = await recordUpdates(page, async (route) => {
    sent();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.abort("connectionreset");
  });
  await button(page, "Start validation").click();
  await arrived;
  await chooseZone(page, zoneId("pro.example"));
  await page.getByText("We don't know whether enterprise.example was updated").waitFor();
  await expectAccessible(page, "migration-other-zone");
  assert.equal(updates.length, 1);
  assert.ok(updates[0].includes(zoneId(zone)));
  await context.close();
});

test("an edit during the preflight requests aborts the update", testOptions, async () => {
  const zone = "enterprise.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await step(page, "Validation").click();
  const updates = await recordUpdates(page);
  const { arrived, release } = await holdRequest(page, "GET", { pattern: /waf_migration\/check/ });
  await button(page, "Start validation").click();
  await arrived;
  await editNewConfiguration(page, (body) => { body.name = "another"; });
  release();
  await step(page, "Validation").click();
  await page.getByText("The configuration on this page was changed during the final checks").waitFor();
  assert.deepEqual(updates, []);
  await context.close();
});

test("a configuration without an entity tag is not sent", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await open(zone);
  await page.route(/waf_migration\/config/, async (route) => {
    const response = await route.fetch();
    const { etag, ...headers } = response.headers();
    assert.ok(etag);
    await route.fulfill({ response, headers });
  });
  await readZone(page, zone);
  await completeChecklist(page, zone);
  await page.getByText("The service returned its proposal without an ETag").waitFor();
  assert.ok(await button(page, "Migrate permanently").isDisabled());
  await context.close();
});

test("a configuration that executes nothing cannot complete the migration", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await editNewConfiguration(page, (body) => body.rules.forEach((rule) => { rule.enabled = false; }));
  await page.getByText("No enabled rule executes a managed ruleset").waitFor();
  await expectAccessible(page, "migration-bare");
  await completeChecklist(page, zone);
  await page.getByText("No enabled rule executes a managed ruleset").waitFor();
  assert.ok(await button(page, "Migrate permanently").isDisabled());
  await step(page, "Review").click();
  await tab(page, "New configuration");
  await button(page, "Reset to plan").click();
  await step(page, "Finish").click();
  await page.getByText("loaded again right before the update is sent").waitFor();
  assert.ok(await button(page, "Migrate permanently").isEnabled());
  await context.close();
});

test("without the check of the new configuration, the migration cannot be completed", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await openPage(harness.browser, harness.service.url);
  // The file that only proofs need.
  const checkFiles = "**/engine-prove.*.wasm";
  await page.route(checkFiles, (route) => route.abort());
  await logIn(page, zone);
  await readZone(page, zone);
  await completeChecklist(page, zone);
  const failure = page.getByRole("alert").filter({ hasText: "The engine has no result" });
  await failure.waitFor();
  const migrate = button(page, "Migrate permanently");
  assert.ok(await migrate.isDisabled());
  await expectAccessible(page, "migration-unchecked");
  await page.unroute(checkFiles);
  await failure.getByRole("button", { name: "Retry" }).click();
  await failure.waitFor({ state: "detached" });
  await page.getByText("loaded again right before the update is sent").waitFor();
  assert.ok(await migrate.isEnabled());
  await context.close();
});

test("while the check of an edited configuration runs, the migration cannot be completed", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await openPage(harness.browser, harness.service.url);
  // The worker never answers about a configuration with this description.
  const hold = 'const send = postMessage; let isHeld; addEventListener("message", ({ data }) => { isHeld = JSON.stringify(data.values ?? "").includes("held back"); }); self.postMessage = (answer) => { if (!isHeld) send(answer); };';
  await page.route("**/engine-worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${hold}\n${await response.text()}` });
  });
  await page.reload();
  await logIn(page, zone);
  await readZone(page, zone);
  await completeChecklist(page, zone);
  const updates = await recordUpdates(page);
  const migrate = button(page, "Migrate permanently");
  await page.getByText("loaded again right before the update is sent").waitFor();
  assert.ok(await migrate.isEnabled());
  await editNewConfiguration(page, (body) => { body.description = "held back"; });
  await step(page, "Finish").click();
  await page.getByText("Checking the new configuration…").waitFor();
  await page.waitForTimeout(300);
  assert.ok(await migrate.isDisabled());
  assert.deepEqual(updates, []);
  await context.close();
});

test("without a status after a lost response, nothing can be sent", testOptions, async () => {
  const zone = "business.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await completeChecklist(page, zone);
  let isLost = true;
  await page.route(/waf_migration\/status/, (route) => (isLost && updates.length ? route.abort("connectionreset") : route.continue()));
  const updates = await recordUpdates(page, (route) => route.abort("connectionreset"));
  const migrate = button(page, "Migrate permanently");
  await migrate.click();
  await page.getByText("We don't know whether the update was applied").waitFor();
  await page.getByText("The status is not known yet").waitFor();
  assert.ok(await migrate.isDisabled());
  await button(page, "Check status").click();
  await page.waitForTimeout(500);
  assert.ok(await migrate.isDisabled());
  isLost = false;
  await button(page, "Check status").click();
  await page.getByText("The status is now start, and the configuration that was sent is not saved.").waitFor();
  assert.ok(await migrate.isEnabled());
  assert.equal(updates.length, 1);
  await context.close();
});

test("a concurrent change of the migration state or the entry point aborts the update", testOptions, async () => {
  const zone = "enterprise.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  const proposed = (await api(zone, "waf_migration/config?phase_two=1")).result;
  const put = async (body) => {
    const response = await api(zone, `${ENTRY_POINT}?waf_migration=validation&phase_two=1`, { method: "PUT", body: JSON.stringify(body) });
    assert.equal(response.status, 200);
  };
  await completeChecklist(page, zone);
  const updates = await recordUpdates(page);
  await put(proposed);
  await button(page, "Migrate permanently").click();
  await page.getByText("The migration state changed from start to validation since the zone was loaded").waitFor();

  await button(page, "Go to Check").click();
  await readZone(page, zone);
  await put({ ...proposed, rules: proposed.rules.map((rule) => ({ ...rule, description: `${rule.description} by another` })) });
  await completeChecklist(page, zone);
  await button(page, "Migrate permanently").click();
  await page.getByText("The saved entry point has changed since the zone was loaded").waitFor();
  assert.deepEqual(updates, []);
  assert.equal(await status(zone), "validation");
  await context.close();
});

test("adjustments in validation survive a reload and appear in the final diff", testOptions, async () => {
  const zone = "enterprise.example";
  const { page, context } = await open(zone);
  await page.getByText("The zone is now in validation.").waitFor();
  await button(page, `Load ${zone}`).click();
  await button(page, "Update configuration").waitFor();
  const adjust = async () => {
    // The list of states is already visible after the first update, so the test waits for the response.
    const saved = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
    await button(page, "Update configuration").click();
    await saved;
    await page.getByRole("list", { name: "Migration states" }).waitFor();
  };
  await editNewConfiguration(page, (body) => { body.rules.at(-1).description = "adjusted by hand"; });
  await page.getByText("Edited.").waitFor();
  await step(page, "Validation").click();
  await page.getByText("Compared with the saved entry point: 1 rule changed").waitFor();
  await adjust();
  // The next adjustment is based on this one; the page reads the saved configuration again automatically.
  await step(page, "Review").click();
  await tab(page, "New configuration");
  await page.getByText("Saved in the zone.").waitFor();
  await editNewConfiguration(page, (body) => { body.rules[0].description = "adjusted once more"; });
  await step(page, "Validation").click();
  await adjust();

  await page.reload();
  await logIn(page, zone);
  await button(page, `Load ${zone}`).click();
  await button(page, "Update configuration").waitFor();
  await step(page, "Review").click();
  await tab(page, "New configuration");
  await page.getByText("Saved in the zone.").waitFor();
  const rules = JSON.parse(await requestBody(page).inputValue()).rules;
  assert.deepEqual([rules[0].description, rules.at(-1).description], ["adjusted once more", "adjusted by hand"]);
  await page.getByText("No changes.").waitFor();
  await expectAccessible(page, "migration-saved");
  await button(page, "Reset to plan").click();
  await page.getByText("Generated from the plan.").waitFor();
  await step(page, "Finish").click();
  await page.getByText(/Compared with the saved entry point: \d+ rule/).click();
  await page.locator(".folded .diff-item").getByText("Removed").first().waitFor();
  await expectAccessible(page, "migration-saved-differs");
  await step(page, "Review").click();
  await tab(page, "New configuration");
  await button(page, "Reset to saved").click();
  await step(page, "Finish").click();
  await page.getByText("Compared with the saved entry point: no rules changed").waitFor();
  await page.getByText(/Compared with the plan: \d+ rule/).waitFor();
  await context.close();
});

test("a configuration entered while the zone loads is not overwritten", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await open(zone);
  const { arrived, release } = await holdRequest(page, "GET", { pattern: /waf_migration\/check/ });
  await button(page, `Load ${zone}`).click();
  await arrived;
  const source = page.getByLabel("Configuration as JSON");
  const entered = '{"plan": "pro", "zone": "entered.example"}';
  await source.fill(entered);
  release();
  await page.getByText("Loading…", { exact: true }).waitFor({ state: "detached" });
  await page.waitForTimeout(300);
  assert.equal(await source.inputValue(), entered);
  assert.equal(await page.getByText("Loaded from the service.").count(), 0);
  assert.equal(await page.getByText("The zone could not be loaded").count(), 0);
  await context.close();
});

test("an edit is preserved when the zone is read again", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await editNewConfiguration(page, (body) => { body.name = "mine"; });
  await step(page, "Check").click();
  await button(page, `Load ${zone}`).click();
  await step(page, "Review").click();
  await tab(page, "New configuration");
  await page.getByText("The zone was reloaded.").waitFor();
  assert.equal(JSON.parse(await requestBody(page).inputValue()).name, "default");
  await button(page, "Restore").click();
  assert.equal(JSON.parse(await requestBody(page).inputValue()).name, "mine");
  await context.close();
});

test("the request preview shows header names without their values", testOptions, async () => {
  const { page, context } = await openPage(harness.browser, harness.service.url);
  await goTo(page, "Settings");
  await button(page, "Email and key").click();
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByLabel("Key", { exact: true }).fill("0123456789abcdef0123456789abcdef01234");
  await goTo(page, "Migration");
  await button(page, "Pro with a few settings").click();
  await step(page, "Finish").click();
  const request = await page.getByRole("region", { name: "Request" }).innerText();
  assert.match(request, /X-Auth-Email: •+\nX-Auth-Key: •+\n/);
  for (const secret of ["Bearer", "somebody", "0123456789abcdef0123456789abcdef01234"]) assert.ok(!request.includes(secret), secret);
  await context.close();
});

test("the order, the number of losses and the line and column of errors are shown", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/migration`);
  const source = page.getByLabel("Configuration as JSON");
  await source.fill('{\n  "plan": "pro",\n  "groups": [}\n}');
  await button(page, "Line 3, column 14").click();
  assert.equal(await source.evaluate((area) => area.value.slice(area.selectionStart, area.selectionStart + 1)), "}");
  await button(page, "Enterprise with many settings").click();
  await step(page, "Review").click();
  await tab(page, "Order");
  const list = (name) => page.getByRole("region", { name }).getByRole("listitem");
  assert.match(await list("Before").first().innerText(), /^Firewall rule/);
  assert.match(await list("Before").last().innerText(), /^Package/);
  assert.match(await list("After").last().innerText(), /^Execute/);
  await tab(page, "New configuration");
  const text = await requestBody(page).inputValue();
  await requestBody(page).fill(text.replace("http.request.method eq", "http.request.metod eq"));
  const position = await page.locator(".json-error").getByRole("button").innerText();
  const line = text.split("\n").findIndex((line) => line.includes("http.request.method eq")) + 1;
  assert.match(position, new RegExp(`^Line ${line}, column \\d+$`));

  // Losses of 250 firewall rules, of which only the first 200 are listed.
  const rule = (index) => ({ action: "bypass", id: index.toString(16).padStart(32, "0"), products: ["waf"], filter: { id: index.toString(16).padStart(32, "f"), expression: `ip.src eq 192.0.2.${index}` } });
  await step(page, "Check").click();
  await source.fill(JSON.stringify({ plan: "pro", zone: "lost.example", firewall_rules: Array.from({ length: 250 }, (_, index) => rule(index + 1)) }));
  await step(page, "Review").click();
  await tab(page, "Before and after");
  const heading = await page.getByRole("heading", { name: /^Not carried over/ }).innerText();
  const count = Number(/\((\d+)\)/.exec(heading)[1]);
  assert.ok(count > 200);
  await page.getByText(`and ${count - 200} more; see All settings`).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
