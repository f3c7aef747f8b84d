// Shared helpers for the migration page tests.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";
import { expectAccessible } from "./appearance.mjs";
import { connect } from "./service.mjs";

/** The service responds with 404 for a zone without an entry point, and with 400 to a proposal for an ineligible zone. */
export const expectedErrors = [/status of 40[04]/];

export const goTo = (page, name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
export const step = (page, name) => page.getByRole("navigation", { name: "Migration steps" }).getByRole("button", { name: new RegExp(`^${name}`) });
export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const reviewTabs = ["Before and after", "All settings", "New configuration", "Order", "OWASP", "Firewall rules", "Simulate", "Report"];

export const chooseZone = (page, id) => page.getByRole("combobox", { name: "Zone" }).first().selectOption(id);

export async function readZone(page, zone) {
  await button(page, `Load ${zone}`).click();
  await page.getByText("Loaded from the service.").waitFor();
}

/** Downloads the file of a button and returns its name and text. */
export async function readDownload(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}

/** Completes the Finish step except for its final click. */
export async function completeChecklist(page, zone) {
  await step(page, "Finish").click();
  await readDownload(page, "Save backup");
  for (const box of await page.locator(".losses").getByRole("checkbox").all()) await box.check();
  await page.getByLabel(`Type ${zone} to confirm`).fill(zone);
}

/** Returns functions that open the Migration page, and that call the API of the service of `harness` by zone name. */
export function migrationHelpers(harness) {
  const zoneId = (zone) => harness.service.credentials.zones.find(({ name }) => name === zone).id;

  async function logIn(page, zone) {
    await connect(page, harness.service.credentials);
    await chooseZone(page, zoneId(zone));
    await goTo(page, "Migration");
  }

  async function open(zone, options) {
    const opened = await openPage(harness.browser, harness.service.url, options);
    await logIn(opened.page, zone);
    return opened;
  }

  async function api(zone, path, options = {}) {
    const { base_url: base, token } = harness.service.credentials;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...options.headers };
    const response = await fetch(`${base}/zones/${zoneId(zone)}/${path}`, { ...options, headers });
    return { status: response.status, ...(await response.json()) };
  }

  const status = async (zone) => (await api(zone, "waf_migration/status")).result.migration_state;

  /** Completes the Finish step, and waits until the migration is complete. */
  async function finishMigration(page, zone) {
    await step(page, "Finish").click();
    const migrate = button(page, "Migrate permanently");
    assert.ok(await migrate.isDisabled());
    const file = await readDownload(page, "Save backup");
    assert.equal(file.name, `${zone}-before-migration.json`);
    assert.ok(JSON.parse(file.text).rules.length > 0);
    for (const box of await page.locator(".losses").getByRole("checkbox").all()) await box.check();
    assert.ok(await migrate.isDisabled(), "the name is missing");
    await page.getByLabel(`Type ${zone} to confirm`).fill("another.example");
    assert.ok(await migrate.isDisabled(), "the name is wrong");
    await page.getByLabel(`Type ${zone} to confirm`).fill(zone);
    const request = await page.getByRole("region", { name: "Request" }).innerText();
    assert.match(request, /PUT http:\/\/127\.0\.0\.1:\d+\/client\/v4\/zones\/[0-9a-f]{32}\/rulesets\/phases\/http_request_firewall_managed\/entrypoint\?waf_migration=pending&phase_two=1/);
    assert.match(request, /If-Match: "[^"\n]+"/);
    assert.ok(!request.includes(harness.service.credentials.token), "the token is visible on the page");
    await expectAccessible(page, `migration-${zone}-finish`);
    await migrate.click();
    await page.getByRole("list", { name: "Migration states" }).waitFor();
    await page.getByText("The migration is complete.").waitFor();
    assert.equal(await status(zone), "complete");
    await expectAccessible(page, `migration-${zone}-complete`);
  }

  return { api, zoneId, open, logIn, status, finishMigration };
}

/** The field of the new configuration in the Review step. */
export const requestBody = (page) => page.getByLabel("Request body");

/** Changes the new configuration in the Review step. */
export async function editNewConfiguration(page, change) {
  await step(page, "Review").click();
  await tab(page, "New configuration");
  const body = JSON.parse(await requestBody(page).inputValue());
  change(body);
  await requestBody(page).fill(JSON.stringify(body, null, 2));
}
