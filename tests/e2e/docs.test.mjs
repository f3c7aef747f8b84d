// The API docs page of the service and of a relay, in both themes, wide and narrow. It is accessible, without horizontal
// scrolling or console messages, and its links resolve.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { startServing } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";
import { policy } from "./support/static.mjs";

let relay;
const harness = withService(async (service) => {
  const options = ["--listen", "127.0.0.1:0", "--relay-upstream", `${service.url}/client/v4`];
  for (const [name, text] of [["credentials", service.credentials.token], ["passphrase", "a long passphrase"]]) {
    const file = join(harness.data, name);
    await writeFile(file, text, { mode: 0o600 });
    options.push(`--relay-${name}-file`, file);
  }
  relay = await startServing(options);
});
after(() => relay?.stop());

/** Checks a page with all examples and lists of contents expanded, because collapsed content is not checked. */
async function expectDocsAccessible(url, scheme, width, name) {
  const options = { width, height: 740, scheme, navigation: "Contents" };
  const { page, context, consoleProblems } = await openPage(harness.browser, `${url}/docs/api`, options);
  await page.evaluate(() => document.querySelectorAll("details").forEach((element) => { element.open = true; }));
  await expectAccessible(page, `${name}-${scheme}-${width}`);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
}

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`the docs page is accessible (${scheme}, ${width} px)`, { timeout: 180_000 }, () => expectDocsAccessible(harness.service.url, scheme, width, "docs"));
  }
}

test("the docs page of a relay is accessible", { timeout: 180_000 }, () => expectDocsAccessible(relay.url, "light", 1280, "docs-relay"));

test("the contents of the docs page link to operations and to the OpenAPI document", { timeout: 60_000 }, async () => {
  const options = { navigation: "Contents" };
  const { page, context, consoleProblems } = await openPage(harness.browser, `${harness.service.url}/docs/api`, options);
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByText("Operations", { exact: true }).click();
  await contents.getByRole("link", { name: "Liveness probe" }).click();
  assert.equal(new URL(page.url()).hash, "#healthz-health");
  assert.ok(await page.getByRole("heading", { name: "Liveness probe" }).isVisible());
  const document = await (await fetch(new URL(await page.getByRole("link", { name: "OpenAPI document" }).getAttribute("href"), page.url()))).json();
  assert.equal(document.openapi, "3.1.0");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the app is served with the documented policy", async () => {
  for (const { url } of [harness.service, relay]) {
    assert.equal((await fetch(url)).headers.get("content-security-policy"), policy);
  }
});
