// The hand-written types are usable with ES modules, CommonJS and bundlers, and match the behavior of the engine.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, createProject, tests, toolPath } from "./support.mjs";

const folder = createProject();
const types = readFileSync(join(folder, "node_modules/zonewright/index.d.ts"), "utf8");
const zonewright = load(folder);
const { analyze, check, complete, equivalent, evaluate, explain, fix, format, hover, schema, signature } = zonewright;
const { logpush, migration } = zonewright;
/** The types of log push and of migrations are in indented namespaces. */
const [rulesTypes, ...namespaces] = types.split(/^export namespace \w+ {$/m);
const [logpushTypes, migrationTypes] = namespaces.map((text) => text.replaceAll(/^ {2}/gm, ""));

function compile(file, options) {
  copyFileSync(join(tests, "npm/samples/sample.ts"), join(folder, file));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    ...options,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  try {
    execFileSync(toolPath("tsc"), ["-p", "."], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    assert.fail(`${file}: ${error.stdout}`);
  }
}

test("the sample compiles with module resolution node16 as an ES module", () =>
  compile("sample.mts", { module: "node16", moduleResolution: "node16" }));
test("the sample compiles with module resolution node16 as CommonJS", () =>
  compile("sample.cts", { module: "node16", moduleResolution: "node16" }));
test("the sample compiles with module resolution bundler", () =>
  compile("sample.ts", { module: "esnext", moduleResolution: "bundler" }));

/** Reads the strings of a union type of string literals. */
function readUnion(name) {
  const [, body] = new RegExp(`export type ${name} =([^;]+);`).exec(types);
  return [...body.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
}

test("declared option values equal those of the engine", () => {
  for (const [option, name] of [
    ["phase", "Phase"],
    ["plan", "Plan"],
    ["kind", "Kind"],
  ]) {
    const { help } = check("ssl", { [option]: "-" }).diagnostics[0];
    assert.deepEqual(
      readUnion(name),
      [...help.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
    );
  }
  const { help } = check("ssl", { lists: { a: "-" } }).diagnostics[0];
  assert.deepEqual(
    readUnion("ListKind"),
    [...help.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
  );
});

/** Reads the members of an interface, without those of the interface that it extends. */
function readMembers(name, text = rulesTypes) {
  const [, body] = new RegExp(`^(?:export )?interface ${name}[ <][^{]*{\n(.*?)^}`, "ms").exec(text);
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member);
}

test("results have the declared members", () => {
  const assertMembers = (value, ...names) => assert.deepEqual(Object.keys(value).sort(), names.flatMap((name) => readMembers(name)).sort());
  const { diagnostics, ...rest } = analyze("http.host eq 'a'");
  assertMembers({ diagnostics, ...rest }, "Analysis", "CheckResult");
  assertMembers(check("ssl"), "CheckResult");
  assertMembers(rest.usage, "Usage");
  assertMembers(rest.tokens[0], "Token");
  const quotes = diagnostics.find((diagnostic) => diagnostic.code === "single-quotes");
  assertMembers({ help: "", ...quotes }, "Diagnostic");
  assertMembers(quotes.fixes[0], "Fix");
  assertMembers(quotes.fixes[0].edits[0], "Edit");
  const completions = complete("http.ho", 7);
  assertMembers(completions, "Completions");
  assertMembers(completions.items[0], "Completion");
  assertMembers(hover("ssl", 1), "HoverResult");
  assertMembers(hover("ssl", 1).hover, "Hover");
  const call = signature("lower(", 6);
  assertMembers(call, "SignatureResult");
  assertMembers(call.signature, "Signature");
  assertMembers(call.signature.parameters[0], "Parameter");
  assertMembers(format("ssl"), "TextResult");
  assertMembers(fix("ssl"), "FixResult");
  const explained = explain("ssl");
  assertMembers(explained, "ExplainResult");
  assertMembers(explained.sentences[0], "Sentence");
  assertMembers(explained.tree, "Outline");
  const evaluated = evaluate("ssl", { fields: { ssl: true } }, { trace: true });
  assertMembers(evaluated, "EvaluateResult");
  assertMembers({ value: true, ...evaluated.trace[0] }, "TraceStep");
  const different = equivalent("ssl", "not ssl");
  assertMembers({ ...different, ...equivalent("ssl", "ssl"), reason: "" }, "EquivalenceResult");
  assertMembers(different.record, "Counterexample");
  const possible = { ...zonewright.satisfiable("ssl"), assumptions: [], reason: "" };
  assertMembers(possible, "SatisfiableResult");
  const sampled = zonewright.sample("ssl and ip.src in $office", { request: "https://a.example", values: { ssl: "maybe" } });
  const { format: detected, entries, error: readError, inputs, ...evaluation } = sampled;
  assertMembers({ format: detected, entries, error: readError, inputs }, "SampleResult");
  assertMembers(evaluation, "EvaluateResult");
  assertMembers({ ...inputs[0], value: true, error: "" }, "SampleInput");
  const blocked = { phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ssl" }] };
  const traced = zonewright.traceZone(blocked, "https://example.com/");
  assertMembers(traced, "ZoneTraceResult");
  assertMembers(traced.terminatingRules[0], "TraceTerminatingRule");
  assertMembers(traced.phases[0], "TracePhase");
  assertMembers(traced.phases[0].rules[0], "TraceRule");
  assertMembers({ help: "", ...equivalent("http.hots eq 1", "ssl").diagnostics[0] }, "PairDiagnostic", "Diagnostic");
  const invalid = 'fields = { "http.hots" = 1 }';
  const report = zonewright.test(
    `[[test]]\nexpression = 'ssl'\n[[test.miss]]\nfields = { ssl = true }\n[[test.miss]]\n${invalid}`,
    { junit: true },
  );
  assertMembers(report, "TestResult");
  assertMembers(report.tests[0], "TestReport");
  const [failed, error] = report.tests[0].cases;
  assertMembers({ ...failed, ...error }, "TestCase");
  assertMembers({ value: true, ...failed.reasons[0] }, "TestReason");
  const known = schema();
  assertMembers(known, "Schema");
  assertMembers(known.fields[0], "SchemaField");
  assertMembers(known.functions[0], "SchemaFunction");
  assertMembers(known.operators[0], "SchemaOperator");
  assertMembers(known.plans[0], "SchemaName");
});

test("a worker client has the declared members", () => {
  const client = zonewright.createWorkerClient();
  const verbs = readMembers("WorkerVerbs").sort();
  assert.deepEqual(Object.keys(client.latest("a")).sort(), verbs);
  const [, body] = /^export interface WorkerClient extends WorkerVerbs {\n(.*?)^}/ms.exec(types);
  const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(Object.keys(client).sort(), [...verbs, ...methods].sort());
});

test("log push results have the declared members", () => {
  const assertMembers = (value, ...names) =>
    assert.deepEqual(Object.keys(value).sort(), names.flatMap((name) => readMembers(name, logpushTypes)).sort());
  const functions = [...logpushTypes.matchAll(/^function (\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(functions.sort(), Object.keys(logpush).sort());
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}';
  assertMembers(logpush.check(filter), "CheckResult");
  const analysis = logpush.analyze(filter);
  assertMembers(analysis, "Analysis", "CheckResult");
  assert.deepEqual(Object.keys(analysis.usage), logpushTypes.match(/usage: {(.*)}/)[1].match(/\w+(?=:)/g));
  const kinds = logpushTypes.match(/kind: (.*?);/)[1].match(/\w+/g);
  assert.ok(analysis.tokens.every(({ kind }) => kinds.includes(kind)));
  const evaluated = logpush.evaluate(filter, { EdgeResponseStatus: 500 }, { trace: true });
  assertMembers(evaluated, "EvaluateResult");
  assertMembers(evaluated.trace[0], "Step");
  const counted = logpush.count(filter, "{}", { samples: 1 });
  assertMembers(counted, "CountResult");
  assertMembers(counted.conditions[0], "ConditionCount");
  assertMembers(counted.samples[0], "LineSample");
  const lossy = logpush.convert("cf.client.bot");
  assertMembers(lossy, "ConvertResult");
  assert.deepEqual(Object.keys(lossy.losses[0]), ["message", "start", "end"]);
  const rejection = logpush.job({});
  assertMembers(rejection, "JobResult");
  assertMembers(rejection.errors[0], "JobError");
  assertMembers(logpush.render({}, ""), "RenderResult");
  const [dataset] = logpush.datasets();
  assertMembers(dataset, "Dataset");
  assert.deepEqual(Object.keys(dataset.fields[0]), ["name", "type", "filterable", "deprecated"]);
});

test("migration results have the declared members", () => {
  const assertMembers = (value, ...names) =>
    assert.deepEqual(Object.keys(value).sort(), names.flatMap((name) => readMembers(name, migrationTypes)).sort());
  const functions = [...migrationTypes.matchAll(/^function (\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(functions.sort(), Object.keys(migration).sort());
  const config = { plan: "pro", firewall_rules: [], overrides: [{ id: "a", urls: ["example.com/*"] }] };
  const planned = migration.plan(config);
  assertMembers(planned, "PlanResult");
  assertMembers({ description: "", ...planned.ruleset }, "Ruleset");
  const [rule] = planned.ruleset.rules;
  const rare = { ratelimit: 1, logging: 1, exposed_credential_check: 1, last_updated: "" };
  assertMembers({ ...rare, ...rule, action_parameters: {} }, "Rule");
  assertMembers(Object.assign({}, ...planned.findings), "Finding");
  const checked = migration.check(config);
  assertMembers(checked, "CheckResult");
  const { draft } = checked.findings.find((finding) => finding.draft);
  assert.deepEqual(Object.keys({ ...draft, body: 1 }), migrationTypes.match(/draft\?: {(.*)}/)[1].match(/\w+(?=\??:)/g));
  assertMembers(migration.report(config), "ReportResult");
  assertMembers(migration.convert([]), "ConvertResult");
  const differences = migration.diff(null, planned.ruleset);
  assertMembers(differences, "DiffResult");
  assertMembers(differences.changes[0], "Change");
  assertMembers(migration.checkRuleset(planned.ruleset), "CheckRulesetResult");
  const simulation = migration.simulate(config, ["https://example.com/"]);
  assertMembers(simulation, "SimulateResult");
  assertMembers(simulation.requests[0], "RequestComparison");
  assertMembers(simulation.requests[0].before, "ManagedRulesStatus");
  assert.equal(migration.simulate(config, [5]).diagnostics[0].request, 0);
  assertMembers(migration.plan({}).errors[0], "ValidationError");
  const overrides = { categories: [{ category: "of-tomorrow", enabled: false }] };
  const parameters = { id: "efb7b8c949ac4650a09736fc376e9aee", overrides };
  const unlisted = { ...planned.ruleset.rules[0], action: "execute", action_parameters: parameters };
  assertMembers(migration.diff(null, { ...planned.ruleset, rules: [unlisted] }).warnings[0], "Warning");
});

test("declared migration options equal those of the engine", () => {
  const known = (call) => {
    const { help } = call({ "-": 1 }).diagnostics[0];
    return [...help.matchAll(/`([^`]+)`/g)].map(([, word]) => word).sort();
  };
  const declared = (...names) => names.flatMap((name) => readMembers(name, migrationTypes)).sort();
  const config = { plan: "pro" };
  assert.deepEqual(known((options) => migration.plan(config, options)), declared("Options"));
  assert.deepEqual(known((options) => migration.check(config, options)), declared("CheckOptions", "Options"));
  assert.deepEqual(known((options) => migration.report(config, options)), declared("ReportOptions", "Options"));
  assert.deepEqual(known((options) => migration.convert([], options)), declared("ConvertOptions"));
  assert.deepEqual(known((options) => migration.checkRuleset({}, options)), declared("CheckRulesetOptions"));
  assert.deepEqual(known((options) => migration.simulate(config, [], options)), declared("SimulateOptions", "Options"));
});

test("declared log push options equal those of the engine", () => {
  const known = (call) => {
    const { help } = call({ "-": 1 }).diagnostics[0];
    return [...help.matchAll(/`([^`]+)`/g)].map(([, word]) => word).sort();
  };
  const declared = (...names) => names.flatMap((name) => readMembers(name, logpushTypes)).sort();
  assert.deepEqual(known((options) => logpush.check("{}", options)), declared("Options"));
  assert.deepEqual(known((options) => logpush.format("{}", options)), declared("FormatOptions"));
  assert.deepEqual(known((options) => logpush.evaluate("{}", {}, options)), declared("EvaluateOptions", "Options"));
  assert.deepEqual(known((options) => logpush.count("{}", "", options)), declared("CountOptions", "Options"));
  assert.deepEqual(known((options) => logpush.render({}, "", options)), declared("JobOptions"));
  assert.deepEqual(known((options) => logpush.job({}, options)), declared("JobUpdateOptions", "JobOptions"));
});

test("enumerated values in results are declared", () => {
  const outcomes = /outcome: ([^;]+);/.exec(types)[1].match(/[a-z-]+/g);
  const actual = [
    evaluate("ssl", { fields: { ssl: true } }),
    evaluate("ssl", { fields: { ssl: false } }),
    evaluate("ssl", {}),
    evaluate("http.host", { fields: { "http.host": "a" } }, { kind: "value" }),
    evaluate("http.host", { missing: "absent" }, { kind: "value" }),
    evaluate("ssl", null),
  ].map((result) => result.outcome);
  assert.deepEqual(actual, outcomes);
  const record = { fields: { ssl: true, "cf.client.bot": false, "http.referer": null } };
  const source = 'http.referer eq "a" or cf.client.bot or http.host eq "a" or ssl or http.cookie eq "a"';
  const { trace } = evaluate(source, record, { trace: true });
  assert.deepEqual(new Set(trace.map((step) => step.truth)), new Set(readUnion("Truth")));
});
