// The npm package `zonewright`, whose engine the app runs in Web Workers. `crates/wasm/build.mjs` builds it first.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { contentHash } from "../crates/wasm/split.mjs";

const { build: bundle } = createRequire(new URL("./editor/package.json", import.meta.url))("esbuild");
const root = fileURLToPath(new URL("..", import.meta.url));
/** The directory of the built package. */
export const packageDirectory = join(resolve(root, process.env.CARGO_TARGET_DIR ?? "target"), "npm", "zonewright");
const MAIN = "zonewright_bg.wasm";

/** Copies the worker of the package with its files to the directory of the built app. Returns the name of the worker. */
export async function copyEngine(directory) {
  const { outputFiles } = await bundle({
    entryPoints: [join(packageDirectory, "worker.js")],
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
  });
  let script = outputFiles[0].text;
  for (const name of readdirSync(packageDirectory).filter((name) => name.endsWith(".wasm"))) {
    if (!script.includes(name)) throw new Error(`worker.js does not name ${name}`);
    const content = readFileSync(join(packageDirectory, name));
    // Only the name of the main file has no hash.
    const hashedName = name === MAIN ? `engine-${contentHash(content)}_bg.wasm` : `engine-${name}`;
    writeFileSync(join(directory, hashedName), content);
    script = script.replaceAll(name, hashedName);
  }
  const worker = `engine-worker-${contentHash(script)}.js`;
  writeFileSync(join(directory, worker), script);
  return worker;
}
