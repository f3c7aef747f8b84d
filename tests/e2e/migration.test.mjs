// The page of the migration: a zone is looked at, reviewed, validated and taken through the one-way door;
// one that cannot migrate is refused; without a service all but sending works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { judge } from "./support/looks.mjs";
import { connect } from "./support/service.mjs";
import { withFiles, withService } from "./support/setup.mjs";

const it = withService(undefined, () => ["--migration-delay", "3"]);
const host = withFiles();
// A zone without an entry point answers 404, and one that cannot migrate has no new configuration: 400.
const expected = [/status of 40[04]/];

const nav = (page, name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
const step = (page, name) => page.getByRole("navigation", { name: "Steps of the migration" }).getByRole("button", { name: new RegExp(`^${name}`) });
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const sides = ["Before and after", "Every setting", "New configuration", "Strictness", "Firewall rules", "Rehearse", "Report"];

async function open(zone, options) {
  const opened = await openPage(it.browser, it.service.url, options);
  await signIn(opened.page, zone);
  return opened;
}

async function signIn(page, zone) {
  await connect(page, it.service.credentials);
  const { id } = it.service.credentials.zones.find((one) => one.name === zone);
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(id);
  await nav(page, "Migration");
}

async function readZone(page, zone) {
  await button(page, `Read ${zone}`).click();
  await page.getByText("This is what the service has.").waitFor();
}

/** Saves what a button saves and gives its name and text. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return { name: download.suggestedFilename(), text: Buffer.concat(pieces).toString("utf8") };
}

async function status(zone) {
  const { base_url: base, token, zones } = it.service.credentials;
  const { id } = zones.find((one) => one.name === zone);
  const answer = await fetch(`${base}/zones/${id}/waf_migration/status`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()).result.migration_state;
}

/** Does all that the last step asks for and opens the door. */
async function throughTheDoor(page, zone) {
  await step(page, "Finish").click();
  const go = button(page, "Migrate for good");
  assert.ok(await go.isDisabled());
  const file = await saved(page, "Save backup");
  assert.equal(file.name, `${zone}-before-migration.json`);
  assert.ok(JSON.parse(file.text).rules.length > 0);
  for (const box of await page.locator(".losses").getByRole("checkbox").all()) await box.check();
  assert.ok(await go.isDisabled(), "the name is missing");
  await page.getByLabel(`Type ${zone} to open the door`).fill("another.example");
  assert.ok(await go.isDisabled(), "the name is wrong");
  await page.getByLabel(`Type ${zone} to open the door`).fill(zone);
  const request = await page.getByRole("region", { name: "Request" }).innerText();
  assert.match(request, /PUT http:\/\/127\.0\.0\.1:\d+\/client\/v4\/zones\/[0-9a-f]{32}\/rulesets\/phases\/http_request_firewall_managed\/entrypoint\?waf_migration=pending&phase_two=1/);
  assert.match(request, /If-Match: "[0-9a-f]{64}-(start-none|validation-[0-9a-f]{32}-\d+)"/);
  assert.ok(!request.includes(it.service.credentials.token), "the token stands on the page");
  await judge(page, `migration-${zone}-finish`);
  await go.click();
  await page.getByRole("list", { name: "States of the migration" }).waitFor();
  await page.getByText("The migration is complete.").waitFor();
  assert.equal(await status(zone), "complete");
  await judge(page, `migration-${zone}-complete`);
}

test("an Enterprise zone goes through all steps, and a reload goes on where it was", { timeout: 240_000 }, async () => {
  const zone = "enterprise.example";
  const { page, context, complaints } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  await page.getByText("The service says: compatible").waitFor();
  await judge(page, "migration-enterprise-check");
  await step(page, "Configuration").click();
  await page.getByText(/The service proposes the same \d+ rules/).waitFor();
  await judge(page, "migration-enterprise-configuration");
  await step(page, "Review").click();
  for (const side of sides) {
    await tab(page, side);
    await judge(page, `migration-enterprise-${side.toLowerCase().replaceAll(" ", "-")}`);
  }
  assert.match((await saved(page, "Save HTML")).text, /^<!doctype html>/i);
  assert.match((await saved(page, "Save Markdown")).text, /^# Migration of enterprise\.example/);
  assert.ok(JSON.parse((await saved(page, "Save JSON")).text).findings.length > 50);

  await step(page, "Validation").click();
  await judge(page, "migration-enterprise-validation");
  await button(page, "Start validation").click();
  await page.getByText("Old and new managed rules run side by side. The new").waitFor();
  assert.equal(await status(zone), "validation");

  // The tab is closed and opened again.
  await page.reload();
  await signIn(page, zone);
  await page.getByText("The zone is in validation now.").waitFor();
  await step(page, "Check").click();
  await readZone(page, zone);
  await throughTheDoor(page, zone);
  await nav(page, "Jobs");
  await nav(page, "Migration");
  await page.getByText("The migration is complete.").waitFor();
  assert.deepEqual(complaints(expected), []);
  await context.close();
});

test("a Pro zone has no validation; a configuration that changed meanwhile is not sent", { timeout: 240_000 }, async () => {
  const zone = "pro.example";
  const { page, context, complaints } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The Pro plan has no validation").waitFor();
  assert.equal(await step(page, "Validation").count(), 0);

  // Somebody else changes a setting while it is being reviewed.
  const { base_url: base, token, zones } = it.service.credentials;
  const { id } = zones.find((one) => one.name === zone);
  await step(page, "Finish").click();
  await saved(page, "Save backup");
  for (const box of await page.locator(".losses").getByRole("checkbox").all()) await box.check();
  await page.getByLabel(`Type ${zone} to open the door`).fill(zone);
  const changed = await fetch(`${base}/zones/${id}/firewall/rules`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify([{ action: "bypass", products: ["waf"], filter: { expression: "ip.src eq 192.0.2.77" } }]),
  });
  assert.equal(changed.status, 200);
  await button(page, "Migrate for good").click();
  await page.getByText("the configuration of the zone has changed since it was read").waitFor();
  assert.equal(await status(zone), "start");

  await button(page, "Go to the check").click();
  await readZone(page, zone);
  await throughTheDoor(page, zone);
  assert.deepEqual(complaints(expected), []);
  await context.close();
});

test("without an answer to the update, the status is asked and nothing is sent again", { timeout: 240_000 }, async () => {
  const zone = "business.example";
  const { page, context } = await open(zone);
  await readZone(page, zone);
  await step(page, "Finish").click();
  await saved(page, "Save backup");
  for (const box of await page.locator(".losses").getByRole("checkbox").all()) await box.check();
  await page.getByLabel(`Type ${zone} to open the door`).fill(zone);
  let puts = 0;
  await page.route(/entrypoint\?waf_migration/, async (route) => {
    puts += 1;
    // The service gets it, the answer is lost.
    await route.fetch();
    await route.abort("connectionreset");
  });
  await button(page, "Migrate for good").click();
  await page.getByText("Whether the service did it is not known").waitFor();
  await page.getByText("The status says that it was done.").waitFor();
  await judge(page, "migration-unknown");
  assert.equal(puts, 1);
  await context.close();
});

test("a blocked zone is refused until its overrides are deleted", { timeout: 240_000 }, async () => {
  const zone = "blocked.example";
  const { page, context, complaints } = await open(zone);
  await readZone(page, zone);
  await page.getByText("The zone cannot migrate yet: 2 settings in the way").waitFor();
  await page.getByText("The service says: not compatible").waitFor();
  await judge(page, "migration-blocked");
  await step(page, "Validation").click();
  assert.ok(await button(page, "Start validation").isDisabled());
  await step(page, "Finish").click();
  await page.getByText("The zone cannot migrate: the check says why.").waitFor();
  assert.ok(await button(page, "Migrate for good").isDisabled());
  await step(page, "Check").click();
  for (const left of ["one setting in the way", "The zone can migrate"]) {
    await button(page, "Delete…").first().click();
    await page.getByRole("dialog", { name: "Delete what is in the way?" }).getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(left).first().waitFor();
  }
  assert.equal(await status(zone), "start");
  assert.deepEqual(complaints(expected), []);
  await context.close();
});

test("without a service: problems have their places, and the review works", { timeout: 240_000 }, async () => {
  const { page, context, complaints } = await openPage(host.browser, `${host.host.url}#/migration`);
  const text = page.getByLabel("Configuration as JSON");
  await text.fill('{"plan": "gold", "groups": [{"id": "a", "mode": "maybe"}]}');
  await page.getByText("The configuration cannot be read: 2 to mend").waitFor();
  await page.locator(".refusal code").getByText("/groups/0").waitFor();
  await button(page, "Needs support").click();
  await page.getByText(/support has to help/).first().waitFor();
  await button(page, "Enterprise with everything").click();
  await page.getByText("The zone can migrate", { exact: true }).waitFor();
  await step(page, "Review").click();
  await tab(page, "New configuration");
  const body = page.getByLabel("Body of the update");
  await body.fill((await body.inputValue()).replace("http.request.method eq", "http.request.metod eq"));
  await page.getByText("One problem", { exact: true }).waitFor();
  await button(page, "Back to the plan").click();
  await page.getByText("No problems: the service would take it").waitFor();
  await tab(page, "Rehearse");
  await page.getByText(/No request is known to be handled differently|requests are handled differently/).waitFor();
  assert.equal(await page.getByRole("table", { name: "Requests before and after" }).locator("tbody tr").count(), 3);
  await step(page, "Finish").click();
  assert.ok(await button(page, "Migrate for good").isDisabled());
  assert.deepEqual(complaints(), []);
  await context.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`looks: ${scheme} at ${width} px`, { timeout: 240_000 }, async () => {
      const size = { width, height: width === 360 ? 740 : 800, scheme };
      const { page, context } = await openPage(host.browser, `${host.host.url}#/migration`, size);
      const name = (what) => `migration-${what.toLowerCase().replaceAll(" ", "-")}-${scheme}-${width}`;
      await judge(page, name("empty"));
      await button(page, "Blocked by overrides").click();
      await judge(page, name("blocked"));
      await button(page, "Enterprise with everything").click();
      for (const stage of ["Check", "Configuration", "Validation", "Finish", "Status"]) {
        await step(page, stage).click();
        await judge(page, name(stage));
      }
      await step(page, "Review").click();
      for (const side of sides) {
        await tab(page, side);
        await judge(page, name(side));
      }
      await context.close();
    });
  }
}
