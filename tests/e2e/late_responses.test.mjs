// Responses that arrive after the user has continued: each applies to its own object, and newer input remains.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor } from "./support/browser.mjs";
import { jobHelpers, waitForToast } from "./support/jobs.mjs";
import { migrationHelpers, readZone } from "./support/migration.mjs";
import { holdRequest } from "./support/requests.mjs";
import { ruleHelpers } from "./support/rules.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const { open: openJobs, api: jobs, clear } = jobHelpers(harness);
const { open: openRules, api: call } = ruleHelpers(harness);
const { open: openMigration } = migrationHelpers(harness);
const testOptions = { timeout: 120_000 };
const address = "s3://example-logs/logs?region=eu-west-1&access-key-id=AKIAZ5GM3KQWLB7XTPDN&secret-access-key=hidden";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page, name) => page.getByLabel(name, { exact: true });
const createRule = async (name) => (await call("POST", "/firewall/rules", [{ action: "block", description: name, filter: { expression: `http.host eq "${name}.example.com"` } }]))[0];
const createJob = (name, more = {}) => jobs("POST", "", { name, dataset: "http_requests", destination_conf: address, enabled: false, ...more });

/** Deletes the first object and opens the dialog of the second one before the response arrives. */
async function deleteThenAsk(page, first, second, options) {
  const pending = await holdRequest(page, "DELETE", options);
  const dialog = page.getByRole("dialog");
  await first.click();
  await button(dialog, "Delete").click();
  await pending.arrived;
  await button(dialog, "Cancel").click();
  await second.click();
  await button(dialog, "Cancel").waitFor();
  pending.release();
  return dialog;
}

test("a rule deletion response leaves the dialog of another rule unchanged", testOptions, async () => {
  await createRule("first-answer");
  const other = await createRule("second-answer");
  const { page, context } = await openRules();
  const dialog = await deleteThenAsk(page, button(page, "Delete rule first-answer"), button(page, "Delete rule second-answer"));
  await waitForToast(page, "Rule deleted");
  assert.equal(await dialog.getByRole("heading").innerText(), "Delete this rule?");
  await dialog.getByText("second-answer").waitFor();
  await button(dialog, "Delete").click();
  await dialog.getByRole("heading", { name: "Rule deleted" }).waitFor();
  assert.equal((await call("GET", "/firewall/rules")).some(({ id }) => id === other.id), false);
  await context.close();
});

test("an unknown rule deletion is not shown in the dialog of another rule", testOptions, async () => {
  await createRule("first-unknown");
  const other = await createRule("second-unknown");
  const { page, context } = await openRules();
  const dialog = await deleteThenAsk(page, button(page, "Delete rule first-unknown"), button(page, "Delete rule second-unknown"), { lost: true });
  await waitForToast(page, "We don't know whether it was deleted");
  assert.equal(await dialog.getByRole("alert").count(), 0);
  assert.equal((await call("GET", "/firewall/rules")).some(({ id }) => id === other.id), true);
  await context.close();
});

test("a rule deletion that is looked up after a lost response names its own rule", testOptions, async () => {
  const rule = await createRule("looked-up");
  const { page, context } = await openRules();
  const { arrived, release } = await holdRequest(page, "DELETE", { lost: true });
  const dialog = page.getByRole("dialog");
  await button(page, "Delete rule looked-up").click();
  await button(dialog, "Delete").click();
  await arrived;
  release();
  await dialog.getByText("It still exists.").waitFor();
  await call("DELETE", `/firewall/rules/${rule.id}`);
  await button(dialog, "Check again").click();
  await dialog.getByRole("heading", { name: "Rule deleted" }).waitFor();
  await dialog.getByText(rule.filter.id).waitFor();
  await context.close();
});

test("a filter deletion response leaves the dialog of another filter open", testOptions, async () => {
  const expressions = ["first", "second"].map((name) => `http.host eq "${name}-filter.example.com"`);
  await call("POST", "/filters", expressions.map((expression) => ({ expression })));
  const { page, context } = await openRules();
  await button(page, "Filters").first().click();
  const [first, second] = expressions.map((expression) => button(page, `Delete filter ${expression}`));
  const dialog = await deleteThenAsk(page, first, second);
  await waitForToast(page, "Filter deleted");
  await dialog.getByText("second-filter").waitFor();
  await context.close();
});

test("a job deletion response leaves the dialog of another job open", testOptions, async () => {
  await clear();
  await createJob("first-job");
  await createJob("second-job");
  const { page, context } = await openJobs();
  const dialog = await deleteThenAsk(page, button(page, "Delete job first-job"), button(page, "Delete job second-job"));
  await waitForToast(page, "Job deleted");
  await dialog.getByText("second-job").waitFor();
  assert.deepEqual((await jobs("GET", "")).map(({ name }) => name), ["second-job"]);
  await context.close();
});

