// The client of a worker in a browser, unbundled and bundled. worker_client.test.mjs tests its queue.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { codeBlocks } from "../docs.mjs";
import { buildWithVite, buildWithWebpack, copyFiles, startPages } from "./pages.mjs";
import { slowExpression } from "./slow_expression.mjs";
import { createProject, load, toolPath } from "./support.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const FORBIDDING = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'none'";
const PACKAGE = "/node_modules/zonewright/browser.js";

const folder = createProject();
const packed = join(folder, "node_modules/zonewright");
const readme = readFileSync(join(packed, "README.md"), "utf8");
const zonewright = load(folder);

/** One call of each part, with its result. */
const filter = '{"where":{"key":"ClientCountry","operator":"neq","value":"ca"}}';
const record = { fields: { "http.host": "a", "ip.src.asnum": 13335 } };
const CALLS = [
  [["check", "http.hots eq 'a'", { plan: "pro" }], zonewright.check("http.hots eq 'a'", { plan: "pro" })],
  [["evaluate", 'http.host eq "a"', record], zonewright.evaluate('http.host eq "a"', record)],
  [["equivalent", "ssl", "not not ssl"], zonewright.equivalent("ssl", "not not ssl")],
  [["logpush.check", filter], zonewright.logpush.check(filter)],
  [["migration.plan", { plan: "gold" }], zonewright.migration.plan({ plan: "gold" })],
];
const EXPECTED = CALLS.map(([, result]) => result);
/** A program that publishes the results of these calls. The tests vary only its import and how it creates the client. */
const program = (from, creation = "const client = createWorkerClient();") => `
  import { createWorkerClient } from '${from}';
  ${creation}
  const call = ([name, ...values]) => name.split('.').reduce((verbs, verb) => verbs[verb], client)(...values);
  const calls = ${JSON.stringify(CALLS.map(([call]) => call))};
  window.results = await Promise.all(calls.map(call));`;
/** A program with the functions that most tests need. `describe` returns the results and errors of calls. */
const script = (text) => `
  import { createWorkerClient } from '${PACKAGE}';
  const describe = async (calls) => (await Promise.allSettled(calls)).map(({ value, reason }) => value ?? \`\${reason.name}: \${reason.message}\`);
  ${text}`;

let pages;
/** The server delays the file of `prove` in the directory `delayed` until this is called. */
let release;
const released = new Promise((resolve) => (release = resolve));

before(async () => {
  const delay = (path) => (path.startsWith("/delayed/prove.") ? released : undefined);
  pages = await startPages(folder, { policy: (path) => (path.startsWith("/forbidden") ? FORBIDDING : POLICY), delay });
});

after(() => pages?.stop());

/** Runs a program on a page and returns its results. */
function runPage(name, text, expected) {
  writeFileSync(join(folder, `${name}.js`), text);
  return pages.readResults(`${name}.html`, expected);
}

/** Writes the program that a bundler reads, and returns its path. */
function writeSource(name, text) {
  const source = join(folder, `${name}-source.mjs`);
  writeFileSync(source, text);
  return source;
}

