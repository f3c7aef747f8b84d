// The installed app: it works without its host, and a new version is offered without interrupting an edit.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { editor, fillEditor, openPage, startBrowser } from "./support/browser.mjs";
import { createBuild } from "./support/builds.mjs";
import { createDataDirectory, dist, removeDirectory, startService } from "./support/service.mjs";
import { startStatic } from "./support/static.mjs";

const TIMEOUT = { timeout: 120_000 };
let chromium;
let second;

before(async () => {
  [chromium, second] = await Promise.all([startBrowser(), createBuild("second")]);
}, TIMEOUT);
after(async () => {
  await chromium?.stop();
  if (second) await removeDirectory(second);
}, TIMEOUT);

/** Opens the app on its own host, and waits until its files are stored. */
async function openStored(t, { path = "/some/where/", folder = dist, options } = {}) {
  const host = await startStatic(folder, path);
  const opened = await openPage(chromium.browser, host.url, { serviceWorkers: "allow", ...options });
  t.after(() => Promise.all([opened.context.close(), host.stop()]));
  await waitUntilStored(opened.page);
  return { host, ...opened };
}

function waitUntilStored(page) {
  return page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    // The worker controls the page when it is active.
    if (active.state !== "activated") await new Promise((resolve) => active.addEventListener("statechange", resolve));
  });
}

/** Looks for a new version, as the browser does when the page is opened. */
async function lookForUpdate(page) {
  await page.evaluate(async () => { await (await navigator.serviceWorker.ready).update(); });
}

