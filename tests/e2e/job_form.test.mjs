// The form of a job: its filter on the Log filters page, its ownership challenge, and links from errors to fields.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor } from "./support/browser.mjs";
import { goTo, jobHelpers, waitForToast } from "./support/jobs.mjs";
import { holdRequest, rejection } from "./support/requests.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const { open, api, clear } = jobHelpers(harness);
const testOptions = { timeout: 120_000 };
const address = "s3://example-logs/logs?region=eu-west-1&access-key-id=AKIAZ5GM3KQWLB7XTPDN&secret-access-key=hidden";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const selectsCountry = (country) => JSON.stringify({ where: { key: "ClientCountry", operator: "eq", value: country } });
const createJob = (name, country) => api("POST", "", { name, dataset: "http_requests", destination_conf: address, enabled: false, filter: selectsCountry(country) });

/** Waits until the Log filters page shows the filter that it had before, and no banner of a job. */
async function waitForOwnFilter(page) {
  await page.waitForFunction(() => document.querySelector(".editor-host")?.shadowRoot?.querySelector(".cm-content")?.innerText.includes("shop.example.com"));
  assert.equal(await button(page, "Use in job").count(), 0);
}

/** Opens a job and shows its filter on the Log filters page. */
async function editInLogFilters(page, name) {
  await button(page, `Edit job ${name}`).click();
  await button(page, "Edit in Log filters").click();
  await button(page, "Use in job").waitFor();
}

test("the filter of a job is not carried into another job", testOptions, async () => {
  await clear();
  await createJob("first", "de");
  await createJob("second", "at");
  const { page, context } = await open();
  await editInLogFilters(page, "first");
  await goTo(page, "Jobs");
  await button(page, "Back to jobs").click();
  await button(page, "Edit job second").click();
  await goTo(page, "Log filters");
  await waitForOwnFilter(page);
  await goTo(page, "Jobs");
  assert.match(await editor(page, "Job filter").innerText(), /"at"/);
  await page.getByText("No changes to save.").waitFor();
  await context.close();
});

test("a filter that is opened twice in Log filters preserves the user's filter", testOptions, async () => {
  await clear();
  await createJob("twice", "de");
  const { page, context } = await open();
  await editInLogFilters(page, "twice");
  await fillEditor(page, selectsCountry("ch"), "Filter");
  await goTo(page, "Jobs");
  await button(page, "Edit in Log filters").click();
  await button(page, "Use in job").waitFor();
  assert.match(await editor(page, "Filter").innerText(), /"ch"/);
  await button(page, "Discard changes").click();
  await page.getByText("No changes to save.").waitFor();
  await goTo(page, "Log filters");
  await waitForOwnFilter(page);
  await context.close();
});

test("discarding a job restores the filter of Log filters", testOptions, async () => {
  await clear();
  await createJob("discarded", "de");
  const { page, context } = await open();
  await editInLogFilters(page, "discarded");
  await goTo(page, "Jobs");
  await button(page, "Discard").click();
  await goTo(page, "Log filters");
  await waitForOwnFilter(page);
  await context.close();
});

test("a change of the zone restores the filter of Log filters", testOptions, async () => {
  await clear();
  await createJob("left", "de");
  const { page, context } = await open();
  await editInLogFilters(page, "left");
  const { zones, zone_id: current } = harness.service.credentials;
  const other = zones.find(({ id }) => id !== current);
  await page.getByRole("combobox", { name: "Zone", exact: true }).selectOption(other.id);
  await button(page, "Use in job").waitFor({ state: "detached" });
  await waitForOwnFilter(page);
  await context.close();
});

test("a deleted job is no longer edited", testOptions, async () => {
  await clear();
  await createJob("deleted", "de");
  const { page, context } = await open();
  await button(page, "Edit job deleted").click();
  await button(page, "Back to jobs").click();
  await button(page, "Resume editing deleted").waitFor();
  await button(page, "Delete job deleted").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await waitForToast(page, "Job deleted");
  await button(page, "Resume editing deleted").waitFor({ state: "detached" });
  await button(page, "New job").first().click();
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "");
  await context.close();
});

