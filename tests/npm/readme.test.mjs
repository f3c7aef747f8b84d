// The examples of the package's README: each runs and prints what its comments say.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { project } from "./support.mjs";

const folder = project();
const readme = readFileSync(join(folder, "node_modules/zonewright/README.md"), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);

test("the README has examples", () => assert.ok(examples.length >= 11));

for (const [number, example] of examples.entries()) {
  const [, names] = /import {([^}]*)}/.exec(example);
  test(names.trim(), () => {
    const file = `example-${number}.mjs`;
    writeFileSync(join(folder, file), example);
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const promised = example.split("\n").filter((line) => line.startsWith("// "));
    assert.deepEqual(printed.trimEnd().split("\n"), promised.map((line) => line.slice(3)));
  });
}
