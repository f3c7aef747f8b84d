// Builds the npm package: dist-npm/zonewright-<version>.tgz.
//
//   node crates/wasm/build.mjs [arguments for `cargo build`]
//
// wasm-bindgen of the version in Cargo.lock must be on the PATH. For quick rounds while developing:
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
const { version } = metadata.packages.find((one) => one.name === "zonewright-wasm");
const target = metadata.target_directory;

const wanted = ["--profile", "wasm", "--target", "wasm32-unknown-unknown", "-p", "zonewright-wasm", "--locked"];
run("cargo", "build", ...wanted, ...process.argv.slice(2));
const bound = join(target, "npm", "bound");
const built = join(target, "wasm32-unknown-unknown", "wasm", "zonewright_wasm.wasm");
const smaller = ["--no-typescript", "--remove-name-section", "--remove-producers-section"];
run("wasm-bindgen", "--target", "no-modules", ...smaller, "--out-dir", bound, "--out-name", "zonewright", built);

const folder = join(target, "npm", "zonewright");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const copy = (from, name) => copyFileSync(from, join(folder, name));
for (const name of ["node.js", "node.cjs", "browser.js", "command.js"]) copy(join(crate, "js", name), name);
// One file for people who use them, four for people who read them.
const parts = ["expressions.d.ts", "index.d.ts", "logpush.d.ts", "migration.d.ts"];
const types = parts.map((name) => readFileSync(join(crate, "js", name), "utf8")).join("");
for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(join(folder, name), types);
copy(join(crate, "README.md"), "README.md");
copy(join(root, "LICENSE"), "LICENSE");
copy(join(bound, "zonewright_bg.wasm"), "zonewright_bg.wasm");

// The bindings keep their instance in variables, so a function around them gives a fresh set each time.
const bindings = readFileSync(join(bound, "zonewright.js"), "utf8");
const core = `// Built from the bindings of wasm-bindgen and js/engine.js.
const version = ${JSON.stringify(version)};

function glue() {
${bindings}
return wasm_bindgen;
}

${readFileSync(join(crate, "js", "engine.js"), "utf8")}`;
const names = "{ createEngine, glue, version }";
writeFileSync(join(folder, "core.js"), `${core}\nexport ${names};\n`);
writeFileSync(join(folder, "core.cjs"), `'use strict';\n${core}\nmodule.exports = ${names};\n`);
const manifest = JSON.parse(readFileSync(join(crate, "package.json"), "utf8"));
writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

const output = join(root, "dist-npm");
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
run("npm", "pack", "--silent", "--pack-destination", output, folder);
const wasm = readFileSync(join(folder, "zonewright_bg.wasm"));
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
console.log(`wasm: ${kilobytes(wasm.length)}, compressed ${kilobytes(gzipSync(wasm, { level: 9 }).length)}`);
console.log(`package: dist-npm/zonewright-${version}.tgz`);