/** Waits until `check` returns true. */
async function waitUntil(check) {
  const end = Date.now() + 15_000;
  while (!(await check())) {
    assert.ok(Date.now() < end, `${check} is still false`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const notice = (page) => page.getByRole("status").filter({ hasText: "A new version is available." });
const version = (page) => page.evaluate(() => document.documentElement.dataset.version ?? "first");
const cacheNames = (page) => page.evaluate(() => caches.keys());
const storedPaths = (page) => page.evaluate(async () => {
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname).sort();
});

/** Types on every page of the app. */
const PAGES = [
  ["#/expressions", "Expressions", async (page) => {
    await fillEditor(page, 'http.host eq "typed.example"');
    await page.getByText("No problems found.").waitFor();
  }],
  ["#/log-filters", "Log filters", async (page) => {
    await fillEditor(page, '{"where":{"key":"ClientRequestHost","operator":"eq","value":"typed.example"}}', "Filter");
    await page.getByText("No problems found.").waitFor();
  }],
  ["#/jobs", "Jobs", async (page) => {
    await page.getByRole("button", { name: "New job" }).click();
    await typeIn(page.getByLabel("Name", { exact: true }), "typed");
  }],
  ["#/rules", "Rules", (page) => typeIn(page.getByLabel("Description", { exact: true }), "typed")],
  ["#/migration", "Migration", async (page) => {
    await page.getByRole("button", { name: "Pro with a few settings" }).click();
    await typeIn(page.getByLabel("Configuration as JSON"), "{}");
  }],
  ["#/settings", "Settings", (page) => typeIn(page.getByLabel("Token", { exact: true }), "typed")],
];

async function typeIn(field, text) {
  await field.fill(text);
  assert.equal(await field.inputValue(), text);
}

test("every page of the app reloads and accepts input after its host has stopped", TIMEOUT, async (t) => {
  const { host, page, consoleProblems } = await openStored(t);
  const routes = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").evaluateAll((links) => links.map((link) => link.hash));
  assert.deepEqual(routes, PAGES.map(([route]) => route));
  await host.stop();
  for (const [route, title, type] of PAGES) {
    await page.goto(host.url + route);
    await page.reload();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await type(page);
  }
  await page.goto(`${host.url}#/expressions`);
  await page.reload();
  assert.equal(await editor(page).innerText(), 'http.host eq "typed.example"');
  await page.goto(`${host.url}index.html`);
  await page.getByRole("heading", { name: "Expressions", level: 1 }).waitFor();
  const licenses = await page.evaluate(async () => (await fetch("licenses.txt")).text());
  assert.match(licenses, /MIT License/);
  assert.deepEqual(consoleProblems(), []);
});

test("the app of the service works after the service has stopped", TIMEOUT, async (t) => {
  const data = await createDataDirectory();
  const service = await startService(data);
  const { page, context } = await openPage(chromium.browser, service.url, { serviceWorkers: "allow" });
  t.after(async () => {
    await context.close();
    await service.stop();
    await removeDirectory(data);
  });
  for (const [name, type] of [["service-worker.js", "text/javascript; charset=utf-8"], ["manifest.webmanifest", "application/manifest+json"]]) {
    const { headers } = await fetch(new URL(name, service.url));
    assert.deepEqual([headers.get("content-type"), headers.get("cache-control")], [type, "no-cache"], name);
  }
  await waitUntilStored(page);
  await page.evaluate(() => fetch("/client/v4/zones").then((response) => response.text()));
  assert.deepEqual((await storedPaths(page)).filter((path) => path.startsWith("/client/")), []);
  await service.stop();
  await page.reload();
  await page.getByRole("heading", { name: "Expressions", level: 1 }).waitFor();
});

test("the worker stores each file of the build once, and no file for hosts", TIMEOUT, async (t) => {
  const { page } = await openStored(t);
  const { HASHED_NAME } = await import("../../web/service_worker_build.mjs");
  const stored = (await storedPaths(page)).map((path) => path.replace("/some/where/", ""));
  const others = ["", "icon-192.png", "icon-512.png", "icon-maskable.svg", "licenses.txt", "manifest.webmanifest"];
  assert.deepEqual(stored.filter((path) => !HASHED_NAME.test(path)), others);
  const built = (await readdir(dist)).filter((name) => HASHED_NAME.test(name) && !/\.(br|gz)$/.test(name));
  assert.deepEqual(stored.filter((path) => HASHED_NAME.test(path)), built.sort());
});

test("requests to the API are neither stored nor answered from the cache", TIMEOUT, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "zonewright-build-"));
  t.after(() => removeDirectory(folder));
  await cp(dist, folder, { recursive: true });
  await mkdir(join(folder, "client"));
  // The second path looks like a name with a content hash.
  const paths = ["client/zones", "client/0123456789abcdef"];
  const write = (text) => Promise.all(paths.map((path) => writeFile(join(folder, path), text)));
  const { host, page } = await openStored(t, { path: "/", folder });
  const workers = [];
  page.on("response", (response) => response.url().includes("/client/") && workers.push(response.fromServiceWorker()));
  for (const text of ["one", "two"]) {
    await write(text);
    for (const path of paths) assert.equal(await page.evaluate(async (url) => (await fetch(url)).text(), path), text, path);
  }
  assert.deepEqual(workers, [false, false, false, false]);
  assert.deepEqual((await storedPaths(page)).filter((path) => path.includes("client")), []);
  await host.stop();
  for (const path of paths) {
    assert.equal(await page.evaluate((url) => fetch(url).then(() => "answered", () => "failed"), path), "failed", path);
  }
});

test("a new version is offered, and applied only on request", TIMEOUT, async (t) => {
  const { host, page, consoleProblems } = await openStored(t);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
  const field = page.getByLabel("Token", { exact: true });
  await typeIn(field, "unsaved");
  host.folder = second;
  await lookForUpdate(page);
  await notice(page).waitFor();
  await expectAccessible(page, "update-notice");
  await page.waitForTimeout(1000);
  assert.deepEqual([await version(page), await field.inputValue()], ["first", "unsaved"]);
  assert.equal((await cacheNames(page)).length, 2);
  assert.ok(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null), "the worker waits");

  await notice(page).getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await notice(page).count(), 0);
  await page.waitForFunction(() => document.activeElement.id === "main");
  assert.equal(await field.inputValue(), "unsaved");

  host.folder = await createBuild("third");
  t.after(() => removeDirectory(host.folder));
  await lookForUpdate(page);
  await notice(page).getByRole("button", { name: "Reload" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.version === "third");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await host.stop();
  await page.reload();
  assert.equal(await version(page), "third");
  assert.equal(await notice(page).count(), 0);
  assert.deepEqual(consoleProblems(), []);
});

