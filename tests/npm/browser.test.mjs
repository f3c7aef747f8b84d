// The package in a browser: unbundled and bundled.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { nodeResolve } from "@rollup/plugin-node-resolve";
// Rollup as WebAssembly: the same bundler, without a binary for each platform.
import { rollup } from "@rollup/wasm-node";
import { buildWithVite, buildWithWebpack, copyFiles, startPages } from "./pages.mjs";
import { createProject, toolPath } from "./support.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const folder = createProject();
const packed = join(folder, "node_modules/zonewright");
// A program that publishes its results on the page. The tests vary only its import and the argument of `init`.
const program = (from, argument = "") => `
  import { check, evaluate, hover, init, load, logpush, test } from '${from}';
  const calls = [];
  const attempt = (call) => { try { call(); } catch (error) { calls.push(error.message); } };
  attempt(() => check('ssl'));
  const first = init(${argument});
  calls.push(first === init());
  await first;
  const source = 'http.user_agent contains "🦀" and http.hots eq "a"';
  const { ok, diagnostics } = check(source);
  calls.push(ok, diagnostics.map((d) => [d.code, source.slice(d.start, d.end)]));
  calls.push(check('('.repeat(10000)).ok, check(5).ok, check('('.repeat(128) + 'ssl' + ')'.repeat(128)).ok);
  attempt(() => hover('ssl', 0));
  attempt(() => evaluate('ssl', {}));
  attempt(() => logpush.check('{}'));
  await load('help', 'evaluate', 'test', 'logpush');
  calls.push(evaluate('http.host eq "a"', { fields: { 'http.host': 'a' } }).outcome, logpush.check('{"where":{}}').ok);
  calls.push(hover('ssl', 0).hover.title, test('').ok);
  window.results = calls;`;
const EXPECTED = [
  "zonewright: call `await init()` before any other function",
  true,
  false,
  [["unknown-field", "http.hots"]],
  false,
  false,
  true,
  "zonewright: call `await load(\"help\")` before `hover`",
  "zonewright: call `await load(\"evaluate\")` before `evaluate`",
  "zonewright: call `await load(\"logpush\")` before `logpush.check`",
  "match",
  false,
  "ssl",
  false,
];

let pages;

before(async () => {
  // Many servers do not know the MIME type of wasm; the directory `plain` is served as they serve it.
  pages = await startPages(folder, { policy: () => POLICY, isPlain: (path) => path.startsWith("/plain/") && path.endsWith(".wasm") });
});

after(() => pages?.stop());

const readResults = (path) => pages.readResults(path);

function bundle(name, text) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, `${name}-source.mjs`), text);
  const options = ["--bundle", "--format=esm", "--platform=browser", "--log-level=error", `--outfile=${name}/app.js`];
  execFileSync(toolPath("esbuild"), [`${name}-source.mjs`, ...options], { cwd: folder, stdio: "inherit" });
}

const copyWasmFiles = (name) => copyFiles(packed, join(folder, name), ".wasm");

/** Writes the program that a bundler reads, and returns its path. */
function writeSource(name) {
  const source = join(folder, `${name}-source.mjs`);
  writeFileSync(source, program("zonewright"));
  return source;
}

describe("in Chromium, under a strict Content-Security-Policy", () => {
  test("an unbundled module works", async () => {
    writeFileSync(join(folder, "direct.js"), program("/node_modules/zonewright/browser.js"));
    assert.deepEqual(await readResults("direct.html"), EXPECTED);
  });

  test("an esbuild bundle with the wasm files next to it works", async () => {
    bundle("bundled", program("zonewright"));
    copyWasmFiles("bundled");
    assert.deepEqual(await readResults("bundled/app.html"), EXPECTED);
  });

  test("a Vite bundle, which emits the wasm files, works", async () => {
    await buildWithVite(folder, "vite", writeSource("vite"));
    assert.deepEqual(await readResults("vite/app.html"), EXPECTED);
  });

  test("a webpack bundle, which emits the wasm files, works", async () => {
    await buildWithWebpack(folder, "webpack", writeSource("webpack"));
    assert.deepEqual(await readResults("webpack/app.html"), EXPECTED);
  });

  test("a Rollup bundle with the wasm files next to it works", async () => {
    const bundled = await rollup({ input: writeSource("rollup"), plugins: [nodeResolve({ browser: true })] });
    await bundled.write({ file: join(folder, "rollup/app.js"), format: "es" });
    await bundled.close();
    copyWasmFiles("rollup");
    assert.deepEqual(await readResults("rollup/app.html"), EXPECTED);
  });

  test("tools without support for exports find the browser module", () => {
    const manifest = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
    assert.equal(manifest.browser, manifest.exports["."].default);
  });

  test("init and load use the directory of another URL, whose server does not know the MIME type", async () => {
    bundle("plain", program("zonewright", "'/plain/wasm/elsewhere.wasm'"));
    copyWasmFiles("plain/wasm");
    renameSync(join(folder, "plain/wasm/zonewright_bg.wasm"), join(folder, "plain/wasm/elsewhere.wasm"));
    assert.deepEqual(await readResults("plain/app.html"), EXPECTED);
  });

  test("init can be retried after a failed download", async () => {
    const text = `
      import { check, init } from '/node_modules/zonewright/browser.js';
      const missing = await init('/nowhere.wasm').catch((error) => error.message);
      const bytes = await (await fetch('/node_modules/zonewright/zonewright_bg.wasm')).arrayBuffer();
      await init(bytes);
      window.results = [missing.includes('404'), check('ssl').ok];`;
    writeFileSync(join(folder, "retry.js"), text);
    const page = await pages.open("retry.html");
    const handle = await page.waitForFunction(() => window.results, null, { timeout: 30_000 });
    assert.deepEqual(await handle.jsonValue(), [true, true]);
    await page.close();
  });

  test("init can be retried after a failed promise without a new source", async () => {
    const text = `
      import { check, init } from '/node_modules/zonewright/browser.js';
      const failure = await init(Promise.reject(new Error('offline'))).catch((error) => error.message);
      await init();
      window.results = [failure, check('ssl').ok];`;
    writeFileSync(join(folder, "promise.js"), text);
    assert.deepEqual(await readResults("promise.html"), ["offline", true]);
  });

  test("load can be retried after a failed download, and init accepts the source of each file", async () => {
    const text = `
      import { equivalent, init, load } from '/node_modules/zonewright/browser.js';
      const names = ${JSON.stringify(readdirSync(packed).filter((file) => file.endsWith(".wasm")))};
      let isBroken = true;
      const fetchFile = async (name) => {
        if (isBroken && name.startsWith('prove.')) throw new Error('offline');
        return (await fetch('/node_modules/zonewright/' + name)).arrayBuffer();
      };
      const sources = {};
      for (const name of names) Object.defineProperty(sources, name, { get: () => fetchFile(name) });
      await init(sources);
      const failure = await load('prove').catch((error) => error.message);
      isBroken = false;
      await load('prove');
      const unknown = await load('proofs').catch((error) => error.message);
      window.results = [failure, unknown.includes('is not a part'), equivalent('ssl', 'not not ssl').answer];`;
    writeFileSync(join(folder, "sources.js"), text);
    assert.deepEqual(await readResults("sources.html"), ["offline", true, "yes"]);
  });
});
