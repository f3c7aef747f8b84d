// The Migration page. A zone is checked, reviewed, validated and migrated; an ineligible zone is rejected. Without a
// service, everything except sending works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { waitForToast } from "./support/jobs.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { button, completeChecklist, expectedErrors, goTo, migrationHelpers, readDownload, readZone, reviewTabs, step, tab } from "./support/migration.mjs";
import { withStaticHost, withService } from "./support/setup.mjs";

const harness = withService(undefined, () => ["--migration-delay", "3"]);
const host = withStaticHost();
const { api, open, logIn, status, finishMigration } = migrationHelpers(harness);

test("an Enterprise zone completes all steps and a reload resumes at the current one", { timeout: 240_000 }, async () => {
  const zone = "enterprise.example";
  const { page, context, consoleProblems } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  await page.getByText("According to the service, the zone is compatible").waitFor();
  await page.getByRole("button", { name: "Check (done)", exact: true }).waitFor();
  await expectAccessible(page, "migration-enterprise-check");
  await step(page, "Configuration").click();
  await page.getByText(/The service proposes the same \d+ rules/).waitFor();
  await expectAccessible(page, "migration-enterprise-configuration");
  await step(page, "Review").click();
  for (const side of reviewTabs) {
    await tab(page, side);
    await expectAccessible(page, `migration-enterprise-${side.toLowerCase().replaceAll(" ", "-")}`);
  }
  assert.match((await readDownload(page, "Save HTML")).text, /^<!doctype html>/i);
  assert.match((await readDownload(page, "Save Markdown")).text, /^# Migration of enterprise\.example/);
  assert.ok(JSON.parse((await readDownload(page, "Save JSON")).text).findings.length > 50);

  await step(page, "Validation").click();
  await expectAccessible(page, "migration-enterprise-validation");
  await button(page, "Start validation").click();
  await page.getByText("The old and new managed rules run side by side. You can still").waitFor();
  assert.equal(await status(zone), "validation");

  // The tab is closed and opened again.
  await page.reload();
  await logIn(page, zone);
  await page.getByText("The zone is now in validation.").waitFor();
  await step(page, "Check").click();
  await readZone(page, zone);
  await finishMigration(page, zone);
  await goTo(page, "Jobs");
  await goTo(page, "Migration");
  await page.getByText("The migration is complete.").waitFor();
  await step(page, "Check").click();
  await page.getByText(`${zone} has been migrated. The previous API no longer responds`).waitFor();
  assert.deepEqual(consoleProblems(expectedErrors), []);
  await context.close();
});

test("a Pro zone has no validation step and a stale configuration is not sent", { timeout: 240_000 }, async () => {
  const zone = "pro.example";
  const { page, context, consoleProblems } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The Pro plan has no validation").waitFor();
  assert.equal(await step(page, "Validation").count(), 0);

  // Another user changes a setting during the review.
  await completeChecklist(page, zone);
  const changed = await api(zone, "firewall/rules", {
    method: "POST",
    body: JSON.stringify([{ action: "bypass", products: ["waf"], filter: { expression: "ip.src eq 192.0.2.77" } }]),
  });
  assert.equal(changed.status, 200);
  await button(page, "Migrate permanently").click();
  await page.getByText("The configuration of the zone has changed since it was loaded").waitFor();
  assert.equal(await status(zone), "start");

  await button(page, "Go to Check").click();
  await readZone(page, zone);
  await finishMigration(page, zone);
  assert.deepEqual(consoleProblems(expectedErrors), []);
  await context.close();
});

test("an update whose response is lost is resolved by its status and not sent again", { timeout: 240_000 }, async () => {
  const zone = "business.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await completeChecklist(page, zone);
  let updates = 0;
  await page.route(/entrypoint\?waf_migration/, async (route) => {
    updates += 1;
    // The service receives the request; its response is lost.
    await route.fetch();
    await route.abort("connectionreset");
  });
  await button(page, "Migrate permanently").click();
  await page.getByText("The response was lost, but the update was applied").waitFor();
  await page.getByText("The status shows that the update was applied.").waitFor();
  await expectAccessible(page, "migration-unknown");
  assert.equal(updates, 1);
  await context.close();
});

test("a blocked zone cannot migrate until its overrides are deleted", { timeout: 240_000 }, async () => {
  const zone = "blocked.example";
  const { page, context, consoleProblems } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The zone cannot migrate yet: blocked by 2 settings").waitFor();
  await page.getByText("According to the service, the zone is not compatible").waitFor();
  await expectAccessible(page, "migration-blocked");
  await step(page, "Validation").click();
  assert.ok(await button(page, "Start validation").isDisabled());
  await step(page, "Finish").click();
  await page.getByText("The zone cannot migrate. See Check for the reason.").waitFor();
  assert.ok(await button(page, "Migrate permanently").isDisabled());
  await step(page, "Check").click();
  for (const verdict of ["blocked by one setting", "The zone can migrate"]) {
    await button(page, "Delete…").first().click();
    await page.getByRole("dialog", { name: "Delete this blocker?" }).getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(verdict).first().waitFor();
  }
  assert.equal(await status(zone), "start");
  assert.deepEqual(consoleProblems(expectedErrors), []);
  await context.close();
});

test("without a service, errors have positions and the review works", { timeout: 240_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/migration`);
  const text = page.getByLabel("Configuration as JSON");
  await text.fill('{"plan": "gold", "groups": [{"id": "a", "mode": "maybe"}]}');
  await page.getByText("Errors in the configuration: 2").waitFor();
  await page.locator(".json-error code").getByText("/groups/0").waitFor();
  await button(page, "Line 1, column 29").waitFor();
  await button(page, "Needs support").click();
  await page.getByText(/Support from the provider is required/).first().waitFor();
  await button(page, "Enterprise with many settings").click();
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  await step(page, "Review").click();
  await tab(page, "New configuration");
  const body = page.getByLabel("Request body");
  await body.fill((await body.inputValue()).replace("http.request.method eq", "http.request.metod eq"));
  await page.getByText("One problem", { exact: true }).waitFor();
  await button(page, "Reset to plan").click();
  await page.getByText("No problems. The service would accept this configuration").waitFor();
  await tab(page, "Simulate");
  await page.getByText(/No differences found|requests are handled differently/).waitFor();
  assert.equal(await page.getByRole("table", { name: "Requests before and after" }).locator("tbody tr").count(), 3);
  await page.getByLabel("Requests", { exact: true }).fill(Array.from({ length: 205 }, (_, index) => `https://www.example.com/${index}`).join("\n"));
  await page.getByText("Only the first 200 requests are simulated; 5 more are omitted.").waitFor();
  assert.equal(await page.getByRole("table", { name: "Requests before and after" }).locator("tbody tr").count(), 200);
  await step(page, "Finish").click();
  assert.ok(await button(page, "Migrate permanently").isDisabled());
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a report that the browser cannot save is reported", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/migration`);
  await button(page, "Enterprise with many settings").click();
  await step(page, "Review").click();
  await tab(page, "Report");
  await page.evaluate(() => { URL.createObjectURL = () => { throw new Error("no space"); }; });
  await button(page, "Save HTML").click();
  await waitForToast(page, "The browser could not save the file");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`the migration page is accessible (${scheme}, ${width} px)`, { timeout: 240_000 }, async () => {
      const size = { width, height: width === 360 ? 740 : 800, scheme };
      const { page, context } = await openPage(host.browser, `${host.host.url}#/migration`, size);
      const name = (view) => `migration-${view.toLowerCase().replaceAll(" ", "-")}-${scheme}-${width}`;
      await expectAccessible(page, name("empty"));
      const hidden = await page.locator(".status").evaluate((bar) => bar.scrollWidth - bar.clientWidth);
      assert.ok(hidden <= 0, `${hidden} px of the status bar are hidden`);
      await button(page, "Blocked by overrides").click();
      await expectAccessible(page, name("blocked"));
      await button(page, "Needs support").click();
      await expectAccessible(page, name("support"));
      const verdict = await page.getByText("Support from the provider is required").first().boundingBox();
      assert.ok(verdict.y > 0 && verdict.y < size.height, "the verdict about the example is in view");
      await button(page, "Enterprise with many settings").click();
      for (const stage of ["Check", "Configuration", "Validation", "Finish", "Status"]) {
        await step(page, stage).click();
        await expectAccessible(page, name(stage));
      }
      await step(page, "Review").click();
      for (const side of reviewTabs) {
        await tab(page, side);
        await expectAccessible(page, name(side));
      }
      await context.close();
    });
  }
}
