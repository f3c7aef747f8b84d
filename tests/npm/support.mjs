// What the tests of the npm package share: an empty project with the packed tarball in it.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { promisify } from "node:util";

/** The folder `tests` of the repository. */
export const tests = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Installs the tarball named by ZONEWRIGHT_TARBALL into a new empty project; gives its folder. */
export function project(manifest = {}) {
  const tarball = process.env.ZONEWRIGHT_TARBALL;
  assert.ok(tarball, "ZONEWRIGHT_TARBALL names no file: run `./run package` and point it at dist-npm/zonewright-….tgz");
  const folder = mkdtempSync(join(tmpdir(), "zonewright-npm-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, ...manifest }));
  const options = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, resolve(tarball)], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return folder;
}

/** The package as the project sees it, in this process. */
export function load(folder) {
  return createRequire(join(folder, "index.js"))("zonewright");
}

/** Writes a file of the project and runs it; gives what it printed, read as JSON. */
export async function run(folder, name, text) {
  writeFileSync(join(folder, name), text);
  const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder, timeout: 60_000 });
  return JSON.parse(stdout);
}

/** A tool of `tests/node_modules`. */
export function tool(name) {
  return join(tests, "node_modules", ".bin", name);
}
