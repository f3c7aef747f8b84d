// Migrations: the cases of tests/spec/migration, as the Rust tests run them, and invalid arguments.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { readBlocks, listCaseFiles } from "./cases.mjs";
import { load, createProject } from "./support.mjs";

/** A lower number of cases means that files are missing. */
const MIN_CASES = 120;
const FOLDER = "spec/migration";
const ANSWERS = { zone: ["rules", "ruleset", "findings", "warnings", "eligible", "support", "settings", "problems"] };

const WITHOUT_BASE = {};

const { migration } = load(createProject());
const codes = (answer) => answer.diagnostics.map((diagnostic) => diagnostic.code);
let cases = 0;

/** Format the answer blocks of a zone, by name. */
const formatters = {
  rules: (zone) => migration.plan(zone).ruleset.rules.map((rule) => stringifySorted(omitEmptyMembers(rule))).join("\n"),
  ruleset: (zone) => JSON.stringify(migration.plan(zone).ruleset, null, 2),
  findings: (zone, prefixes) => findingsText(migration.plan(zone).findings, prefixes),
  warnings: (zone) => migration.plan(zone).warnings.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n"),
  eligible(zone, prefixes) {
    const { compatible, findings } = migration.check(zone, { phaseOne: prefixes === "phase=1" });
    return compatible ? "compatible" : findingsText(findings.filter((finding) => finding.outcome === "blocked"));
  },
  support: (zone) => findingsText(migration.check(zone).findings.filter((finding) => finding.outcome === "needs-support")),
  settings: (zone) => migration.plan(zone).findings.map((finding) => finding.setting).join("\n"),
  problems(zone) {
    const { errors, diagnostics } = migration.plan(zone);
    assert.deepEqual(diagnostics, []);
    return errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n");
  },
};

for (const file of listCaseFiles(FOLDER)) {
  test(file, () => {
    let base = {};
    for (const block of readBlocks(FOLDER, file, ANSWERS, () => ({}))) {
      if (block.kind === "base") base = JSON.parse(block.text);
      else {
        assert.equal(block.kind, "zone", `${file}:${block.line}: unknown block \`${block.kind}\``);
        checkZone(block, block.optionText === "whole" ? WITHOUT_BASE : base, file);
      }
    }
  });
}

after(() => assert.ok(cases >= MIN_CASES, `only ${cases} cases`));

function checkZone({ text, answers, line }, base, file) {
  cases += 1;
  const zone = parseObject(text);
  const isInvalid = answers.some(({ kind }) => kind === "problems");
  // A JavaScript object cannot have duplicate members, so such a case is passed as text.
  const config = zone && !(isInvalid && base === WITHOUT_BASE) ? { ...base, ...zone } : text;
  for (const answer of answers) {
    assert.equal(formatters[answer.kind](config, answer.optionText), answer.text, `${file}:${answer.line}`);
  }
  const answer = migration.plan(config);
  if (typeof config !== "string") assert.deepEqual(migration.plan(JSON.stringify(config)), answer, `${file}:${line}`);
  assert.equal(answer.errors.length + answer.diagnostics.length > 0, isInvalid, `${file}:${line}`);
}

/** Parses the text if it is a JSON object. */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Formats findings as a block shows them: those for settings that start with one of the prefixes, or all. */
function findingsText(findings, prefixes = "") {
  const beginnings = prefixes.split(/\s+/).filter(Boolean);
  const isSelected = ({ setting }) => beginnings.length === 0 || beginnings.some((beginning) => setting.startsWith(beginning));
  return findings
    .filter(isSelected)
    .flatMap(({ outcome, setting, code, targets, message, help, draft }) => [
      `${outcome} ${setting} ${code}${targets ? ` → ${targets.join(", ")}` : ""}: ${message}`,
      ...(help === undefined ? [] : [`  help: ${help}`]),
      ...(draft ? [`  draft: ${draft.method} ${draft.path}${draft.body === undefined ? "" : ` ${stringifySorted(draft.body)}`}`] : []),
    ])
    .join("\n");
}

function omitEmptyMembers(rule) {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== ""));
}

