// Small windows: 400 % zoom, and a phone in landscape and portrait orientation. Every page stays usable in each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { expectAccessible } from "./support/appearance.mjs";
import { callEmptyZone } from "./support/rules.mjs";
import { connect, emptyZone } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const rule = { action: "block", description: "Partner feed", filter: { expression: 'http.host eq "feed.example.com"' } };
const harness = withService((service) => callEmptyZone(service, "POST", "/firewall/rules", [rule]));

/** Scrolls an element into view and returns how much of it the window shows. */
const visibleBox = (locator) => locator.evaluate((element) => {
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const visibleWidth = Math.min(right, innerWidth) - Math.max(left, 0);
  const visibleHeight = Math.min(bottom, innerHeight) - Math.max(top, 0);
  const [x, y] = [Math.max(left, 0) + visibleWidth / 2, Math.max(top, 0) + visibleHeight / 2];
  const hit = visibleWidth > 0 && visibleHeight > 0 ? document.elementFromPoint(x, y) : null;
  return { width, height, visibleWidth, visibleHeight, isHit: hit !== null && (element === hit || element.contains(hit) || hit.contains(element)) };
});

/** Fails unless the window can show at least this many pixels of the element and a pointer reaches it there. */
async function expectUsable(locator, name, { minWidth = 20, minHeight = 20 } = {}) {
  await locator.waitFor({ state: "visible" });
  const box = await visibleBox(locator);
  assert.ok(box.visibleWidth >= Math.min(minWidth, box.width) && box.visibleWidth > 0 && box.width >= minWidth, `${name}: ${box.visibleWidth} of ${box.width} px wide`);
  assert.ok(box.visibleHeight >= minHeight, `${name}: ${box.visibleHeight} of ${box.height} px high`);
  assert.ok(box.isHit, `${name}: another element covers it`);
}

const main = { minWidth: 200, minHeight: 96 };
const pane = (page, label) => page.locator(".pane-tabs").getByRole("button", { name: label }).click();

// The main control of each page, and how to reach it.
const pages = [
  ["Expressions", async (page) => {
    await expectUsable(page.locator(".editor").first(), "editor", main);
    await expectUsable(page.getByText("No problems found.").or(page.getByRole("button", { name: /^Fix/ })).first(), "problems");
    await pane(page, "Tools");
    await expectUsable(page.getByRole("tabpanel"), "tools", main);
    await pane(page, "Editor");
  }],
  ["Log filters", async (page) => {
    const editor = page.locator(".editor").filter({ visible: true }).first();
    if (await editor.count() === 0) await page.locator(".pane-tabs").getByRole("button").first().click();
    await expectUsable(editor, "editor", main);
    await pane(page, "Tools");
    await expectUsable(page.getByRole("tabpanel"), "tools", main);
  }],
  ["Jobs", async (page) => {
    await expectUsable(page.getByRole("button", { name: "New job" }).first(), "new job");
    await page.getByRole("button", { name: "New job" }).first().click();
    await expectUsable(page.getByLabel("Name", { exact: true }), "name");
    await expectUsable(page.getByRole("button", { name: "Create job" }), "create");
    await page.getByRole("button", { name: "Discard" }).click();
  }],
  ["Rules", async (page) => {
    await expectUsable(page.getByRole("button", { name: "Edit rule Partner feed" }), "edit");
    await pane(page, "New rule");
    await expectUsable(page.locator(".small-editor .editor"), "editor", { minWidth: 200, minHeight: 80 });
    await expectUsable(page.getByRole("button", { name: "Create rule" }), "send");
  }],
  ["Migration", async (page) => {
    await expectUsable(page.getByRole("button", { name: /^Load / }), "read");
    await expectUsable(page.getByLabel("Configuration as JSON"), "configuration", main);
    await page.getByRole("button", { name: "Pro with a few settings" }).click();
    await expectUsable(page.getByRole("button", { name: "Continue to configuration" }), "next");
  }],
  ["Settings", async (page) => {
    await expectUsable(page.getByLabel("Token", { exact: true }), "token");
    await expectUsable(page.getByRole("button", { name: "Test connection" }), "test");
  }],
];

for (const [width, height] of [[320, 256], [740, 360], [360, 640]]) {
  for (const scheme of ["light", "dark"]) {
    test(`every page is usable at ${width} × ${height} px, ${scheme}`, { timeout: 180_000 }, async () => {
      const { page, context, consoleProblems } = await openPage(harness.browser, harness.service.url, { width, height, scheme });
      await connect(page, harness.service.credentials);
      await page.locator("#zone").selectOption(emptyZone(harness.service.credentials).id);
      const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
      const rows = new Set(await Promise.all((await links.all()).map(async (link) => (await link.boundingBox()).y)));
      if (width >= 360) assert.equal(rows.size, 1, "the links of the pages are in one row");
      for (const [name, check] of pages) {
        for (const link of await links.all()) {
          const box = await visibleBox(link);
          assert.ok(box.isHit && box.visibleWidth >= box.width - 1 && box.visibleHeight >= 24, `${name}: the link ${await link.innerText()} cannot be reached`);
        }
        for (const other of await page.locator(".header > a, .header > button").filter({ visible: true }).all()) {
          assert.ok((await visibleBox(other)).isHit, `${name}: a control of the header cannot be reached`);
        }
        await links.filter({ hasText: name }).click();
        await page.waitForTimeout(200);
        await page.evaluate(() => scrollTo(0, 0));
        await expectAccessible(page, `small-${name.replace(" ", "-").toLowerCase()}-${width}-${scheme}`);
        await check(page).catch((error) => { throw new Error(`${name}: ${error.message}`, { cause: error }); });
      }
      assert.deepEqual(consoleProblems([/status of 40[04]/]), []);
      await context.close();
    });
  }
}
