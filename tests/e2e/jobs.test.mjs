// The Jobs page: jobs are created, changed and deleted, and their secrets are never shown.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { jobHelpers, goTo, row, waitForToast } from "./support/jobs.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { withStaticHost, withService } from "./support/setup.mjs";

const SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCY";

const harness = withService(undefined, (data) => {
  const folder = join(data, "logs");
  mkdirSync(folder);
  return ["--logpush-files", folder];
});
const host = withStaticHost();

const expectSecretHidden = async (page) => {
  const text = await page.evaluate(() => document.body.innerText);
  assert.ok(!text.includes(SECRET), "the secret is visible on the page");
};

const { open, api, clear } = jobHelpers(harness);

test("a job is created, changed, disabled and deleted with errors at their fields", { timeout: 180_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await page.getByText("No jobs yet").waitFor();
  await expectAccessible(page, "jobs-none");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("new job");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("to bucket");
  const fieldError = (name) => page.locator(".field.wrong").filter({ has: page.getByLabel(name, { exact: true }) }).locator(".field-error");
  await fieldError("Name").getByText("letters, digits").waitFor();
  await fieldError("Name").getByText("not a space").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("to-bucket");
  await fieldError("Name").waitFor({ state: "detached" });
  await page.getByLabel("Seconds", { exact: true }).fill("soon");
  await fieldError("Seconds").getByText("Enter an integer from 30 to 300.").waitFor();
  await page.getByLabel("Seconds", { exact: true }).fill("");

  // An invalid destination.
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await page.getByLabel("Folder", { exact: true }).fill("edge/{DAY}");
  await fieldError("Folder").getByText("DATE").waitFor();
  await page.getByRole("button", { name: "Create job" }).click();
  await page.getByText("Nothing was sent").waitFor();
  assert.doesNotMatch(await page.getByRole("alert").filter({ hasText: "Nothing was sent" }).innerText(), /`/);
  await fieldError("Region").getByText("is missing").waitFor();
  // The first invalid field has the focus.
  await page.waitForFunction(() => document.querySelector(".field.wrong")?.contains(document.activeElement));
  await page.getByLabel("Folder", { exact: true }).fill("edge/{DATE}");
  await page.getByLabel("Region", { exact: true }).fill("eu-west-1");
  await page.getByLabel("Access key ID", { exact: true }).fill("AKIAEXAMPLEEXAMPLE1");
  const secret = page.getByLabel("Secret access key", { exact: true });
  await secret.fill(SECRET);
  assert.equal(await page.locator(".field.wrong").count(), 0);
  assert.equal(await secret.getAttribute("type"), "password");
  const reveal = page.getByRole("button", { name: "Press and hold to show: Secret access key" });
  await reveal.focus();
  await page.keyboard.down("Space");
  assert.equal(await secret.getAttribute("type"), "text");
  await page.keyboard.up("Space");
  assert.equal(await secret.getAttribute("type"), "password");

  // The URL as text, and back to fields.
  await page.getByRole("button", { name: "URL", exact: true }).click();
  assert.match(await page.getByLabel("Destination URL", { exact: true }).inputValue(), new RegExp(`^s3://example-logs/edge/\\{DATE\\}\\?.*${SECRET}`));
  await page.getByRole("group", { name: "Destination as" }).getByRole("button", { name: "Fields" }).click();
  assert.equal(await page.getByLabel("Region", { exact: true }).inputValue(), "eu-west-1");
  await expectSecretHidden(page);

  // The filter, its errors, and its explanation.
  await fillEditor(page, '{"where":{"key":"EdgeResponseStatus","operator":"gte","value":500}}', "Job filter");
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.locator(".filter-words").getByText("500").waitFor();
  const preview = page.getByRole("tabpanel");
  await preview.getByText("1 record").waitFor();
  await preview.getByText("is dropped by the filter").waitFor();
  await preview.getByText("EdgeResponseStatus geq 500").waitFor();

  // The order of the fields.
  await page.getByRole("group", { name: "Fields", exact: true }).getByRole("button", { name: "Custom" }).click();
  await page.getByRole("button", { name: "Remove all" }).click();
  const search = page.getByRole("searchbox", { name: "Search for fields to add" });
  for (const name of ["ClientRequestHost", "EdgeResponseStatus", "EdgeStartTimestamp"]) {
    await search.fill(name);
    await search.press("Enter");
  }
  await page.getByRole("button", { name: "Move EdgeStartTimestamp up" }).click();
  await page.getByLabel("Timestamp format", { exact: true }).selectOption("rfc3339");
  const line = '{"ClientRequestHost":"www.example.com","EdgeStartTimestamp":"2026-01-01T09:00:01Z","EdgeResponseStatus":502}\n';
  await preview.getByText(`1 record, ${line.length} bytes`).waitFor();
  assert.equal((await preview.locator(".batch").innerText()).trim(), line.replace("\n", "\\n"));
  await page.getByLabel("Sample rate", { exact: true }).fill("many");
  await fieldError("Sample rate").getByText("number").waitFor();
  await page.getByLabel("Sample rate", { exact: true }).fill("");

  // The code to copy does not contain the secret.
  await page.getByRole("tab", { name: "Copy as" }).click();
  await page.getByText("secret-access-key=<secret-access-key>").first().waitFor();
  assert.match(await page.getByRole("region", { name: "curl" }).innerText(), /"destination_conf":"'"\$DESTINATION"'"/);
  assert.match(await page.getByRole("region", { name: "Terraform" }).innerText(), /destination_conf\s+= var\.logpush_destination_conf/);
  await expectSecretHidden(page);

  await page.getByRole("button", { name: "Create job" }).click();
  await waitForToast(page, "Job created");
  await page.getByText("Next steps").waitFor();
  await row(page, "to-bucket").getByText("s3://example-logs/edge/{DATE}").waitFor();
  await expectSecretHidden(page);
  const [created] = await api("GET", "");
  assert.ok(created.destination_conf.includes(SECRET));
  assert.deepEqual(created.output_options, {
    field_names: ["ClientRequestHost", "EdgeStartTimestamp", "EdgeResponseStatus"],
    timestamp_format: "rfc3339",
  });
  assert.deepEqual(JSON.parse(created.filter), { where: { key: "EdgeResponseStatus", operator: "geq", value: 500 } });

  // Only changed members are sent.
  await page.getByRole("button", { name: "Edit job to-bucket" }).click();
  await page.getByText("No changes to save.").waitFor();
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "example-logs");
  assert.equal(await page.getByLabel("Dataset", { exact: true }).isDisabled(), true);
  await page.getByLabel("Name", { exact: true }).fill("to-archive");
  await page.getByRole("tab", { name: "Copy as" }).click();
  const json = await page.getByRole("region", { name: "JSON" }).locator("pre").innerText();
  assert.deepEqual(JSON.parse(json), { name: "to-archive" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Job updated");
  await row(page, "to-archive").waitFor();

  const toggle = page.getByRole("switch", { name: "Enable job to-archive" });
  assert.equal(await toggle.getAttribute("aria-checked"), "true");
  await toggle.click();
  await waitForToast(page, "Job to-archive disabled");
  await page.getByRole("switch", { name: "Enable job to-archive", checked: false }).waitFor();
  const [changed] = await api("GET", "");
  assert.deepEqual([changed.name, changed.enabled, changed.destination_conf], ["to-archive", false, created.destination_conf]);

  await page.getByRole("button", { name: "Delete job to-archive" }).click();
  await page.getByRole("dialog").getByText("s3://example-logs").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitForToast(page, "Job deleted");
  await page.getByText("No jobs yet").waitFor();
  assert.deepEqual(await api("GET", ""), []);
  await expectSecretHidden(page);
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!stored.includes(SECRET), "the secret is stored in the browser");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a job to a directory is created with the keyboard alone", { timeout: 120_000 }, async () => {
  await clear();
  const { page, context, consoleProblems } = await open();
  await page.getByText("No jobs yet").waitFor();
  const tabTo = async (name, role) => {
    for (let presses = 0; presses < 90; presses += 1) {
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        return [element?.getAttribute("aria-label") ?? element?.labels?.[0]?.innerText ?? element?.textContent ?? "", element?.tagName];
      });
      if (at[0].trim() === name && (!role || at[1] === role)) return;
      await page.keyboard.press("Tab");
      // An editor captures Tab until Escape is pressed.
      if (await page.evaluate(() => document.activeElement?.classList.contains("editor-host"))) await page.keyboard.press("Escape");
    }
    assert.fail(`the keyboard does not reach ${name}`);
  };
  await tabTo("New job");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New job" }).waitFor();
  await tabTo("Name");
  await page.keyboard.type("keys");
  await tabTo("Provider");
  await page.keyboard.type("Server f");
  await tabTo("Folder");
  await page.keyboard.type("keyboard/{{}DATE}".replace("{{}", "{"));
  await tabTo("Create job");
  await page.keyboard.press("Enter");
  await waitForToast(page, "Job created");
  const [job] = await api("GET", "");
  assert.deepEqual([job.name, job.destination_conf], ["keys", "file:///keyboard/{DATE}"]);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a job filter round-trips through Log filters and older output options are read", { timeout: 120_000 }, async () => {
  await clear();
  await api("POST", "", {
    name: "posted",
    dataset: "http_requests",
    destination_conf: `https://logs.example.com/ingest?tag=a&header_X-Token=${SECRET}`,
    logpull_options: "fields=ClientIP,RayID&timestamps=unix",
    enabled: false,
  });
  const { page, context, consoleProblems } = await open();
  await row(page, "posted").getByText("https://logs.example.com/ingest").waitFor();
  await page.getByRole("button", { name: "Edit job posted" }).click();
  await page.getByText("No changes to save.").waitFor();
  assert.equal(await page.getByLabel("Provider").inputValue(), "https");
  assert.equal(await page.getByLabel("Name of header 1").inputValue(), "X-Token");
  assert.equal(await page.getByLabel("Timestamp format", { exact: true }).inputValue(), "unix");
  await expectSecretHidden(page);

  await page.getByRole("button", { name: "Edit in Log filters" }).click();
  await page.getByRole("region", { name: "Job filter" }).getByText("posted").waitFor();
  await expectAccessible(page, "jobs-carried");
  await fillEditor(page, '{"where":{"key":"ClientCountry","operator":"eq","value":"de"}}', "Filter");
  await page.getByRole("button", { name: "Use in job" }).click();
  await page.locator(".filter-words").getByText("de").first().waitFor();
  await page.getByText("Only changed settings are sent.").waitFor();
  await goTo(page, "Log filters");
  await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.querySelector(".cm-content").innerText.includes("shop.example.com"));
  await goTo(page, "Jobs");
  assert.match(await editor(page, "Job filter").innerText(), /ClientCountry/);
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Job updated");
  const [job] = await api("GET", "");
  assert.equal(job.filter, '{"where":{"key":"ClientCountry","operator":"eq","value":"de"}}');
  assert.equal(job.logpull_options, "fields=ClientIP,RayID&timestamps=unix");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the job form works without a service except for sending", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/jobs`);
  await page.getByText("Connect to see your jobs").waitFor();
  await expectAccessible(page, "jobs-offline");
  await page.getByRole("button", { name: "New job" }).click();
  await page.getByLabel("Provider").selectOption("gs");
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await page.getByLabel("Ownership challenge", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Create job" }).isDisabled(), true);
  await page.locator("#job-send-reason").getByText("Not connected. Add credentials in Settings.").waitFor();
  await page.getByRole("tab", { name: "Copy as" }).click();
  await page.getByRole("region", { name: "curl" }).getByText("DESTINATION='gs://example-logs'").waitFor();
  // The draft survives a visit to another page.
  await goTo(page, "Rules");
  await goTo(page, "Jobs");
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "example-logs");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "New job" }).click();
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    const narrow = width === 360;
    test(`the Jobs page is accessible (${scheme}, ${width} px)`, { timeout: 180_000 }, async () => {
      await clear();
      await api("POST", "", {
        name: "errors-to-archive",
        destination_conf: `s3://example-logs/edge/{DATE}?region=eu-west-1&access-key-id=AKIAEXAMPLEEXAMPLE1&secret-access-key=${SECRET}`,
        filter: '{"where":{"and":[{"key":"EdgeResponseStatus","operator":"geq","value":500},{"key":"ClientRequestHost","operator":"eq","value":"www.example.com"}]}}',
        output_options: { field_names: ["ClientIP", "ClientRequestHost", "ClientRequestURI", "EdgeResponseStatus", "RayID"], timestamp_format: "rfc3339" },
        enabled: true,
      });
      await api("POST", "", { dataset: "firewall_events", destination_conf: "file:///firewall/{DATE}", enabled: false });
      const failing = (job) => (job.name ? job : {
        ...job,
        last_complete: "2026-01-01T09:00:00Z",
        last_error: "2026-01-02T09:00:00Z",
        error_message: "the folder firewall could not be made: permission denied",
      });
      const { page, context, consoleProblems } = await open({ width, height: narrow ? 740 : 800, scheme });
      const name = (view) => `jobs-${view}-${scheme}-${width}`;
      const pane = (label) => (narrow ? page.getByRole("group", { name: "Pane" }).getByRole("button", { name: label }).click() : undefined);
      await row(page, "errors-to-archive").waitFor();
      await page.route("**/logpush/jobs", async (route) => {
        if (route.request().method() !== "GET") return route.continue();
        const response = await route.fetch();
        const json = await response.json();
        return route.fulfill({ response, json: { ...json, result: json.result.map(failing) } });
      });
      await page.getByRole("button", { name: "Refresh" }).click();
      await row(page, "firewall_events").getByText("permission denied").waitFor();
      await expectAccessible(page, name("list"));
      await page.getByRole("button", { name: "Delete job errors-to-archive" }).click();
      await expectAccessible(page, name("delete"));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Edit job errors-to-archive" }).click();
      await page.locator(".filter-words").getByText("500").first().waitFor();
      await expectAccessible(page, name("edit"));
      for (const group of ["Filter", "Output", "Delivery"]) {
        if (group === "Output") await page.locator(".advanced summary").click();
        await page.getByRole("group", { name: group, exact: true }).first().evaluate((element) => element.scrollIntoView());
        await expectAccessible(page, name(group.toLowerCase()));
      }
      await pane("Tools");
      await expectAccessible(page, name("preview"));
      await page.getByRole("tab", { name: "Copy as" }).click();
      await expectAccessible(page, name("copy-as"));
      await pane("Job");
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("button", { name: "New job" }).click();
      await page.getByLabel("Provider").selectOption("https");
      await page.getByRole("button", { name: "Add header" }).click();
      await page.getByLabel("Sample rate", { exact: true }).fill("2");
      await page.getByRole("button", { name: "Create job" }).click();
      await page.getByText("Nothing was sent").waitFor();
      await expectAccessible(page, name("refused"));
      await page.getByRole("group", { name: "Destination", exact: true }).evaluate((element) => element.scrollIntoView());
      await expectAccessible(page, name("https"));
      await page.getByLabel("Sample rate", { exact: true }).fill("");
      await page.getByLabel("Host and path", { exact: true }).fill("logs.example.com/ingest");
      await page.getByRole("button", { name: "Create job" }).click();
      await page.getByText("Next steps").waitFor();
      await expectAccessible(page, name("created"));
      await expectSecretHidden(page);
      assert.deepEqual(consoleProblems(), []);
      await context.close();
    });
  }
}
