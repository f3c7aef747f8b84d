// A user fixes an invalid expression and creates a rule from it, which survives a restart of the service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { connect, startService } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService();

const list = (page) => page.getByRole("table", { name: "Rules" });

test("an invalid expression is fixed, sent and listed, and its rule survives a restart", { timeout: 180_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);

  await page.getByRole("link", { name: "Expressions" }).click();
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("http.host eq 'journey.example.com'");
  const problem = page.getByRole("listitem").filter({ hasText: "single-quotes" });
  await problem.waitFor();
  await problem.getByRole("button", { name: /^Fix/ }).first().click();
  await page.getByText("No problems found.").waitFor();
  assert.equal(await editor(page).innerText(), 'http.host eq "journey.example.com"');

  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByLabel("Description").fill("Journey");
  await page.getByLabel("Priority").fill("7");
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByText("Rule created").waitFor();
  const row = list(page).getByRole("row").filter({ hasText: "Journey" });
  await row.waitFor();
  assert.match(await row.innerText(), /http\.host eq "journey\.example\.com"/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();

  await harness.service.stop();
  harness.service = await startService(harness.data, harness.service.address);
  const reopened = await openPage(harness.browser, harness.service.url);
  await connect(reopened.page, harness.service.credentials);
  await reopened.page.getByRole("link", { name: "Rules" }).click();
  const restoredRow = list(reopened.page).getByRole("row").filter({ hasText: "Journey" });
  await restoredRow.waitFor();

  await restoredRow.getByRole("button", { name: "Delete rule Journey" }).click();
  const dialog = reopened.page.getByRole("dialog");
  await dialog.getByText("Journey").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("was not deleted").waitFor();
  await dialog.getByRole("button", { name: "Show filters" }).click();
  const filter = reopened.page.getByRole("table", { name: "Filters" }).getByRole("row").filter({ hasText: "journey" });
  await filter.getByRole("button", { name: /^Delete filter/ }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await reopened.page.getByText("Filter deleted").waitFor();
  await filter.waitFor({ state: "detached" });
  assert.deepEqual(reopened.consoleProblems(), []);
  await reopened.context.close();
});

test("an invalid rule is rejected before sending with the message of the service", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.getByRole("link", { name: "Rules" }).click();
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST" ? 1 : 0));
  await fillEditor(page, "http.hots eq \"a\"", "Filter expression");
  await page.getByRole("button", { name: "Create rule" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Nothing was sent" });
  await notice.waitFor();
  const problem = page.getByRole("form", { name: "New rule" }).getByRole("listitem").filter({ hasText: "http.hots" });
  const local = (await problem.locator(".problem-message").innerText()).replace(/^error /i, "");
  assert.equal(sent, 0);

  const answer = await page.request.post(`${harness.service.credentials.base_url}/zones/${harness.service.credentials.zone_id}/firewall/rules`, {
    headers: { authorization: `Bearer ${harness.service.credentials.token}` },
    data: [{ action: "block", filter: { expression: "http.hots eq \"a\"" } }],
  });
  const { errors } = await answer.json();
  const first = errors[0].message.split("\n").find((line) => line.startsWith("error["));
  assert.equal(local, first.replace(/^error\[[a-z-]+\]: /, "").replaceAll("`", ""));
  const summary = await notice.innerText();
  assert.match(summary, new RegExp(`Code ${errors[0].code} at\\s+${errors[0].source.pointer}`));
  // The summary repeats the message next to the link to the field, and never as a code frame.
  assert.ok(summary.includes(local), summary);
  await notice.getByRole("button", { name: "/0/filter/expression" }).click();
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("aria-label") === "Filter expression");
  assert.equal(await page.locator("form", { hasText: "-->" }).count(), 0);

  await page.getByLabel("Action").selectOption("bypass");
  await page.getByRole("button", { name: "Create rule" }).click();
  await notice.getByText("needs at least one of the products").waitFor();
  await notice.getByRole("button", { name: "/0/products" }).click();
  await page.waitForFunction(() => document.querySelector("#rule-products").contains(document.activeElement));
  await page.getByLabel("Action").selectOption("block");

  await fillEditor(page, "http.host eq \"a\"", "Filter expression");
  await page.getByLabel("Description").fill("x".repeat(501));
  await page.getByText(/500/).and(page.locator(".field-error span")).waitFor();
  await page.getByLabel("Priority").fill("soon");
  await page.getByText("The priority must be an integer").first().waitFor();
  assert.equal(sent, 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("an empty filter and a code frame of the service are shown once as plain text", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.getByRole("link", { name: "Rules" }).click();
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByRole("button", { name: "Create rule" }).click();
  await form.getByText("Nothing was sent").waitFor();
  assert.equal(await form.locator(".problem-message").count(), 1);
  assert.doesNotMatch(await form.innerText(), /-->|\^/);

  const message = "Filter parsing error (1:1):\nssl\n^^^ one thing\n\nerror[some-code]: one thing\n  --> expression:1:1\n   |\n 1 | ssl\n   | ^^^\n\nerror[other]: another thing\n  --> expression:1:2\n   |";
  await page.route("**/firewall/rules", (route) => route.request().method() !== "POST" ? route.continue() : route.fulfill({
    status: 400,
    json: { success: false, result: null, messages: [], errors: [{ code: 10016, message, source: { pointer: "/0/filter/expression" } }] },
  }));
  await fillEditor(page, "ssl", "Filter expression");
  await form.getByRole("button", { name: "Create rule" }).click();
  const field = form.locator(".field.wrong .field-error").filter({ hasText: "one thing" });
  await field.waitFor();
  assert.equal(await field.innerText(), "error[some-code]: one thing\nerror[other]: another thing");
  assert.equal(await form.getByText("one thing").filter({ visible: true }).count(), 1);
  assert.equal(await page.getByText("No problems found.").isVisible(), false);
  await form.getByText("Show response").click();
  await form.locator("pre", { hasText: "--> expression:1:1" }).waitFor();
  assert.deepEqual(consoleProblems([/status of 400/]), []);
  await context.close();
});

test("an error of the service is shown at its field", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await connect(page, harness.service.credentials);
  await page.getByRole("link", { name: "Rules" }).click();
  const name = "Filter expression";
  for (const expected of ["Rule created", "The rule was not created"]) {
    await fillEditor(page, 'http.host eq "twice.example.com"', name);
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText(expected).first().waitFor();
  }
  const notice = page.getByRole("alert").filter({ hasText: "The rule was not created" });
  assert.match(await notice.innerText(), /Code 10\d\d\d at\s+\/0\/filter/);
  await page.locator(".field.wrong").filter({ hasText: "Expression" }).waitFor();
  assert.equal(await page.getByText("No problems found.").isVisible(), false);
  await notice.getByRole("button", { name: "Use this filter" }).click();
  await page.getByRole("button", { name: "Existing filter", pressed: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "rule-action");
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByText("Rule created").first().waitFor();
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(consoleProblems([/status of 400/]), []);
  await context.close();
});

test("a remote service is shown by its host, whatever the name of its account", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, `${harness.service.url}/#/settings`);
  const zone = { id: "0".repeat(32), name: "real.example", status: "active", paused: false, account: { id: "1".repeat(32), name: "Demo" }, plan: { name: "Free", legacy_id: "free" } };
  await page.route("https://api.example.com/**", (route) => route.fulfill({
    headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization" },
    json: { success: true, errors: [], messages: [], result: [zone] },
  }));
  await page.getByLabel("Base URL").fill("https://api.example.com/client/v4");
  await page.getByLabel("Token", { exact: true }).fill("x".repeat(40));
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByRole("link", { name: "Connection: api.example.com" }).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("wrong credentials, a wrong URL and an unreachable service have distinct messages", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(harness.browser, `${harness.service.url}/#/settings`);
  const testConnection = async () => page.getByRole("button", { name: "Test connection" }).click();
  await page.getByLabel("Token", { exact: true }).fill("x".repeat(40));
  await testConnection();
  await page.getByText(/The service returned HTTP status 40\d/).waitFor();
  await page.getByLabel("Token", { exact: true }).fill("short");
  const answer = page.waitForResponse(/\/zones\?page=1&per_page=50$/);
  await testConnection();
  for (const { message } of (await (await answer).json()).errors.flatMap(({ error_chain: chain }) => chain ?? [])) {
    await page.getByRole("alert").getByText(message).waitFor();
  }
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9");
  await testConnection();
  await page.getByText("The service did not respond, or the browser could not read its response.").waitFor();
  await page.getByLabel("Base URL").fill("http://[");
  await testConnection();
  await page.getByText("The base URL in Settings is not a URL.").waitFor();
  // The content security policy of the page blocks this URL, so nothing is sent.
  await page.getByLabel("Base URL").fill("http://nowhere.example/");
  await page.locator("#base-url-error").getByText("Use https://.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Test connection" }).isDisabled());
  await page.route("**/client/v4/zones?*", (route) => route.fulfill({ contentType: "text/html", body: "<p>hello" }));
  await page.getByLabel("Base URL").fill("");
  await testConnection();
  await page.getByText("There may be a different service at this URL").waitFor();
  await page.getByRole("button", { name: "Forget credentials" }).click();
  assert.equal(await page.getByLabel("Token", { exact: true }).inputValue(), "");
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  assert.doesNotMatch(stored, /xxxx/);
  await context.close();
});
