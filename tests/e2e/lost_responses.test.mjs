// Writes with a lost response: the page looks them up and never reports an applied write as rejected.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor } from "./support/browser.mjs";
import { jobHelpers, waitForToast } from "./support/jobs.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { button, migrationHelpers, readZone } from "./support/migration.mjs";
import { ruleHelpers } from "./support/rules.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const { open: openJobs, api: jobs, clear } = jobHelpers(harness);
const { open: openRules, api: call } = ruleHelpers(harness);
const { open: openMigration } = migrationHelpers(harness);
const testOptions = { timeout: 120_000 };
const expression = "Filter expression";

const abortConnection = (route) => route.abort("connectionreset");
const respondWith = (status, errors) => (route) => route.fulfill({ status, json: { success: false, errors, messages: [], result: null } });
/** Loses the responses to a method. The service receives the requests, unless `reaches` is false. */
async function loseResponse(page, method, { instead = abortConnection, reaches = true, times = 1, pattern = /\/client\/v4\// } = {}) {
  let left = times;
  await page.route(pattern, async (route) => {
    if (route.request().method() !== method || left === 0) return route.fallback();
    left -= 1;
    if (reaches) await route.fetch();
    return instead(route);
  });
}
const send = (page) => page.getByRole("button", { name: /^(Create rule|Save changes)$/ }).click();

const inconclusive = [
  ["a broken connection", abortConnection],
  ["502 of a relay", respondWith(502, [{ code: 10502, message: "the upstream ended the connection" }])],
  ["504 of a gateway without JSON", (route) => route.fulfill({ status: 504, contentType: "text/html", body: "<h1>Gateway timeout</h1>" })],
  ["code 10504", respondWith(500, [{ code: 10504, message: "it is not known whether the change was saved" }])],
];
for (const [index, [name, instead]] of inconclusive.entries()) {
  test(`a created rule is confirmed after a lost response (${name})`, testOptions, async () => {
    const { page, context } = await openRules();
    await loseResponse(page, "POST", { instead });
    await fillEditor(page, `http.host eq "lost${index}.example.com"`, expression);
    await send(page);
    await waitForToast(page, "Rule created");
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.equal((await call("GET", "/firewall/rules")).filter(({ filter }) => filter.expression.includes(`lost${index}.`)).length, 1);
    await context.close();
  });
}

test("a rule creation in doubt is confirmed by a later check", testOptions, async () => {
  const { page, context } = await openRules();
  await loseResponse(page, "POST", { reaches: false });
  await fillEditor(page, 'http.host eq "late.example.com"', expression);
  await send(page);
  const notice = page.getByRole("alert").filter({ hasText: "We don't know whether the rule was created" });
  await notice.getByText("The connection was lost before the service responded.").waitFor();
  await notice.getByText("The service does not show the change.").waitFor();
  await expectAccessible(page, "lost-rule");
  assert.equal(await page.getByText("The rule was not created").count(), 0);
  // Further input does not resolve the doubt.
  await page.getByLabel("Description").fill("late");
  await notice.waitFor();
  await call("POST", "/firewall/rules", [{ action: "block", filter: { expression: 'http.host eq "late.example.com"' } }]);
  await notice.getByRole("button", { name: "Check again" }).click();
  await waitForToast(page, "Rule created");
  await notice.waitFor({ state: "detached" });
  await context.close();
});

test("a rule creation in doubt remains in doubt while the form is invalid", testOptions, async () => {
  const { page, context } = await openRules();
  await loseResponse(page, "POST", { reaches: false });
  await fillEditor(page, 'http.host eq "invalid.example.com"', expression);
  await send(page);
  const notice = page.getByRole("alert").filter({ hasText: "We don't know whether the rule was created" });
  await notice.waitFor();
  await page.getByLabel("Priority").fill("many");
  await page.getByLabel("Description").focus();
  await send(page);
  await page.waitForFunction(() => document.activeElement?.id === "rule-priority");
  await notice.getByRole("button", { name: "Check again" }).waitFor();
  assert.equal(await page.getByText("Nothing was sent").count(), 0);
  await context.close();
});

test("an inconclusive response is not reported as a rejection", testOptions, async () => {
  const { page, context } = await openRules();
  await loseResponse(page, "POST", { reaches: false, instead: respondWith(504, [{ code: 10506, message: "the upstream did not respond in time" }]) });
  await fillEditor(page, 'http.host eq "slow.example.com"', expression);
  await send(page);
  const notice = page.getByRole("alert").filter({ hasText: "We don't know whether the rule was created" });
  await notice.getByText("The response (status 504) does not say whether the change was applied.").waitFor();
  await notice.getByText("Code 10506").waitFor();
  assert.ok(!/refused|rejected/i.test(await notice.innerText()));
  await context.close();
});

test("an error code for an unapplied change is reported as a rejection", testOptions, async () => {
  const { page, context } = await openRules();
  await loseResponse(page, "POST", { reaches: false, instead: respondWith(503, [{ code: 10503, message: "the database does not respond" }]) });
  await fillEditor(page, 'http.host eq "away.example.com"', expression);
  await send(page);
  await page.getByRole("alert").filter({ hasText: "The rule was not created" }).waitFor();
  await context.close();
});

test("a rule in doubt is distinguished from an equal rule", testOptions, async () => {
  const [rule] = await call("POST", "/firewall/rules", [{ action: "block", filter: { expression: 'http.host eq "shared.example.com"' } }]);
  const { page, context } = await openRules();
  await page.getByRole("button", { name: "Filters" }).first().click();
  await page.getByRole("row").filter({ hasText: "shared.example.com" }).getByRole("button", { name: /^Use filter/ }).click();
  await loseResponse(page, "POST", { reaches: false });
  await send(page);
  await page.getByText("We don't know whether the rule was created").waitFor();
  await page.getByText("The service does not show the change.").waitFor();
  assert.equal((await call("GET", "/firewall/rules")).filter(({ filter }) => filter.id === rule.filter.id).length, 1);
  await context.close();
});

test("a change and a deletion with lost responses are looked up", testOptions, async () => {
  await call("POST", "/firewall/rules", [{ action: "block", description: "Lost change", filter: { expression: 'http.host eq "change.example.com"' } }]);
  const { page, context } = await openRules();
  await loseResponse(page, "PUT");
  await page.getByRole("button", { name: "Edit rule Lost change" }).click();
  await page.getByLabel("Paused").check();
  await send(page);
  await waitForToast(page, "Rule updated");

  const dialog = page.getByRole("dialog");
  const remove = async () => {
    await page.getByRole("button", { name: "Delete rule Lost change" }).click();
    await dialog.getByLabel("Also delete the filter").check();
    await dialog.getByRole("button", { name: "Delete" }).click();
  };
  await loseResponse(page, "DELETE", { reaches: false });
  await remove();
  await dialog.getByText("We don't know whether it was deleted").waitFor();
  await dialog.getByText("It still exists.").waitFor();
  await expectAccessible(page, "lost-deletion");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.unrouteAll();
  await loseResponse(page, "DELETE");
  await remove();
  await waitForToast(page, "Rule and filter deleted");
  await page.getByRole("button", { name: "Delete rule Lost change" }).waitFor({ state: "detached" });
  await context.close();
});

test("a job is created, toggled, changed and deleted without any response", testOptions, async () => {
  await clear();
  const { page, context } = await openJobs();
  await page.getByRole("button", { name: "New job" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("lost-job");
  await page.getByLabel("Bucket", { exact: true }).fill("example-logs");
  await page.getByLabel("Region").fill("eu-west-1");
  await page.getByLabel("Access key ID", { exact: false }).first().fill("AKIAZ5GM3KQWLB7XTPDN");
  await page.getByLabel("Secret access key", { exact: true }).fill("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  await loseResponse(page, "POST");
  await page.getByRole("button", { name: "Create job" }).click();
  await waitForToast(page, "Job created");
  await page.getByText("Job lost-job created.").waitFor();

  await loseResponse(page, "PUT", { times: 2 });
  await page.getByRole("switch", { name: "Enable job lost-job" }).click();
  await waitForToast(page, "Job lost-job disabled");
  await page.getByRole("button", { name: "Edit job lost-job" }).click();
  await page.getByLabel("Name", { exact: true }).fill("found-job");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Job updated");

  await page.unrouteAll();
  await loseResponse(page, "PUT", { reaches: false });
  await page.getByRole("switch", { name: "Enable job found-job" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "We don't know whether the job was updated" });
  await notice.waitFor();
  assert.equal((await jobs("GET", ""))[0].enabled, false);

  await loseResponse(page, "DELETE");
  await page.getByRole("button", { name: "Delete job found-job" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitForToast(page, "Job deleted");
  assert.deepEqual(await jobs("GET", ""), []);
  await context.close();
});

test("a blocker of a migration is deleted without a response", testOptions, async () => {
  const { page, context } = await openMigration("blocked.example");
  await readZone(page, "blocked.example");
  await loseResponse(page, "DELETE");
  await page.getByRole("button", { name: "Delete…" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitForToast(page, "Deleted. The zone has been reloaded.");
  await button(page, "Delete…").first().waitFor();
  await context.close();
});

test("a write is reported after the user has left its page", testOptions, async () => {
  const { page, context } = await openRules();
  await fillEditor(page, 'http.host eq "left.example.com"', expression);
  let arrived;
  const requested = new Promise((resolve) => { arrived = resolve; });
  await page.route(/firewall\/rules$/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    arrived();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return route.abort("connectionreset");
  });
  await send(page);
  await requested;
  await page.getByRole("link", { name: "Settings" }).first().click();
  await waitForToast(page, "We don't know whether the rule was created");
  // The toast does not look like a success.
  await page.locator(".toast.problem").waitFor();
  await context.close();
});