test("a blocker deletion response leaves the dialog of another blocker open", testOptions, async () => {
  const { page, context } = await openMigration("blocked.example");
  await readZone(page, "blocked.example");
  const name = await page.locator(".blocker").filter({ has: button(page, "Delete…") }).nth(1).locator(".cell-title").innerText();
  const dialog = await deleteThenAsk(page, button(page, "Delete…").first(), button(page, "Delete…").nth(1));
  await waitForToast(page, "Deleted. The zone has been reloaded.");
  await dialog.getByText(name, { exact: true }).first().waitFor();
  await context.close();
});

test("a rule edited during a save keeps the newer input", testOptions, async () => {
  const rule = await createRule("edited-late");
  const { page, context } = await openRules();
  await button(page, "Edit rule edited-late").click();
  await field(page, "Paused").check();
  const pending = await holdRequest(page, "PUT");
  await button(page, "Save changes").click();
  await pending.arrived;
  await page.getByLabel("Priority").fill("7");
  pending.release();
  await waitForToast(page, "Rule updated");
  await page.getByRole("heading", { name: "Edit rule" }).waitFor();
  assert.equal(await page.getByLabel("Priority").inputValue(), "7");
  const response = page.waitForResponse((response) => response.request().method() === "PUT");
  await button(page, "Save changes").click();
  await response;
  await page.getByRole("heading", { name: "New rule" }).waitFor();
  const now = await call("GET", `/firewall/rules/${rule.id}`);
  assert.deepEqual([now.paused, now.priority], [true, 7]);
  await context.close();
});

test("a rule edited after a lost response keeps the newer input when it is looked up", testOptions, async () => {
  const rule = await createRule("edited-lost");
  const { page, context } = await openRules();
  await button(page, "Edit rule edited-lost").click();
  await field(page, "Paused").check();
  const pending = await holdRequest(page, "PUT", { lost: true });
  await button(page, "Save changes").click();
  pending.release();
  await page.getByText("We don't know whether the rule was updated").waitFor();
  await page.getByLabel("Priority").fill("many");
  await call("PUT", `/firewall/rules/${rule.id}`, { action: "block", description: "edited-lost", paused: true, filter: { id: rule.filter.id } });
  await button(page, "Check again").click();
  await waitForToast(page, "Rule updated");
  await button(page, "Check again").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Priority").inputValue(), "many");
  assert.equal(await page.getByRole("heading", { name: "Edit rule" }).count(), 1);
  await context.close();
});

test("a job edited during a save keeps the newer input", testOptions, async () => {
  await clear();
  const { id } = await createJob("edited");
  const { page, context } = await openJobs();
  await button(page, "Edit job edited").click();
  await field(page, "Name").fill("sent");
  const pending = await holdRequest(page, "PUT");
  await button(page, "Save changes").click();
  await pending.arrived;
  await field(page, "Name").fill("newer");
  pending.release();
  await waitForToast(page, "Job updated");
  assert.equal(await field(page, "Name").inputValue(), "newer");
  await button(page, "Save changes").click();
  await button(page, "Save changes").waitFor({ state: "detached" });
  assert.equal((await jobs("GET", `/${id}`)).name, "newer");
  await context.close();
});

test("a job whose edit is reverted during its save can be saved again", testOptions, async () => {
  await clear();
  const { id } = await createJob("original");
  const { page, context } = await openJobs();
  await button(page, "Edit job original").click();
  await field(page, "Name").fill("sent");
  const pending = await holdRequest(page, "PUT");
  await button(page, "Save changes").click();
  await pending.arrived;
  await field(page, "Name").fill("original");
  pending.release();
  await waitForToast(page, "Job updated");
  assert.equal((await jobs("GET", `/${id}`)).name, "sent");
  await button(page, "Save changes").click();
  await button(page, "Save changes").waitFor({ state: "detached" });
  assert.equal((await jobs("GET", `/${id}`)).name, "original");
  await context.close();
});

test("a job edited after an overwrite keeps the members that others saved", testOptions, async () => {
  await clear();
  const { id } = await createJob("mine", { max_upload_records: 2000 });
  const { page, context } = await openJobs();
  await button(page, "Edit job mine").click();
  await field(page, "Name").fill("sent");
  await jobs("PUT", `/${id}`, { max_upload_records: 5000 });
  await button(page, "Save changes").click();
  const pending = await holdRequest(page, "PUT");
  await button(page, "Overwrite").click();
  await pending.arrived;
  await field(page, "Name").fill("newer");
  pending.release();
  await waitForToast(page, "Job updated");
  await button(page, "Save changes").click();
  await button(page, "Save changes").waitFor({ state: "detached" });
  const now = await jobs("GET", `/${id}`);
  assert.deepEqual([now.name, now.max_upload_records], ["newer", 5000]);
  await context.close();
});

