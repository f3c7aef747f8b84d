// The app, served by a relay that stores credentials and forwards to another instance: log-in, forwarded and rejected
// requests, and the absence of secrets in the browser.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fillEditor, openPage } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { startServing } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const passphrase = "a long passphrase";
const expression = "Filter expression";
let relay;
const harness = withService(async (service) => {
  const options = ["--listen", "127.0.0.1:0", "--relay-upstream", `${service.url}/client/v4`];
  for (const [name, text] of [["credentials", service.credentials.token], ["passphrase", passphrase]]) {
    const file = join(harness.data, name);
    await writeFile(file, text, { mode: 0o600 });
    options.push(`--relay-${name}-file`, file);
  }
  relay = await startServing(options);
});
after(() => relay?.stop());

/** Opens Settings and chooses to log in to the relay. */
async function openLogIn(page) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "This server" }).click();
}

async function logIn(page, secret = passphrase) {
  await openLogIn(page);
  await page.getByLabel("Passphrase").fill(secret);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Returns the number of requests for rules that the relay rejected. */
async function countRejected() {
  const text = await (await fetch(`${relay.url}/metrics`)).text();
  const line = /^zonewright_relay_requests_total\{route="firewall\/rules",outcome="Rejected"\} (\d+)$/m.exec(text);
  return Number(line?.[1] ?? 0);
}

test("a relay session reads and creates rules and leaves no secret in the browser", { timeout: 180_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, relay.url);
  const sent = [];
  page.on("request", (request) => sent.push(request));
  await logIn(page, "a wrong passphrase");
  await page.getByText(/the passphrase is wrong/).waitFor();
  await page.getByLabel("Passphrase").fill(passphrase);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText(/The connection works/).waitFor();
  await page.getByText("Logged in. The server stores the credentials").waitFor();
  await expectAccessible(page, "relay-settings");

  const [cookie, ...others] = await context.cookies();
  assert.deepEqual(others, []);
  const { name, httpOnly, sameSite, path, secure, domain } = cookie;
  assert.deepEqual(
    { name, httpOnly, sameSite, path, domain },
    { name: "zonewright-relay", httpOnly: true, sameSite: "Strict", path: "/", domain: "127.0.0.1" },
  );
  assert.equal(secure, false, "the page was loaded without TLS");
  assert.equal(await page.evaluate(() => document.cookie), "");

  await page.getByRole("link", { name: "Rules" }).click();
  const list = page.getByRole("table", { name: "Rules" });
  await list.getByRole("row").nth(1).waitFor();
  await fillEditor(page, 'http.host eq "relay.example.com"', expression);
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByText("Rule created").waitFor();
  await list.getByRole("row").filter({ hasText: "relay.example.com" }).waitFor();
  await expectAccessible(page, "relay-rules");

  const { token } = harness.service.credentials;
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const secret of [token, passphrase, cookie.value]) assert.ok(!stored.includes(secret));
  const calls = sent.filter((request) => request.url().includes("/client/v4/"));
  for (const request of calls) {
    const headers = await request.allHeaders();
    assert.equal(headers.authorization, undefined);
    assert.ok(!JSON.stringify(headers).includes(token));
    if (request.method() !== "GET") assert.match(headers["x-csrf-token"], /^\S{20,}$/);
  }
  assert.ok(calls.some((request) => request.method() === "POST"));

  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Token", { exact: true }).or(page.getByLabel("Passphrase")).waitFor();
  await page.waitForFunction(async () => (await (await fetch("relay/session")).json()).result.signed_in === false);
  assert.deepEqual(await context.cookies(), []);
  const afterLogOut = await context.request.get(`${relay.url}/client/v4/zones`);
  assert.equal(afterLogOut.status(), 401);
  assert.deepEqual(consoleProblems([/status of 403/]), []);
  await context.close();
});

test("a reload resumes the session and an expired session is reported", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, relay.url);
  await logIn(page);
  await page.getByText(/The connection works/).waitFor();
  await page.reload();
  await openLogIn(page);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText(/The connection works/).waitFor();
  // Another tab logs out.
  await context.clearCookies();
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/not logged in/).first().waitFor();
  await page.getByLabel("Passphrase").waitFor();
  assert.deepEqual(consoleProblems([/status of 401/]), []);
  await context.close();
});

test("a change of the base URL ends the session of this page", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(harness.browser, relay.url);
  await logIn(page);
  await page.getByText(/The connection works/).waitFor();
  const headers = [];
  page.on("request", (request) => headers.push(...Object.keys(request.headers())));
  await page.getByLabel("Base URL").fill(harness.service.url);
  await page.getByLabel("Passphrase").waitFor();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  assert.ok(!headers.includes("x-csrf-token"), "the token of the relay was sent to another service");
  await context.close();
});

test("a request that the relay rejects is shown with its position and not forwarded", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, relay.url);
  // The page assumes a larger plan than the zone has, so it does not reject the rule itself.
  await page.route("**/client/v4/zones?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const zone of body.result) zone.plan = { name: "Enterprise", legacy_id: "enterprise" };
    await route.fulfill({ response, json: body });
  });
  await logIn(page);
  await page.getByText(/The connection works/).waitFor();
  await page.locator("#zone").selectOption({ label: "pro.example (Enterprise)" });
  await page.getByRole("link", { name: "Rules" }).click();
  await fillEditor(page, 'http.host eq "refused.example.com"', expression);
  await page.getByLabel("Action").selectOption("log");
  await page.getByRole("button", { name: "Create rule" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "The rule was not created" });
  await notice.waitFor();
  assert.match(await notice.innerText(), /Code 10015 at\s+\/0\/action/);
  await page.locator(".field.wrong").filter({ hasText: "Action" }).waitFor();
  assert.equal(await countRejected(), 1);
  await expectAccessible(page, "relay-refused");
  assert.deepEqual(consoleProblems([/status of 400/]), []);
  await context.close();
});

test("a service without stored credentials is recognized and never receives the passphrase", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  const bodies = [];
  page.on("request", (request) => bodies.push(request.postData() ?? ""));
  await logIn(page);
  await page.getByText(/this server does not store credentials/).waitFor();
  assert.ok(bodies.every((body) => !body.includes(passphrase)));
  assert.deepEqual(consoleProblems([/status of 404/]), []);
  await context.close();
});
