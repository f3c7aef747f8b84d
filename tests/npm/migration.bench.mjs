// Planning the migration of a large zone in Node.js, compared with reading its JSON by `JSON.parse` and by serde in
// WebAssembly. `crates/migration/benches/plan.rs` measures the same natively, and writes the zone:
//
//   cargo bench -p zonewright-migration --bench plan -- --write zone.json
//   node tests/npm/migration.bench.mjs node_modules/zonewright zone.json
//
// Only ratios within one run are meaningful. Each figure is the fastest of several rounds that alternate the sides.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const ROUNDS = 60;
const [folder, file] = process.argv.slice(2);
const { migration } = createRequire(import.meta.url)(resolve(folder));
const text = readFileSync(file, "utf8");
const config = JSON.parse(text);

const { findings, ruleset } = migration.plan(text);
console.log(`${text.length} bytes, ${findings.length} findings, ${ruleset.rules.length} rules`);
// An object is not a list of rules: it is parsed, and rejected immediately.
assert.equal(migration.convert(text).errors.length, 1);
const sides = {
  "JSON.parse": () => JSON.parse(text),
  "parse (serde, wasm)": () => migration.convert(text),
  "plan of text": () => migration.plan(text),
  "plan of an object": () => migration.plan(config),
  "check of text": () => migration.check(text),
};

const best = Object.fromEntries(Object.keys(sides).map((name) => [name, Infinity]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(sides)) {
    const start = performance.now();
    run();
    best[name] = Math.min(best[name], performance.now() - start);
  }
}

const [parsed, serde] = [best["JSON.parse"], best["parse (serde, wasm)"]];
const row = (...cells) => console.log(cells.map((cell, index) => (index ? cell.padStart(16) : cell.padEnd(20))).join(""));
row("", "ms", "÷ JSON.parse", "÷ serde, wasm");
for (const [name, time] of Object.entries(best)) {
  row(name, time.toFixed(3), (time / parsed).toFixed(2), (time / serde).toFixed(2));
}
