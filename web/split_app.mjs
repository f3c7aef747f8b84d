// Splits the app into a main module and its parts (`web/src/part.rs`). Trunk has already written the whole app as one
// module, which this script replaces. File names have the form of those of Trunk, with a hash of the content.

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contentHash, splitModule } from "../crates/wasm/split.mjs";

const { build: bundle } = createRequire(new URL("./editor/package.json", import.meta.url))("esbuild");
const NAME = "zonewright-web";
/** Largest number of files with code that several parts share. More files would save few bytes and cost requests. */
const MAX_SHARED_FILES = 20;

/** Replaces the app in the directory of the build. */
export async function splitApp(directory) {
  const { target_directory: target } = JSON.parse(run("cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"));
  const profile = process.env.TRUNK_PROFILE === "release" ? "wasm" : "debug";
  const module = join(target, "wasm32-unknown-unknown", profile, `${NAME}.wasm`);
  const work = join(target, "web", "split");
  const split = splitModule(module, { work, output: directory, maxSharedFiles: MAX_SHARED_FILES });
  const sizeFlags = ["--no-typescript", "--remove-name-section", "--remove-producers-section"];
  const outputFlags = ["--out-dir", work, "--out-name", "main"];
  // The parts import the memory, the table and the stack pointer, which are exports of the linker.
  run("wasm-bindgen", "--target", "web", "--keep-lld-exports", ...sizeFlags, ...outputFlags, join(work, "main.wasm"));
  // The main module imports its loaders from this script.
  writeFileSync(join(work, "__wasm_split.js"), writeLoaders(split));
  const { outputFiles } = await bundle({
    entryPoints: [join(work, "main.js")],
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
    // The bindings name the script once for each loader.
    logOverride: { "duplicate-object-key": "silent" },
  });
  const script = outputFiles[0].contents;
  const wasm = readFileSync(join(work, "main_bg.wasm"));
  const names = { script: `${NAME}-${contentHash(script)}.js`, wasm: `${NAME}-${contentHash(wasm)}_bg.wasm` };
  replaceInPage(directory, names, split.files);
  writeFileSync(join(directory, names.script), script);
  writeFileSync(join(directory, names.wasm), wasm);
}

function run(command, ...values) {
  return execFileSync(command, values, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 26 });
}

/** Removes the files of Trunk, and names the new ones in the page, with the files of the part of each page. */
function replaceInPage(directory, names, files) {
  const path = join(directory, "index.html");
  const page = readFileSync(path, "utf8");
  const found = page.match(/ data-module="(?:\.\/)?([^"]+)" data-wasm="(?:\.\/)?([^"]+)"/);
  if (!found) throw new Error("index.html does not name the app");
  const [, script, wasm] = found;
  for (const name of [script, wasm]) rmSync(join(directory, name));
  const parts = Object.entries(files).map(([part, names]) => [part.replaceAll("_", "-"), names]);
  const pages = [...page.matchAll(/ data-page="([^"]+)"/g)].map(([, name]) => name);
  const pageParts = parts.filter(([part]) => pages.includes(part));
  if (pageParts.length !== pages.length) throw new Error(`index.html names a page without a part: ${pages}`);
  const data = `data-parts='${JSON.stringify(Object.fromEntries(pageParts))}'`;
  writeFileSync(path, page.replace(found[0], `$& ${data}`).replaceAll(script, names.script).replaceAll(wasm, names.wasm));
}

/** Returns a script that exports one loader for each part. */
function writeLoaders({ files, script }) {
  // The parts of a debug build check that they belong to the main module.
  const canary = script.match(/(\w+): ~0xdead/)?.[1];
  const helper = JSON.stringify(fileURLToPath(new URL("./part_loader.js", import.meta.url)));
  const loaders = Object.entries(files).map(
    ([part, names]) => `export const __wasm_split_load_${part} = createLoader(${JSON.stringify(names)});`,
  );
  return [
    'import { initSync } from "./main.js";',
    `import { createPartLoaders } from ${helper};`,
    `const createLoader = createPartLoaders(() => initSync(), {${canary ? `${canary}: ~0xdead` : ""}});`,
    ...loaders,
  ].join("\n");
}
