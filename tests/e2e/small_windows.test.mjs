// Small windows: 400 % zoom, a phone held sideways, a phone held upright. Every page stays usable in each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { judge } from "./support/looks.mjs";
import { askZone } from "./support/rules.mjs";
import { connect, emptyZone } from "./support/service.mjs";
import { withService } from "./support/setup.mjs";

const rule = { action: "block", description: "Partner feed", filter: { expression: 'http.host eq "feed.example.com"' } };
const it = withService((service) => askZone(service, "POST", "/firewall/rules", [rule]));

/** Brings an element into view and gives how much of it the window shows. */
const shown = (locator) => locator.evaluate((element) => {
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const wide = Math.min(right, innerWidth) - Math.max(left, 0);
  const high = Math.min(bottom, innerHeight) - Math.max(top, 0);
  const [x, y] = [Math.max(left, 0) + wide / 2, Math.max(top, 0) + high / 2];
  const hit = wide > 0 && high > 0 ? document.elementFromPoint(x, y) : null;
  return { width, height, wide, high, hit: hit !== null && (element === hit || element.contains(hit) || hit.contains(element)) };
});

/** Fails unless the window can show this many pixels of the element, and a pointer reaches it there. */
async function usable(locator, name, { wide = 20, high = 20 } = {}) {
  await locator.waitFor({ state: "visible" });
  const box = await shown(locator);
  assert.ok(box.wide >= Math.min(wide, box.width) && box.wide > 0 && box.width >= wide, `${name}: ${box.wide} of ${box.width} px wide`);
  assert.ok(box.high >= high, `${name}: ${box.high} of ${box.height} px high`);
  assert.ok(box.hit, `${name}: something lies above it`);
}

const main = { wide: 200, high: 96 };
const pane = (page, word) => page.locator(".pane-tabs").getByRole("button", { name: word }).click();

// The main control of each page, and how one gets to it.
const pages = [
  ["Expressions", async (page) => {
    await usable(page.locator(".editor").first(), "editor", main);
    await usable(page.getByText("Nothing wrong here.").or(page.getByRole("button", { name: /^Fix/ })).first(), "problems");
    await pane(page, "Tools");
    await usable(page.getByRole("tabpanel"), "tools", main);
    await pane(page, "Editor");
  }],
  ["Log filters", async (page) => {
    const editor = page.locator(".editor").filter({ visible: true }).first();
    if (await editor.count() === 0) await page.locator(".pane-tabs").getByRole("button").first().click();
    await usable(editor, "editor", main);
    await pane(page, "Tools");
    await usable(page.getByRole("tabpanel"), "tools", main);
  }],
  ["Jobs", async (page) => {
    await usable(page.getByRole("button", { name: "New job" }).first(), "new job");
    await page.getByRole("button", { name: "New job" }).first().click();
    await usable(page.getByLabel("Name", { exact: true }), "name");
    await usable(page.getByRole("button", { name: "Create job" }), "create");
    await page.getByRole("button", { name: "Discard" }).click();
  }],
  ["Rules", async (page) => {
    await usable(page.getByRole("button", { name: "Edit rule Partner feed" }), "edit");
    await pane(page, "New rule");
    await usable(page.locator(".small-editor .editor"), "editor", { wide: 200, high: 80 });
    await usable(page.getByRole("button", { name: "Send" }), "send");
  }],
  ["Migration", async (page) => {
    await usable(page.getByRole("button", { name: /^Read / }), "read");
    await usable(page.getByLabel("Configuration as JSON"), "configuration", main);
    await page.getByRole("button", { name: "Pro with a few settings" }).click();
    await usable(page.getByRole("button", { name: "Go on to the configuration" }), "next");
  }],
  ["Settings", async (page) => {
    await usable(page.getByLabel("Token", { exact: true }), "token");
    await usable(page.getByRole("button", { name: "Test connection" }), "test");
  }],
];

for (const [width, height] of [[320, 256], [740, 360], [360, 640]]) {
  for (const scheme of ["light", "dark"]) {
    test(`every page is usable at ${width} × ${height} px, ${scheme}`, { timeout: 180_000 }, async () => {
      const { page, context, complaints } = await openPage(it.browser, it.service.url, { width, height, scheme });
      await connect(page, it.service.credentials);
      await page.locator("#zone").selectOption(emptyZone(it.service.credentials).id);
      const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
      for (const [name, check] of pages) {
        for (const link of await links.all()) {
          const box = await shown(link);
          assert.ok(box.hit && box.wide >= box.width - 1 && box.high >= 24, `${name}: the link ${await link.innerText()} cannot be reached`);
        }
        for (const other of await page.locator(".header > a, .header > button").filter({ visible: true }).all()) {
          assert.ok((await shown(other)).hit, `${name}: a control of the header cannot be reached`);
        }
        await links.filter({ hasText: name }).click();
        await page.waitForTimeout(200);
        await page.evaluate(() => scrollTo(0, 0));
        await judge(page, `small-${name.replace(" ", "-").toLowerCase()}-${width}-${scheme}`);
        await check(page).catch((error) => { throw new Error(`${name}: ${error.message}`, { cause: error }); });
      }
      assert.deepEqual(complaints([/status of 40[04]/]), []);
      await context.close();
    });
  }
}
