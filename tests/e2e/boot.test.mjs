// The page before the app has started, and when it cannot start.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor } from "./support/browser.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();
const EXPRESSION_KEY = "zonewright.source";
const WASM = "**/*_bg.wasm";

/** Opens the page without waiting for the app. */
async function openBooting(options, prepare, fragment = "") {
  const context = await harness.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await prepare?.(page, context);
  await page.goto(`${harness.host.url}${fragment}`, { waitUntil: "commit" });
  return { page, context };
}

/** Delays the WebAssembly module of the app; returns a function that releases it. */
async function delayApp(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(WASM, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("the layout is visible while the app loads, and the app replaces it", { timeout: 60_000 }, async () => {
  let release;
  const { page, context } = await openBooting({}, async (page) => (release = await delayApp(page)));
  const status = page.getByRole("status").filter({ hasText: "Loading the app…" });
  await status.waitFor();
  assert.equal(await page.locator("#boot-shell .page-link").filter({ hasText: "Log filters" }).isVisible(), true);
  const before = await page.locator("#boot-shell .header").boundingBox();
  release();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  assert.equal(await page.locator("#boot-shell").count(), 0);
  assert.deepEqual(await page.locator(".header").boundingBox(), before);
  await context.close();
});

test("the layout describes a page while its part loads together with the app", { timeout: 60_000 }, async () => {
  let release;
  const loads = [];
  const prepare = async (page) => {
    page.on("request", (request) => /\/jobs\.[^/]*\.wasm$/.test(request.url()) && loads.push(request.url()));
    release = await delayApp(page);
  };
  const { page, context } = await openBooting({}, prepare, "#/jobs");
  await page.getByText("Write log push jobs").waitFor();
  assert.equal(await page.getByText("Build a log push filter").isVisible(), false);
  assert.equal(loads.length, 1, "the part loads before the app has started");
  release();
  await page.getByRole("button", { name: "New job" }).first().waitFor();
  assert.equal(loads.length, 1, "the app uses the loaded part");
  await context.close();
});

test("text that is typed while the app loads keeps its cursor, focus, and undo steps", { timeout: 60_000 }, async () => {
  let release;
  const { page, context } = await openBooting({}, async (page, context) => {
    await context.addInitScript((key) => localStorage.setItem(key, "http.hots eq 1"), EXPRESSION_KEY);
    release = await delayApp(page);
  });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("ssl or ");
  release();
  await page.locator(".problem-message").first().waitFor();
  await page.keyboard.type("ip.src eq 1.1.1.1 or ");
  assert.equal(await editor(page).innerText(), "ssl or ip.src eq 1.1.1.1 or http.hots eq 1");
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await editor(page).innerText(), "http.hots eq 1");
  assert.deepEqual(errors, []);
  await context.close();
});

test("text that is typed while the app loads survives a failed start and a denied storage", { timeout: 60_000 }, async () => {
  let fail;
  const { page, context } = await openBooting({}, async (page, context) => {
    await context.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("denied", "SecurityError");
      };
    });
    const failed = new Promise((resolve) => (fail = resolve));
    await page.route(WASM, async (route) => {
      await failed;
      await route.abort();
    });
  });
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("ssl and icmp");
  fail();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Expression" }).inputValue(), "ssl and icmp");
  await context.close();
});

test("an expression from a link replaces the stored one, without a boot editor", { timeout: 60_000 }, async () => {
  let release;
  const { page, context } = await openBooting({ permissions: ["clipboard-read", "clipboard-write"] });
  await editor(page).waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  const other = await context.newPage();
  await other.addInitScript((key) => localStorage.setItem(key, "icmp"), EXPRESSION_KEY);
  release = await delayApp(other);
  await other.goto(link, { waitUntil: "commit" });
  await other.waitForFunction(() => window.zonewrightEditor);
  assert.equal(await editor(other).count(), 0);
  release();
  await editor(other).getByText("shop.example.com").waitFor();
  await context.close();
});

test("text that is typed while the app loads is on its page, although the app starts on another page", { timeout: 60_000 }, async () => {
  let release;
  const { page, context } = await openBooting({}, async (page) => (release = await delayApp(page)));
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("ssl and icmp");
  await page.evaluate(() => (location.hash = "#/log-filters"));
  release();
  await page.getByRole("tab", { name: "Convert" }).click();
  // This tool has an editor with the same label.
  await editor(page).waitFor();
  assert.notEqual(await editor(page).innerText(), "ssl and icmp");
  await page.getByRole("link", { name: "Expressions", exact: true }).click();
  await editor(page).getByText("ssl and icmp").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), "page-link");
  await context.close();
});

test("the boot editor has the text, the label, and the place of the editor of the app", { timeout: 60_000 }, async () => {
  let release;
  const { page, context } = await openBooting({}, async (page) => (release = await delayApp(page)));
  await editor(page).waitFor();
  const text = await editor(page).innerText();
  const { x, y, width } = await editor(page).boundingBox();
  release();
  await page.locator(".problem-message").first().waitFor();
  assert.equal(await editor(page).innerText(), text);
  const after = await editor(page).boundingBox();
  assert.deepEqual({ x: after.x, y: after.y, width: after.width }, { x, y, width });
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
