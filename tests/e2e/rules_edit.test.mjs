// An existing rule is changed, gets another priority, and is deleted with its filter.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { rejection } from "./support/requests.mjs";
import { callEmptyZone, ruleHelpers } from "./support/rules.mjs";
import { withService } from "./support/setup.mjs";

const rules = [
  { action: "block", description: "Bad client", ref: "MIR-1", priority: 5, filter: { expression: "ip.src eq 192.0.2.1" } },
  { action: "js_challenge", description: "No browser", filter: { expression: 'http.user_agent eq ""' } },
];
const harness = withService((service) => callEmptyZone(service, "POST", "/firewall/rules", rules));

const { open: openRules, api } = ruleHelpers(harness);

async function open(options) {
  const opened = await openRules(options);
  await row(opened.page, "Bad client").waitFor();
  return opened;
}

const row = (page, text) => page.getByRole("table", { name: "Rules" }).getByRole("row").filter({ hasText: text });
const form = (page, name) => page.getByRole("form", { name });

test("a changed rule keeps its filter and its reference", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  await fillEditor(page, "ssl", "Filter expression");
  await page.getByRole("button", { name: "Edit rule Bad client" }).click();
  const editForm = form(page, "Edit rule");
  await editForm.getByText("You cannot change the filter of a rule.").waitFor();
  assert.equal(await editForm.getByLabel("Priority").inputValue(), "5");
  assert.equal(await editForm.getByLabel("Description").inputValue(), "Bad client");
  await page.waitForFunction(() => document.activeElement?.id === "rule-action");
  await expectAccessible(page, "rules-edit-1280-light");

  await editForm.getByLabel("Priority").fill("soon");
  await editForm.getByText("The priority must be an integer").first().waitFor();
  await editForm.getByLabel("Priority").fill("2");
  await editForm.getByLabel("Action").selectOption("managed_challenge");
  await editForm.getByLabel("Paused").check();
  await editForm.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Rule updated").waitFor();
  await row(page, "Bad client").getByText("Managed challenge").waitFor();
  const [{ ref, action, priority, paused, filter }] = await api("GET", "/firewall/rules?description=Bad");
  assert.deepEqual([ref, action, priority, paused, filter.expression], ["MIR-1", "managed_challenge", 2, true, "ip.src eq 192.0.2.1"]);
  // The draft of the new rule is still there.
  await form(page, "New rule").getByText("Creates the rule and its filter.").waitFor();

  await page.getByRole("button", { name: "Edit rule No browser" }).click();
  await form(page, "Edit rule").getByRole("button", { name: "Cancel" }).click();
  await form(page, "New rule").waitFor();
  assert.equal(await page.getByLabel("Description").inputValue(), "");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a concurrently deleted rule is reported", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await open();
  const [created] = await api("POST", "/firewall/rules", [{ action: "block", description: "Short", filter: { expression: "not ssl" } }]);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("button", { name: "Edit rule Short" }).click();
  await api("DELETE", `/firewall/rules/${created.id}`, { delete_filter_if_unused: true });
  await form(page, "Edit rule").getByRole("button", { name: "Save changes" }).click();
  await page.getByText("The rule was not updated").waitFor();
  await page.getByText(/Code 10001/).waitFor();
  assert.deepEqual(consoleProblems([/status of 404/]), []);
  await context.close();
});

test("each error of a rejected update leads to its field", { timeout: 120_000 }, async () => {
  const { page, context } = await open();
  await page.getByRole("button", { name: "Edit rule No browser" }).click();
  const editForm = form(page, "Edit rule");
  await editForm.getByLabel("Action").selectOption("bypass");
  await editForm.getByRole("group", { name: "Products to bypass" }).getByRole("checkbox").first().check();
  // The body of an update is one rule, so its pointers have no index.
  for (const [pointer, id] of [["/priority", "rule-priority"], ["/description", "rule-description"], ["/products/0", "rule-products"]]) {
    const respond = rejection({ message: "the member is rejected", source: { pointer } });
    await page.route(/\/firewall\/rules\/[0-9a-f]+$/, (route) => (route.request().method() === "PUT" ? respond(route) : route.fallback()));
    await editForm.getByRole("button", { name: "Save changes" }).click();
    await editForm.getByRole("alert").getByRole("button", { name: pointer, exact: true }).click();
    await page.waitForFunction((expectedId) => document.getElementById(expectedId).contains(document.activeElement), id);
  }
  await context.close();
});

test("a rule is deleted with its filter, unless another rule uses it", { timeout: 120_000 }, async () => {
  const filter = (await api("POST", "/filters", [{ expression: "ip.src in {198.51.100.0/24}" }]))[0];
  const twins = ["First twin", "Second twin"].map((description) => ({ action: "block", description, filter: { id: filter.id } }));
  await api("POST", "/firewall/rules", twins);
  const { page, context, consoleProblems } = await open();
  const dialog = page.getByRole("dialog");
  for (const [name, outcome] of [["First twin", "was not deleted, because other rules use it."], ["Second twin", "Rule and filter deleted"]]) {
    await page.getByRole("button", { name: `Delete rule ${name}` }).click();
    await dialog.getByLabel("Also delete the filter").check();
    if (name === "First twin") await expectAccessible(page, "rules-delete-1280-light");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText(outcome).waitFor();
    if (name === "First twin") await dialog.getByRole("button", { name: "Done" }).click();
    await row(page, name).waitFor({ state: "detached" });
  }
  const left = await api("GET", "/filters");
  assert.ok(left.every(({ id }) => id !== filter.id));
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

for (const [width, scheme] of [[1280, "dark"], [360, "light"], [360, "dark"]]) {
  test(`the Rules page is accessible (${scheme}, ${width} px)`, { timeout: 120_000 }, async () => {
    const { page, context, consoleProblems } = await open({ width, height: width === 360 ? 740 : 800, scheme });
    await expectAccessible(page, `rules-list-${width}-${scheme}`);
    await page.getByRole("button", { name: "Edit rule No browser" }).click();
    await form(page, "Edit rule").getByText("You cannot change the filter of a rule.").waitFor();
    await expectAccessible(page, `rules-edit-${width}-${scheme}`);
    assert.deepEqual(consoleProblems(), []);
    await context.close();
  });
}
