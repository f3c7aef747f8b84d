import { analyze, check, complete, equivalent, evaluate, explain, fix, format } from "zonewright";
import { hover, init, logpush, migration, schema, signature, subsumes, test, version } from "zonewright";
import type { Analysis, CheckResult, Completions, Diagnostic, Options, Outline, Phase } from "zonewright";
import { createWorkerClient, WorkerClientError } from "zonewright";
import type { RequestRecord, SchemaField, TestCase, TraceStep, Value } from "zonewright";

const phase: Phase = "http_request_firewall_custom";
const options: Options = { kind: "expression", phase, plan: "pro", lists: { office: "ip" }, maxLength: 4096 };
const result: CheckResult = check("ssl", options);
const analysis: Analysis = analyze("ssl");
const completions: Completions = complete("ss", 2, null);
const example: string | undefined = hover("ssl", 1, options).hover?.example;
const active: number | null | undefined = signature("lower(", 6).signature?.active;
const loaded: Promise<void> = init();
const text: string = version + (result.type ?? "") + analysis.usage.maxLength.toFixed(0);

for (const diagnostic of result.diagnostics satisfies Diagnostic[]) {
  const help: string | undefined = diagnostic.help;
  const edits = diagnostic.fixes.filter((fix) => fix.safe).flatMap((fix) => fix.edits);
  console.log(
    diagnostic.code,
    diagnostic.line,
    help,
    edits.map((edit) => edit.text),
    diagnostic.related[0]?.message,
  );
}

const formatted: string | null = format("ssl", { style: "compact", operators: "symbols", width: 80 }).text;
const fixed: string | null = fix("ssl", { lint: { allow: ["needless-regex"] } }).text;
const tree: Outline | null = explain("ssl", { lint: true }).tree;
const record: RequestRecord = { fields: { ssl: true, "ip.src.asnum": 5n, "http.referer": null }, lists: { a: [64496] } };
const value: Value | null = evaluate("ssl", record).result;
const steps: TraceStep[] | undefined = evaluate("ssl", { request: "https://a/", missing: "absent" }, { trace: true }).trace;
const verdict = equivalent("ssl", "not ssl", { steps: 1000 });
if (verdict.answer === "no" && verdict.record) evaluate("ssl", verdict.record).unknown.join();
const reason: string | undefined = subsumes("ssl", "ssl").reason;
const cases: TestCase[] = test("", { files: { "a.txt": "ssl" }, junit: true, name: "a" }).tests.flatMap((result) => result.cases);
const field: SchemaField | undefined = schema().fields.find((field) => field.needs === "enterprise");
const filterResult: boolean | "unknown" | null = logpush.evaluate("{}", { RayID: "a" }, { missing: "unknown", trace: true }).result;
const shortest: string | null = logpush.simplify("{}", { dataset: "dns_logs", maxOperators: 5 }).text;
const escaped: string | null = logpush.format("{}", { style: "escaped", width: 80 }).text;
const errors: logpush.JobError[] = logpush.job({ dataset: "dns_logs" }, { scope: "zone", files: true }).errors;
const written: string | null = logpush.render('{"dataset":"dns_logs"}', "{}", null).text;
const filterable: boolean = logpush.datasets().every((dataset) => dataset.fields.every((field) => field.filterable));
const zone: migration.Config = { zone: "example.com", plan: "pro", firewall_rules: { result: [] } };
const planned: migration.PlanResult = migration.plan(zone, { plan: "business" });
const blocked: string[] = migration.check("{}", { phaseOne: true }).findings.map((finding) => finding.draft?.path ?? finding.code);
const reportText: string | null = migration.report(zone, { format: "html" }).text;
const customRules: migration.Rule[] | null = migration.convert([], { plan: "free" }).rules;
const moved: boolean = planned.ruleset !== null && !!migration.diff(null, planned.ruleset).changes?.some((change) => change.kind === "moved");
const sampled = migration.simulate(zone, ["https://a/", record], { ruleset: planned.ruleset });
const sides: (boolean | "unknown")[] | undefined = sampled.requests?.map((request) => request.after.core);
const client = createWorkerClient({ workerUrl: new URL("https://a/worker.js"), timeoutMs: 1000, onRestart: (reason) => console.log(reason.message) });
const checked: Promise<CheckResult> = client.latest("editor").check("ssl", options);
const plannedLater: Promise<migration.PlanResult> = client.migration.plan(zone, { plan: "business" });
const datasetsLater: Promise<logpush.Dataset[]> = client.logpush.datasets();
const preloaded: Promise<void> = client.preload("prove", "logpush");
const hasNewerCall = (error: unknown): boolean => error instanceof WorkerClientError && error.name === "SupersededError";
// @ts-expect-error: a source is required
client.check();
// @ts-expect-error: unknown part
client.preload("proofs");
// @ts-expect-error: requests are required
migration.simulate(zone);
// @ts-expect-error: unknown format
migration.report(zone, { format: "pdf" });
// @ts-expect-error: a line is required
logpush.evaluate("{}");
// @ts-expect-error: unknown scope
logpush.job({}, { scope: "user" });
// @ts-expect-error: fields must be in `fields`
evaluate("ssl", { "http.host": "a" });
// @ts-expect-error: a record is required
evaluate("ssl");
// @ts-expect-error: unknown style
format("ssl", { style: "nice" });

check("ssl", { plan: undefined, phase: null });
// @ts-expect-error: unknown option
check("ssl", { phse: phase });
// @ts-expect-error: unknown plan
check("ssl", { plan: "gold" });
// @ts-expect-error: the source must be a string
check(5);

export { blocked, customRules, moved, reportText, sides };
export { escaped, filterable, filterResult, errors, shortest, written };
export { active, cases, completions, field, fixed, formatted, loaded, reason, example, steps, text, tree, value };
