// The page before the app has started, and when it cannot start.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor } from "./support/browser.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();
const EXPRESSION_KEY = "zonewright.source";
const WASM = "**/*_bg.wasm";

/** Opens the page without waiting for the app. */
async function openBooting(options, prepare) {
  const context = await harness.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await prepare?.(page, context);
  await page.goto(harness.host.url, { waitUntil: "commit" });
  return { page, context };
}

test("the layout is visible while the app loads, and the app replaces it", { timeout: 60_000 }, async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const { page, context } = await openBooting({}, (page) =>
    page.route(WASM, async (route) => {
      await held;
      await route.continue();
    }),
  );
  const status = page.getByRole("status").filter({ hasText: "Loading the app…" });
  await status.waitFor();
  assert.equal(await page.locator("#boot-shell .page-link").filter({ hasText: "Log filters" }).isVisible(), true);
  const before = await page.locator("#boot-shell .header").boundingBox();
  release();
  await editor(page).waitFor();
  assert.equal(await page.locator("#boot-shell").count(), 0);
  assert.deepEqual(await page.locator(".header").boundingBox(), before);
  await context.close();
});

test("an app that cannot start shows the stored texts, and starts after Reload", { timeout: 60_000 }, async () => {
  let isBlocked = true;
  const { page, context } = await openBooting({}, async (page, context) => {
    await context.addInitScript((key) => localStorage.getItem(key) ?? localStorage.setItem(key, "ssl and"), EXPRESSION_KEY);
    await page.route(WASM, (route) => (isBlocked ? route.abort() : route.continue()));
  });
  await page.getByRole("alert").getByText("The app could not start").waitFor();
  assert.equal(await page.getByText("Loading the app…").count(), 0);
  const field = page.getByRole("textbox", { name: "Expression" });
  assert.equal(await field.inputValue(), "ssl and");
  await field.fill("ssl and http.host eq \"a\"");
  isBlocked = false;
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await editor(page).getByText('ssl and http.host eq "a"').waitFor();
  await context.close();
});

test("an app that cannot start can be started without the stored input, which is set aside", { timeout: 60_000 }, async () => {
  let isBlocked = true;
  const { page, context } = await openBooting({}, async (page, context) => {
    await context.addInitScript((key) => {
      if (localStorage.length === 0) localStorage.setItem(key, "ssl and");
    }, EXPRESSION_KEY);
    await page.route(WASM, (route) => (isBlocked ? route.abort() : route.continue()));
  });
  await page.getByRole("alert").waitFor();
  isBlocked = false;
  await page.getByRole("button", { name: "Start without stored input" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await editor(page).waitFor();
  assert.equal(await editor(page).getByText("ssl and", { exact: true }).count(), 0);
  assert.equal(await page.evaluate((key) => localStorage.getItem(`set-aside.${key}`), EXPRESSION_KEY), "ssl and");
  await context.close();
});

test("without JavaScript the page does not seem to load", { timeout: 60_000 }, async () => {
  const { page, context } = await openBooting({ javaScriptEnabled: false });
  await page.waitForLoadState("load");
  assert.equal(await page.locator("#boot-shell").count(), 1);
  assert.equal(await page.getByText("Loading the app…").isVisible(), false);
  await context.close();
});
