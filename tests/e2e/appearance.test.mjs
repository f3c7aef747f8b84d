// Every page in both themes, wide and narrow: accessible, without horizontal scrolling or console messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { fillEditor, openPage } from "./support/browser.mjs";
import { connect } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const harness = withService(async ({ credentials }) => {
  const { base_url: base, token, zone_id: zone } = credentials;
  const send = (rules) => fetch(`${base}/zones/${zone}/firewall/rules`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(rules),
  });
  await send([
    { action: "block", description: "Admin pages, from the office only", priority: 10, filter: { expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24 2001:db8::/32}' } },
    { action: "managed_challenge", priority: 20, filter: { expression: 'http.request.uri.path contains "/wp-login.php"' } },
    { action: "bypass", products: ["bic", "hot"], paused: true, description: "Partner feed", filter: { expression: 'http.host eq "feed.example.com"' } },
  ]);
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    const narrow = width === 360;
    test(`every page is accessible (${scheme}, ${width} px)`, { timeout: 180_000 }, async () => {
      const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url, { width, height: narrow ? 740 : 800, scheme });
      const name = (view) => `${view}-${scheme}-${width}`;
      const pane = (label) => (narrow ? page.getByRole("button", { name: label }).click() : undefined);
      await page.getByText("single-quotes").first().waitFor({ state: narrow ? "attached" : "visible" });
      await expectAccessible(page, name("expressions"));
      await page.getByRole("button", { name: "single-quotes" }).click();
      await expectAccessible(page, name("code-page"));
      await page.keyboard.press("Escape");
      for (const button of ["Recipes", "Share"]) {
        await page.getByRole("button", { name: button, exact: true }).click();
        await expectAccessible(page, name(button.toLowerCase()));
        await page.keyboard.press("Escape");
      }
      await page.getByRole("button", { name: /^Fix/ }).first().click();
      await page.getByText("No problems found.").waitFor();
      await pane("Tools");
      for (const tool of ["Explain", "Diagram", "Test request", "Test cases", "Compare", "Copy as"]) {
        await page.getByRole("tab", { name: tool, exact: true }).click();
        if (tool === "Test cases") await page.getByRole("button", { name: "Show example" }).click();
        if (tool === "Compare") await fillEditor(page, "ssl", "Other expression");
        await page.waitForTimeout(400);
        await expectAccessible(page, name(`tool-${tool.replace(" ", "-").toLowerCase()}`));
      }
      await pane("Editor");
      await page.getByRole("link", { name: "Rules" }).click();
      await page.getByText("Connect to see your rules and filters").waitFor();
      await expectAccessible(page, name("rules-offline"));
      await connect(page, harness.service.credentials);
      await expectAccessible(page, name("settings"));
      await page.getByRole("link", { name: "Rules" }).click();
      await page.getByText("Partner feed").waitFor();
      await expectAccessible(page, name("rules"));
      await page.getByRole("button", { name: "Delete rule Partner feed" }).click();
      await expectAccessible(page, name("delete"));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Filters" }).first().click();
      await page.getByRole("table", { name: "Filters" }).waitFor();
      await expectAccessible(page, name("filters"));
      await page.getByRole("button", { name: /^Use filter/ }).first().click();
      await expectAccessible(page, name("form-existing"));
      await page.getByRole("button", { name: "New filter" }).click();
      await fillEditor(page, "http.host == 'a' and", "Filter expression");
      await page.getByLabel("Action").selectOption("bypass");
      await page.getByRole("button", { name: "Create rule" }).click();
      await page.getByText("Nothing was sent").waitFor();
      await expectAccessible(page, name("form"));
      assert.deepEqual(consoleProblems(), []);
      await context.close();
    });
  }
}

test("every page is readable with forced colors", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url);
  await page.emulateMedia({ forcedColors: "active" });
  await expectAccessible(page, "expressions-forced");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
