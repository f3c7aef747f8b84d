// Format, fix, explain, evaluate, compare, test and schema: their results, and invalid arguments.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, createProject } from "./support.mjs";

const zonewright = load(createProject());
const { analyze, check, complete, equivalent, evaluate, explain, fix, format, schema, subsumes } = zonewright;
const codes = (answer) => answer.diagnostics.map((diagnostic) => diagnostic.code);

/** Every function with the arguments after its source. */
const CALLS = {
  check: [],
  analyze: [],
  fix: [],
  format: [],
  explain: [],
  evaluate: [{}],
  equivalent: ["ssl"],
  subsumes: ["ssl"],
  test: [],
  complete: [0],
  hover: [0],
};

describe("texts", () => {
  test("format follows its options", () => {
    const source = "ssl and(http.host==\"a\")";
    assert.deepEqual(format(source), { text: 'ssl and (http.host == "a")', diagnostics: [] });
    assert.equal(format(source, { style: "compact", operators: "symbols" }).text, 'ssl&&(http.host=="a")');
    assert.equal(format(source, { operators: "english", width: 10 }).text.split("\n").length, 4);
    assert.equal(format(source, { maxLength: 5 }).text, 'ssl and(http.host=="a")');
    const broken = format("ssl and (");
    assert.equal(broken.text, null);
    assert.ok(broken.diagnostics.length > 0);
  });

  test("fix applies safe fixes and returns the remaining diagnostics", () => {
    assert.deepEqual(fix("http.host eq '🦀' and not not ssl"), {
      text: 'http.host eq "🦀" and ssl',
      finished: true,
      diagnostics: [],
    });
    const { text, diagnostics } = fix("http.hots eq '🦀' and http.hots eq 'a'");
    assert.equal(text, 'http.hots eq "🦀" and http.hots eq "a"');
    assert.deepEqual(diagnostics.map(({ start, end }) => text.slice(start, end)), ["http.hots", "http.hots"]);
    // More fixes than 20 rounds apply: the result reports it, and the next call applies the others.
    const long = { maxLength: 1 << 20 };
    const first = fix(`${"ssl AND ".repeat(25_000)}ssl`, long);
    assert.equal(first.finished, false);
    assert.notEqual(fix(first.text, long).text, first.text);
    assert.equal(fix("not not ssl", { lint: false }).text, "not not ssl");
  });

  test("explain returns sentences and a tree with offsets", () => {
    const source = 'http.user_agent contains "🦀" and (ssl or not http.host eq "a")';
    const { text, sentences, tree, diagnostics } = explain(source);
    assert.deepEqual(diagnostics, []);
    assert.ok(text.startsWith("The rule applies when"), text);
    assert.deepEqual([sentences[0].depth, tree.kind], [0, "all"]);
    assert.equal(source.slice(tree.children[1].start, tree.children[1].end), 'ssl or not http.host eq "a"');
    assert.equal(tree.children[1].children[0].text, "the connection is encrypted");
    assert.deepEqual([explain("ssl and").tree, explain("ssl and").text], [null, ""]);
  });

  test("lints are on by default in check and analyze and optional elsewhere", () => {
    for (const call of [check, analyze]) {
      assert.deepEqual(codes(call("not not ssl")), ["double-negation"]);
      assert.deepEqual(codes(call("not not ssl", { lint: { allow: ["double-negation"] } })), []);
      assert.deepEqual(codes(call("not not ssl", { lint: false })), []);
    }
    assert.deepEqual(codes(explain("not not ssl")), []);
    assert.deepEqual(codes(explain("not not ssl", { lint: true })), ["double-negation"]);
    assert.deepEqual(codes(evaluate("not not ssl", {}, { lint: true })), ["double-negation"]);
  });
});

test("a list name is accepted with and without the dollar sign", () => {
  const source = "ip.src in $office";
  const fields = { "ip.src": "192.0.2.7" };
  for (const name of ["office", "$office"]) {
    assert.deepEqual(check(source, { lists: { [name]: "ip" } }).ok, true, name);
    assert.equal(evaluate(source, { fields, lists: { [name]: ["192.0.2.0/24"] } }).outcome, "match", name);
    const [unknown] = check("ip.src in $ofice", { lists: { [name]: "ip" } }).diagnostics;
    assert.match(JSON.stringify(unknown), /\$office/);
    assert.doesNotMatch(JSON.stringify(unknown), /\$\$/);
  }
  for (const lists of [{ $$office: "ip" }, { "": "ip" }, { Office: "ip" }]) {
    const [diagnostic] = check(source, { lists }).diagnostics;
    assert.equal(diagnostic.code, "invalid-option");
    assert.match(diagnostic.message, /invalid list name/);
  }
  const [twice] = check(source, { lists: { office: "ip", $office: "ip" } }).diagnostics;
  assert.match(twice.message, /duplicate list/);
  assert.match(twice.help, /`office` and `\$office` are the same list/);
  const answer = evaluate(source, { fields, lists: { office: [], $office: [] } });
  assert.equal(answer.diagnostics[0].code, "invalid-record");
});

