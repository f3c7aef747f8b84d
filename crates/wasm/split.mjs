// Splits a module into files: a main module that every program loads, and the files of its parts. The npm package
// (`build.mjs`) and the web app (`web/split_app.mjs`) are split in this way.
//
// `wasm-split-cli` cuts at pairs of an import and an export, whose names contain the part. Code that only one part
// reaches moves to the file of that part. Code that several parts reach moves to one file for each set of parts. Such a
// file is named after its parts; a merged one is named `shared-N`.
//
// All files of a build have fixed addresses in one memory and one table. Files of two builds must never be combined, so
// each name contains a hash of the content, and the main script names the files of its build.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Splits a module that was linked with `--emit-relocs`, and writes the files of all parts into `output`. The directory
 * `work` then has `main.wasm`, which wasm-bindgen must process next.
 *
 * With many parts, there are many sets of parts that share code, and most sets share little. Above `maxSharedFiles`,
 * similar sets are merged: their modules are stored in one file, in custom sections.
 * @returns the names of the files of each part, and the script of `wasm-split-cli`
 */
export function splitModule(module, { work, output, maxSharedFiles = Infinity }) {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const options = ["--target", "web", "--out-name", "main"];
  execFileSync("wasm-split-cli", [...options, module, work], { stdio: ["ignore", "ignore", "inherit"] });

  const script = readFileSync(join(work, "__wasm_split.js"), "utf8");
  const parts = [...script.matchAll(/^export const __wasm_split_load_(\w+) = /gm)].map(([, part]) => part).sort();
  const read = (name) => withoutCustomSections(readFileSync(join(work, `${name}.wasm`)));
  // A part without code of its own has no file.
  const ownNames = parts.filter((part) => existsSync(join(work, `split_${part}.wasm`)));
  const own = ownNames.map((part) => ({ parts: [part], modules: [read(`split_${part}`)] }));
  const shared = [...script.matchAll(/^\/\* ([\w, ]+) \*\/\nconst __(chunk_\d+) = /gm)].map(
    ([, users, name]) => ({ parts: users.split(", "), modules: [read(name)] }),
  );
  if (shared.length === 0) throw new Error("wasm-split-cli: no shared chunks are listed; its format changed");

  const files = Object.fromEntries(parts.map((part) => [part, []]));
  [...own, ...mergeSimilar(shared, maxSharedFiles)].forEach(({ parts, modules }, index) => {
    const isMerged = modules.length > 1;
    const content = isMerged ? packModules(modules) : modules[0];
    const name = `${isMerged ? `shared-${index}` : parts.join("-")}.${contentHash(content)}.wasm`;
    writeFileSync(join(output, name), content);
    for (const part of parts) files[part].push(name);
  });
  return { files, script };
}

/**
 * Merges groups of modules until there are at most `limit`. All parts of both groups load a merged group. Each step
 * merges the two groups whose merge makes the parts load the fewest unneeded bytes.
 */
function mergeSimilar(groups, limit) {
  let remaining = groups;
  while (remaining.length > limit) {
    let best = { wasted: Infinity };
    remaining.forEach((first, index) => {
      for (const second of remaining.slice(index + 1)) {
        const parts = [...new Set([...first.parts, ...second.parts])].sort();
        const waste = ({ parts: users, modules }) => (parts.length - users.length) * byteLength(modules);
        const wasted = waste(first) + waste(second);
        if (wasted < best.wasted) best = { wasted, parts, merged: [first, second] };
      }
    });
    const { parts, merged } = best;
    const modules = merged.flatMap((group) => group.modules);
    remaining = [...remaining.filter((group) => !merged.includes(group)), { parts, modules }];
  }
  return remaining;
}

function byteLength(modules) {
  return modules.reduce((sum, { length }) => sum + length, 0);
}

/** Returns an empty module that has other modules in its custom sections with the name `module`. */
function packModules(modules) {
  const name = Buffer.from("\x06module");
  const sections = modules.map((wasm) => [Buffer.from([0]), encodeLength(name.length + wasm.length), name, wasm]);
  return Buffer.concat([modules[0].subarray(0, 8), ...sections.flat()]);
}

/** Encodes a length as unsigned LEB128. */
function encodeLength(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** Returns the hash of a file for its name. */
export function contentHash(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
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
