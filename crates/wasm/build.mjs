// Builds the npm package: dist-npm/zonewright-<version>.tgz.
//
//   node crates/wasm/build.mjs [arguments for `cargo build`]
//
// The PATH must have wasm-bindgen in the version of Cargo.lock, and wasm-split-cli. For a quick build during development:
//   node crates/wasm/build.mjs --config 'profile.wasm.lto="off"' --config profile.wasm.codegen-units=16

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { splitModule } from "./split.mjs";

/** With more files for shared code, each part would load less, but the package has more small files. */
const MAX_SHARED_FILES = 14;

const crate = dirname(fileURLToPath(import.meta.url));
const root = join(crate, "..", "..");
const run = (command, ...values) =>
  execFileSync(command, values, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });

const metadata = JSON.parse(run("cargo", "metadata", "--no-deps", "--format-version", "1"));
const { version } = metadata.packages.find(({ name }) => name === "zonewright-wasm");
const target = metadata.target_directory;

const buildArguments = ["--profile", "wasm", "--target", "wasm32-unknown-unknown", "-p", "zonewright-wasm", "--locked"];
run("cargo", "build", ...buildArguments, ...process.argv.slice(2));
const packageDirectory = join(target, "npm", "zonewright");
rmSync(packageDirectory, { recursive: true, force: true });
mkdirSync(packageDirectory, { recursive: true });
const wasmFile = join(target, "wasm32-unknown-unknown", "wasm", "zonewright_wasm.wasm");
const splitDirectory = join(target, "npm", "split");
const split = splitModule(wasmFile, {
  work: splitDirectory,
  output: packageDirectory,
  maxSharedFiles: MAX_SHARED_FILES,
});
const bindingsDirectory = join(target, "npm", "bound");
const sizeFlags = ["--no-typescript", "--remove-name-section", "--remove-producers-section"];
const outputFlags = ["--out-dir", bindingsDirectory, "--out-name", "zonewright"];
// The other files import the memory, the table and the stack pointer, which are exports of the linker.
run("wasm-bindgen", "--target", "no-modules", "--keep-lld-exports", ...sizeFlags, ...outputFlags, join(splitDirectory, "main.wasm"));
const copy = (from, name) => copyFileSync(from, join(packageDirectory, name));
const scripts = ["browser.js", "worker_client.js", "worker.js", "node.js", "node.cjs", "node_worker.cjs", "command.js"];
for (const name of scripts) copy(join(crate, "js", name), name);
const main = "zonewright_bg.wasm";
const wasmNames = [main, ...new Set(Object.values(split.files).flat())];
// Bundlers recognize exactly this expression, and copy the file to their output.
const urls = wasmNames.map((name) => `  "${name}": () => new URL("./${name}", import.meta.url),\n`).join("");
const loader = readFileSync(join(crate, "js", "loader.js"), "utf8");
writeFileSync(join(packageDirectory, "loader.js"), `${loader}\nconst urls = {\n${urls}};\n`);
// The package has one declaration file. The repository splits it by topic.
const parts = ["expressions.d.ts", "index.d.ts", "trace.d.ts", "worker.d.ts", "logpush.d.ts", "migration.d.ts"];
const types = parts.map((name) => readFileSync(join(crate, "js", name), "utf8")).join("");
for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(join(packageDirectory, name), types);
copy(join(crate, "README.md"), "README.md");
copy(join(root, "LICENSE"), "LICENSE");
copy(join(bindingsDirectory, "zonewright_bg.wasm"), "zonewright_bg.wasm");

// The bindings store their instance in variables, so the function around them creates a new set on every call.
const bindings = readFileSync(join(bindingsDirectory, "zonewright.js"), "utf8");
const core = `// Built from the bindings of wasm-bindgen, js/engine.js, and js/client.js.
const version = ${JSON.stringify(version)};
const partFiles = ${JSON.stringify({ language: [], ...split.files }, null, 2)};

function createBindings() {
${bindings}
return wasm_bindgen;
}

${["engine.js", "client.js"].map((name) => readFileSync(join(crate, "js", name), "utf8")).join("\n")}`;
const exportList = "{ createBindings, createClient, createEngine, createResponder, packedModules, partFiles, version, WorkerClientError }";
writeFileSync(join(packageDirectory, "core.js"), `${core}\nexport ${exportList};\n`);
writeFileSync(join(packageDirectory, "core.cjs"), `'use strict';\n${core}\nmodule.exports = ${exportList};\n`);
const manifest = JSON.parse(readFileSync(join(crate, "package.json"), "utf8"));
writeFileSync(join(packageDirectory, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

const output = join(root, "dist-npm");
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
run("npm", "pack", "--silent", "--pack-destination", output, packageDirectory);
printSizes();
console.log(`package: dist-npm/zonewright-${version}.tgz`);

/** Prints the size of the language part, alone and with each other part, compressed with Brotli. */
function printSizes() {
  const kibibytes = (bytes) => `${Math.round(bytes / 1024)} KiB`;
  const brotli = (name) => {
    const bytes = readFileSync(join(packageDirectory, name));
    return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
  };
  const sizes = new Map(wasmNames.map((name) => [name, brotli(name)]));
  const sum = (files) => files.reduce((total, name) => total + sizes.get(name), 0);
  console.log(`language: brotli ${kibibytes(sum([main]))}`);
  for (const [part, files] of Object.entries(split.files)) {
    console.log(`language + ${part}: brotli ${kibibytes(sum([main, ...files]))}`);
  }
  console.log(`everything: brotli ${kibibytes(sum(wasmNames))}`);
}