test("the notice fits on narrow and low windows", TIMEOUT, async (t) => {
  const { host, page } = await openStored(t, { options: { width: 360, height: 640 } });
  host.folder = second;
  await lookForUpdate(page);
  await notice(page).getByRole("button", { name: "Reload" }).waitFor();
  await expectAccessible(page, "update-notice-narrow");
  const { bottom, height } = await notice(page).evaluate((element) => ({ bottom: element.getBoundingClientRect().bottom, height: innerHeight }));
  assert.ok(bottom <= height, `the notice ends at ${bottom} px of ${height} px`);
});

test("a reload of one tab leaves the files of the other tab available", TIMEOUT, async (t) => {
  const { host, page: editing, context } = await openStored(t);
  const other = await context.newPage();
  await other.goto(host.url);
  await fillEditor(editing, 'http.host eq "first.example"');
  host.folder = second;
  await lookForUpdate(other);
  await notice(editing).waitFor();
  await notice(other).getByRole("button", { name: "Reload" }).click();
  await other.waitForFunction(() => document.documentElement.dataset.version === "second");
  assert.equal(await version(editing), "first");
  assert.equal(await editor(editing).innerText(), 'http.host eq "first.example"');
  // Neither the host nor the new build has this file anymore.
  const old = await editing.evaluate(() => document.querySelector('script[src*="theme-"]').src);
  assert.equal(await editing.evaluate(async (url) => (await fetch(url, { cache: "no-store" })).status, old), 200);
  // Another new page does not delete the cache either.
  await other.reload();
  await editor(other).waitFor();
  assert.equal((await cacheNames(other)).length, 2);

  await notice(editing).getByRole("button", { name: "Reload" }).click();
  await editing.waitForFunction(() => document.documentElement.dataset.version === "second");
  await waitUntil(async () => (await cacheNames(other)).length === 1);
});

test("a page that the host has already sent in the new version activates its worker without a notice", TIMEOUT, async (t) => {
  const { host, page } = await openStored(t);
  const [first] = await cacheNames(page);
  host.folder = second;
  await page.reload();
  assert.equal(await version(page), "second");
  await waitUntil(async () => !(await cacheNames(page)).includes(first));
  await waitUntilStored(page);
  assert.equal(await notice(page).count(), 0);
  await host.stop();
  await page.reload();
  assert.equal(await version(page), "second");
});

test("copies of the app under one origin keep their own caches", TIMEOUT, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "zonewright-copies-"));
  t.after(() => removeDirectory(folder));
  await symlink(dist, join(folder, "a"));
  await symlink(second, join(folder, "b"));
  const host = await startStatic(folder, "/");
  t.after(() => host.stop());
  const { page, context } = await openPage(chromium.browser, `${host.url}a/index.html`, { serviceWorkers: "allow" });
  t.after(() => context.close());
  await waitUntilStored(page);
  await page.goto(`${host.url}b/index.html`);
  await editor(page).waitFor();
  await waitUntilStored(page);
  assert.equal((await cacheNames(page)).length, 2);
  await host.stop();
  for (const [path, expected] of [["a/", "first"], ["b/", "second"]]) {
    await page.goto(host.url + path);
    await editor(page).waitFor();
    assert.equal(await version(page), expected, path);
  }
});

test("while the host is slow or unavailable, the stored page opens", TIMEOUT, async (t) => {
  const { host, page } = await openStored(t);
  const responses = {
    unavailable: (response) => response.writeHead(503).end("unavailable"),
    slow: () => {},
  };
  for (const [name, respond] of Object.entries(responses)) {
    host.intercept = (path, response) => path === "index.html" && (respond(response), true);
    await page.reload();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    assert.equal(await page.title(), "Expressions · Zonewright", name);
  }
});

test("the page of a proxy that asks to log in is shown", TIMEOUT, async (t) => {
  const { host, page } = await openStored(t);
  host.intercept = (path, response) => {
    if (path === "index.html") response.writeHead(302, { location: `${host.url}log-in` }).end();
    if (path === "log-in") response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>");
    return path === "index.html" || path === "log-in";
  };
  await page.goto(host.url);
  await page.getByRole("heading", { name: "Log in" }).waitFor();
});

