// Log push: the cases of tests/spec/logpush, as the Rust tests run them, and invalid arguments.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { readBlocks, diagnosticLines, listCaseFiles, oneLine, sourceExcerpt, splitAtLastArrow, summarizeDiagnostics, parseOptions } from "./cases.mjs";
import { load, createProject } from "./support.mjs";

/** A lower number of cases means that files are missing. */
const MIN_CASES = 800;
const FOLDER = "spec/logpush";
/** Answer blocks, by the block that they follow. */
const ANSWERS = {
  filter: ["diagnostics", "fixed", "formatted", "explained"],
  job: ["errors", "settings", "line", "rendered"],
};
/** Blocks without a function in the package: parsed destinations, and stored settings of a job. */
const SKIPPED = ["destinations", "redacted", "settings"];
const UNLIMITED = { maxOperators: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

const zonewright = load(createProject());
const { logpush } = zonewright;
const codes = (result) => result.diagnostics.map((diagnostic) => diagnostic.code);
let cases = 0;

/** Answers to a line of a block, by the name of the block. */
const answers = {
  formats: (source, { optionText }) => formatAndCheck(source, optionText) ?? "",
  explanations: (source, { options }) => logpush.explain(source, options).text,
  complete: (source, { options }) => atCursor(source, (text, offset) => {
    const { items } = logpush.complete(text, offset, options);
    return items.slice(0, 5).map((item) => item.label).join(" · ");
  }),
  hover: (source, { options }) => atCursor(source, (text, offset) => {
    const { hover } = logpush.hover(text, offset, options);
    return hover ? `${hover.title} — ${hover.detail} — ${hover.text.join(" / ")}` : "";
  }),
  simplified: (source, { options }) => logpush.simplify(source, { ...options, ...UNLIMITED }).text,
  converted(source, { options }) {
    const { text, losses } = logpush.convert(source, { ...options, ...UNLIMITED });
    return text ?? losses.map((loss) => `lost ${sourceExcerpt(source, loss)}: ${loss.message}`).join("; ");
  },
  filtered(source, { options, optionText }, line) {
    const [, missing] = parseOptions(optionText).find(([name]) => name === "missing") ?? [];
    const evaluateOptions = { ...options, missing };
    const result = logpush.evaluate(source, line, evaluateOptions);
    const { trace, ...traced } = logpush.evaluate(source, line, { ...evaluateOptions, trace: true });
    assert.deepEqual(traced, result, "with a trace");
    if (result.error === null) return [result.result, ...result.unknown].join(" ");
    return `rejected: column ${[...line.slice(0, result.error.offset)].length + 1}: ${result.error.message}`;
  },
};

/** Runs a block, by its name. */
const blocks = {
  filter(block, location) {
    const answer = (kind) => block.answers.find((answer) => answer.kind === kind)?.text;
    assertDiagnostics(location, block.text, block.options, answer("diagnostics") ?? "", answer("fixed") ?? block.text);
    for (const { kind, optionText, text } of block.answers) {
      if (kind === "formatted") assertEqualAt(formatAndCheck(block.text, optionText), text, location);
      if (kind === "explained") assertEqualAt(logpush.explain(block.text, block.options).text, text, location);
    }
  },
  filters(block, location) {
    for (const source of block.lines) assertDiagnostics(location, source, block.options, "", source);
  },
  rejected: (block, location) => assertDiagnosticLines(block, location, false),
  suspicious: (block, location) => assertDiagnosticLines(block, location, true),
  job(block, location) {
    const options = jobOptions(block.optionText);
    const answer = (kind) => block.answers.find((answer) => answer.kind === kind)?.text;
    if (answer("rendered") !== undefined) return assertEqualAt(renderBatch(block.text, answer("line"), options), answer("rendered"), location);
    const { ok, errors, diagnostics } = logpush.job(block.text, options);
    assert.deepEqual([ok, diagnostics], [errors.length === 0, []], location);
    const lines = errors.map((diagnostic) => `${diagnostic.pointer || "(root)"} ${diagnostic.code} ${diagnostic.message.split("\n")[0]}`);
    assertEqualAt(lines.join("\n"), answer("errors") ?? "", location);
  },
};

for (const file of listCaseFiles(FOLDER)) {
  test(file, () => {
    let line = "";
    for (const block of readBlocks(FOLDER, file, ANSWERS, readOptions)) {
      const location = `${file}:${block.line}`;
      if (block.kind === "line") line = block.text;
      else if (Object.hasOwn(blocks, block.kind)) blocks[block.kind](block, location);
      else if (Object.hasOwn(answers, block.kind)) {
        for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
          assertEqualAt(oneLine(answers[block.kind](source, block, line)).trimEnd(), expected, `${location}: ${source}`);
        }
      } else assert.ok(SKIPPED.includes(block.kind), `${location}: unknown block \`${block.kind}\``);
    }
  });
}