describe("in Chromium, under a strict Content-Security-Policy", () => {
  test("results_equal_those_of_direct_calls", async () => {
    assert.deepEqual(await runPage("direct", program(PACKAGE)), EXPECTED);
  });

  test("the_example_of_the_readme_prints_its_comments", async () => {
    const example = codeBlocks(readme, "js").find((block) => block.includes("createWorkerClient"));
    const text = `const lines = []; console.log = (...values) => lines.push(values.join(' '));
      ${example.replace('"zonewright"', `"${PACKAGE}"`)}
      window.results = lines;`;
    const comments = example.split("\n").filter((line) => line.startsWith("// "));
    assert.deepEqual(await runPage("readme", text), comments.map((line) => line.slice(3)));
  });

  test("a_call_does_not_wait_for_the_part_of_another", async () => {
    cpSync(packed, join(folder, "delayed"), { recursive: true });
    const text = `
      import { createWorkerClient } from '/delayed/browser.js';
      const client = createWorkerClient();
      const proof = client.equivalent('ssl', 'not not ssl').then(({ answer }) => (window.results = answer));
      window.checked = client.check('ssl').then(({ ok }) => ok);`;
    writeFileSync(join(folder, "delay.js"), text);
    const page = await pages.open("delay.html");
    await page.waitForFunction(() => window.checked);
    assert.deepEqual(await page.evaluate(async () => [await window.checked, window.results]), [true, undefined]);
    release();
    const handle = await page.waitForFunction(() => window.results);
    assert.equal(await handle.jsonValue(), "yes");
    await page.close();
  });

  test("a_newer_call_on_a_channel_supersedes_earlier_ones", async () => {
    const text = script(`
      const client = createWorkerClient();
      const editor = client.latest('editor');
      const texts = ['s', 'ss', 'ssl'];
      window.results = await describe([...texts.map((text) => editor.check(text).then(({ ok }) => ok)), client.check('s').then(({ ok }) => ok)]);`);
    const message = "SupersededError: zonewright: a newer call on the channel `editor` supersedes this one";
    assert.deepEqual(await runPage("superseded", text), [message, message, true, false]);
  });

  test("a_slow_call_exceeds_the_limit_and_other_calls_move_to_another_worker", async () => {
    const text = script(`
      const restarts = [];
      const client = createWorkerClient({ timeoutMs: 500, onRestart: ({ name }) => restarts.push(name) });
      await client.preload('prove', 'logpush');
      const slow = client.equivalent(...${JSON.stringify(slowExpression())});
      const start = performance.now();
      let longestPause = 0;
      let last = start;
      const timer = setInterval(() => { longestPause = Math.max(longestPause, performance.now() - last); last = performance.now(); }, 10);
      const calls = [slow, client.check('ssl').then(({ ok }) => ok), client.equivalent('ssl', 'ssl').then(({ answer }) => answer)];
      const results = await describe(calls);
      clearInterval(timer);
      window.results = [...results, restarts, longestPause < 400];`);
    const message = "TimeoutError: zonewright: `equivalent` exceeded the limit of 500 ms; set the option `timeoutMs` to raise it";
    assert.deepEqual(await runPage("slow", text), [message, true, "yes", ["TimeoutError"], true]);
  });

  test("a_crash_rejects_its_call_and_the_next_worker_takes_over", async () => {
    const text = `addEventListener('message', (event) => {
      if (event.data.values?.[0] !== 'crash') return;
      event.stopImmediatePropagation();
      throw new Error('boom');
    });`;
    writeFileSync(join(folder, "crash.js"), text);
    writeFileSync(join(folder, "crash-worker.js"), "import './crash.js'; import '/node_modules/zonewright/worker.js';");
    const page = script(`
      const restarts = [];
      const client = createWorkerClient({ workerUrl: '/crash-worker.js', onRestart: ({ message }) => restarts.push(message) });
      const calls = ['crash', 'ssl', 'crash', 'ssl'].map((source) => client.check(source).then(({ ok }) => ok));
      window.results = [...await describe(calls), restarts.length];`);
    const [first, second, third, fourth, restarts] = await runPage("crashing", page);
    assert.match(first, /^WorkerError: zonewright: the worker crashed during `check`: .*boom; without a worker, call /);
    assert.deepEqual([second, third, fourth, restarts], [true, first, true, 2]);
  });

  test("a_worker_that_the_policy_forbids_is_a_clear_error", async () => {
    const text = script(`
      const restarts = [];
      const client = createWorkerClient({ onRestart: (reason) => restarts.push(reason) });
      window.results = [...await describe([client.check('ssl'), client.preload()]), restarts.length];`);
    const url = `${pages.address}/node_modules/zonewright/worker.js`;
    const cause = `the Content Security Policy of the page forbids ${url}; add \`worker-src 'self'\` to the policy`;
    const message = `WorkerError: zonewright: the worker cannot start: ${cause}; without a worker, call the functions of the package directly`;
    assert.deepEqual(await runPage("forbidden", text, [/Content Security Policy/]), [message, message, 0]);
  });

  test("a_worker_that_is_missing_or_elsewhere_is_a_clear_error", async () => {
    const text = script(`
      const errors = ['/nowhere.js', 'https://example.com/worker.js'].map((workerUrl) => createWorkerClient({ workerUrl }).check('ssl'));
      window.results = await describe(errors);`);
    const [missing, elsewhere] = await runPage("missing", text, [/404/]);
    assert.match(missing, /cannot start: its script cannot be loaded; check that worker.js is next to the module and served as JavaScript, or pass its URL in the option `workerUrl`;/);
    assert.match(elsewhere, /cannot start: .*https:\/\/example.com\/worker.js.*; without a worker, call/);
  });

  test("a_part_that_cannot_be_downloaded_is_a_clear_error", async () => {
    copyFiles(packed, join(folder, "incomplete"), ".js");
    copyFiles(packed, join(folder, "incomplete"), "zonewright_bg.wasm");
    const text = script(`
      const client = createWorkerClient({ workerUrl: '/incomplete/worker.js' });
      window.results = await describe([client.equivalent('ssl', 'ssl'), client.check('ssl').then(({ ok }) => ok)]);`);
    const [first, second] = await runPage("download", text, [/404/]);
    assert.match(first, /cannot load the part `prove`: cannot load http.*\.wasm: HTTP status 404$/);
    assert.equal(second, true);
  });

  test("a_closed_client_rejects_all_calls", async () => {
    const text = script(`
      const client = createWorkerClient();
      await client.preload('prove');
      const calls = [client.equivalent(...${JSON.stringify(slowExpression())}), client.check('ssl')];
      client.close();
      const results = await describe([...calls, client.check('ssl')]);
      window.results = results.map((text) => text.split(':')[0]);`);
    assert.deepEqual(await runPage("closed", text), ["ClosedError", "ClosedError", "ClosedError"]);
  });
});

