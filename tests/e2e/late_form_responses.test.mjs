// Responses to a form that shows another object, or belongs to another zone, when they arrive.
import assert from "node:assert/strict";
import { test } from "node:test";
import { jobHelpers, waitForToast } from "./support/jobs.mjs";
import { holdRequest, rejection } from "./support/requests.mjs";
import { ruleHelpers } from "./support/rules.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const { open: openJobs, clear } = jobHelpers(harness);
const { open: openRules, api: call } = ruleHelpers(harness);
const testOptions = { timeout: 120_000 };

const button = (page, name) => page.getByRole("button", { name, exact: true });
const createRule = async (name) => (await call("POST", "/firewall/rules", [{ action: "block", description: name, filter: { expression: `http.host eq "${name}.example.com"` } }]))[0];

/** Saves a rule, and edits a second rule before the response to the first one arrives. */
async function saveThenEdit(page, first, second, method, options) {
  await button(page, `Edit rule ${first.description}`).click();
  await page.getByLabel("Paused").check();
  const pending = await holdRequest(page, method, { pattern: new RegExp(`/firewall/rules/${first.id}$`), ...options });
  await button(page, "Save changes").click();
  await pending.arrived;
  await button(page, `Edit rule ${second.description}`).click();
  await page.getByLabel("Description").fill(`${second.description}-changed`);
  pending.release();
}

test("a conflict response leaves the form of another rule unchanged", testOptions, async () => {
  const [first, second] = [await createRule("first-conflict"), await createRule("second-conflict")];
  const { page, context } = await openRules();
  await button(page, "Edit rule first-conflict").waitFor();
  await call("PUT", `/firewall/rules/${first.id}`, { action: "log", description: "first-conflict", filter: { id: first.filter.id } });
  await saveThenEdit(page, first, second, "GET");
  await waitForToast(page, "The rule was not updated: someone else changed it while you were editing it");
  assert.equal(await button(page, "Overwrite").count(), 0);
  assert.equal(await page.getByRole("alert").count(), 0);
  await button(page, "Save changes").click();
  await waitForToast(page, "Rule updated");
  const rules = [await call("GET", `/firewall/rules/${first.id}`), await call("GET", `/firewall/rules/${second.id}`)];
  assert.deepEqual(rules.map(({ action, description }) => [action, description]), [["log", "first-conflict"], ["block", "second-conflict-changed"]]);
  await context.close();
});

test("a rejection leaves the form of another rule unchanged", testOptions, async () => {
  const [first, second] = [await createRule("first-rejected"), await createRule("second-rejected")];
  const { page, context } = await openRules();
  const respond = rejection({ message: "the rule is rejected", source: { pointer: "/description" } });
  await saveThenEdit(page, first, second, "PUT", { respond });
  await waitForToast(page, "The rule was not updated");
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await page.locator(".field.wrong").count(), 0);
  assert.equal(await page.getByLabel("Description").inputValue(), "second-rejected-changed");
  await context.close();
});

/** Submits the form of a new job, and holds the request. */
async function submitNewJob(page, name, options) {
  await button(page, "New job").first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await page.getByLabel("Region").fill("eu-west-1");
  await page.getByLabel("Access key ID", { exact: true }).fill("AKIAZ5GM3KQWLB7XTPDN");
  await page.getByLabel("Secret access key", { exact: true }).fill("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  const pending = await holdRequest(page, "POST", options);
  await button(page, "Create job").click();
  await pending.arrived;
  return pending;
}

/** Selects another zone than the one that the page shows first. */
async function selectOtherZone(page) {
  const { zones, zone_id: current } = harness.service.credentials;
  const other = zones.find(({ id }) => id !== current);
  await page.getByRole("combobox", { name: "Zone", exact: true }).selectOption(other.id);
}

const respond = rejection({ message: "the job is rejected", source: { pointer: "/name" } });

test("a rejected job of the previous zone is not shown in the form of a new job", testOptions, async () => {
  await clear();
  const { page, context } = await openJobs();
  const pending = await submitNewJob(page, "moved", { respond });
  await selectOtherZone(page);
  pending.release();
  await waitForToast(page, "The job was not created");
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await page.getByText("the job is rejected").count(), 0);
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "moved");
  await context.close();
});

test("a change of the zone removes the rejection of a new job", testOptions, async () => {
  await clear();
  const { page, context } = await openJobs();
  const pending = await submitNewJob(page, "rejected", { respond });
  pending.release();
  const notice = page.getByRole("alert").filter({ hasText: "The job was not created" });
  await notice.waitFor();
  await selectOtherZone(page);
  await notice.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "rejected");
  await context.close();
});
