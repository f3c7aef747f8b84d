// Runs the examples of the package's README, of README.md, and of docs/: each prints what its comments say.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codeBlocks, docPages } from "../docs.mjs";
import { createProject } from "./support.mjs";

const folder = createProject();
const readme = readFileSync(join(folder, "node_modules/zonewright/README.md"), "utf8");
const packageExamples = codeBlocks(readme, "js");
const pageExamples = docPages().flatMap(({ text }) => codeBlocks(text, "js")).filter((example) => example.includes('from "zonewright"'));
const examples = [...packageExamples, ...pageExamples];

test("documentation_has_examples", () => assert.ok(packageExamples.length >= 11 && pageExamples.length >= 2));

for (const [number, example] of examples.entries()) {
  const [, names] = /import {([^}]*)}/.exec(example);
  test(names.trim(), () => {
    const file = `example-${number}.mjs`;
    writeFileSync(join(folder, file), example);
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const expected = example.split("\n").filter((line) => line.startsWith("// "));
    assert.deepEqual(printed.trimEnd().split("\n"), expected.map((line) => line.slice(3)));
  });
}