test("a build is stored completely or not at all", TIMEOUT, async (t) => {
  const html = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  const responses = {
    "an error": [/^licenses/, (response) => response.writeHead(404).end("not found")],
    "another file": [/^licenses/, html],
    "a log-in page": [/^index/, html],
  };
  for (const [name, [file, respond]] of Object.entries(responses)) {
    const { host, page, consoleProblems } = await openStored(t);
    host.folder = second;
    host.intercept = (path, response) => file.test(path) && (respond(response), true);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const ended = new Promise((resolve) => registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        worker.addEventListener("statechange", () => resolve(worker.state));
      }));
      await registration.update();
      window.state = await ended;
    });
    assert.equal(await page.evaluate(() => window.state), "redundant", name);
    assert.equal((await cacheNames(page)).length, 1, name);
    assert.equal(await notice(page).count(), 0, name);
    assert.deepEqual(consoleProblems(), [], name);
  }
});

test("without a service worker, the app works online and reports nothing", TIMEOUT, async (t) => {
  const failures = {
    "unsupported, as over plain HTTP": () => { delete Navigator.prototype.serviceWorker; },
    "denied storage": () => {
      Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { throw new DOMException("denied", "SecurityError"); } });
      LockManager.prototype.request = () => Promise.reject(new DOMException("denied", "SecurityError"));
    },
    "rejected registration": () => { ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError("rejected")); },
    "no locks": () => { delete Navigator.prototype.locks; },
  };
  const host = await startStatic(dist, "/");
  t.after(() => host.stop());
  for (const [name, fail] of Object.entries(failures)) {
    const context = await chromium.browser.newContext();
    t.after(() => context.close());
    await context.addInitScript(fail);
    await context.addInitScript(() => addEventListener("zonewright-started", () => { window.started = true; }));
    const page = await context.newPage();
    const problems = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(host.url);
    await page.waitForFunction(() => window.started);
    await fillEditor(page, 'http.host eq "typed.example"');
    await page.getByText("No problems found.").waitFor();
    assert.deepEqual(problems, [], name);
    assert.equal(await page.getByRole("alert").count(), 0, name);
  }
});

test("the manifest is valid, and its icons have the stated sizes", TIMEOUT, async (t) => {
  const { host, page } = await openStored(t);
  const url = await page.evaluate(() => document.querySelector('link[rel="manifest"]').href);
  assert.equal(url, `${host.url}manifest.webmanifest`);
  const manifest = await (await fetch(url)).json();
  assert.equal(manifest.name, await page.evaluate(() => document.querySelector(".brand").textContent.trim()));
  assert.ok(manifest.short_name.length <= 12, manifest.short_name);
  assert.deepEqual([manifest.start_url, manifest.scope, manifest.display], ["./", "./", "standalone"]);
  const sizes = [];
  for (const { src, sizes: stated, purpose = "any" } of manifest.icons) {
    const [width, height] = await page.evaluate(async (icon) => {
      const image = new Image();
      image.src = icon;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, new URL(src, url).href);
    assert.ok(stated === "any" ? width === height : stated === `${width}x${height}`, `${src}: ${width}x${height}`);
    sizes.push(`${stated} ${purpose}`);
  }
  assert.deepEqual(sizes, ["192x192 any", "512x512 any", "any maskable"]);

  const tokens = String(await readFile(new URL("../../web/styles/tokens.css", import.meta.url)));
  const token = (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens).slice(1);
  const [light, dark] = token("ground-panel");
  assert.deepEqual([manifest.theme_color, manifest.background_color], [light, token("ground")[0]]);
  const colors = await page.evaluate(() => [...document.querySelectorAll('meta[name="theme-color"]')].map(({ media, content }) => [media, content]));
  assert.deepEqual(colors, [["(prefers-color-scheme: light)", light], ["(prefers-color-scheme: dark)", dark]]);

  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A context of a test is like a private window, which installs no app.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
});
