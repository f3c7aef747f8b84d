// The lists of rules and filters: empty, long, and of another zone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor, openPage } from "./support/browser.mjs";
import { callEmptyZone } from "./support/rules.mjs";
import { connect, emptyZone } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();

test("an empty list has instructions, a long list has pages and each zone has its own list", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  const zone = emptyZone(harness.service.credentials).id;
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(zone);
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByText("No rules yet").waitFor();

  const rules = Array.from({ length: 30 }, (_, index) => ({
    action: "block",
    priority: index + 1,
    description: `Rule ${index + 1}`,
    filter: { expression: `http.host eq "host-${index + 1}.example"` },
  }));
  await callEmptyZone(harness.service, "POST", "/firewall/rules", rules);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("1 to 25 of 30 rules").waitFor();
  const rows = page.getByRole("table", { name: "Rules" }).getByRole("row");
  assert.equal(await rows.count(), 26);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("26 to 30 of 30 rules").waitFor();
  assert.equal(await rows.count(), 6);
  assert.equal(await page.getByRole("button", { name: "Next" }).isDisabled(), true);
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("1 to 25 of 30 rules").waitFor();

  const otherZone = harness.service.credentials.zones?.[1];
  if (otherZone) {
    await page.getByRole("combobox", { name: "Zone" }).selectOption(otherZone.id);
    await page.getByText("No rules yet").waitFor();
    assert.equal(await page.getByRole("combobox", { name: "Plan" }).inputValue(), otherZone.plan);
  }
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("two rules can use one filter", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(emptyZone(harness.service.credentials).id);
  await page.getByRole("link", { name: "Rules" }).click();
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByRole("button", { name: "Existing filter" }).click();
  await form.getByRole("button", { name: "Create rule" }).click();
  await form.getByText("no filter is selected: select one").first().waitFor();

  await form.getByRole("button", { name: "Show filters" }).click();
  const filter = page.getByRole("table", { name: "Filters" }).getByRole("row").filter({ hasText: "host-1.example" });
  await filter.getByRole("cell", { name: "1 rule", exact: true }).waitFor();
  assert.equal(await filter.getByRole("button", { name: /^Delete filter/ }).isDisabled(), true);
  await filter.getByRole("button", { name: /^Use filter/ }).click();
  await form.getByText('http.host eq "host-1.example"').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "rule-action");
  await form.getByLabel("Action").selectOption("log");
  await form.getByLabel("Description").fill("Second rule of a filter");
  const sending = page.waitForRequest((request) => request.method() === "POST");
  await form.getByRole("button", { name: "Create rule" }).click();
  const [sent] = (await sending).postDataJSON();
  assert.deepEqual(Object.keys(sent.filter), ["id"]);
  await page.getByText("Rule created").waitFor();
  await filter.getByRole("cell", { name: "2 rules", exact: true }).waitFor();
  await form.getByRole("button", { name: "New filter", pressed: true }).waitFor();

  // A filter belongs to one zone.
  await filter.getByRole("button", { name: /^Use filter/ }).click();
  await form.getByText('http.host eq "host-1.example"').waitFor();
  await page.getByRole("combobox", { name: "Zone" }).selectOption(harness.service.credentials.zones[1].id);
  await form.getByText("No filter is selected. Choose Use").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("rules are checked with the plan of the zone, not with the plan in the header", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  const free = harness.service.credentials.zones.find((zone) => zone.plan === "free");
  await page.getByRole("combobox", { name: "Zone" }).first().selectOption(free.id);
  const plan = page.getByRole("combobox", { name: "Plan" });
  assert.equal(await plan.inputValue(), "free");
  await plan.selectOption("enterprise");
  await page.getByRole("link", { name: "Rules" }).click();
  await fillEditor(page, 'http.host matches "a"', "Filter expression");
  await page.getByRole("form", { name: "New rule" }).getByRole("listitem").filter({ hasText: "Business" }).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a stopped service shows an error and the page stays usable", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.route("**/firewall/rules?*", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByText("The list could not be loaded").waitFor();
  await page.getByText("Disconnected").waitFor();
  await page.unroute("**/firewall/rules?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Rules" }).waitFor();
  await page.getByText("Demo service", { exact: true }).waitFor();
  await context.close();
});
