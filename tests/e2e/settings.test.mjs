// The Settings page: a connection test lists all zones, and its result applies only to the service that was tested.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openPage } from "./support/browser.mjs";
import { goTo } from "./support/jobs.mjs";
import { holdRequest } from "./support/requests.mjs";
import { connect } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const testOptions = { timeout: 120_000 };
const zoneList = (page) => page.locator("select#zone");
const result = (page) => page.getByText(/The connection works/);

/** Responds to lists of zones with pages of `zones`, each after `delay` milliseconds. */
async function listZones(page, zones, delay = 0) {
  await page.route(/\/client\/v4\/zones\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page"))];
    const items = zones.slice((number - 1) * size, number * size);
    const info = { page: number, per_page: size, count: items.length, total_count: zones.length, total_pages: Math.ceil(zones.length / size) };
    await setTimeout(delay);
    // The page may have aborted the request.
    await route.fulfill({ json: { success: true, errors: [], messages: [], result: items, result_info: info } }).catch(() => {});
  });
}

const manyZones = Array.from({ length: 120 }, (_, index) => ({
  id: index.toString(16).padStart(32, "0"),
  name: `zone-${index}.example`,
  status: "active",
  paused: false,
  account: { id: "f".repeat(32), name: "Account" },
  plan: { name: "Pro", legacy_id: "pro" },
}));

for (const [label, text] of [["Base URL", "https://api.example.com/client/v4"], ["Token", "another-token"]]) {
  test(`the result of a connection test is discarded after a change of the ${label.toLowerCase()}`, testOptions, async () => {
    const { page, context } = await openPage(harness.browser, harness.service.url);
    await goTo(page, "Settings");
    await page.getByLabel("Token", { exact: true }).fill(harness.service.credentials.token);
    const pending = await holdRequest(page, "GET", { pattern: /\/client\/v4\/zones\?/ });
    await page.getByRole("button", { name: "Test connection" }).click();
    await pending.arrived;
    await page.getByLabel(label, { exact: true }).fill(text);
    pending.release();
    await page.getByText("Testing the connection…").waitFor({ state: "detached" });
    await page.waitForTimeout(300);
    assert.equal(await zoneList(page).count(), 0);
    assert.equal(await result(page).count(), 0);
    assert.equal(await page.getByRole("alert").count(), 0);
    await context.close();
  });
}

test("a change of the base URL removes the result and the zones of the previous service", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await zoneList(page).waitFor();
  await page.getByLabel("Base URL", { exact: true }).fill("https://api.example.com/client/v4");
  await result(page).waitFor({ state: "detached" });
  await zoneList(page).waitFor({ state: "detached" });
  assert.equal(await page.getByRole("combobox", { name: "Zone", exact: true }).count(), 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a connection test lists all zones and keeps an entered zone of a later page", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await goTo(page, "Settings");
  await listZones(page, manyZones);
  const { id } = manyZones.at(-1);
  await page.getByLabel("Token", { exact: true }).fill(harness.service.credentials.token);
  await page.locator("input#zone").fill(id);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText("The connection works: 120 zones.").waitFor();
  assert.equal(await zoneList(page).inputValue(), id);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("each request of a connection test has its own time limit", testOptions, async () => {
  const { page, context } = await openPage(harness.browser, harness.service.url);
  await goTo(page, "Settings");
  await page.getByLabel("Token", { exact: true }).fill(harness.service.credentials.token);
  // The limit becomes 1.5 seconds.
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (limit) => timeout(limit / 20);
  });
  await listZones(page, manyZones, 700);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText("The connection works: 120 zones.").waitFor();
  await listZones(page, manyZones, 5_000);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByRole("alert").getByText("The service did not respond within 30 seconds.").waitFor();
  await context.close();
});
