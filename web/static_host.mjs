// Prepares the built app for static hosts; Trunk runs it after the build, on its staging directory.
//
// - Splits the app into parts that are loaded on demand (`split_app.mjs`).
// - Adds the engine, which runs in Web Workers (`engine_package.mjs`), and names it and the code editor in the page.
// - Adds the content security policy to index.html, for hosts that cannot send headers.
// - Writes the files that configure common hosts: `_headers` (Netlify and Cloudflare Pages),
//   `staticwebapp.config.json` (Azure), `.nojekyll` and `404.html` (GitHub Pages).
// - Writes the service worker, which makes the app work offline (`service_worker_build.mjs`).
// - Writes `.br` and `.gz` next to each compressible file of at least 1 KiB, for servers that send compressed files as
//   they are.

import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { copyEngine } from "./engine_package.mjs";
import { HASHED_NAME, SERVICE_WORKER, writeServiceWorker } from "./service_worker_build.mjs";
import { splitApp } from "./split_app.mjs";

/** Smaller files are not compressed: they fit into one packet with their headers, so compression saves nothing. */
const MIN_COMPRESSED_BYTES = 1024;
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|wasm|webmanifest)$/;
/** The content security policy, which the service sends too. */
const policy = (await readFile(new URL("./content-security-policy.txt", import.meta.url), "utf8")).trim();

/** The page of a path that does not exist. Every page of the app is a `#` link, so the app itself never leads here. */
const notFoundPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Page not found · Zonewright</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
  </head>
  <body>
    <h1>Page not found</h1>
    <p>The pages of Zonewright are links on its start page, such as <code>#/expressions</code>. Open the start page and choose a page there.</p>
  </body>
</html>
`;

const directory = process.env.TRUNK_STAGING_DIR;
if (directory === undefined) throw new Error("TRUNK_STAGING_DIR is not set: Trunk runs this script");

await splitApp(directory);
await nameScripts();
const paths = (await readdir(directory, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
  .sort();
await addPolicy();
await writeServiceWorker(directory, paths);
await writeHostFiles();
for (const path of [...paths, SERVICE_WORKER, "404.html"].filter((path) => COMPRESSIBLE.test(path))) await compress(path);

/** Names the scripts that are loaded on demand in the page: the worker of the engine, and the code editor. */
async function nameScripts() {
  const page = await readFile(join(directory, "index.html"), "utf8");
  const meta = '<meta name="zonewright-app"';
  const [element, editor] = page.match(/ *<script src="(?:\.\/)?(editor-[^"]+)"[^>]*><\/script>\n/) ?? [];
  if (!page.includes(meta) || !editor) throw new Error(`index.html has no ${meta} or no editor`);
  const names = `data-worker="${await copyEngine(directory)}" data-editor="${editor}"`;
  await write("index.html", page.replace(element, "").replace(meta, `${meta} ${names}`));
}

async function addPolicy() {
  const page = await readFile(join(directory, "index.html"), "utf8");
  // Browsers ignore `frame-ancestors` in a page, and report an error about it.
  const pagePolicy = policy.replace(/; frame-ancestors [^;]*$/, "");
  const charset = '<meta charset="utf-8">';
  if (!page.includes(charset)) throw new Error(`index.html has no ${charset}`);
  await write("index.html", page.replace(charset, `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${pagePolicy}">`));
}

async function writeHostFiles() {
  const security = {
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  const immutable = "public, max-age=31536000, immutable";
  const hashed = paths.filter((path) => HASHED_NAME.test(path));
  const lines = (headers) => Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  const sections = [
    ["/*", lines({ ...security, "Cache-Control": "no-cache" })],
    // `!` removes the header that the previous section sets, because hosts join the values of all matching sections.
    ...hashed.map((path) => [`/${path}`, ["  ! Cache-Control", ...lines({ "Cache-Control": immutable })]]),
  ];
  await write("_headers", sections.map(([path, headers]) => [path, ...headers, ""].join("\n")).join("\n"));
  const routes = hashed.map((path) => ({ route: `/${path}`, headers: { "Cache-Control": immutable } }));
  const config = {
    routes,
    globalHeaders: { ...security, "Cache-Control": "no-cache" },
    mimeTypes: { ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" },
  };
  await write("staticwebapp.config.json", `${JSON.stringify(config, null, 2)}\n`);
  // Without this file, GitHub Pages skips names that begin with an underscore.
  await write(".nojekyll", "");
  await write("404.html", notFoundPage);
}

async function compress(path) {
  const file = join(directory, path);
  if ((await stat(file)).size < MIN_COMPRESSED_BYTES) return;
  const content = await readFile(file);
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  await write(`${path}.br`, await promisify(brotliCompress)(content, brotli));
  await write(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}

function write(path, content) {
  return writeFile(join(directory, path), content);
}
