// Reachability of the rules of a list, and invalid lists.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, createProject } from "./support.mjs";

const { neverFires, runsManagedRules, satisfiable } = load(createProject());
const codes = (result) => result.diagnostics.map((diagnostic) => diagnostic.code);
/** A short form of the verdict about each rule. */
const summarize = (result) => result.rules.map(({ index, fires, by }) => `${index} ${fires}${by ? ` ${by.join(",")}` : ""}`);

test("satisfiable returns a request, a proof, or a reason", () => {
  const host = satisfiable('http.host eq "a.example" and ip.src in $office');
  assert.deepEqual([host.answer, host.record.fields["http.host"], host.record.lists.office.length], ["yes", "a.example", 1]);
  const never = satisfiable('http.request.method eq "get"');
  assert.deepEqual([never.answer, never.record, never.assumptions.length], ["no", undefined, 1]);
  const undecided = satisfiable('http.host matches "a+"', { steps: 1 });
  assert.deepEqual([undecided.answer, typeof undecided.reason], ["undecided", "string"]);
  assert.deepEqual([satisfiable("ssl and").answer, codes(satisfiable("ssl and")).length], [null, 1]);
});

test("runsManagedRules proves that nothing is executed, and reports an invalid ruleset", () => {
  const rule = (more) => ({ action: "execute", expression: "true", enabled: true, action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" }, ...more });
  const skip = rule({ action: "skip", expression: "ssl or not ssl", action_parameters: { ruleset: "current" } });
  const runs = (...rules) => runsManagedRules({ name: "default", rules }).runs;
  assert.deepEqual([runs(rule()), runs(rule({ enabled: false })), runs(skip, rule()), runs()], [true, false, false, false]);
  const invalid = runsManagedRules({ rules: 1 });
  assert.deepEqual([invalid.runs, invalid.errors.length > 0], [null, true]);
  assert.equal(codes(runsManagedRules(1)).length, 1);
});

test("neverFires accepts lists in all formats", () => {
  const rules = [{ expression: "ssl" }, { expression: "not ssl" }, { expression: "true" }];
  const expected = ["0 yes", "1 yes", "2 never 0,1"];
  for (const list of [rules, rules.map((rule) => rule.expression), { rules }, { result: rules }, { result: { rules } }, "ssl\nnot ssl\ntrue"]) {
    assert.deepEqual(summarize(neverFires(list)), expected, JSON.stringify(list));
  }
  assert.deepEqual(neverFires([]), { rules: [], notes: [], diagnostics: [] });
});

test("neverFires respects priority, actions and paused firewall rules", () => {
  const rule = (expression, action, more) => ({ filter: { id: "a", expression }, action, ...more });
  const result = neverFires([
    rule('ssl and http.host eq "a"', "block", { description: "late" }),
    rule("ssl", "log", { priority: 1 }),
    rule("ssl", "block", { priority: 3, paused: true }),
    rule("ssl", "allow", { priority: 4 }),
  ]);
  assert.deepEqual(summarize(result), ["1 yes", "2 inactive", "3 yes", "0 never 3"]);
  assert.deepEqual(result.rules[3], { index: 0, name: "late", expression: 'ssl and http.host eq "a"', fires: "never", why: "shadowed", by: [3], assumptions: [] });
});

test("neverFires reports contradictions, assumptions and undecided rules", () => {
  const { rules } = neverFires(['http.request.method eq "get"', 'concat(http.host, "x") eq "ax"']);
  assert.deepEqual([rules[0].why, rules[0].assumptions.length, rules[0].by], ["contradiction", 1, undefined]);
  assert.equal(rules[1].fires, "undecided");
  assert.match(rules[1].reason, /calls/);
  assert.equal(neverFires(['http.host matches "a+"'], { steps: 1 }).rules[0].fires, "undecided");
  const unknown = neverFires([{ expression: "ssl", action: "blok" }, { expression: "ssl" }]);
  assert.deepEqual([summarize(unknown), unknown.notes.length], [["0 yes", "1 yes"], 1]);
});

test("an invalid expression is reported with its rule and the others are decided", () => {
  const result = neverFires(["ssl", "http.hots eq '🦀'", "ssl"]);
  assert.deepEqual(summarize(result), ["0 yes", "1 error", "2 never 0"]);
  assert.deepEqual(result.diagnostics.map(({ rule, code }) => [rule, code]), [[1, "unknown-field"], [1, "single-quotes"]]);
});

test("invalid arguments yield diagnostics", () => {
  const cyclic = [];
  cyclic.push(cyclic);
  const throwing = { get rules() { throw new Error("no"); } };
  const deep = Array.from({ length: 1000 }).reduce((inner) => [inner], []);
  for (const value of [undefined, null, 5, 5n, true, Symbol("a"), () => [], cyclic, throwing, [5n], {}, new Map(), [5], [{}], deep, "[", ["\ud83e"]]) {
    const result = neverFires(value);
    assert.deepEqual([result.rules, result.diagnostics[0].rule], [[], null]);
    assert.equal(new Set(codes(result)).has("invalid-rules"), true);
  }
  assert.deepEqual(codes(neverFires([], { stps: 1 })), ["invalid-option"]);
  assert.deepEqual(codes(neverFires("\ud83e"))[0]?.startsWith("invalid-"), true);
});

test("200 rules are decided within seconds", () => {
  const rules = Array.from({ length: 200 }, (_, n) => `http.request.uri.path contains "/part${n}/" and not ip.src in {10.0.0.0/8}`);
  rules.push('starts_with(http.request.uri.path, "/x/part7/") and ip.src eq 192.0.2.1');
  const start = performance.now();
  assert.equal(summarize(neverFires(rules)).at(-1), "200 never 7");
  assert.ok(performance.now() - start < 20_000);
});
