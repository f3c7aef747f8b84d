// The input of the user survives a reload, tabs do not overwrite each other, and secrets are never stored.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { goTo, jobHelpers } from "./support/jobs.mjs";
import { button, chooseZone, migrationHelpers, readZone, step, tab } from "./support/migration.mjs";
import { ruleHelpers } from "./support/rules.mjs";
import { connect } from "./support/service.mjs";
import { withService, withStaticHost } from "./support/setup.mjs";

const host = withStaticHost();
const harness = withService();
const { open: openJobs, api: callJobs, clear: clearJobs } = jobHelpers(harness);
const { open: openRules } = ruleHelpers(harness);
const { open: openMigration, logIn: logInToMigration, zoneId } = migrationHelpers(harness);
const testOptions = { timeout: 120_000 };
const SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCY";
const openTool = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const panel = (page) => page.getByRole("tabpanel");
const field = (page, name) => panel(page).getByRole("textbox", { name, exact: true });
const saveFailure = (page) => page.locator(".save-failure").getByText("Not saved in this browser:");

/** Reloads the page, and waits until the app has started. */
async function reload(page) {
  await page.reload();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** All entries of both storages as one text. */
const readStorages = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

/** Fills the local storage to the last character with chunks of decreasing size. */
const fillLocalStorage = (page) => page.evaluate(() => {
  for (let size = 1 << 20, count = 0; size >= 1; count += 1) {
    try {
      localStorage.setItem(`filler-${count}`, "x".repeat(size));
    } catch {
      size = Math.floor(size / 2);
    }
  }
});

/** Removes the chunks. */
const freeLocalStorage = (page) => page.evaluate(() => {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith("filler-"))) localStorage.removeItem(key);
});

/** Waits until an editor contains this text. */
const waitForText = (page, text, name) => editor(page, name).getByText(text).waitFor();

