// Splits the engine into the files of the package: one that every program loads, and the files of the other parts.
//
// `wasm-split-cli` cuts at the functions of src/part.rs. Code that only one part reaches moves to the file of that
// part. Code that several parts reach moves to one file for each set of parts, which is named after them.
//
// All files of a build have fixed places in one memory and one table, so files of two builds must never meet: a name also
// has a hash of the build.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The parts in src/part.rs that have files of their own: all but `language`. */
const LOADABLE_PARTS = ["evaluate", "prove", "logpush", "migration"];

/**
 * Splits a module that was linked with `--emit-relocs`, and writes the files of all parts into `output`.
 * @returns the path of the main module, which needs wasm-bindgen, and the names of the files of each part
 */
export function splitModule(module, { work, output }) {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const options = ["--target", "web", "--out-name", "main"];
  execFileSync("wasm-split-cli", [...options, module, work], { stdio: ["ignore", "ignore", "inherit"] });

  const chunks = LOADABLE_PARTS.map((part) => ({ parts: [part], file: `split_${part}.wasm` }));
  const loader = readFileSync(join(work, "__wasm_split.js"), "utf8");
  for (const [, parts, name] of loader.matchAll(/^\/\* ([\w, ]+) \*\/\nconst __(chunk_\d+) = /gm)) {
    chunks.push({ parts: parts.split(", "), file: `${name}.wasm` });
  }
  if (chunks.length === LOADABLE_PARTS.length) throw new Error("wasm-split-cli: no shared chunks are listed; its format changed");
  const build = createHash("sha256").update(readFileSync(module)).digest("hex").slice(0, 12);
  const files = Object.fromEntries(LOADABLE_PARTS.map((part) => [part, []]));
  for (const { parts, file } of chunks) {
    const name = `${parts.join("-")}.${build}.wasm`;
    writeFileSync(join(output, name), withoutCustomSections(readFileSync(join(work, file))));
    for (const part of parts) files[part].push(name);
  }
  return { main: join(work, "main.wasm"), files };
}

/** Removes the custom sections, which contain the names of functions. */
function withoutCustomSections(wasm) {
  const sections = [wasm.subarray(0, 8)];
  let offset = 8;
  const readLength = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = wasm[offset++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (offset < wasm.length) {
    const start = offset;
    const id = wasm[offset++];
    const length = readLength();
    offset += length;
    if (id !== 0) sections.push(wasm.subarray(start, offset));
  }
  return Buffer.concat(sections);
}