describe("bundled, under the same policy", () => {
  test("a_vite_bundle_emits_the_worker", async () => {
    await buildWithVite(folder, "vite", writeSource("vite", program("zonewright")));
    assert.deepEqual(await pages.readResults("vite/app.html"), EXPECTED);
  });

  test("a_webpack_bundle_emits_the_worker", async () => {
    await buildWithWebpack(folder, "webpack", writeSource("webpack", program("zonewright")));
    assert.deepEqual(await pages.readResults("webpack/app.html"), EXPECTED);
  });

  test("an_esbuild_bundle_uses_the_url_of_a_second_bundle", async () => {
    const findReadmeBlock = (language) => codeBlocks(readme, language).find((block) => block.includes("worker.js"));
    const [tool, ...options] = findReadmeBlock("sh").trim().split(" ");
    writeFileSync(join(folder, "app.js"), program("zonewright", findReadmeBlock("js browser")));
    execFileSync(toolPath(tool), [...options, "--log-level=error"], { cwd: folder, stdio: "inherit" });
    copyFiles(packed, join(folder, "assets"), ".wasm");
    assert.deepEqual(await pages.readResults("assets/app.html"), EXPECTED);
  });

  test("a_worker_of_the_program_chooses_the_url_of_the_wasm_files", async () => {
    copyFiles(packed, join(folder, "files"), ".wasm");
    const name = join(folder, "own-worker");
    writeFileSync(`${name}-source.mjs`, "import 'zonewright/worker.js'; import { init } from 'zonewright'; init('/files/zonewright_bg.wasm');");
    const options = ["--bundle", "--format=esm", "--platform=browser", "--log-level=error", "--outfile=own/worker.js"];
    execFileSync(toolPath("esbuild"), ["own-worker-source.mjs", ...options], { cwd: folder, stdio: "inherit" });
    assert.deepEqual(await runPage("own/app", program(PACKAGE, "const client = createWorkerClient({ workerUrl: '/own/worker.js' });")), EXPECTED);
  });
});
