// Log push: the cases of tests/spec/logpush, as the Rust tests run them, and invalid arguments.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { blocksOf, diagnosticLines, filesOf, oneLine, sourceExcerpt, splitAtLastArrow, summarizeDiagnostics, wordsOf } from "./cases.mjs";
import { load, project } from "./support.mjs";

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

const zonewright = load(project());
const { logpush } = zonewright;
const codes = (answer) => answer.diagnostics.map((one) => one.code);
let cases = 0;

/** Answers to a line of a block, by the name of the block. */
const asked = {
  formats: (source, { words }) => formatAndCheck(source, words) ?? "",
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
    return text ?? losses.map((one) => `lost ${sourceExcerpt(source, one)}: ${one.message}`).join("; ");
  },
  filtered(source, { options, words }, line) {
    const [, missing] = wordsOf(words).find(([name]) => name === "missing") ?? [];
    const wanted = { ...options, missing };
    const answer = logpush.evaluate(source, line, wanted);
    const { trace, ...traced } = logpush.evaluate(source, line, { ...wanted, trace: true });
    assert.deepEqual(traced, answer, "with a trace");
    if (answer.error === null) return [answer.result, ...answer.unknown].join(" ");
    return `rejected: ${answer.error.message} at byte ${Buffer.byteLength(line.slice(0, answer.error.offset))}`;
  },
};

/** Runs a block, by its name. */
const blocks = {
  filter(block, place) {
    const answer = (holds) => block.answers.find((one) => one.holds === holds)?.text;
    assertDiagnostics(place, block.text, block.options, answer("diagnostics") ?? "", answer("fixed") ?? block.text);
    for (const { holds, words, text } of block.answers) {
      if (holds === "formatted") assertEqualAt(formatAndCheck(block.text, words), text, place);
      if (holds === "explained") assertEqualAt(logpush.explain(block.text, block.options).text, text, place);
    }
  },
  filters(block, place) {
    for (const source of block.lines) assertDiagnostics(place, source, block.options, "", source);
  },
  refused: (block, place) => assertDiagnosticLines(block, place, false),
  suspicious: (block, place) => assertDiagnosticLines(block, place, true),
  job(block, place) {
    const options = jobOptions(block.words);
    // The package has no function to update a job.
    if (options === null) return;
    const answer = (holds) => block.answers.find((one) => one.holds === holds)?.text;
    if (answer("rendered") !== undefined) return assertEqualAt(renderBatch(block.text, answer("line"), options), answer("rendered"), place);
    const { ok, errors, diagnostics } = logpush.job(block.text, options);
    assert.deepEqual([ok, diagnostics], [errors.length === 0, []], place);
    const lines = errors.map((one) => `${one.pointer || "(root)"} ${one.code} ${one.message.split("\n")[0]}`);
    assertEqualAt(lines.join("\n"), answer("errors") ?? "", place);
  },
};

for (const file of filesOf(FOLDER)) {
  test(file, () => {
    let line = "";
    for (const block of blocksOf(FOLDER, file, ANSWERS, optionsOf)) {
      const place = `${file}:${block.line}`;
      if (block.holds === "line") line = block.text;
      else if (Object.hasOwn(blocks, block.holds)) blocks[block.holds](block, place);
      else if (Object.hasOwn(asked, block.holds)) {
        for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
          assertEqualAt(oneLine(asked[block.holds](source, block, line)).trimEnd(), expected, `${place}: ${source}`);
        }
      } else assert.ok(SKIPPED.includes(block.holds), `${place}: unknown block \`${block.holds}\``);
    }
  });
}

after(() => assert.ok(cases >= MIN_CASES, `only ${cases} cases`));

function assertEqualAt(got, expected, place) {
  cases += 1;
  assert.equal(got, expected, place);
}

function assertDiagnostics(place, source, options, expected, fixed) {
  assertEqualAt(diagnosticLines(source, logpush.check(source, options).diagnostics), expected, `${place}: ${source}`);
  assert.deepEqual(logpush.analyze(source, options).diagnostics, logpush.check(source, options).diagnostics, place);
  assert.equal(logpush.fix(source, options).text, fixed, `${place}: the fixes of ${source}`);
}

function assertDiagnosticLines(block, place, ok) {
  for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
    const answer = logpush.check(source, block.options);
    assert.equal(answer.ok, ok, `${place}: ${source}`);
    assertEqualAt(summarizeDiagnostics(source, answer.diagnostics), expected, `${place}: ${source}`);
  }
}

function atCursor(marked, ask) {
  return ask(marked.replace("|", ""), marked.indexOf("|"));
}

/** Formats the filter; the result must be stable under formatting. */
function formatAndCheck(source, words) {
  const options = Object.fromEntries(wordsOf(words).map(([name, value]) => [name, name === "width" ? Number(value) : value]));
  const { text } = logpush.format(source, options);
  if (text !== null) assert.equal(logpush.format(text, options).text, text, source);
  return text;
}

