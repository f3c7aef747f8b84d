// Builds the npm package: dist-npm/zonewright-<version>.tgz.
//
//   node crates/wasm/build.mjs [arguments for `cargo build`]
//
// The PATH must have wasm-bindgen in the version of Cargo.lock. For a quick build during development:
//   node crates/wasm/build.mjs --config 'profile.wasm.lto="off"' --config profile.wasm.codegen-units=16

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

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
const bindingsDirectory = join(target, "npm", "bound");
const wasmFile = join(target, "wasm32-unknown-unknown", "wasm", "zonewright_wasm.wasm");
const sizeFlags = ["--no-typescript", "--remove-name-section", "--remove-producers-section"];
const outputFlags = ["--out-dir", bindingsDirectory, "--out-name", "zonewright"];
run("wasm-bindgen", "--target", "no-modules", ...sizeFlags, ...outputFlags, wasmFile);

const packageDirectory = join(target, "npm", "zonewright");
rmSync(packageDirectory, { recursive: true, force: true });
mkdirSync(packageDirectory, { recursive: true });
const copy = (from, name) => copyFileSync(from, join(packageDirectory, name));
for (const name of ["node.js", "node.cjs", "browser.js", "command.js"]) copy(join(crate, "js", name), name);
// The package has one declaration file. The repository splits it by topic.
const parts = ["expressions.d.ts", "index.d.ts", "logpush.d.ts", "migration.d.ts"];
const types = parts.map((name) => readFileSync(join(crate, "js", name), "utf8")).join("");
for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(join(packageDirectory, name), types);
copy(join(crate, "README.md"), "README.md");
copy(join(root, "LICENSE"), "LICENSE");
copy(join(bindingsDirectory, "zonewright_bg.wasm"), "zonewright_bg.wasm");

// The bindings store their instance in variables, so the function around them creates a new set on every call.
const bindings = readFileSync(join(bindingsDirectory, "zonewright.js"), "utf8");
const core = `// Built from the bindings of wasm-bindgen and js/engine.js.
const version = ${JSON.stringify(version)};

function createBindings() {
${bindings}
return wasm_bindgen;
}

${readFileSync(join(crate, "js", "engine.js"), "utf8")}`;
const exportList = "{ createBindings, createEngine, version }";
writeFileSync(join(packageDirectory, "core.js"), `${core}\nexport ${exportList};\n`);
writeFileSync(join(packageDirectory, "core.cjs"), `'use strict';\n${core}\nmodule.exports = ${exportList};\n`);
const manifest = JSON.parse(readFileSync(join(crate, "package.json"), "utf8"));
writeFileSync(join(packageDirectory, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

const output = join(root, "dist-npm");
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
run("npm", "pack", "--silent", "--pack-destination", output, packageDirectory);
const wasm = readFileSync(join(packageDirectory, "zonewright_bg.wasm"));
const kibibytes = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
console.log(`wasm: ${kibibytes(wasm.length)}, gzip ${kibibytes(gzipSync(wasm, { level: 9 }).length)}`);
console.log(`package: dist-npm/zonewright-${version}.tgz`);