/** Submits the form of a new job, and holds the request. */
async function submitNewJob(page, name) {
  await button(page, "New job").first().click();
  await field(page, "Name").fill(name);
  await field(page, "Bucket").fill("example-logs");
  await page.getByLabel("Region").fill("eu-west-1");
  await page.getByLabel("Access key ID", { exact: false }).first().fill("AKIAZ5GM3KQWLB7XTPDN");
  await field(page, "Secret access key").fill("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  const pending = await holdRequest(page, "POST");
  await button(page, "Create job").click();
  await pending.arrived;
  return pending;
}

test("a new job edited during its creation becomes an edit of the created job", testOptions, async () => {
  await clear();
  const { page, context } = await openJobs();
  const pending = await submitNewJob(page, "created");
  await field(page, "Name").fill("newer");
  pending.release();
  await waitForToast(page, "Job created");
  assert.equal(await field(page, "Name").inputValue(), "newer");
  await button(page, "Save changes").click();
  await button(page, "Save changes").waitFor({ state: "detached" });
  assert.deepEqual((await jobs("GET", "")).map(({ name }) => name), ["newer"]);
  await context.close();
});

test("a new job started during another creation stays a new job", testOptions, async () => {
  await clear();
  const { page, context } = await openJobs();
  const pending = await submitNewJob(page, "created");
  await button(page, "Discard").click();
  await button(page, "New job").first().click();
  await field(page, "Name").fill("another");
  pending.release();
  await waitForToast(page, "Job created");
  assert.equal(await field(page, "Name").inputValue(), "another");
  await button(page, "Create job").waitFor();
  await context.close();
});

test("a creation that ends while another job is edited leaves no draft", testOptions, async () => {
  await clear();
  await createJob("present");
  const { page, context } = await openJobs();
  const pending = await submitNewJob(page, "created");
  await button(page, "Back to jobs").click();
  await button(page, "Edit job present").click();
  await field(page, "Name").fill("changed");
  pending.release();
  await waitForToast(page, "Job created");
  assert.equal(await field(page, "Name").inputValue(), "changed");
  await button(page, "Discard").click();
  await button(page, "New job").first().waitFor();
  await context.close();
});

test("a new rule edited during its creation keeps the newer input", testOptions, async () => {
  const { page, context } = await openRules();
  await fillEditor(page, 'http.host eq "created-late.example.com"', "Filter expression");
  const pending = await holdRequest(page, "POST");
  await button(page, "Create rule").click();
  await pending.arrived;
  await page.getByLabel("Description").fill("newer");
  pending.release();
  await waitForToast(page, "Rule created");
  assert.equal(await page.getByLabel("Description").inputValue(), "newer");
  await context.close();
});

test("a job with defaults that the service added is found", testOptions, async () => {
  await clear();
  const { id } = await createJob("defaults", { output_options: { field_names: ["ClientIP"], sample_rate: 0.5, "CVE-2021-44228": true } });
  const { page, context } = await openJobs();
  await button(page, "Edit job defaults").click();
  await page.locator("#job-sample_rate").fill("");
  let isLost = false;
  await page.route(/logpush\/jobs\/\d+$/, async (route) => {
    const method = route.request().method();
    if (method === "PUT") {
      await route.fetch();
      isLost = true;
      return route.abort("connectionreset");
    }
    if (method !== "GET" || !isLost) return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    const defaults = { output_type: "ndjson", timestamp_format: "unixnano", sample_rate: 1, "CVE-2021-44228": "true", merge_subrequests: false, batch_prefix: "", record_prefix: "{", record_suffix: "}\n", field_delimiter: "," };
    json.result.output_options = { ...json.result.output_options, ...defaults };
    return route.fulfill({ response, json });
  });
  await button(page, "Save changes").click();
  await waitForToast(page, "Job updated");
  assert.equal((await jobs("GET", `/${id}`)).output_options.sample_rate, undefined);
  await context.close();
});

test("a job with other output options is not found", testOptions, async () => {
  await clear();
  await createJob("others", { output_options: { field_names: ["ClientIP"], sample_rate: 0.5 } });
  const { page, context } = await openJobs();
  await button(page, "Edit job others").click();
  await page.locator("#job-sample_rate").fill("");
  let isLost = false;
  await page.route(/logpush\/jobs\/\d+$/, async (route) => {
    const method = route.request().method();
    if (method === "PUT") {
      isLost = true;
      return route.abort("connectionreset");
    }
    if (method !== "GET" || !isLost) return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    json.result.output_options = { field_names: ["ClientIP"], record_prefix: "" };
    return route.fulfill({ response, json });
  });
  await button(page, "Save changes").click();
  await page.getByText("We don't know whether the job was updated").waitFor();
  await page.getByText("The current state is neither the previous one nor the one that you sent").waitFor();
  await context.close();
});
