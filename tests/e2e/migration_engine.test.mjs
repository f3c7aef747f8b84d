// The migration page while the engine is slow or fails. The page shows the state of the engine, and it sends no update that
// the engine has not checked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { openPage } from "./support/browser.mjs";
import { controlEngine, engineFailure } from "./support/engine.mjs";
import { waitForToast } from "./support/jobs.mjs";
import {
  button,
  chooseZone,
  completeChecklist,
  editNewConfiguration,
  migrationHelpers,
  readDownload,
  readZone,
  requestBody,
  step,
  tab,
} from "./support/migration.mjs";
import { withStaticHost, withService } from "./support/setup.mjs";

const harness = withService(undefined, () => ["--migration-delay", "3600"]);
const host = withStaticHost();
const { api, zoneId, logIn, status } = migrationHelpers(harness);
const testOptions = { timeout: 120_000 };

/** Opens the page without a service. */
async function openWithoutService(rule) {
  const opened = await openPage(host.browser, `${host.host.url}#/migration`);
  return { ...opened, engine: await controlEngine(opened.page, rule) };
}

/** Reads a zone that can migrate, and records the updates that the page sends. */
async function openZone(zone) {
  const opened = await openPage(harness.browser, harness.service.url);
  const engine = await controlEngine(opened.page);
  await logIn(opened.page, zone);
  await readZone(opened.page, zone);
  await opened.page.getByText("The zone can migrate", { exact: true }).waitFor();
  const updates = [];
  await opened.page.route(/entrypoint\?waf_migration/, (route) => {
    updates.push(route.request().url());
    return route.continue();
  });
  return { ...opened, engine, updates };
}

/** Waits until a button is enabled. */
const waitForEnabled = (page, name) => page.getByRole("button", { name, exact: true, disabled: false }).waitFor();

test("without the engine, a configuration is read and backed up but not analyzed, and Retry resumes the analysis", testOptions, async () => {
  const { page, context } = await openPage(host.browser, `${host.host.url}#/migration`);
  const files = "**/engine-*migration*.wasm";
  await page.route(files, (route) => route.abort());
  await button(page, "Pro with a few settings").click();
  await engineFailure(page).waitFor();
  await expectAccessible(page, "migration-engine-failed");
  assert.equal(await page.getByText(/can migrate/).count(), 0);
  assert.match(await page.getByLabel("Configuration as JSON").inputValue(), /"plan": "pro"/);
  await step(page, "Configuration").click();
  await page.getByRole("table", { name: "Current configuration" }).waitFor();
  assert.ok(JSON.parse((await readDownload(page, "Save backup")).text).plan);
  await page.getByText("Backup of this configuration saved").waitFor();
  for (const name of ["Finish", "Review"]) {
    await step(page, name).click();
    await engineFailure(page).waitFor();
  }
  assert.equal(await button(page, "Migrate permanently").count(), 0);
  await page.unroute(files);
  await button(page, "Retry").click();
  await page.getByRole("tab", { name: "Before and after" }).waitFor();
  await step(page, "Check").click();
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  await context.close();
});

test("a pending analysis is shown, and a late result of an earlier configuration is dropped", testOptions, async () => {
  const { page, context, engine } = await openWithoutService({ hold: "plan" });
  const source = page.getByLabel("Configuration as JSON");
  await page.evaluate(() => {
    window.lateResults = 0;
    const count = () => { window.lateResults += document.body.innerText.includes("blocked by"); };
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await button(page, "Blocked by overrides").click();
  await engine.waitForHeld("plan");
  await page.getByText("Analyzing the configuration…").waitFor();
  await expectAccessible(page, "migration-engine-pending");
  await step(page, "Review").click();
  await page.getByText("Analyzing the configuration…").waitFor();
  await step(page, "Check").click();
  await button(page, "Pro with a few settings").click();
  const entered = await source.inputValue();
  await engine.setRule({});
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.lateResults), 0);
  assert.equal(await source.inputValue(), entered);
  await page.getByText("Analyzing the configuration…").waitFor({ state: "detached" });
  await context.close();
});

test("a failed report and a failed simulation show the reason and can be repeated", testOptions, async () => {
  const { page, context, engine } = await openWithoutService();
  await button(page, "Enterprise with many settings").click();
  await step(page, "Review").click();
  await tab(page, "Report");
  await engine.setRule({ crash: "report" });
  await button(page, "Save HTML").click();
  await waitForToast(page, "The report was not created");
  assert.match((await readDownload(page, "Save HTML")).text, /^<!doctype html>/i);
  await engine.setRule({ crash: "simulate" });
  await tab(page, "Simulate");
  await engineFailure(page).waitFor();
  await page.getByLabel("Requests", { exact: true }).fill("https://www.shop.example/\nnowhere");
  await page.getByRole("table", { name: "Requests before and after" }).waitFor();
  await button(page, "Line 1, column 1").waitFor();
  await page.getByLabel("Requests", { exact: true }).fill("https://www.shop.example/\n###\nhttps://🦀.example/\n###\n{\"ssl\": }");
  await button(page, "Line 5, column 9").waitFor();
  assert.equal(await page.getByRole("table", { name: "Requests before and after" }).locator("tbody tr").count(), 2);
  await context.close();
});

