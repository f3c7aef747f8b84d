// The parts of the app: when they are loaded, what the page shows meanwhile, and how large they are.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { editor, fillEditor, openPage, startBrowser } from "./support/browser.mjs";
import { dist } from "./support/service.mjs";
import { startStatic } from "./support/static.mjs";

const TIMEOUT = { timeout: 120_000 };
/** The files of the parts of the app, without the main module. */
const PART_FILES = readdirSync(dist).filter((name) => /^(?!engine-).*(?<!_bg)\.wasm$/.test(name));
/**
 * The maximum sizes in KiB, compressed with Brotli and without the engine: the main module, and what each page adds when
 * it is opened first.
 */
const MAX_MAIN_KIBIBYTES = 260;
const MAX_PAGE_KIBIBYTES = { "Log filters": 165, Jobs: 256, Rules: 163, Migration: 246, Settings: 80 };

let chromium;
let host;

before(async () => {
  [chromium, host] = await Promise.all([startBrowser(), startStatic(dist)]);
}, TIMEOUT);
after(async () => {
  await chromium?.stop();
  await host?.stop();
}, TIMEOUT);

/** Opens the page of expressions. `files` lists the files of parts that the page requests. */
async function openExpressions(t, options = {}) {
  const opened = await openPage(chromium.browser, `${host.url}#/expressions`, options);
  t.after(() => opened.context.close());
  const files = [];
  opened.page.on("request", (request) => {
    const name = new URL(request.url()).pathname.split("/").at(-1);
    if (PART_FILES.includes(name)) files.push(name);
  });
  return { ...opened, files };
}

async function goToPage(page, title) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: title, exact: true }).click();
}

const heading = (page, title) => page.getByRole("heading", { name: title, level: 1, exact: true });
const failure = (page, title) => page.getByRole("alert").filter({ hasText: `The ${title} page could not be loaded` });

/** The size of a file as a host sends it. Small files are not compressed. */
function kibibytes(name) {
  const compressed = statSync(join(dist, `${name}.br`), { throwIfNoEntry: false }) ?? statSync(join(dist, name));
  return compressed.size / 1024;
}

function assertAtMost(size, limit, label) {
  assert.ok(size <= limit, `${label}: ${size.toFixed(1)} KiB; the limit is ${limit}`);
  // A limit far above the size no longer protects it.
  assert.ok(size > limit * 0.9, `${label}: ${size.toFixed(1)} KiB; lower the limit of ${limit}`);
}

test("the page of expressions loads no part, and a tool loads its part when it is opened", TIMEOUT, async (t) => {
  const { page, files, consoleProblems } = await openExpressions(t);
  await fillEditor(page, 'http.host eq "example.com"');
  await page.getByText("No problems found.").waitFor();
  assert.deepEqual(files, []);
  await page.getByRole("tab", { name: "Test request" }).click();
  await page.getByLabel("Request", { exact: true }).waitFor();
  assert.ok(files.some((name) => name.startsWith("expression_tools.")), files.join(" "));
  assert.deepEqual(consoleProblems(), []);
});

test("a page loads its part when it is opened for the first time, and only then", TIMEOUT, async (t) => {
  const { page, files } = await openExpressions(t);
  await goToPage(page, "Rules");
  await heading(page, "Rules").waitFor();
  const loaded = [...files];
  assert.ok(loaded.some((name) => name.startsWith("rules.")), loaded.join(" "));
  await goToPage(page, "Expressions");
  await heading(page, "Expressions").waitFor();
  await goToPage(page, "Rules");
  await heading(page, "Rules").waitFor();
  assert.deepEqual(files, loaded);
});

test("a loading part shows a status, and other pages work", TIMEOUT, async (t) => {
  const { page } = await openExpressions(t);
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route("**/migration.*.wasm", async (route) => {
    await released;
    await route.continue();
  });
  await goToPage(page, "Migration");
  await page.getByRole("status").filter({ hasText: "Loading Migration…" }).waitFor();
  await goToPage(page, "Settings");
  await heading(page, "Settings").waitFor();
  await goToPage(page, "Migration");
  release();
  await heading(page, "Migration").waitFor();
  assert.equal(await page.getByText("Loading Migration…").count(), 0);
});

test("a part that cannot be loaded can be retried, and typed text is retained", TIMEOUT, async (t) => {
  const { page, consoleProblems } = await openExpressions(t);
  await fillEditor(page, 'http.host eq "typed.example"');
  await goToPage(page, "Log filters");
  const filter = '{"where":{"key":"ClientRequestHost","operator":"eq","value":"typed.example"}}';
  await fillEditor(page, filter, "Filter");
  await page.route("**/rules.*.wasm", (route) => route.abort());
  await goToPage(page, "Rules");
  await failure(page, "Rules").waitFor();
  await expectAccessible(page, "a part that cannot be loaded");
  // The part still cannot be loaded.
  await page.getByRole("button", { name: "Retry" }).click();
  await failure(page, "Rules").waitFor();
  await goToPage(page, "Log filters");
  assert.equal(await editor(page, "Filter").innerText(), filter);
  await goToPage(page, "Expressions");
  assert.equal(await editor(page).innerText(), 'http.host eq "typed.example"');
  await goToPage(page, "Rules");
  await failure(page, "Rules").waitFor();
  await page.unroute("**/rules.*.wasm");
  await page.getByRole("button", { name: "Retry" }).click();
  await heading(page, "Rules").waitFor();
  assert.deepEqual(consoleProblems([/Failed to (load resource|fetch)/]), []);
});

test("a new rule keeps its expression while the part of its page cannot be loaded", TIMEOUT, async (t) => {
  const { page } = await openExpressions(t);
  await fillEditor(page, 'http.host eq "typed.example"');
  await page.route("**/rules.*.wasm", (route) => route.abort());
  await page.getByRole("button", { name: "Create rule" }).click();
  await failure(page, "Rules").waitFor();
  await page.unroute("**/rules.*.wasm");
  await page.getByRole("button", { name: "Retry" }).click();
  await heading(page, "Rules").waitFor();
  assert.equal(await editor(page, "Filter expression").innerText(), 'http.host eq "typed.example"');
});

test("a host without the MIME type of WebAssembly can serve the parts", TIMEOUT, async (t) => {
  const { page, consoleProblems } = await openExpressions(t);
  await page.route("**/rules.*.wasm", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": "application/octet-stream" } });
  });
  await goToPage(page, "Rules");
  await heading(page, "Rules").waitFor();
  assert.deepEqual(consoleProblems(), []);
});

test("the main module is small", () => {
  const main = readdirSync(dist).find((name) => /^zonewright-web-.*_bg\.wasm$/.test(name));
  assertAtMost(kibibytes(main), MAX_MAIN_KIBIBYTES, "main module");
});

for (const [title, limit] of Object.entries(MAX_PAGE_KIBIBYTES)) {
  test(`the page ${title} adds little when it is the first further page`, TIMEOUT, async (t) => {
    const { page, files } = await openExpressions(t);
    await goToPage(page, title);
    await heading(page, title).waitFor();
    assertAtMost([...new Set(files)].reduce((sum, name) => sum + kibibytes(name), 0), limit, title);
  });
}
