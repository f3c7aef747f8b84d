// The table of documented operations contains every route of the relay, because a relay has exactly those routes. The SDK
// has every method in the table. `sdk_*.test.mjs` check that every operation is called.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import Cloudflare from "cloudflare";
import { findOperation, operations } from "./sdk_operations.mjs";
import { tests } from "./support.mjs";

/** Reads the methods and paths of `relay/route_table.rs`. */
async function readDocumentedOperations() {
  const source = await readFile(join(tests, "../crates/server/src/relay/route_table.rs"), "utf8");
  const rows = source.slice(source.indexOf("const ROUTES"), source.indexOf("\n];"));
  const owners = { Global: [""], Zone: ["/zones/{id}"], Account: ["/accounts/{id}"], Either: ["/zones/{id}", "/accounts/{id}"] };
  return [...rows.matchAll(/route\(\s*(\w+),\s*"([^"]*)",\s*&\[([^\]]*)\]/g)].flatMap(([, owner, rest, list]) =>
    [...list.matchAll(/\b(GET|DELETE)\b|"(\w+)"/g)].flatMap(([, constant, name]) =>
      owners[owner].map((before) => `${constant ?? name} ${before}${rest && `/${rest}`}`),
    ),
  );
}

test("the table has every documented operation exactly once", async () => {
  const found = await readDocumentedOperations();
  assert.ok(found.length > 100, `${found.length} operations`);
  const sorted = operations.map(({ method, path }) => `${method} ${path}`).toSorted();
  assert.deepEqual(sorted, found.map((row) => row.replaceAll("waf_setting", "waf")).toSorted());
});

test("the SDK has every method of the table", () => {
  const client = new Cloudflare({ apiToken: "none" });
  for (const call of new Set(operations.map(({ call }) => call).filter(Boolean))) {
    const found = call.split(".").reduce((object, name) => object?.[name], client);
    assert.equal(typeof found, "function", call);
  }
});

test("requests map to their operations", () => {
  const id = "0".repeat(32);
  for (const [method, path, expected] of [
    ["GET", "/zones", "/zones"],
    ["GET", `/zones/${id}/rulesets/${id}`, "/zones/{id}/rulesets/{id}"],
    ["PUT", `/zones/${id}/rulesets/phases/ddos_l7/entrypoint`, "/zones/{id}/rulesets/phases/{phase}/entrypoint"],
    ["POST", `/accounts/${id}/logpush/transformers/preview`, "/accounts/{id}/logpush/transformers/preview"],
    ["POST", "/zones", undefined],
  ]) {
    assert.equal(findOperation(method, `/client/v4${path}`)?.path, expected);
  }
});