/** Renders the batch of a job: `∎` marks a missing final line break, `‼` a rejected line. */
function renderBatch(body, lines, options) {
  const job = { destination_conf: "s3://bucket/logs?region=us-west-2", ...JSON.parse(body) };
  const { text, rejected, errors, diagnostics } = logpush.render(job, lines, options);
  assert.deepEqual([errors, diagnostics], [[], []]);
  const shown = text.endsWith("\n") ? text.slice(0, -1) : `${text}∎`;
  return [shown, ...rejected.map((one) => `‼ ${one.message}`)].join("\n");
}

/** Reads `scope=account allow=file allow=http`; null for an update. */
function jobOptions(words) {
  const options = {};
  for (const [name, value] of wordsOf(words)) {
    if (name === "update") return null;
    if (name === "scope") options.scope = value;
    else options[value === "file" ? "files" : "plainHttp"] = true;
  }
  return options;
}

/** Reads `dataset=… max_operators=… max_bytes=… lint allow=…`; other options belong to the answer. */
function optionsOf(words) {
  const options = { lint: false };
  for (const [name, value] of wordsOf(words)) {
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

  test("render writes the lines that the filter of the job keeps", () => {
    const job = { ...JOB, filter: FILTER };
    const lines = '{"RayID":"a","EdgeResponseStatus":502}\n\n[]\r\n{"RayID":"b"}\n{"RayID":"c","EdgeResponseStatus":500}';
    const { text, kept, dropped, rejected } = logpush.render(JSON.stringify(job), lines);
    assert.deepEqual([text, kept, dropped], ['{"RayID":"a"}\n{"RayID":"c"}\n', 2, 1]);
    assert.deepEqual(rejected.map((one) => one.line), [3]);
    const refused = logpush.render({ ...job, filter: "{" }, lines);
    assert.deepEqual([refused.text, refused.errors[0].pointer], [null, "/filter"]);
  });

  test("datasets returns plain data", () => {
    const datasets = logpush.datasets();
    assert.equal(datasets.length, 37);
    const { fields, zone, account } = datasets.find((one) => one.name === "http_requests");
    assert.deepEqual([zone, account], [true, false]);
    assert.ok(fields.some((one) => one.name === "ClientIP" && one.type === "string" && one.filterable && !one.deprecated));
  });
});

describe("invalid arguments", () => {
  const circular = {};
  circular.self = circular;
  const thrower = new Proxy({}, { ownKeys: () => { throw new Error("no\nway"); } });
  const wrong = [5, NaN, true, Symbol("s"), 5n, [], new Map([["a", 1]]), () => 1, new Date(), circular, thrower, "x"];

  test("no function throws for any value of any argument", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      for (let at = 0; at <= values.length + 1; at += 1) {
        for (const value of [null, undefined, ...wrong]) {
          const answer = logpush[name](...values.slice(0, at), value, ...values.slice(at + 1));
          assert.ok(Array.isArray(answer.diagnostics), `${name}, argument ${at}`);
        }
      }
      assert.deepEqual(logpush[name](...values).diagnostics, [], `${name} still works`);
      assert.ok(logpush[name]().diagnostics.length > 0, name);
    }
    for (const value of wrong) assert.equal(logpush.datasets(value).length, 37);
  });

  test("invalid options are reported and the result keeps its shape", () => {
    for (const [name, values] of Object.entries(CALLS)) {
      const right = logpush[name](...values);
      for (const options of [5, [], new Map(), { datset: "x" }, { dataset: 5, style: 5, scope: 5 }, { lint: "x", width: -1 }]) {
        const answer = logpush[name](...values, options);
        assert.ok(codes(answer).every((code) => code === "invalid-option") && answer.diagnostics.length > 0, name);
        assert.deepEqual(Object.keys(answer).sort(), Object.keys(right).sort(), name);
      }
    }
    const { message, help } = logpush.check(FILTER, { dataset: "http_request" }).diagnostics[0];
    assert.deepEqual([message, help], ["unknown value of the option `dataset`: `http_request`", "did you mean `http_requests`?"]);
  });

  test("a lone surrogate is rejected", () => {
    for (const name of ["check", "analyze", "fix", "format", "simplify", "explain", "convert", "evaluate", "complete", "hover"]) {
      const answer = logpush[name](`{"🦀\ud800"}`, ...CALLS[name].slice(1));
      assert.deepEqual(codes(answer), ["invalid-source"], name);
      assert.deepEqual([answer.diagnostics[0].start, answer.diagnostics[0].end], [4, 5], name);
    }
    assert.deepEqual(codes(logpush.evaluate(FILTER, '{"a":"\udc00"}')), ["invalid-option"]);
    assert.deepEqual(codes(logpush.job('{"name":"\udc00"}')), ["invalid-option"]);
    assert.deepEqual(codes(logpush.render(JOB, "\ud800")), ["invalid-option"]);
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