test("response fields are valid only in a counting expression", () => {
  const source = "http.response.code eq 401";
  const phase = "http_ratelimit";
  for (const options of [{ phase }, { phase, kind: "expression" }]) {
    const { ok, diagnostics } = check(source, options);
    assert.deepEqual([ok, diagnostics[0].code], [false, "not-in-phase"]);
    assert.match(diagnostics[0].help, /counting expression/);
  }
  const counting = { phase, kind: "counting" };
  assert.equal(check(source, counting).ok, true);
  assert.equal(evaluate(source, { fields: { "http.response.code": 401 } }, counting).outcome, "match");
  const offered = (options) => complete("http.respon", 11, options).items.some(({ label }) => label === "http.response.code");
  assert.deepEqual([offered({ phase }), offered(counting)], [false, true]);
});

describe("requests", () => {
  test("evaluate returns outcome and result", () => {
    const fields = { "http.host": "a", "http.referer": null };
    const value = { kind: "value" };
    for (const [source, record, options, outcome, result, unknown] of [
      ['http.host eq "a"', { fields }, {}, "match", true, []],
      ['http.host eq "b"', { fields }, {}, "no-match", false, []],
      ['ssl and http.host eq "a" and ip.src in $x', { fields }, {}, "unknown", "unknown", ["$x", "ip.src", "ssl"]],
      ["ssl", { missing: "absent" }, {}, "no-match", false, []],
      ["http.referer", { fields }, value, "absent", null, []],
      ["upper(http.host)", { fields }, value, "value", "A", []],
      ["http.user_agent", {}, value, "unknown", "unknown", ["http.user_agent"]],
      ["http.hots", { fields }, value, "error", null, []],
    ]) {
      const answer = evaluate(source, record, options);
      assert.deepEqual([answer.outcome, answer.result, answer.unknown], [outcome, result, unknown], source);
      assert.equal("trace" in answer, false);
    }
  });

  test("evaluate accepts requests in every format and explicit fields override them", () => {
    const source = 'http.host eq "example.com" and http.request.uri.path eq "/a"';
    const entry = { request: { method: "GET", url: "https://example.com/a" } };
    for (const request of [
      "https://example.com/a",
      "GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n",
      "curl https://example.com/a -A me",
      JSON.stringify({ log: { entries: [entry] } }),
      '{"http.host": "example.com", "http.request.uri.path": "/a"}',
    ]) {
      assert.equal(evaluate(source, { request }).result, true, request);
      assert.equal(evaluate(source, { request, fields: { "http.host": "b" } }).result, false, request);
    }
    assert.equal(evaluate("ssl", { request: "GET / HTTP/1.1\nHost: a" }).notes.length, 1);
  });

  test("evaluate accepts lists, a seed, big integers and bytes", () => {
    const lists = { office: ["192.0.2.0/24"], sites: ["*.example.com"], partners: [64496] };
    const fields = { "ip.src": "192.0.2.7", "http.host": "a.example.com", "ip.src.asnum": 64496 };
    const source = "ip.src in $office and http.host in $sites and ip.src.asnum in $partners";
    assert.equal(evaluate(source, { fields, lists }).result, true);
    const large = 2n ** 62n + 1n;
    const time = { "http.request.timestamp.sec": large };
    assert.equal(evaluate("http.request.timestamp.sec", { fields: time }, { kind: "value" }).result, large);
    assert.equal(evaluate(`http.request.timestamp.sec eq ${large}`, { fields: time }).result, true);
    const raw = { "http.request.body.raw": { base64: "/wA=" } };
    assert.deepEqual(evaluate("http.request.body.raw", { fields: raw }, { kind: "value" }).result, { base64: "/wA=" });
    const headers = Object.fromEntries([["__proto__", ["a"]]]);
    const record = { fields: { "http.request.headers": headers } };
    const map = evaluate("http.request.headers", record, { kind: "value" }).result;
    assert.deepEqual([Object.keys(map), Object.getPrototypeOf(map)], [["__proto__"], Object.prototype]);
    const random = (seed) => evaluate("cf.random_seed", { seed }, { kind: "value" }).result;
    assert.deepEqual(random(1), random(1));
    assert.notDeepEqual(random(1), random(2));
    assert.equal(evaluate("len(cf.random_seed) gt 0", {}).result, "unknown");
  });

  test("a trace has offsets and values", () => {
    const source = 'http.user_agent contains "🦀" and (http.host eq "a" or ssl)';
    const { trace } = evaluate(source, { fields: { "http.user_agent": "🦀", "http.host": "a" } }, { trace: true });
    const steps = trace.map(({ start, end, truth, value }) => [source.slice(start, end), truth, value]);
    assert.deepEqual(steps, [
      [source, "true", undefined],
      ['http.user_agent contains "🦀"', "true", "🦀"],
      ['(http.host eq "a" or ssl)', "true", undefined],
      ['http.host eq "a" or ssl', "true", undefined],
      ['http.host eq "a"', "true", "a"],
      ["ssl", "not-reached", undefined],
    ]);
  });

  test("invalid records yield diagnostics", () => {
    const cyclic = { "http.request.headers": {} };
    cyclic["http.request.headers"].a = cyclic;
    const shared = Array.from({ length: 12 }).reduce((inner) => Array(10).fill(inner), []);
    for (const [record, message] of [
      [undefined, /expected an object for the record, found undefined/],
      [null, /null/],
      ["https://a/", /found `https:/],
      [5n, /a bigint/],
      [[], /an array/],
      [new Map([["fields", {}]]), /a `Map` object/],
      [{ "http.host": "a" }, /unknown member `http.host`/],
      [{ fields: { "http.hots": "a" } }, /unknown field `http.hots`/],
      [{ fields: { "http.host": 5 } }, /`http.host`/],
      [{ fields: { "http.host": Symbol("a") } }, /`http.host`: expected a plain value, found a symbol/],
      [{ fields: { "http.host": () => "a" } }, /found a function/],
      [{ fields: { "http.host": new Date() } }, /a `Date` object/],
      [{ fields: { "http.host": "\ud83e" } }, /lone surrogate/],
      [{ fields: { "http.request.headers": new Map() } }, /a `Map` object/],
      [{ fields: { "http.request.headers": { a: [undefined] } } }, /found undefined/],
      [{ fields: { "http.request.timestamp.sec": NaN } }, /`NaN` is not a valid number/],
      [{ fields: { "http.request.timestamp.sec": 1.5 } }, /timestamp/],
      [{ fields: { "http.request.timestamp.sec": 2 ** 60 } }, /BigInt/],
      [{ fields: { "http.request.timestamp.sec": 2n ** 63n } }, /64 bits/],
      [{ fields: cyclic }, /nested too deep/],
      [{ fields: { "http.request.headers": shared } }, /too many values/],
      [{ fields: [] }, /an array/],
      [{ lists: { Office: [] } }, /Office/],
      [{ lists: { office: "192.0.2.1" } }, /array of items/],
      [{ lists: { office: ["192.0.2.1", 5] } }, /item 2/],
      [{ request: 5 }, /expected a string/],
      [{ request: "" }, /empty/],
      [{ request: "\0" }, /expected JSON fields/],
      [{ request: "a\udd80" }, /lone surrogate/],
      [{ request: "GET / HTTP/1.1\nHost: a\nb" }, /line 3/],
      [{ missing: "no" }, /unknown value of `missing`/],
      [{ seed: -1 }, /non-negative integer/],
      [{ seed: 1.5 }, /non-negative integer/],
    ]) {
      const answer = evaluate("ssl", record);
      assert.deepEqual([answer.outcome, answer.result], ["error", null], String(message));
      assert.deepEqual(codes(answer), ["invalid-record"], String(message));
      assert.match(answer.diagnostics[0].message, message);
    }
    const { help } = evaluate("ssl", { "http.host": "a" }).diagnostics[0];
    assert.match(help, /`fields`/);
    assert.equal(evaluate("ssl", { fields: undefined, request: null, seed: undefined }).outcome, "unknown");
    assert.equal(evaluate("ssl", { fields: { ssl: undefined } }).outcome, "unknown");
    assert.deepEqual(codes(evaluate(5, 5, 5)), ["invalid-source", "invalid-record", "invalid-option"]);
  });

  test("a record with throwing getters fails one call", () => {
    const thrower = { get: () => assert.fail("not today"), enumerable: true };
    for (const record of [
      Object.defineProperty({}, "fields", thrower),
      { fields: Object.defineProperty({}, "http.host", thrower) },
      { lists: new Proxy({}, { ownKeys: () => assert.fail("not today") }) },
    ]) {
      assert.deepEqual(codes(evaluate("ssl", record)), ["internal-error"]);
      assert.equal(evaluate("ssl", { fields: { ssl: true } }).result, true);
    }
  });
});

describe("equivalence and subsumption", () => {
  test("verdicts are yes, no and undecided", () => {
    const set = 'http.host in {"a" "b"}';
    assert.deepEqual(equivalent('http.host eq "a" or http.host eq "b"', set), {
      answer: "yes",
      assumptions: [],
      diagnostics: [],
    });
    const no = equivalent('http.host eq "a"', set);
    assert.deepEqual([no.answer, no.first, no.second], ["no", false, true]);
    assert.equal(evaluate(set, no.record).result, true);
    const listed = equivalent("ip.src in $office", "ip.src in $other");
    assert.notDeepEqual(listed.record.lists, {});
    assert.equal(evaluate("ip.src in $office", listed.record).result, listed.first);
    assert.equal(subsumes(set, 'http.host eq "a"').answer, "yes");
    assert.equal(subsumes('http.host eq "a"', set).answer, "no");
    const undecided = equivalent('http.host eq "a" or http.host eq "b"', set, { steps: 0 });
    assert.equal(undecided.answer, "undecided");
    assert.ok(undecided.reason.length > 0);
  });

  test("diagnostics name their expression", () => {
    const sources = { first: '"🦀" http.hots eq "a"', second: 'http.host eq "🦀" and http.hots eq 5' };
    const { answer, diagnostics } = equivalent(sources.first, sources.second);
    assert.equal(answer, null);
    const [last] = diagnostics.slice(-1);
    assert.deepEqual([diagnostics[0].expression, last.expression], ["first", "second"]);
    assert.equal(sources.second.slice(last.start, last.end), "http.hots");
    const { diagnostics: errors } = subsumes(5, "\ud83e", { steps: "many" });
    assert.deepEqual(
      errors.map(({ expression, code }) => [expression, code]),
      [
        ["first", "invalid-source"],
        ["first", "invalid-option"],
        ["second", "invalid-source"],
      ],
    );
  });
});

describe("test cases", () => {
  const file = `
# 🦀
[[test]]
name = "office"
expression = 'http.host eq "🦀" or ssl'
[[test.match]]
request = "https://example.com/"
[[test.miss]]
name = "plain"
request = "https://example.com/"
[[test]]
file = "rule.txt"
[[test.match]]
fields = { "http.hots" = "a" }
`;

  test("test returns a report with offsets", () => {
    const report = zonewright.test(file, { files: { "rule.txt": "ssl\r\n" }, junit: true, name: "a.toml" });
    const { ok, passed, failed, errors, fileErrors, tests } = report;
    assert.deepEqual([ok, passed, failed, errors, fileErrors, codes(report)], [false, 1, 1, 1, 0, []]);
    const [office, other] = tests;
    const { expression, expressionStart } = office;
    assert.equal(file.slice(expressionStart, expressionStart + expression.length), expression);
    assert.deepEqual([office.file, other.file, other.expression], [null, "rule.txt", "ssl"]);
    const [, plain] = office.cases;
    assert.deepEqual([plain.name, plain.result, plain.expected, plain.found], ["plain", "failed", "no match", "a match"]);
    assert.equal(file.slice(plain.start, plain.end).split("\n")[0], "[[test.miss]]");
    assert.deepEqual(plain.reasons.map(({ start, end }) => expression.slice(start, end)), ["ssl"]);
    assert.equal(plain.reasons[0].truth, "true");
    assert.match(other.cases[0].problem.message, /http\.hots/);
    assert.ok(report.junit.includes('<testsuite name="a.toml" tests="3" failures="1" errors="1"'), report.junit);
  });

  test("malformed and missing files are reported", () => {
    const broken = zonewright.test("[[test");
    assert.deepEqual([codes(broken), broken.ok, broken.errors, broken.fileErrors], [["test-file"], false, 0, 1]);
    const missing = zonewright.test("[[test]]\nfile = 'a'\n[[test.match]]\nrequest = 'https://a/'\n");
    assert.match(missing.diagnostics[0].message, /no such file/);
    assert.deepEqual([zonewright.test("").ok, codes(zonewright.test(""))], [false, ["test-file"]]);
    for (const options of [{ files: { a: 5 } }, { files: [] }, { junit: "yes" }, { name: 5 }, { kind: "value" }]) {
      assert.deepEqual(codes(zonewright.test("", options)), ["invalid-option"], Object.keys(options)[0]);
    }
  });
});

test("schema lists what the other functions accept", () => {
  const { fields, functions, operators, logical, phases, plans, managedLists, lints } = schema();
  for (const { name } of fields) assert.ok(!codes(check(name, { kind: "value" })).includes("unknown-field"), name);
  assert.ok(fields.length > 100 && functions.length > 30 && operators.length > 9 && logical.length > 2);
  for (const { name, signature, parameters } of functions) {
    assert.ok(signature.startsWith(`${name}(`), signature);
    for (const { start, end } of parameters) assert.ok(signature.slice(start, end).length > 0, signature);
  }
  for (const { name } of phases) assert.equal(check("ssl", { phase: name, lint: false }).diagnostics.length < 2, true);
  for (const { name } of plans) assert.ok(check("ssl", { plan: name }).ok);
  for (const name of managedLists) assert.ok(check(`ip.src in $${name}`).ok, name);
  assert.ok(check("ssl", { lint: { allow: lints } }).ok);
});

describe("invalid arguments of every function yield diagnostics", () => {
  const sources = [undefined, null, 5, 5n, true, Symbol("a"), {}, [], () => "ssl", new String("ssl"), "\ud83e"];
  const options = ["pro", 5, true, [], () => {}, Symbol("a"), 5n, new Map(), { phse: 1 }];
  for (const [name, rest] of Object.entries(CALLS)) {
    test(name, () => {
      for (const source of sources) assert.deepEqual(codes(zonewright[name](source, ...rest)), ["invalid-source"]);
      for (const value of options) {
        assert.deepEqual(codes(zonewright[name]("", ...rest, value)).slice(0, 1), ["invalid-option"], String(value?.phse));
      }
      const fine = new Set(codes(zonewright[name]("", ...rest, undefined)));
      for (const code of ["invalid-option", "internal-error"]) assert.equal(fine.has(code), false);
    });
  }

  test("format", () => {
    for (const value of [{ style: "nice" }, { width: -1 }, { width: "5" }, { operators: 5 }, { maxLength: 1.5 }, { kind: "value" }]) {
      assert.deepEqual(codes(format("ssl", value)), ["invalid-option"], Object.keys(value)[0]);
    }
    assert.equal(format("ssl", { width: 0, maxLength: Number.MAX_SAFE_INTEGER, style: null }).text, "ssl");
  });
});

test("hostile texts of 1 MB and maximum nesting yield results", () => {
  const many = (text, size) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const nested = (open, inner, close) => open.repeat(128) + inner + close.repeat(128);
  const tokens = ["(", "ssl or ", "\0", '"', "not ", "[[test]]\n", "🦀", "a=1\n", "a = [[[[[[", "{"];
  const deep = [nested("(", "ssl", ")"), nested("not ", "ssl", ""), nested("(ssl or ", "ssl", " and ssl)")];
  deep.push(`${nested("lower(", "http.host", ")")} eq "a"`);
  const callAll = (texts, maxLength) => {
    for (const text of texts) {
      const describe = (name) => `${name}: ${text.length} characters, ${JSON.stringify(text.slice(0, 12))}`;
      for (const [name, rest] of Object.entries(CALLS)) {
        const answer = zonewright[name](text, ...rest, name === "test" ? { junit: true } : { maxLength });
        assert.equal(codes(answer).includes("internal-error"), false, describe(name));
      }
      for (const record of [{ request: text }, { fields: { "http.host": text } }]) {
        const answer = evaluate('http.host eq "a"', record, { trace: true });
        assert.equal(codes(answer).includes("internal-error"), false, describe("a record"));
      }
      assert.equal(codes(equivalent("ssl", text, { maxLength })).includes("internal-error"), false, describe("equivalent"));
    }
  };
  callAll(["(", '"', "\0", "🦀", "[[test]]\n"].map((token) => many(token, 1 << 20)));
  // Texts over the length limit are processed completely when the limit allows them.
  callAll([...tokens.map((token) => many(token, 1 << 16)), ...deep], 1 << 21);
  for (const text of deep) assert.ok(explain(text).text.length > 0);
});
