// Shared helpers of the npm tests: an empty project with the packed tarball.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { promisify } from "node:util";

/** The directory `tests` of the repository. */
export const tests = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Installs the tarball named by ZONEWRIGHT_TARBALL into a new empty project, and returns its directory. */
export function createProject(manifest = {}) {
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

/** Loads the package of the project into this process. */
export function load(folder) {
  return createRequire(join(folder, "index.js"))("zonewright");
}

/** Writes a file of the project, runs it, and returns its output parsed as JSON. */
export async function run(folder, name, text) {
  writeFileSync(join(folder, name), text);
  const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder, timeout: 60_000 });
  return JSON.parse(stdout);
}

/** The path of a tool in `tests/node_modules`. */
export function toolPath(name) {
  return join(tests, "node_modules", ".bin", name);
}
