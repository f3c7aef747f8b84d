// The Settings page: the result of a connection test applies only to the service that was tested.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { goTo } from "./support/jobs.mjs";
import { holdRequest } from "./support/requests.mjs";
import { connect } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const testOptions = { timeout: 120_000 };
const zoneList = (page) => page.locator("select#zone");
const result = (page) => page.getByText(/The connection works/);

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