test("an edit that the engine has not checked cannot be sent to the validation step", testOptions, async () => {
  const zone = "enterprise.example";
  const { page, context, engine, updates } = await openZone(zone);
  await step(page, "Validation").click();
  await waitForEnabled(page, "Start validation");
  await engine.setRule({ hold: "checkRuleset" });
  await editNewConfiguration(page, (body) => { body.name = "held back"; });
  await engine.waitForHeld("checkRuleset");
  await page.getByText("Checking the new configuration…").waitFor();
  await step(page, "Validation").click();
  await page.getByText("Checking the new configuration…").waitFor();
  assert.ok(await button(page, "Start validation").isDisabled());
  assert.match(await page.getByRole("region", { name: "Request" }).innerText(), /held back/);
  await engine.setRule({});
  await waitForEnabled(page, "Start validation");

  await engine.setRule({ crash: "checkRuleset" });
  await editNewConfiguration(page, (body) => { body.name = "not checked"; });
  await engineFailure(page).first().waitFor();
  await expectAccessible(page, "migration-new-configuration-failed");
  await step(page, "Validation").click();
  await engineFailure(page).first().waitFor();
  assert.ok(await button(page, "Start validation").isDisabled());
  assert.deepEqual(updates, []);
  await button(page, "Retry").first().click();
  await waitForEnabled(page, "Start validation");
  await step(page, "Review").click();
  await tab(page, "New configuration");
  assert.equal(JSON.parse(await requestBody(page).inputValue()).name, "not checked");
  await context.close();
});

test("an update is not sent if the engine cannot analyze the zone again", testOptions, async () => {
  const zone = "pro.example";
  const { page, context, engine, updates } = await openZone(zone);
  await completeChecklist(page, zone);
  await waitForEnabled(page, "Migrate permanently");
  await engine.setRule({ crash: "plan" });
  await button(page, "Migrate permanently").click();
  await page.getByText("The configuration of the zone could not be checked again").waitFor();
  await expectAccessible(page, "migration-not-checked-again");
  assert.deepEqual(updates, []);
  assert.equal(await status(zone), "start");
  await context.close();
});

const changes = {
  edit: "editing the new configuration",
  zone: "selecting another zone",
  load: "loading the zone again",
};
for (const [change, name] of Object.entries(changes)) {
  test(`${name} during the final checks aborts the update`, testOptions, async () => {
    const zone = "pro.example";
    const { page, context, engine, updates } = await openZone(zone);
    await completeChecklist(page, zone);
    await waitForEnabled(page, "Migrate permanently");
    await engine.setRule({ hold: "plan" });
    await button(page, "Migrate permanently").click();
    await engine.waitForHeld("plan");
    await page.getByText("Running the final checks…").waitFor();
    if (change === "zone") await chooseZone(page, zoneId("business.example"));
    else if (change === "edit") await editNewConfiguration(page, (body) => { body.name = "another"; });
    else {
      await step(page, "Check").click();
      await readZone(page, zone);
    }
    await engine.setRule({});
    if (change === "zone") {
      await page.getByText("Nothing was sent to pro.example: another zone or connection was selected").waitFor();
    } else {
      await step(page, "Finish").click();
      const reason = change === "edit" ? "on this page was changed" : "was loaded again";
      await page.getByText(`The configuration ${reason} during the final checks`).waitFor();
    }
    await page.waitForTimeout(300);
    assert.deepEqual(updates, []);
    assert.equal(await status(zone), "start");
    await context.close();
  });
}

test("a zone that changed is analyzed before its checklist is shown", testOptions, async () => {
  const zone = "pro.example";
  const { page, context, engine } = await openZone(zone);
  await completeChecklist(page, zone);
  await waitForEnabled(page, "Migrate permanently");
  const rule = { action: "bypass", products: ["waf"], filter: { expression: "ip.src eq 192.0.2.78" } };
  assert.equal((await api(zone, "firewall/rules", { method: "POST", body: JSON.stringify([rule]) })).status, 200);
  await engine.setRule({ hold: "plan" });
  await step(page, "Check").click();
  await button(page, `Load ${zone}`).click();
  await engine.waitForHeld("plan");
  await page.getByText("Analyzing the configuration…").waitFor();
  await step(page, "Finish").click();
  await page.getByText("Analyzing the configuration…").waitFor();
  assert.equal(await button(page, "Migrate permanently").count(), 0);
  await engine.setRule({});
  await button(page, "Migrate permanently").waitFor();
  // The backup was of the earlier configuration.
  assert.equal(await page.getByText("Backup of this configuration saved").count(), 0);
  assert.ok(await button(page, "Migrate permanently").isDisabled());
  await context.close();
});
