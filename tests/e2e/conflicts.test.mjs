// Concurrent edits of two users: the page shows the conflict, and the user decides.
import assert from "node:assert/strict";
import { test } from "node:test";
import { jobHelpers, waitForToast } from "./support/jobs.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { ruleHelpers } from "./support/rules.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();
const { open: openJobs, api: jobs, clear } = jobHelpers(harness);
const { open: openRules, api: call } = ruleHelpers(harness);
const testOptions = { timeout: 120_000 };

const conflict = (page, noun) => page.getByRole("alert").filter({ hasText: `Someone else changed this ${noun} while you were editing it` });

for (const [width, choice] of [[1280, "Discard my changes"], [1280, "Overwrite"], [360, "Overwrite"]]) {
  test(`a rule changed by another user asks before overwriting (${width} px, ${choice})`, testOptions, async () => {
    const name = `${choice} ${width}`;
    const [rule] = await call("POST", "/firewall/rules", [{ action: "block", description: name, priority: 5, filter: { expression: `http.host eq "${width}${choice[0]}.example.com"` } }]);
    const { page, context } = await openRules({ width, height: 740 });
    await page.getByRole("button", { name: `Edit rule ${name}` }).click();
    await page.getByLabel("Paused").check();
    await call("PUT", `/firewall/rules/${rule.id}`, { action: "log", description: name, priority: 9, filter: { id: rule.filter.id } });
    const seen = [];
    page.on("request", (request) => { if (request.method() === "PUT") seen.push(request.url()); });
    await page.getByRole("button", { name: "Save changes" }).click();
    const notice = conflict(page, "rule");
    await notice.waitFor();
    const row = (member) => notice.getByRole("row").filter({ hasText: member });
    assert.match(await row("Priority").innerText(), /5[\s\S]*9[\s\S]*5/);
    assert.equal(await notice.locator("tbody tr").count(), 2, "action and priority");
    assert.deepEqual(seen, []);
    await expectAccessible(page, `conflict-rule-${width}`);
    await notice.getByRole("button", { name: choice }).click();
    if (choice === "Overwrite") {
      await waitForToast(page, "Rule updated");
    } else {
      await page.waitForFunction(() => document.activeElement?.id === "rule-action");
      assert.equal(await page.getByLabel("Priority").inputValue(), "9");
      assert.equal(await page.getByLabel("Paused").isChecked(), false);
    }
    const now = await call("GET", `/firewall/rules/${rule.id}`);
    const expected = choice === "Overwrite" ? ["block", 5, true] : ["log", 9, false];
    assert.deepEqual([now.action, now.priority, now.paused], expected);
    await context.close();
  });
}

test("a rule without a conflict is saved without a prompt", testOptions, async () => {
  await call("POST", "/firewall/rules", [{ action: "block", description: "Alone", filter: { expression: "ssl" } }]);
  const { page, context } = await openRules();
  await page.getByRole("button", { name: "Edit rule Alone" }).click();
  await page.getByLabel("Priority").fill("3");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Rule updated");
  await context.close();
});

for (const choice of ["Discard my changes", "Overwrite"]) {
  test(`a job changed by another user asks before overwriting (${choice})`, testOptions, async () => {
    await clear();
    const address = "s3://example-logs/logs?region=eu-west-1&access-key-id=AKIAZ5GM3KQWLB7XTPDN&secret-access-key=hidden-one";
    const job = await jobs("POST", "", { name: "both", dataset: "http_requests", destination_conf: address, enabled: false, max_upload_records: 2000 });
    const { page, context } = await openJobs();
    await page.getByRole("button", { name: "Edit job both" }).click();
    await page.getByLabel("Name", { exact: true }).fill("mine");
    await jobs("PUT", `/${job.id}`, { name: "theirs", max_upload_records: 5000, destination_conf: address.replace("hidden-one", "hidden-two") });
    await page.getByRole("button", { name: "Save changes" }).click();
    const notice = conflict(page, "job");
    await notice.waitFor();
    const text = await notice.innerText();
    assert.ok(!/hidden-(one|two)/.test(text), "a secret is visible on the page");
    for (const word of ["both", "theirs", "mine", "2000", "5000"]) assert.ok(text.includes(word), word);
    await expectAccessible(page, "conflict-job");
    await notice.getByRole("button", { name: choice }).click();
    if (choice === "Overwrite") {
      await waitForToast(page, "Job updated");
    } else {
      await notice.waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "theirs");
    }
    // Members that were not changed here keep the values of the other user.
    const [now] = await jobs("GET", "");
    assert.deepEqual([now.name, now.max_upload_records], [choice === "Overwrite" ? "mine" : "theirs", 5000]);
    await context.close();
  });
}