test("an unsaved edit is discarded only after a confirmation", testOptions, async () => {
  await clear();
  await createJob("first", "de");
  await createJob("second", "at");
  const { page, context, consoleProblems } = await open();
  const name = page.getByLabel("Name", { exact: true });
  const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
  await button(page, "Edit job first").click();
  await name.fill("changed");
  await button(page, "Back to jobs").click();

  await button(page, "Edit job second").click();
  await dialog.getByText("You have unsaved changes to job first. Editing job second discards them.").waitFor();
  await button(dialog, "Cancel").click();
  await button(page, "New job").first().click();
  await dialog.getByText("Starting a new job discards them.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // The same job is not opened again: its edit is resumed.
  await button(page, "Edit job first").click();
  assert.equal(await name.inputValue(), "changed");

  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("new job");
  await page.keyboard.press("Enter");
  await button(dialog, "Cancel").click();
  assert.equal(await name.inputValue(), "changed");
  await button(page, "Back to jobs").click();
  await button(page, "Edit job second").click();
  await button(dialog, "Discard changes").click();
  await page.getByText("No changes to save.").waitFor();
  assert.equal(await name.inputValue(), "second");
  await page.waitForFunction(() => document.activeElement?.id === "job-name");

  // Without changes, there is nothing to confirm.
  await button(page, "Back to jobs").click();
  await button(page, "New job").first().click();
  await page.getByRole("heading", { name: "New job" }).waitFor();
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("an edit on the Log filters page is discarded only after a confirmation", testOptions, async () => {
  await clear();
  await createJob("filtered", "de");
  const { page, context } = await open();
  await editInLogFilters(page, "filtered");
  await fillEditor(page, selectsCountry("ch"), "Filter");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("new job");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
  await button(dialog, "Cancel").click();
  await button(page, "Edit in Log filters").click();
  assert.match(await editor(page, "Filter").innerText(), /"ch"/);
  await context.close();
});

/** Opens the form of a new job to Google Cloud Storage, which requires an ownership challenge. */
async function startJobWithChallenge(page) {
  await button(page, "New job").first().click();
  await page.getByLabel("Provider").selectOption("gs");
  await page.getByText("Requires an ownership challenge.", { exact: true }).waitFor();
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await button(page, "Send challenge").waitFor();
}

test("a rejected ownership challenge shows the error of the service until the destination changes", testOptions, async () => {
  await clear();
  const { page, context } = await open();
  await startJobWithChallenge(page);
  await page.route(/logpush\/ownership$/, rejection({ message: "the bucket does not exist" }));
  await button(page, "Send challenge").click();
  const notice = page.getByRole("alert").filter({ hasText: "The challenge was not sent" });
  await notice.getByText("the bucket does not exist").waitFor();
  await page.getByLabel("Bucket", { exact: true }).fill("other-logs");
  await notice.waitFor({ state: "detached" });
  await context.close();
});

test("a late result of an ownership challenge is not shown for another destination", testOptions, async () => {
  await clear();
  const { page, context } = await open();
  await startJobWithChallenge(page);
  const pending = await holdRequest(page, "POST", { pattern: /logpush\/ownership$/, respond: rejection({ message: "the bucket does not exist" }) });
  await button(page, "Send challenge").click();
  await pending.arrived;
  assert.equal(await button(page, "Send challenge").getAttribute("aria-disabled"), "true");
  await page.getByLabel("Bucket", { exact: true }).fill("other-logs");
  pending.release();
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((element) => element.innerText === "Send challenge" && element.getAttribute("aria-disabled") === "false"));
  assert.equal(await page.getByText("the bucket does not exist").count(), 0);
  await context.close();
});

test("an error of a destination that is edited as a URL leads to the URL field", testOptions, async () => {
  await clear();
  const { page, context } = await open();
  await button(page, "New job").first().click();
  await button(page, "URL").click();
  await page.getByLabel("Destination URL", { exact: true }).fill(address);
  await page.route(/logpush\/jobs$/, (route) => (route.request().method() === "POST"
    ? rejection({ message: "the bucket does not exist", source: { pointer: "/destination_conf" } })(route)
    : route.fallback()));
  await button(page, "Create job").click();
  const notice = page.getByRole("alert").filter({ hasText: "The job was not created" });
  await button(notice, "/destination_conf").click();
  await page.waitForFunction(() => document.activeElement?.id === "destination-address");
  await context.close();
});

test("a job is not sent if the engine cannot check its filter, and the input is retained", testOptions, async () => {
  await clear();
  const { page, context } = await open();
  await page.route("**/engine-*logpush*.wasm", (route) => route.abort());
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await button(page, "New job").first().click();
  await button(page, "URL").click();
  await page.getByLabel("Destination URL", { exact: true }).fill(address);
  await fillEditor(page, selectsCountry("ch"), "Job filter");
  await button(page, "Create job").click();
  await page.getByText("The job was not sent, because it could not be checked").waitFor();
  assert.deepEqual(sent.filter((url) => /logpush\/jobs$/.test(url)), []);
  assert.equal(await page.getByLabel("Destination URL", { exact: true }).inputValue(), address);

  await page.unroute("**/engine-*logpush*.wasm");
  await button(page, "Create job").click();
  await waitForToast(page, "Job created");
  await context.close();
});