after(() => assert.ok(cases >= MIN_CASES, `only ${cases} cases`));

function assertEqualAt(actual, expected, location) {
  cases += 1;
  assert.equal(actual, expected, location);
}

function assertDiagnostics(location, source, options, expected, fixed) {
  assertEqualAt(diagnosticLines(source, logpush.check(source, options).diagnostics), expected, `${location}: ${source}`);
  assert.deepEqual(logpush.analyze(source, options).diagnostics, logpush.check(source, options).diagnostics, location);
  assert.equal(logpush.fix(source, options).text, fixed, `${location}: the fixes of ${source}`);
}

function assertDiagnosticLines(block, location, ok) {
  for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
    const result = logpush.check(source, block.options);
    assert.equal(result.ok, ok, `${location}: ${source}`);
    assertEqualAt(summarizeDiagnostics(source, result.diagnostics), expected, `${location}: ${source}`);
  }
}

function atCursor(marked, call) {
  return call(marked.replace("|", ""), marked.indexOf("|"));
}

/** Formats the filter; the result must be stable under formatting. */
function formatAndCheck(source, optionText) {
  const options = Object.fromEntries(parseOptions(optionText).map(([name, value]) => [name, name === "width" ? Number(value) : value]));
  const { text } = logpush.format(source, options);
  if (text !== null) assert.equal(logpush.format(text, options).text, text, source);
  return text;
}

/** Renders the batch of a job: `∎` marks a missing final line break, `‼` a rejected line. */
function renderBatch(body, lines, options) {
  const job = { destination_conf: "s3://bucket/logs?region=us-west-2", ...JSON.parse(body) };
  const { text, rejected, errors, diagnostics } = logpush.render(job, lines, options);
  assert.deepEqual([errors, diagnostics], [[], []]);
  const actual = text.endsWith("\n") ? text.slice(0, -1) : `${text}∎`;
  return [actual, ...rejected.map((error) => `‼ ${error.message}`)].join("\n");
}

/** The job that the cases of updates change, as in tests/src/logpush_jobs.rs. */
const SMALL_JOB = {
  dataset: "http_requests",
  name: "small",
  enabled: true,
  destination_conf: "s3://bucket/logs?region=us-west-2",
  filter: '{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}',
  frequency: "high",
  max_upload_records: 1_000,
};

/** Reads `scope=account allow=file allow=http update`. */
function jobOptions(optionText) {
  const options = {};
  for (const [name, value] of parseOptions(optionText)) {
    if (name === "update") options.current = SMALL_JOB;
    else if (name === "scope") options.scope = value;
    else options[value === "file" ? "files" : "plainHttp"] = true;
  }
  return options;
}

/** Reads `dataset=… max_operators=… max_bytes=… lint allow=…`; other options belong to the answer. */
function readOptions(optionText) {
  const options = { lint: false };
  for (const [name, value] of parseOptions(optionText)) {
    if (name === "dataset") options.dataset = value;
    else if (name === "max_operators") options.maxOperators = Number(value);
    else if (name === "max_bytes") options.maxBytes = Number(value);
    else if (name === "lint") options.lint = true;
    else if (name === "allow") options.lint = { allow: value.split(",") };
  }
  return options;
}

