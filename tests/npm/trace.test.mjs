// Traces of requests through the rules of a zone, and invalid zones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createProject, load } from "./support.mjs";

const { traceZone } = load(createProject());
const ruleset = (phase, ...rules) => ({ kind: "zone", phase, name: phase, rules });
const URL_TEXT = "https://example.com/old";
const ZONE = {
  rulesets: [
    ruleset("http_request_transform", { action: "rewrite", expression: "ssl", action_parameters: { uri: { path: { value: "/new" } } } }),
    ruleset(
      "http_request_firewall_custom",
      { action: "skip", expression: "ip.src in $office", action_parameters: { ruleset: "current" } },
      { action: "block", expression: 'http.request.uri.path eq "/new"', description: "new" },
    ),
  ],
  lists: { office: ["192.0.2.0/24"] },
};

test("a trace has the effects of all rules, with null for unknown results", () => {
  const unknown = traceZone(ZONE, URL_TEXT);
  assert.deepEqual(unknown.errors.concat(unknown.diagnostics), []);
  const change = { kind: "rewrite", field: "http.request.uri.path", before: "/old", after: "/new" };
  assert.deepEqual(unknown.phases[0].rules[0].effects, [change]);
  const skip = unknown.phases[1].rules[0];
  assert.deepEqual([skip.matches, skip.dependsOn, unknown.reachesOrigin], [null, ["ip.src"], null]);
  const [block] = unknown.terminatingRules;
  assert.deepEqual([block.pointer, block.name, block.terminates, block.dependsOn], ["/rulesets/1/rules/1", "new", null, ["ip.src"]]);
});

test("a request is a record or a text, and a zone is a value or JSON text", () => {
  const record = { fields: { "ip.src": "192.0.2.7" }, request: URL_TEXT };
  for (const zone of [ZONE, JSON.stringify(ZONE)]) assert.equal(traceZone(zone, record).reachesOrigin, true);
  const blocked = traceZone(ZONE.rulesets, { ...record, lists: { office: [] } });
  assert.deepEqual([blocked.reachesOrigin, blocked.terminatingRules[0].description], [false, "blocks the request"]);
});

test("an invalid zone and invalid arguments are errors", () => {
  const pointers = (zone) => traceZone(zone, URL_TEXT).errors.map(({ pointer }) => pointer);
  assert.deepEqual(pointers({ rulesets: [{ phase: 5 }, { result: { phase: "http_ratelimit", rules: [{}] } }] }), ["/rulesets/0/phase", "/rulesets/1/result/rules/0"]);
  assert.deepEqual(pointers("{"), [""]);
  for (const call of [[], [5, URL_TEXT], [ZONE, 5], [ZONE, ""], [ZONE, { field: {} }]]) {
    const result = traceZone(...call);
    assert.equal(result.reachesOrigin, null, JSON.stringify(call));
    assert.ok(result.diagnostics.length > 0, JSON.stringify(call));
  }
});
