// The command of the package. Its output equals that of the native command for the zones of tests/spec/migration.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readBlocks, listCaseFiles } from "./cases.mjs";
import { createProject } from "./support.mjs";

const folder = createProject();
const FOLDER = "spec/migration";
const ANSWERS = { zone: ["rules", "ruleset", "findings", "warnings", "eligible", "support", "settings", "problems"] };
const native = process.env.ZONEWRIGHT_BIN;

const pickExit = ({ status, stdout, stderr }) => ({ status, stdout, stderr });
const command = join(folder, "node_modules", ".bin", "zonewright");
const spawn = (program, args, input) => pickExit(spawnSync(program, args, { cwd: folder, encoding: "utf8", input, maxBuffer: 1 << 26 }));
const run = (...args) => spawn(command, args);

/** Writes the first zone of each case file, and the zones with errors or warnings, to files of the project. */
function writeZoneFiles() {
  const found = [];
  for (const file of listCaseFiles(FOLDER)) {
    let base = {};
    let isFirst = true;
    for (const block of readBlocks(FOLDER, file, ANSWERS, () => ({}))) {
      if (block.kind === "base") base = JSON.parse(block.text);
      if (block.kind !== "zone") continue;
      const has = (...names) => block.answers.some((answer) => names.includes(answer.kind));
      if (!isFirst && !has("problems", "warnings")) continue;
      isFirst = false;
      let text = block.text;
      try {
        // A `whole` zone is written unchanged, because its text may contain a duplicate member.
        if (block.optionText !== "whole") text = JSON.stringify({ ...base, ...JSON.parse(text) });
      } catch {
        // Text that is not JSON is written unchanged, too.
      }
      const name = `${file.replace(/\W/g, "-")}-${block.line}.json`;
      writeFileSync(join(folder, name), text);
      found.push(name);
    }
  }
  assert.ok(found.length >= 8, `${found.length} zones`);
  return found;
}

test("every subcommand and format prints what the native command prints", { skip: !native && "ZONEWRIGHT_BIN names no binary" }, () => {
  const calls = [["plan"], ["plan", "--format", "json"], ["check"], ["check", "--phase-one"], ["check", "--format", "json"]];
  calls.push(["report"], ["report", "--format", "html"], ["report", "--format", "json"], ["plan", "--plan", "enterprise"]);
  const codes = new Set();
  for (const zone of writeZoneFiles()) {
    for (const [verb, ...rest] of calls) {
      const args = ["migrate", verb, zone, ...rest];
      const result = run(...args);
      assert.deepEqual(result, spawn(native, args), args.join(" "));
      codes.add(result.status);
    }
  }
  assert.deepEqual([...codes].sort(), [0, 1, 2]);
});

test("a configuration is read from standard input", () => {
  const result = spawn(command, ["migrate", "plan", "-", "--format", "json"], '{"plan": "pro"}');
  assert.equal(result.status, 0, result.stderr);
  assert.equal(JSON.parse(result.stdout).compatible, true);
});

test("unusable input is reported with the messages of the native command", () => {
  const args = ["migrate", "plan", "-"];
  for (const [input, message] of [
    ["[", ""],
    ['{"plan": "gold"}', "/plan: "],
    [Buffer.from([0xff, 0xfe]), "the input is not valid UTF-8: invalid byte at offset 0"],
    [Buffer.from([0x7b, 0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x7d]), "the input is not valid UTF-8: invalid byte at offset 4"],
    [Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xf0, 0x9f]), "the input is not valid UTF-8: invalid byte at offset 1"],
  ]) {
    const result = spawn(command, args, input);
    assert.deepEqual([result.status, result.stdout], [2, ""], message);
    assert.ok(result.stderr.startsWith(`zonewright: <stdin>: ${message}`), result.stderr);
    if (native) assert.deepEqual(result, spawn(native, args, input));
  }
  const missing = ["migrate", "plan", "none.json"];
  if (native) assert.deepEqual(run(...missing), spawn(native, missing));
});

test("invalid arguments report what is expected", () => {
  for (const [args, message] of [
    [["frobnicate"], "expected `migrate`"],
    [["migrate", "undo", "x.json"], "expected plan, check, or report"],
    [["migrate", "plan"], "expected one file"],
    [["migrate", "plan", "a", "b"], "expected one file"],
    [["migrate", "plan", "none.json"], "zonewright: none.json: no such file; name a file with the configuration"],
    [["migrate", "plan", "x.json", "--format", "pdf"], "must be one of text, json"],
    [["migrate", "plan", "x.json", "--plan", "gold"], "must be one of free, pro"],
    [["migrate", "report", "x.json", "--phase-one"], "supported by `migrate check`"],
    [["migrate", "plan", "x.json", "--frmat", "json"], "--frmat"],
  ]) {
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.ok(stderr.includes(message), stderr);
  }
  assert.equal(run().status, 2);
  assert.match(run("--help").stdout, /Usage: zonewright migrate plan FILE/);
  assert.match(run("--version").stdout, /^zonewright \d/);
});