const FILTER = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}';
const JOB = { destination_conf: "s3://bucket/logs?region=us-west-2", output_options: { field_names: ["RayID"] } };
/** Every function with valid arguments. */
const CALLS = {
  check: [FILTER],
  analyze: [FILTER],
  fix: [FILTER],
  format: [FILTER],
  simplify: [FILTER],
  explain: [FILTER],
  evaluate: [FILTER, {}],
  count: [FILTER, "{}"],
  convert: [FILTER],
  complete: [FILTER, 3],
  hover: [FILTER, 3],
  job: [JOB],
  render: [JOB, "{}"],
};

describe("results", () => {
  test("valid arguments yield no diagnostic in any function", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      assert.deepEqual(logpush[name](...values).diagnostics, [], name);
      for (const none of [null, undefined]) {
        assert.deepEqual(logpush[name](...values, none), logpush[name](...values), name);
      }
    }
    assert.deepEqual(Object.keys(logpush).sort(), [...Object.keys(CALLS), "datasets"].sort());
  });

  test("offsets count UTF-16 code units", () => {
    const source = '{"where":{"and":[{"key":"ClientRequestPath","operator":"eq","value":"/🦀é"},{"key":"Nope","operator":"eq","value":1}]}}';
    const [diagnostic] = logpush.check(source).diagnostics;
    assert.equal(source.slice(diagnostic.start, diagnostic.end), '"Nope"');
    const { losses } = logpush.convert('http.host eq "🦀" and ssl and cf.client.bot');
    assert.ok(losses.length > 0);
    assert.equal('http.host eq "🦀" and ssl and cf.client.bot'.slice(losses[0].start, losses[0].end), "cf.client.bot");
    const { error } = logpush.evaluate(FILTER, '{"🦀": 1, x}');
    assert.equal(error.offset, '{"🦀": 1, '.length);
  });

  test("evaluate accepts a line as text or object and traces each condition", () => {
    for (const line of [{ EdgeResponseStatus: 502 }, '{"EdgeResponseStatus":502}']) {
      const { result, trace } = logpush.evaluate(FILTER, line, { trace: true });
      assert.deepEqual([result, trace.at(-1).truth, trace.at(-1).value, trace.at(-1).missing], [true, "true", 502, false]);
    }
    assert.deepEqual(logpush.evaluate(FILTER, {}, { missing: "unknown" }).unknown, ["EdgeResponseStatus"]);
    assert.deepEqual([logpush.evaluate("{}", {}).result, logpush.evaluate("{", {}).result], [null, null]);
  });

  test("count counts lines after each condition and explains samples", () => {
    const host = '{"key":"ClientRequestHost","operator":"eq","value":"🦀"}';
    const status = '{"key":"EdgeResponseStatus","operator":"geq","value":500}';
    const source = `{"where":{"and":[${host},${status}]}}`;
    const line = (status) => `{"ClientRequestHost":"🦀","EdgeResponseStatus":${status}}`;
    const lines = `${line(500)}\n\n${line(200)}\r\n{}\n${line('"a"')}\n${line(200)}`;
    const counted = logpush.count(source, lines, { samples: 1 });
    assert.deepEqual([counted.lines, counted.kept, counted.dropped, counted.rejected], [6, 1, 3, 1]);
    const size = (text) => new TextEncoder().encode(text).length;
    assert.deepEqual([counted.keptBytes, counted.droppedBytes, counted.rejectedBytes], [size(line(500)), 2 * size(line(200)) + 2, size(line('"a"'))]);
    assert.equal(counted.operator, "and");
    assert.deepEqual(counted.conditions.map(({ start, end, kept }) => [source.slice(start, end), kept]), [[host, 3], [status, 1]]);
    assert.deepEqual(counted.samples.map(({ line, outcome }) => [line, outcome]), [[1, "kept"], [3, "dropped"], [5, "rejected"]]);
    const [kept, dropped, rejected] = counted.samples;
    assert.deepEqual([kept.text, kept.reason], [line(500), "all 2 conditions match"]);
    assert.deepEqual([source.slice(dropped.start, dropped.end), dropped.reason], [status, "`EdgeResponseStatus` is `200`"]);
    assert.deepEqual([rejected.start, rejected.end], [null, null]);
    assert.match(rejected.reason, /^column 47: `EdgeResponseStatus` is a string/);
    assert.deepEqual(logpush.count(source, new TextEncoder().encode(lines), { samples: 1 }), counted);
    assert.deepEqual(logpush.count(source, lines).samples, []);

    const either = logpush.count(`{"where":{"or":[${status},${host}]}}`, lines);
    assert.deepEqual([either.operator, either.conditions.map(({ kept }) => kept)], ["or", [1, 3]]);
    const failed = logpush.count("{", lines);
    assert.deepEqual([failed.operator, failed.lines, failed.diagnostics.length > 0], [null, 0, true]);
    // Bytes need not be UTF-8.
    assert.deepEqual(logpush.count(source, Uint8Array.of(0xff, 0x0a), { samples: 1 }).samples.map(({ text }) => text), ["\ufffd"]);
  });

  test("the error of a filter in a job has diagnostics", () => {
    const filter = FILTER.replace("EdgeResponseStatus", "Nope");
    for (const options of [undefined, { current: SMALL_JOB }, { current: JSON.stringify({ ...SMALL_JOB, id: 1, last_complete: null }) }]) {
      const { errors } = logpush.job({ destination_conf: "x", filter }, options);
      const { diagnostics } = errors.find((error) => error.pointer === "/filter");
      assert.equal(filter.slice(diagnostics[0].start, diagnostics[0].end), '"Nope"');
      assert.deepEqual(errors.find((error) => error.pointer === "/destination_conf").diagnostics, []);
    }
    assert.deepEqual(codes(logpush.job({}, { current: { enabled: 5 } })), ["invalid-option"]);
    assert.deepEqual(codes(logpush.job({}, { current: "{" })), ["invalid-option"]);
  });

  test("render writes the lines that the filter of the job keeps", () => {
    const job = { ...JOB, filter: FILTER };
    const lines = '{"RayID":"a","EdgeResponseStatus":502}\n\n[]\r\n{"RayID":"b"}\n{"RayID":"c","EdgeResponseStatus":500}';
    const { text, kept, dropped, rejected } = logpush.render(JSON.stringify(job), lines);
    assert.deepEqual([text, kept, dropped], ['{"RayID":"a"}\n{"RayID":"c"}\n', 2, 1]);
    assert.deepEqual(rejected.map((error) => error.line), [3]);
    const rejection = logpush.render({ ...job, filter: "{" }, lines);
    assert.deepEqual([rejection.text, rejection.errors[0].pointer], [null, "/filter"]);
  });

  test("render replaces a text that starts before a record, and writes nothing without records", () => {
    const output_options = {
      field_names: ["RayID"], batch_prefix: "[$", record_suffix: "}", record_delimiter: "$", batch_suffix: "$]", "CVE-2021-44228": true,
    };
    const { text } = logpush.render({ ...JOB, output_options }, '{"RayID":"a"}\n{"RayID":"b"}');
    assert.equal(text, '[x{"RayID":"a"}x{"RayID":"b"}$]');
    const empty = logpush.render({ ...JOB, output_options, filter: FILTER }, '{"RayID":"a"}');
    assert.deepEqual([empty.text, empty.kept, empty.dropped], ["", 0, 1]);
  });

  test("datasets returns plain data", () => {
    const datasets = logpush.datasets();
    assert.equal(datasets.length, 37);
    const { fields, zone, account } = datasets.find((dataset) => dataset.name === "http_requests");
    assert.deepEqual([zone, account], [true, false]);
    assert.ok(fields.some((field) => field.name === "ClientIP" && field.type === "string" && field.filterable && !field.deprecated));
  });
});

