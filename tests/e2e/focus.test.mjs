// The keyboard focus after the focused element is removed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillEditor, openPage } from "./support/browser.mjs";
import { waitForToast } from "./support/jobs.mjs";
import { button, completeChecklist, migrationHelpers, readZone, step } from "./support/migration.mjs";
import { connect, emptyZone } from "./support/service.mjs";
import { withStaticHost, withService } from "./support/setup.mjs";

const harness = withService();
const host = withStaticHost();
const { open: openMigration } = migrationHelpers(harness);
const testOptions = { timeout: 120_000 };

/** Fails when no element has the focus after rendering. */
async function expectFocusKept(page, after) {
  await page.waitForTimeout(150);
  const focusedTag = await page.evaluate(() => document.activeElement?.tagName ?? "BODY");
  assert.notEqual(focusedTag, "BODY", `after ${after}`);
}

for (const width of [1280, 360]) {
  test(`creating a rule, canceling an edit and deleting a rule keep the focus at ${width} px`, testOptions, async () => {
    const { page, context } = await openPage(harness.browser, harness.service.url, { width, height: 740 });
    await connect(page, harness.service.credentials);
    await page.locator("#zone").selectOption(emptyZone(harness.service.credentials).id);
    await page.getByRole("link", { name: "Rules" }).click();
    if (width === 360) await page.locator(".pane-tabs").getByRole("button", { name: "New rule" }).click();
    await fillEditor(page, `http.host eq "focus${width}.example.com"`, "Filter expression");
    await page.getByLabel("Description").fill(`Focus ${width}`);
    await page.locator("form").getByRole("button", { name: "Create rule" }).focus();
    await page.keyboard.press("Enter");
    await waitForToast(page, "Rule created");
    await expectFocusKept(page, "Create rule");

    await page.getByRole("button", { name: `Edit rule Focus ${width}` }).click();
    const cancel = page.getByRole("button", { name: "Cancel" });
    await cancel.focus();
    await page.keyboard.press("Enter");
    await cancel.waitFor({ state: "detached" });
    await expectFocusKept(page, "Cancel");

    if (width === 360) await page.locator(".pane-tabs").getByRole("button", { name: "Rules and filters" }).click();
    await page.getByRole("button", { name: `Delete rule Focus ${width}` }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("Its filter").waitFor();
    await expectFocusKept(page, "Delete");
    assert.ok(await page.evaluate(() => document.activeElement.closest("dialog") !== null), "the focus left the dialog");
    await dialog.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Delete rule Focus ${width}` }).waitFor({ state: "detached" });
    await expectFocusKept(page, "Done");
    await context.close();
  });
}

test("closing a message keeps the focus", testOptions, async () => {
  const { page, context } = await openPage(host.browser, host.host.url);
  await fillEditor(page, "http.host eq (");
  await page.getByRole("button", { name: "Format" }).click();
  await page.locator(".toast.problem").waitFor();
  await page.getByRole("button", { name: "Close message" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".toast").waitFor({ state: "detached" });
  await expectFocusKept(page, "Close message");
  await context.close();
});

test("an element that loses the focus but stays on the page does not regain it", testOptions, async () => {
  const { page, context } = await openPage(host.browser, `${host.host.url}#/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.locator("#base-url").focus();
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(150);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY");
  await context.close();
});

test("the next migration step receives the focus, and a saved plan is not shown as unsaved", testOptions, async () => {
  const zone = "pro.example";
  const { page, context } = await openMigration(zone);
  await readZone(page, zone);
  const next = page.getByRole("button", { name: "Continue to configuration" });
  await next.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Step: Configuration" }).waitFor();
  await expectFocusKept(page, "a step");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Step: Configuration");

  await completeChecklist(page, zone);
  await page.getByText(/; not saved yet$/).waitFor();
  await button(page, "Migrate permanently").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Migration states" }).waitFor();
  await expectFocusKept(page, "the update");
  await waitForToast(page, "Configuration updated");
  await step(page, "Finish").click();
  await page.getByText("Compared with the saved entry point: no rules changed").waitFor();
  assert.equal(await page.getByText(/not saved yet/).count(), 0);
  await context.close();
});
