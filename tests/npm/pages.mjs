// Pages that run the package in Chromium: a server with a Content-Security-Policy, and bundles.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { build } from "vite";
import webpack from "webpack";
import { startBrowser } from "../e2e/support/browser.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/**
 * Serves a folder to a browser. `name.html` is a page that runs `name.js`.
 *
 * @param policy returns the Content-Security-Policy of a path
 * @param isPlain whether a path has an unknown MIME type
 * @param delay returns a promise that the response of a path waits for
 */
export async function startPages(folder, { policy, isPlain = () => false, delay = () => {} }) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const page = path.endsWith(".html");
    const file = join(folder, path);
    if (!page && !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    await delay(path);
    const name = path.slice(1).replace(".html", ".js");
    const body = page ? `<!doctype html><script type="module" src="/${name}"></script>` : readFileSync(file);
    const type = isPlain(path) ? "application/octet-stream" : TYPES[extname(path)];
    response.writeHead(200, { "content-type": type, "content-security-policy": policy(path) }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const chromium = await startBrowser();
  const address = `http://127.0.0.1:${server.address().port}`;

  /** Opens a page; the last element of `problems` is its last error. */
  async function open(path, problems = []) {
    const page = await chromium.browser.newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      // The browser also requests an icon.
      if (message.type() === "error" && !message.location().url.endsWith("favicon.ico")) problems.push(message.text());
    });
    await page.goto(`${address}/${path}`);
    return page;
  }

  return {
    address,
    open,
    /** Opens a page and returns its `window.results`. It may only report the `expected` problems. */
    async readResults(path, expected = []) {
      const problems = [];
      const page = await open(path, problems);
      const found = page.waitForFunction(() => window.results, null, { timeout: 30_000 });
      const value = await found.then(
        (handle) => handle.jsonValue(),
        () => assert.fail(`no result: ${problems.join("; ")}`),
      );
      const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
      assert.deepEqual(unexpected, []);
      await page.close();
      return value;
    },
    async stop() {
      await chromium.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Copies the files of a directory whose names have an ending. */
export function copyFiles(from, to, ending) {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((file) => file.endsWith(ending))) copyFileSync(join(from, file), join(to, file));
}

/** Bundles a program into `app.js` in a directory of the folder, with the assets that Vite finds. */
export async function buildWithVite(folder, name, source) {
  await build({
    root: folder,
    base: `/${name}/`,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: join(folder, name),
      target: "esnext",
      rollupOptions: { input: source, output: { entryFileNames: "app.js" }, preserveEntrySignatures: false },
    },
  });
}

/** Bundles a program into `app.js` in a directory of the folder, with the assets that webpack finds. */
export async function buildWithWebpack(folder, name, source) {
  const compiler = webpack({
    mode: "production",
    context: folder,
    entry: source,
    output: { path: join(folder, name), filename: "app.js", publicPath: "auto" },
  });
  const stats = await new Promise((resolve, reject) => compiler.run((error, done) => (error ? reject(error) : resolve(done))));
  assert.deepEqual(stats.toJson({ errors: true }).errors, []);
}