describe("invalid arguments", () => {
  const circular = {};
  circular.self = circular;
  const thrower = new Proxy({}, { ownKeys: () => { throw new Error("no\nway"); } });
  const invalid = [5, NaN, true, Symbol("s"), 5n, [], new Map([["a", 1]]), () => 1, new Date(), circular, thrower, "x"];

  test("no function throws for any value of any argument", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      for (let index = 0; index <= values.length + 1; index += 1) {
        for (const value of [null, undefined, ...invalid]) {
          const result = logpush[name](...values.slice(0, index), value, ...values.slice(index + 1));
          assert.ok(Array.isArray(result.diagnostics), `${name}, argument ${index}`);
        }
      }
      assert.deepEqual(logpush[name](...values).diagnostics, [], `${name} still works`);
      assert.ok(logpush[name]().diagnostics.length > 0, name);
    }
    for (const value of invalid) assert.equal(logpush.datasets(value).length, 37);
  });

  test("invalid options are reported and the result keeps its shape", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      const right = logpush[name](...values);
      for (const options of [5, [], new Map(), { datset: "x" }, { dataset: 5, style: 5, scope: 5 }, { lint: "x", width: -1 }]) {
        const result = logpush[name](...values, options);
        assert.ok(codes(result).every((code) => code === "invalid-option") && result.diagnostics.length > 0, name);
        assert.deepEqual(Object.keys(result).sort(), Object.keys(right).sort(), name);
      }
    }
    const { message, help } = logpush.check(FILTER, { dataset: "http_request" }).diagnostics[0];
    assert.deepEqual([message, help], ["unknown value of the option `dataset`: `http_request`", "did you mean `http_requests`?"]);
  });

  test("a lone surrogate is rejected", () => {
    for (const name of ["check", "analyze", "fix", "format", "simplify", "explain", "convert", "evaluate", "complete", "hover"]) {
      const result = logpush[name](`{"🦀\ud800"}`, ...CALLS[name].slice(1));
      assert.deepEqual(codes(result), ["invalid-source"], name);
      assert.deepEqual([result.diagnostics[0].start, result.diagnostics[0].end], [4, 5], name);
    }
    assert.deepEqual(codes(logpush.evaluate(FILTER, '{"a":"\udc00"}')), ["invalid-option"]);
    assert.deepEqual(codes(logpush.job('{"name":"\udc00"}')), ["invalid-option"]);
    assert.deepEqual(codes(logpush.render(JOB, "\ud800")), ["invalid-option"]);
    assert.deepEqual(codes(logpush.count(FILTER, "\ud800")), ["invalid-option"]);
  });

  test("invalid lines and jobs are reported", () => {
    for (const value of [null, undefined, 5, [], new Map(), circular, { a: 5n }]) {
      assert.deepEqual(codes(logpush.evaluate(FILTER, value)), ["invalid-option"]);
      assert.deepEqual(codes(logpush.job(value)), ["invalid-option"]);
      assert.deepEqual(codes(logpush.render(value, "{}")), ["invalid-option"]);
    }
    assert.deepEqual(codes(logpush.job("{")), ["invalid-option"]);
    assert.equal(logpush.evaluate(FILTER, "[]").error.offset, 0);
  });

  test("long and deeply nested texts yield a result", () => {
    const long = `{"RayID":"${"x".repeat(5_000_000)}","EdgeResponseStatus":500}`;
    assert.equal(logpush.evaluate(FILTER, long, { trace: true }).result, true);
    assert.equal(logpush.render(JOB, long).kept, 1);
    const deep = "[".repeat(200_000);
    assert.equal(logpush.evaluate(FILTER, `{"a":${deep}`).result, null);
    assert.deepEqual(codes(logpush.job(deep)), ["invalid-option"]);
    for (const name of ["check", "analyze", "fix", "format", "simplify", "explain", "convert"]) {
      assert.ok(codes(logpush[name](`{"where":${'{"and":['.repeat(20_000)}`)).length > 0, name);
      assert.ok(!codes(logpush[name](deep)).includes("internal-error"), name);
    }
  });
});