/** Formats a value as JSON with the members ordered by name. */
function stringifySorted(value) {
  const sortMembers = (_, member) =>
    member === null || typeof member !== "object" || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value, sortMembers);
}

const BYPASS = {
  id: "a",
  action: "bypass",
  products: ["waf"],
  priority: 1,
  filter: { id: "f", expression: 'http.request.uri.path eq "/health"' },
};
const CONFIG = { zone: "example.com", plan: "enterprise", settings: { waf: "on" }, overrides: [], firewall_rules: [BYPASS] };
const RULESET = migration.plan(CONFIG).ruleset;
const REQUESTS = ["curl https://example.com/health", { fields: { "http.request.uri.path": "/other" } }];
/** Every function with valid arguments. */
const CALLS = {
  plan: [CONFIG],
  check: [CONFIG],
  report: [CONFIG],
  convert: [[BYPASS]],
  diff: [null, RULESET],
  checkRuleset: [RULESET],
  simulate: [CONFIG, REQUESTS],
};

describe("results", () => {
  test("valid arguments yield no diagnostic in any function", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      const answer = migration[name](...values);
      assert.deepEqual([answer.diagnostics, answer.errors], [[], []], name);
      for (const none of [null, undefined]) assert.deepEqual(migration[name](...values, none), answer, name);
    }
    assert.deepEqual(Object.keys(migration).sort(), Object.keys(CALLS).sort());
  });

  test("every function warns about unlisted managed rules and categories", () => {
    const id = "efb7b8c949ac4650a09736fc376e9aee";
    const overrides = { categories: [{ category: "of-tomorrow", enabled: false }] };
    const rule = { action: "execute", expression: "true", enabled: true, action_parameters: { id, overrides } };
    const current = { id: "a", name: "default", kind: "zone", phase: "http_request_firewall_managed", version: "1" };
    const entry_point = { ...current, last_updated: "2022-09-19T10:00:00Z", rules: [{ id: "b", version: "1", ...rule }] };
    const config = { ...CONFIG, entry_point };
    const ruleset = { name: "default", rules: [{ ...rule, id: "", version: "", description: "", ref: "" }] };
    const pointer = "/rules/0/action_parameters/overrides/categories/0/category";
    const pointers = (answer) => answer.warnings.map((warning) => warning.pointer);
    assert.deepEqual(pointers(migration.plan(config)), [`/entry_point${pointer}`]);
    assert.deepEqual(pointers(migration.check(config)), [`/entry_point${pointer}`]);
    assert.match(migration.plan(config).warnings[0].message, /^the category `of-tomorrow` of the .* so its existence was not verified$/);
    assert.match(migration.report(config).text, /of-tomorrow\\?` of the .* its existence was not verified/);
    assert.deepEqual(pointers(migration.diff(entry_point, ruleset)), [`/current${pointer}`, `/ruleset${pointer}`]);
    const simulated = migration.simulate(config, REQUESTS, { ruleset });
    assert.deepEqual(pointers(simulated), [`/entry_point${pointer}`, `/ruleset${pointer}`]);
    assert.deepEqual(migration.plan(CONFIG).warnings, []);
  });

  test("the option plan overrides the plan of the configuration", () => {
    const { findings, compatible } = migration.check(CONFIG, { plan: "free" });
    assert.deepEqual([compatible, findings[0].code], [false, "free-plan"]);
    assert.equal(migration.plan({ firewall_rules: [] }, { plan: "pro" }).errors.length, 0);
    assert.equal(migration.plan({ firewall_rules: [] }).errors[0].pointer, "/plan");
    assert.match(migration.report(CONFIG, { plan: "pro" }).text, /Pro/);
  });

  test("fewer zones can migrate in phase one", () => {
    assert.equal(migration.check(CONFIG, { phaseOne: true }).compatible, false);
    assert.equal(migration.check(CONFIG, { phaseOne: false }).compatible, true);
  });

  test("the report is Markdown or HTML with escaped names", () => {
    const named = { ...CONFIG, zone: "<b>" };
    assert.match(migration.report(named).text, /^# Migration of /);
    const { text } = migration.report(named, { format: "html" });
    assert.ok(text.startsWith("<!") && text.includes("&lt;b") && !text.includes("<b>"));
  });

  test("convert accepts firewall rules as an array, an envelope or text", () => {
    const rules = [BYPASS, { ...BYPASS, id: "b", action: "allow", products: [] }];
    const { rules: converted, findings } = migration.convert(rules);
    assert.deepEqual(converted.map((rule) => rule.action), ["skip", "skip"]);
    assert.deepEqual(findings.map((finding) => finding.setting), ["/0", "/1"]);
    for (const same of [{ result: rules, success: true }, JSON.stringify(rules), JSON.stringify({ result: rules })]) {
      assert.deepEqual(migration.convert(same).rules, converted);
    }
    assert.deepEqual(migration.convert([BYPASS, 5, { id: "c" }]).errors.map((error) => error.pointer), ["/1", "/2"]);
  });

  test("diff lists what saving would change", () => {
    const current = { id: "e", name: "default", kind: "zone", phase: "http_request_firewall_managed", version: "1", last_updated: "" };
    const [skip, ...others] = RULESET.rules;
    const rules = [...others, skip, { ...skip, expression: "ssl", description: "mine" }];
    const { changes } = migration.diff({ result: { ...current, rules } }, RULESET);
    assert.deepEqual(changes.map((change) => change.kind), ["moved", "moved", "removed"]);
    assert.deepEqual(changes.at(-1), { kind: "removed", from: 3, to: null, members: [] });
    assert.deepEqual(migration.diff(null, RULESET).changes.map((change) => [change.kind, change.from, change.to]), [
      ["added", null, 0],
      ["added", null, 1],
      ["added", null, 2],
    ]);
    const equal = migration.diff({ ...current, rules: RULESET.rules }, RULESET);
    assert.deepEqual([equal.changes, equal.errors], [[], []]);
    const { changes: none, errors } = migration.diff({ rules: [] }, { name: "default", rules: [{ action: "skip" }, { action: "nope" }] });
    assert.deepEqual(errors.map((error) => error.pointer), ["/current", "/ruleset/rules/0", "/ruleset/rules/1"]);
    assert.equal(none, null);
    const empty = migration.diff({}, {});
    assert.equal(empty.changes, null);
    assert.ok(empty.errors.length > 0);
    assert.equal(migration.diff(5, RULESET).changes, null);
    assert.equal(migration.convert([5]).rules, null);
    assert.deepEqual(migration.convert([]).rules, []);
    assert.equal(migration.simulate({ waf: 5 }, ["https://a/"]).requests, null);
    assert.equal(migration.simulate(CONFIG, [5]).requests, null);
    assert.deepEqual(migration.simulate(CONFIG, []).requests, []);
  });

  test("sample requests are evaluated before and after the migration", () => {
    const [health, other] = migration.simulate(CONFIG, REQUESTS).requests;
    assert.deepEqual(health.before, { managed: false, core: false, decidedBy: ["/firewall_rules/0"] });
    assert.deepEqual(health.after, { managed: false, core: false, decidedBy: ["/rules/0"] });
    assert.deepEqual([health.differs, other.differs, other.after.managed], [false, false, true]);
    assert.ok(health.notes.length > 0);
    const ruleset = { ...RULESET, rules: RULESET.rules.slice(1) };
    const [without] = migration.simulate(CONFIG, REQUESTS, { ruleset }).requests;
    assert.deepEqual([without.differs, without.after.core], [true, true]);
    const [unsure] = migration.simulate(CONFIG, [{}]).requests;
    assert.equal(unsure.before.managed, "unknown");
  });

  test("a text has requests in every format, and unreadable ones have positions in it", () => {
    const entry = (url) => ({ request: { method: "POST", url, headers: [] } });
    const har = JSON.stringify({ log: { entries: [entry("https://b.example/"), entry("nowhere")] } });
    const text = `https://🦀.example/health\n\nhttps://a.example/\n###\nGET /health HTTP/1.1\nHost: c.example\n###\n${har}\n###\n{"ssl": }\n###\n{"ssl": true, "ssl": false}`;
    const { requests, omitted, diagnostics } = migration.simulate(CONFIG, text);
    const names = ["https://a.example/", "GET /health HTTP/1.1", "POST https://b.example/"];
    assert.deepEqual(requests.map(({ name }) => name).filter((name) => !name.includes("🦀")), names);
    assert.deepEqual(requests.filter(({ name }) => name.startsWith("GET")).map(({ after }) => after.core), [false]);
    const invalid = diagnostics.filter(({ start }) => start > 30);
    assert.deepEqual(invalid.map(({ request, start }) => [request, text.slice(start).split("\n")[0]]), [
      [null, har],
      [null, "}"],
      [null, '"ssl": false}'],
    ]);
    assert.equal(omitted, 0);
    const limited = migration.simulate(CONFIG, "https://a/\nhttps://b/\nhttps://c/", { limit: 2 });
    assert.deepEqual([limited.requests.map(({ name }) => name), limited.omitted], [["https://a/", "https://b/"], 1]);
    assert.deepEqual(limited, migration.simulate(CONFIG, ["https://a/", "https://b/", "https://c/"], { limit: 2 }));
    assert.deepEqual(migration.simulate(CONFIG, "").requests, []);
  });

  test("checkRuleset reports everything that the service rejects, and returns what it saves", () => {
    assert.deepEqual(migration.checkRuleset(RULESET).ruleset, RULESET);
    const body = { rules: [{ action: "execute", expression: " ssl ", enabled: true, action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } }] };
    assert.equal(migration.checkRuleset(JSON.stringify(body)).ruleset.name, "default");
    const errors = (ruleset, options) => migration.checkRuleset(ruleset, options).errors.map((error) => error.pointer);
    const [rule] = body.rules;
    assert.deepEqual(errors({ rules: [rule, { ...rule, expression: "http.hots eq 1" }, { ...rule, action: "nope" }] }), ["/ruleset/rules/1/expression", "/ruleset/rules/2/action"]);
    assert.equal(migration.checkRuleset({ rules: [{ ...rule, action: "nope" }] }).ruleset, null);
    // The body is not an envelope, which the service would reject.
    assert.ok(errors({ result: body }).length > 0);
    assert.deepEqual(errors('{"rules": [], "rules": []}'), ["/ruleset/rules"]);
    const score = { ...rule, expression: "cf.bot_management.score lt 30" };
    assert.deepEqual([errors({ rules: [score] }), errors({ rules: [score] }, { plan: "pro" })], [[], ["/ruleset/rules/0/expression"]]);
    const overrides = { categories: [{ category: "of-tomorrow", enabled: false }] };
    const unlisted = { ...rule, action_parameters: { ...rule.action_parameters, overrides } };
    const { warnings } = migration.checkRuleset({ rules: [unlisted] });
    assert.deepEqual(warnings.map(({ pointer }) => pointer), ["/ruleset/rules/0/action_parameters/overrides/categories/0/category"]);
  });

  test("configuration errors have pointers", () => {
    const { compatible, ruleset, findings, errors } = migration.plan({ plan: "gold", rules: [5], packges: [] });
    assert.deepEqual([compatible, ruleset, findings], [false, null, []]);
    assert.deepEqual(errors.map((error) => error.pointer).sort(), ["/packges", "/plan", "/rules/0"]);
    assert.ok(errors.every((error) => error.message.length > 0 && Number.isInteger(error.code)));
    for (const name of ["plan", "check", "report"]) assert.equal(migration[name]({}).errors.length, 1, name);
    assert.equal(migration.simulate({}, [], { ruleset: {} }).errors.length, 2);
  });

  test("duplicate members are rejected and a byte order mark is ignored in every document", () => {
    const config = '{"plan": "pro", "overrides": []}';
    const pointersAndCodes = (answer) => [answer.errors.map((error) => error.pointer), codes(answer)];
    const twice = '{"rules": [],\n "rules": []}';
    assert.match(migration.plan(twice).errors[0].message, /^duplicate member; the second occurrence is at line 2 column 2$/);
    for (const name of ["plan", "check", "report"]) {
      assert.deepEqual(pointersAndCodes(migration[name](twice)), [["/rules"], []], name);
      assert.deepEqual(migration[name](`\ufeff${config}`), migration[name](config), name);
    }
    assert.deepEqual(pointersAndCodes(migration.convert(twice)), [["/rules"], []]);
    assert.deepEqual(pointersAndCodes(migration.diff(twice, twice)), [["/current/rules", "/ruleset/rules"], []]);
    const { errors } = migration.simulate(config, ["https://a/"], { ruleset: twice });
    assert.deepEqual(errors.map((error) => error.pointer), ["/ruleset/rules"]);
    assert.deepEqual(codes(migration.simulate(config, ['{"ssl": true, "ssl": false}'])), ["invalid-record"]);
    assert.deepEqual(codes(migration.simulate(config, ['\ufeff{"ssl": true}', "\ufeffhttps://a/"])), []);
  });
});

