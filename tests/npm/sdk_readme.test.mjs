// Runs the example of the official SDK in the documentation.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { findBlock } from "../docs.mjs";
import { setUpSdk } from "./sdk_support.mjs";
import { tests } from "./support.mjs";

const ready = setUpSdk();

test("sdk_example_prints_rules", async () => {
  const example = findBlock("js", 'from "cloudflare"');
  const { base_url: BASE, token: TOKEN, zone_id: ZONE_ID } = ready.service.credentials;
  const env = { ...process.env, BASE, TOKEN, ZONE_ID };
  // Node.js resolves modules from the directory of the tests.
  const options = { cwd: tests, env, encoding: "utf8" };
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", example], options);
  assert.deepEqual(printed.trimEnd().split("\n"), [
    'http.host eq "a.example"',
    'http.host eq "a.example"',
    "not ssl",
    "true",
    "true",
  ]);
  const left = await ready.client.filters.list({ ...ready.zone, expression: "a.example" });
  assert.deepEqual(left.result, [], "deleting the rule deletes its filter");
});
