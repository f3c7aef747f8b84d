// The sizes of the package, compressed with Brotli as a web server sends it. A program pays only for the parts that it
// loads.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { createProject, toolPath } from "./support.mjs";

/** The maximum sizes in KiB: the language part alone, with each other part, and everything. */
const MAX_KIBIBYTES = { language: 240, help: 310, evaluate: 460, test: 490, prove: 520, logpush: 470, migration: 625, trace: 495 };
const MAX_EVERYTHING_KIBIBYTES = 1045;
/** A bundle that uses only `check`, with its wasm. */
const MAX_CHECK_KIBIBYTES = 250;

const folder = createProject();
const packed = join(folder, "node_modules/zonewright");
const { partFiles } = createRequire(join(folder, "index.js"))(join(packed, "core.cjs"));
const MAIN = "zonewright_bg.wasm";

const brotliKibibytes = (bytes) => brotliCompressSync(bytes).length / 1024;
const sum = (files) => [...files].reduce((total, name) => total + brotliKibibytes(readFileSync(join(packed, name))), 0);

function assertAtMost(kibibytes, limit) {
  assert.ok(kibibytes <= limit, `${kibibytes.toFixed(1)} KiB; the limit is ${limit}`);
  // A limit far above the size no longer protects it.
  assert.ok(kibibytes > limit * 0.9, `${kibibytes.toFixed(1)} KiB; lower the limit of ${limit}`);
}

describe("wasm", () => {
  for (const [part, limit] of Object.entries(MAX_KIBIBYTES)) {
    test(`the part ${part} is small, with the language part`, () => {
      assertAtMost(sum(new Set([MAIN, ...partFiles[part]])), limit);
    });
  }

  test("everything together is small", () => {
    assertAtMost(sum(new Set([MAIN, ...Object.values(partFiles).flat()])), MAX_EVERYTHING_KIBIBYTES);
  });
});

test("a bundle that uses only check is small, with its wasm", () => {
  writeFileSync(join(folder, "check.mjs"), "import { check, init } from 'zonewright'; await init(); console.log(check('ssl'));");
  const options = ["--bundle", "--minify", "--format=esm", "--platform=browser", "--log-level=error", "--outfile=check.js"];
  execFileSync(toolPath("esbuild"), ["check.mjs", ...options], { cwd: folder, stdio: "inherit" });
  assertAtMost(brotliKibibytes(readFileSync(join(folder, "check.js"))) + sum([MAIN]), MAX_CHECK_KIBIBYTES);
});
