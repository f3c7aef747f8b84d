// The README's example of the official SDK, as it stands there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sdk } from "./sdk_support.mjs";
import { tests } from "./support.mjs";

const ready = sdk();

test("the README's example of the SDK works", async () => {
  const readme = await readFile(join(tests, "../README.md"), "utf8");
  const [, example] = /^```js\n(import Cloudflare.*?)^```$/ms.exec(readme);
  const { base_url: BASE, token: TOKEN, zone_id: ZONE_ID } = ready.service.credentials;
  const env = { ...process.env, BASE, TOKEN, ZONE_ID };
  // Modules are found from the folder of the tests.
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
  assert.deepEqual(left.result, [], "the rule took its filter along");
});
