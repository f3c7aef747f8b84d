// The list of jobs of the zone and of its account, and every member of a job.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fillEditor } from "./support/browser.mjs";
import { jobHelpers, row, waitForToast } from "./support/jobs.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService(undefined, (data) => {
  const folder = join(data, "logs");
  mkdirSync(folder);
  return ["--logpush-files", folder];
});
const { open, api, clear } = jobHelpers(harness);

test("jobs of the account are listed, created and deleted separately from those of the zone", { timeout: 120_000 }, async () => {
  await clear();
  const { page, context, consoleProblems } = await open();
  await page.getByText("No jobs yet").waitFor();
  await page.getByRole("group", { name: "Job owner" }).getByRole("button", { name: "Account" }).click();
  await page.getByText("An account job").waitFor();
  await page.getByRole("button", { name: "New job" }).click();
  const dataset = page.getByLabel("Dataset", { exact: true });
  assert.equal(await dataset.inputValue(), "audit_logs");
  const offered = await dataset.getByRole("option").allInnerTexts();
  assert.ok(offered.includes("workers_trace_events") && !offered.includes("http_requests"));
  await page.getByRole("group", { name: "Owner" }).getByRole("button", { name: "Zone" }).click();
  await page.waitForFunction(() => document.getElementById("job-dataset").value === "http_requests");
  await page.getByRole("group", { name: "Owner" }).getByRole("button", { name: "Account" }).click();
  await page.getByLabel("Name", { exact: true }).fill("audit");
  await page.getByLabel("Provider").selectOption("file");
  await page.getByLabel("Folder", { exact: true }).fill("audit/{DATE}");
  await page.getByRole("tab", { name: "Copy as" }).click();
  const { account_id: account } = harness.service.credentials;
  await page.getByRole("region", { name: "curl" }).getByText(`/accounts/${account}/logpush/jobs`).waitFor();
  assert.match(await page.getByRole("region", { name: "Terraform" }).innerText(), new RegExp(`account_id\\s+= "${account}"`));
  await page.getByRole("button", { name: "Create job" }).click();
  await waitForToast(page, "Job created");
  await row(page, "audit").getByText("audit_logs").waitFor();
  assert.deepEqual((await api("GET", "", undefined, "accounts")).map((job) => job.name), ["audit"]);
  assert.deepEqual(await api("GET", ""), []);
  await page.getByRole("switch", { name: "Enable job audit" }).click();
  await waitForToast(page, "Job audit disabled");
  await page.getByRole("group", { name: "Job owner" }).getByRole("button", { name: "Zone" }).click();
  await page.getByText("No jobs yet").waitFor();
  await page.getByRole("group", { name: "Job owner" }).getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Delete job audit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitForToast(page, "Job deleted");
  assert.deepEqual(await api("GET", "", undefined, "accounts"), []);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("every member can be edited and each error leads to its field", { timeout: 120_000 }, async () => {
  await clear();
  await api("POST", "", {
    name: "older",
    destination_conf: "file:///older",
    logpull_options: "fields=ClientIP,RayID&timestamps=unix",
    subrequest_merging: true,
    enabled: false,
  });
  const { page, context, consoleProblems } = await open();
  await page.getByRole("button", { name: "Edit job older" }).click();
  const checkbox = (name) => page.getByRole("checkbox", { name });
  assert.equal(await checkbox("subrequest_merging").isChecked(), true);
  await checkbox("subrequest_merging").uncheck();
  await page.getByRole("button", { name: "Convert to output_options" }).click();
  await checkbox("stringify_object").check();
  await checkbox("filter_attack_traffic").check();
  const field = page.getByLabel("Transformer", { exact: true });
  await field.fill("many");
  await page.getByRole("button", { name: "Save changes" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "Nothing was sent" });
  await page.locator(".advanced summary").click();
  await summary.getByRole("button", { name: "/transformer_id" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "job-transformer_id");
  // Only the service knows its transformers.
  await field.fill("7");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("alert").filter({ hasText: "The job was not updated" }).getByRole("button", { name: "/transformer_id" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "job-transformer_id");
  await page.locator("#job-transformer_id-error").getByText("transformer 7 not found").waitFor();
  await field.fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Job updated");
  const [job] = await api("GET", "");
  assert.deepEqual(
    [job.subrequest_merging, job.logpull_options, job.filter_attack_traffic, job.transformer_id],
    [undefined, undefined, true, undefined],
  );
  assert.deepEqual(job.output_options, { field_names: ["ClientIP", "RayID"], timestamp_format: "unix", stringify_object: true });

  await page.getByRole("button", { name: "New job" }).click();
  await page.getByLabel("Bucket", { exact: true }).fill("example logs");
  await fillEditor(page, '{"where":{"key":"EdgeResponseStatus","operator":"gte","value":500}}', "Job filter");
  await page.getByRole("button", { name: "Create job" }).click();
  const focusedId = (id) => page.waitForFunction((expectedId) => document.activeElement?.id === expectedId, id);
  const links = summary.getByRole("button");
  await links.nth(0).click();
  await focusedId("destination-bucket");
  await links.nth(1).click();
  await focusedId("destination-region");
  await links.nth(2).click();
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("aria-label") === "Job filter");
  await page.getByLabel("Provider").selectOption("https");
  await page.getByLabel("Host and path", { exact: true }).fill("logs.example.com/{DATE}");
  await page.getByRole("button", { name: "Add header" }).click();
  await page.getByLabel("Name of header 1").fill("Host");
  await page.locator(".header-row").getByText("is set by the service").waitFor();
  await page.locator("#destination-address-error").getByText("placeholders").waitFor();
  assert.deepEqual(consoleProblems([/400/]), []);
  await context.close();
});

test("the visible list refreshes automatically and keeps the focus", { timeout: 120_000 }, async () => {
  await clear();
  const created = await api("POST", "", { name: "first", destination_conf: "file:///first", enabled: false });
  const { page, context, consoleProblems } = await open();
  await row(page, "first").waitFor();
  let requestCount = 0;
  page.on("request", (request) => { requestCount += /logpush\/jobs$/.test(request.url()) ? 1 : 0; });
  await page.clock.install();
  const refreshed = page.waitForResponse(/logpush\/jobs$/);
  await page.getByRole("button", { name: "Refresh" }).click();
  await refreshed;
  await page.waitForTimeout(200);
  await page.getByRole("button", { name: "Edit job first" }).focus();
  await api("PUT", `/${created.id}`, { name: "renamed" });
  await api("POST", "", { name: "second", destination_conf: "file:///second", enabled: false });
  await page.clock.fastForward(15_100);
  await row(page, "second").waitFor();
  await row(page, "renamed").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Edit job renamed");
  // The page is hidden: no request is sent.
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
  const before = requestCount;
  await page.clock.fastForward(120_000);
  await page.waitForTimeout(300);
  assert.equal(requestCount, before);
  await api("DELETE", `/${created.id}`);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await row(page, "renamed").waitFor({ state: "detached" });
  // A failed refresh keeps the list.
  await page.route("**/logpush/jobs", (route) => route.fulfill({ status: 503, contentType: "text/plain", body: "away" }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("This list may be out of date").waitFor();
  await row(page, "second").waitFor();
  assert.deepEqual(consoleProblems([/503/]), []);
  await context.close();
});