describe("invalid arguments", () => {
  const circular = {};
  circular.self = circular;
  const thrower = new Proxy({}, { ownKeys: () => { throw new Error("no\nway"); } });
  const invalid = [5, NaN, true, Symbol("s"), 5n, [], new Map([["a", 1]]), () => 1, new Date(), circular, thrower, "x", "\ud800"];

  test("no function throws for any value of any argument", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      const shape = Object.keys(migration[name](...values)).sort();
      for (let index = 0; index <= values.length + 1; index += 1) {
        for (const value of [null, undefined, ...invalid, ...invalid.map((invalid) => [invalid])]) {
          const answer = migration[name](...values.slice(0, index), value, ...values.slice(index + 1));
          assert.deepEqual(Object.keys(answer).sort(), shape, `${name}, argument ${index}`);
        }
      }
      assert.deepEqual(migration[name](...values).diagnostics, [], `${name} still works`);
      assert.ok(migration[name]().diagnostics.length > 0, name);
    }
  });

  test("invalid documents are reported", () => {
    for (const name of Object.keys(CALLS)) {
      const call = (value) => migration[name](...(name === "diff" ? [null, value] : [value, ...CALLS[name].slice(1)]));
      for (const value of [5, new Map(), circular, { a: 5n }, "\ud800"]) {
        assert.deepEqual(codes(call(value)), ["invalid-option"], name);
      }
      for (const value of ["{", "[".repeat(200_000)]) {
        const { errors, diagnostics } = call(value);
        assert.deepEqual([errors.map((error) => error.pointer), diagnostics], [[name === "diff" || name === "checkRuleset" ? "/ruleset" : ""], []], name);
        assert.match(errors[0].message, /^invalid JSON: /, name);
      }
    }
    assert.deepEqual(codes(migration.diff(5, 5)), ["invalid-option", "invalid-option"]);
  });

  test("invalid options are reported", () => {
    for (const [name, values] of Object.entries(CALLS).filter(([name]) => name !== "diff")) {
      for (const options of [5, [], { plna: "pro" }, { plan: "gold", format: 5, phaseOne: 1, ruleset: 5 }]) {
        const answer = migration[name](...values, options);
        assert.ok(codes(answer).every((code) => code === "invalid-option") && codes(answer).length > 0, name);
      }
    }
  });

  test("request errors have the index of the request", () => {
    const { requests, diagnostics } = migration.simulate(CONFIG, ["https://a/", 5, { fields: { "http.hots": 1 } }, "curl"], { x: 1 });
    assert.equal(requests, null);
    assert.deepEqual(diagnostics.map((diagnostic) => [diagnostic.request, diagnostic.code]), [
      [null, "invalid-option"],
      [1, "invalid-record"],
      [2, "invalid-record"],
      [3, "invalid-record"],
    ]);
    assert.deepEqual(codes(migration.simulate(CONFIG, { request: "https://a/" })), ["invalid-option"]);
    assert.deepEqual(codes(migration.simulate(CONFIG, "\ud800")), ["invalid-option"]);
  });

  test("a configuration with 10,000 rules is planned", () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => ({ ...BYPASS, id: String(index), action: "block" }));
    const { findings } = migration.plan({ ...CONFIG, firewall_rules: rules });
    assert.ok(findings.length > rules.length);
  });
});