test("the input of the expression tools survives a reload", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, host.host.url);
  await fillEditor(page, 'http.host eq "reloaded.example"');
  await page.getByRole("combobox", { name: "Plan" }).selectOption("pro");
  await page.getByRole("combobox", { name: "Phase" }).selectOption("http_ratelimit");
  await openTool(page, "Test request");
  await field(page, "Request").fill("GET /reloaded HTTP/1.1\nHost: reloaded.example\n");
  await openTool(page, "Test cases");
  await field(page, "Test cases").fill("# reloaded cases");
  await openTool(page, "Compare");
  await fillEditor(page, 'http.host eq "other.example"', "Other expression");
  await panel(page).getByRole("button", { name: "Rule list" }).click();
  await field(page, "Rules in order").fill('http.host eq "listed.example"');

  await reload(page);
  await waitForText(page, 'http.host eq "reloaded.example"');
  assert.equal(await page.getByRole("combobox", { name: "Plan" }).inputValue(), "pro");
  assert.equal(await page.getByRole("combobox", { name: "Phase" }).inputValue(), "http_ratelimit");
  await page.getByRole("tab", { name: "Compare", selected: true }).waitFor();
  await panel(page).getByRole("button", { name: "Rule list", pressed: true }).waitFor();
  assert.equal(await field(page, "Rules in order").inputValue(), 'http.host eq "listed.example"');
  await panel(page).getByRole("button", { name: "Equivalent" }).click();
  await waitForText(page, 'http.host eq "other.example"', "Other expression");
  await openTool(page, "Test cases");
  assert.equal(await field(page, "Test cases").inputValue(), "# reloaded cases");
  await openTool(page, "Test request");
  assert.equal(await field(page, "Request").inputValue(), "GET /reloaded HTTP/1.1\nHost: reloaded.example\n");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the input of the log filter tools survives a reload", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/log-filters`);
  await fillEditor(page, '{"where":{"key":"ClientCountry","operator":"eq","value":"reloaded"}}', "Filter");
  await openTool(page, "Convert");
  const converted = panel(page).getByRole("textbox", { name: "Expression", exact: true });
  await converted.click();
  await page.keyboard.insertText('http.host eq "converted.example"');
  await openTool(page, "Test");
  await field(page, "Log lines").fill('{"ClientCountry":"reloaded"}');
  await field(page, "Lines per day").fill("3m");

  await reload(page);
  await waitForText(page, "reloaded", "Filter");
  await page.getByRole("tab", { name: "Test", exact: true, selected: true }).waitFor();
  assert.equal(await field(page, "Log lines").inputValue(), '{"ClientCountry":"reloaded"}');
  assert.equal(await field(page, "Lines per day").inputValue(), "3m");
  await openTool(page, "Convert");
  await converted.getByText("converted.example").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a pasted zone configuration survives a reload", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/migration`);
  const text = page.getByLabel("Configuration as JSON");
  const pasted = '{"zone": "pasted.example", "plan": "pro"}';
  await text.fill(pasted);
  await reload(page);
  assert.equal(await text.inputValue(), pasted);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the rule being written and the selected zone survive a reload", testOptions, async () => {
  const { page, context, consoleProblems } = await openRules();
  await fillEditor(page, 'http.host eq "rule.example"', "Filter expression");
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByLabel("Action").selectOption("managed_challenge");
  await form.getByLabel("Description").fill("A reloaded rule");
  await form.getByLabel("Priority").fill("soon");
  await form.getByLabel("Create as paused").check();
  const zone = await page.evaluate(() => localStorage.getItem("zonewright.zone"));
  assert.match(zone, /^[0-9a-f]{32}$/);

  await reload(page);
  await waitForText(page, 'http.host eq "rule.example"', "Filter expression");
  assert.equal(await form.getByLabel("Action").inputValue(), "managed_challenge");
  assert.equal(await form.getByLabel("Description").inputValue(), "A reloaded rule");
  assert.equal(await form.getByLabel("Priority").inputValue(), "soon");
  assert.equal(await form.getByLabel("Create as paused").isChecked(), true);
  assert.ok(!(await readStorages(page)).includes(harness.service.credentials.token), "the token is stored");
  await connect(page, harness.service.credentials);
  assert.equal(await page.locator("#zone").inputValue(), zone);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a new job survives a reload, except its secrets", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/jobs`);
  await page.getByRole("button", { name: "New job" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("reloaded-job");
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await page.getByLabel("Access key ID", { exact: true }).fill("AKIAZ5GM3KQWLB7XTPDN");
  await page.getByLabel("Secret access key", { exact: true }).fill(SECRET);
  await page.getByLabel("Sample rate", { exact: true }).fill("many");
  await fillEditor(page, '{"where":{"key":"ClientCountry","operator":"eq","value":"reloaded"}}', "Job filter");

  await reload(page);
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "reloaded-job");
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "example-logs");
  assert.equal(await page.getByLabel("Sample rate", { exact: true }).inputValue(), "many");
  assert.equal(await page.getByLabel("Secret access key", { exact: true }).inputValue(), "");
  await waitForText(page, "reloaded", "Job filter");
  for (const secret of [SECRET, "AKIAZ5GM3KQWLB7XTPDN"]) assert.ok(!(await readStorages(page)).includes(secret));

  // The URL as text is a secret as a whole.
  await page.getByRole("button", { name: "URL", exact: true }).click();
  await page.getByLabel("Destination URL", { exact: true }).fill("");
  await page.getByLabel("Destination URL", { exact: true }).pressSequentially(`s3://example-logs?secret-access-key=${SECRET}`);
  await page.getByLabel("Name", { exact: true }).fill("renamed-job");
  const stored = await readStorages(page);
  assert.ok(stored.includes("renamed-job"));
  assert.ok(!stored.includes(SECRET.slice(0, 8)), "a part of the secret is stored");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("an edit of a job continues after a reload when the user opens the job", testOptions, async () => {
  await clearJobs();
  const address = `s3://example-logs/logs?region=eu-west-1&access-key-id=AKIAZ5GM3KQWLB7XTPDN&secret-access-key=${SECRET}`;
  await callJobs("POST", "", { name: "edited", dataset: "http_requests", destination_conf: address, enabled: false });
  const { page, context, consoleProblems } = await openJobs();
  const edit = () => page.getByRole("button", { name: "Edit job edited" }).click();
  await edit();
  await page.getByText("No changes to save.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("edited-again");

  await reload(page);
  assert.ok(!(await readStorages(page)).includes(SECRET), "the secret is stored");
  await connect(page, harness.service.credentials);
  await goTo(page, "Jobs");
  await page.getByText("You have unsaved changes to edited.").waitFor();
  await edit();
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "edited-again");
  assert.equal(await page.getByLabel("Bucket", { exact: true }).inputValue(), "example-logs");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.locator(".toast").filter({ hasText: "Job updated" }).waitFor();
  const [saved] = await callJobs("GET", "");
  assert.deepEqual([saved.name, saved.destination_conf], ["edited-again", address]);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("two tabs preserve their own texts, and a new tab starts with the latest edit", testOptions, async () => {
  const { page: first, context, consoleProblems } = await openPage(host.browser, host.host.url);
  await fillEditor(first, 'http.host eq "first.example"');
  const openTab = async () => {
    const page = await context.newPage();
    await page.goto(host.host.url, { waitUntil: "load" });
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    return page;
  };
  const second = await openTab();
  await waitForText(second, "first.example");
  await fillEditor(second, 'http.host eq "second.example"');
  assert.match(await editor(first).innerText(), /first\.example/);
  await reload(first);
  await waitForText(first, "first.example");
  // The reload of the first tab is not an edit.
  const third = await openTab();
  await waitForText(third, "second.example");
  await fillEditor(first, 'http.host eq "first-again.example"');
  await reload(second);
  await waitForText(second, "second.example");
  await reload(third);
  await waitForText(third, "second.example");
  await waitForText(await openTab(), "first-again.example");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("texts that an earlier version stored are restored", testOptions, async () => {
  const storage = {
    "zonewright.source": 'http.host eq "earlier.example"',
    "zonewright.scope": "counting http_ratelimit business",
    "zonewright.cases": "# earlier cases",
    "zonewright.log-filter": '{"where":{"key":"ClientCountry","operator":"eq","value":"earlier"}}',
    "zonewright.base-url": "https://earlier.example/client/v4",
  };
  const { page, context, consoleProblems } = await openPage(host.browser, host.host.url, { storage });
  await waitForText(page, "earlier.example");
  assert.equal(await page.getByRole("combobox", { name: "Plan" }).inputValue(), "business");
  await openTool(page, "Test cases");
  assert.equal(await field(page, "Test cases").inputValue(), "# earlier cases");
  await goTo(page, "Log filters");
  await waitForText(page, "earlier", "Filter");
  await goTo(page, "Settings");
  assert.equal(await page.getByLabel("Base URL").inputValue(), "https://earlier.example/client/v4");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a full storage is reported until there is space again", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, host.host.url);
  assert.equal(await saveFailure(page).count(), 0);
  await fillLocalStorage(page);
  await fillEditor(page, `http.host eq "${"a".repeat(500)}"`);
  await saveFailure(page).filter({ hasText: "expression" }).waitFor();
  await page.getByText("The browser's storage for this site is full.").waitFor();
  // This tab still has its own copy.
  await reload(page);
  await waitForText(page, "a".repeat(500));
  await fillEditor(page, `http.host eq "${"b".repeat(600)}"`);
  await saveFailure(page).waitFor();
  await freeLocalStorage(page);
  // The write is repeated without another edit.
  await saveFailure(page).waitFor({ state: "detached" });
  assert.match(await page.evaluate(() => localStorage.getItem("zonewright.source")), /b{600}/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a repeated write does not replace a later edit of another tab", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, host.host.url);
  const other = await context.newPage();
  await other.goto(host.host.url, { waitUntil: "load" });
  await fillLocalStorage(page);
  await fillEditor(page, `http.host eq "${"a".repeat(500)}"`);
  await saveFailure(page).waitFor();
  await freeLocalStorage(page);
  await fillEditor(other, 'http.host eq "later.example"');
  await other.waitForFunction(() => localStorage.getItem("zonewright.source").includes("later.example"));
  await saveFailure(page).waitFor({ state: "detached" });
  assert.match(await page.evaluate(() => localStorage.getItem("zonewright.source")), /later\.example/);
  assert.match(await page.evaluate(() => sessionStorage.getItem("zonewright.source")), /a{500}/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("no part of a password in the base URL is stored", testOptions, async () => {
  const { page, context, consoleProblems } = await openPage(host.browser, `${host.host.url}#/settings`);
  await page.evaluate(() => {
    window.writes = [];
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      window.writes.push(value);
      return setItem.call(this, key, value);
    };
  });
  const url = page.getByLabel("Base URL");
  for (const part of ["https://alice:", SECRET, "@api.example.com"]) {
    await url.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(part);
    await url.blur();
  }
  const readWrites = () => page.evaluate(() => window.writes.join("\n"));
  assert.doesNotMatch(await readWrites(), /alice|wJal/);
  assert.doesNotMatch(await readStorages(page), /alice|wJal/);
  await url.fill("http://[::1]:8787/client/v4");
  await url.blur();
  await page.waitForFunction(() => localStorage.getItem("zonewright.base-url") === "http://[::1]:8787/client/v4");
  assert.doesNotMatch(await readWrites(), /alice|wJal/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the edits of the migrations of two zones survive a reload", testOptions, async () => {
  const zones = ["pro.example", "business.example"];
  const { page, context } = await openMigration(zones[0]);
  const body = page.getByLabel("Request body");
  const showBody = async () => {
    await step(page, "Review").click();
    await tab(page, "New configuration");
  };
  for (const zone of zones) {
    if (zone !== zones[0]) {
      await goTo(page, "Settings");
      await chooseZone(page, zoneId(zone));
      await goTo(page, "Migration");
    }
    await readZone(page, zone);
    await showBody();
    await body.fill(JSON.stringify({ ...JSON.parse(await body.inputValue()), name: `edit of ${zone}` }));
  }
  await reload(page);
  for (const zone of zones) {
    await logInToMigration(page, zone);
    await readZone(page, zone);
    await showBody();
    await button(page, "Restore").click();
    assert.equal(JSON.parse(await body.inputValue()).name, `edit of ${zone}`);
  }
  await context.close();
});

test("a draft with members of another version is restored without them", testOptions, async () => {
  const rule = JSON.stringify({ zone: "", description: "An earlier rule", priority: "7", paused: "later" });
  const { page, context, consoleProblems } = await openRules({ storage: { "zonewright.rule": rule } });
  const form = page.getByRole("form", { name: "New rule" });
  assert.equal(await form.getByLabel("Description").inputValue(), "An earlier rule");
  assert.equal(await form.getByLabel("Priority").inputValue(), "7");
  assert.equal(await page.evaluate(() => localStorage.getItem("zonewright.rule.unreadable")), rule);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the app works without storage and reports that nothing is saved", testOptions, async () => {
  const context = await host.browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(15_000);
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
  const page = await context.newPage();
  const thrown = [];
  page.on("pageerror", (error) => thrown.push(error.message));
  await page.goto(host.host.url, { waitUntil: "load" });
  await fillEditor(page, 'http.host eq "denied.example"');
  await page.getByText("No problems found.").waitFor();
  await saveFailure(page).waitFor();
  await page.getByText("Your browser blocks storage for this site.").waitFor();
  await openTool(page, "Test cases");
  await field(page, "Test cases").fill("# cases");
  await saveFailure(page).filter({ hasText: "test cases" }).waitFor();
  assert.deepEqual(thrown, []);
  await context.close();
});
