// The package in Node.js: both module systems, offsets, and invalid arguments.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, test } from "node:test";
import { load, createProject, run } from "./support.mjs";

const folder = createProject();
const zonewright = load(folder);
const { analyze, check, complete, hover, init, signature, version } = zonewright;
const codes = (result) => result.diagnostics.map((diagnostic) => diagnostic.code);

/** Asserts that the package still works after any input. */
function assertStillWorks() {
  const result = check('http.host eq "example.com"');
  assert.deepEqual(result, { ok: true, type: "Boolean", diagnostics: [] });
}

describe("entry points", () => {
  const body = `
    const { ok, diagnostics } = check("http.hots eq 'a'", { plan: 'pro' });
    console.log(JSON.stringify({ ok, codes: diagnostics.map(({ code }) => code), version }));`;

  test("the ES module works without init", async () => {
    const result = await run(folder, "esm.mjs", `import { check, version } from 'zonewright';${body}`);
    assert.deepEqual(result, { ok: false, codes: ["unknown-field", "single-quotes"], version });
  });

  test("the CommonJS module works without init", async () => {
    const result = await run(folder, "common.cjs", `const { check, version } = require('zonewright');${body}`);
    assert.deepEqual(result, { ok: false, codes: ["unknown-field", "single-quotes"], version });
  });

  test("both modules share one instance and have the same exports", async () => {
    const result = await run(
      folder,
      "both.mjs",
      `import * as esm from 'zonewright';
       import { createRequire } from 'node:module';
       const common = createRequire(import.meta.url)('zonewright');
       console.log(JSON.stringify({ same: esm.check === common.check, names: Object.keys(esm).sort() }));`,
    );
    const verbs = ["analyze", "check", "complete", "equivalent", "evaluate", "explain", "fix", "format", "hover"];
    const others = ["logpush", "migration", "neverFires", "runsManagedRules", "sample", "satisfiable", "schema", "signature", "subsumes", "test", "traceZone", "version"];
    const names = [...verbs, "init", "load", ...others, "createWorkerClient", "WorkerClientError"].sort();
    assert.deepEqual(result, { same: true, names });
  });

  test("init and load do nothing", async () => {
    assert.equal(await init(), undefined);
    assert.equal(await init(), undefined);
    assert.equal(await zonewright.load("evaluate", "prove"), undefined);
  });

  test("the package reports its version and has no dependencies", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/zonewright/package.json"), "utf8"));
    assert.equal(manifest.version, version);
    assert.equal(manifest.dependencies, undefined);
    for (const name of ["LICENSE", "README.md", "zonewright_bg.wasm"]) {
      assert.ok(readFileSync(join(folder, "node_modules/zonewright", name)).length > 0);
    }
  });
});

describe("results", () => {
  test("check returns the type of a valid expression", () => {
    assert.deepEqual(check("ssl"), { ok: true, type: "Boolean", diagnostics: [] });
    assert.equal(check("lower(http.host)", { kind: "value" }).type, "String");
  });

  test("options reach the engine", () => {
    const source = 'http.host matches "^a" and ip.src in $office';
    assert.equal(check(source).ok, true);
    assert.equal(check(source, { plan: "free" }).ok, false);
    assert.equal(check(source, { lists: { office: "ip" } }).ok, true);
    assert.equal(check(source, { lists: { other: "ip" } }).ok, false);
    assert.equal(check(source, { maxLength: 10 }).ok, false);
    assert.equal(check("http.response.code eq 200", { phase: "http_request_firewall_custom" }).ok, false);
    assert.equal(check("lower(http.host)").ok, false);
  });

  test("offsets count UTF-16 code units before, inside and after emoji", () => {
    const source = '(http.user_agent contains "🦀é" and http.hots eq "🎉")\nor http.referer = \'日本 🗾\'';
    const { diagnostics } = check(source);
    const seen = diagnostics.map(({ code, start, end, line, column }) => [
      code,
      source.slice(start, end),
      line,
      column,
    ]);
    assert.deepEqual(seen[0], ["unknown-field", "http.hots", 1, 36]);
    const quotes = seen.find(([code]) => code === "single-quotes");
    assert.deepEqual(quotes, ["single-quotes", "'日本 🗾'", 2, 19]);
    const { edits } = diagnostics.find(({ code }) => code === "single-quotes").fixes[0];
    let fixed = source;
    for (const { start, end, text } of edits.toReversed()) fixed = fixed.slice(0, start) + text + fixed.slice(end);
    assert.ok(fixed.endsWith('"日本 🗾"'), fixed);
  });

  test("analyze returns tokens and usage", () => {
    const source = 'http.user_agent contains "🦀" and lower(http.host) in {"a"} and ip.src in $office';
    const { ok, type, tokens, usage } = analyze(source);
    assert.deepEqual([ok, type], [true, "Boolean"]);
    const text = (kind) => tokens.filter((token) => token.kind === kind).map(({ start, end }) => source.slice(start, end));
    assert.deepEqual(text("field"), ["http.user_agent", "http.host", "ip.src"]);
    assert.deepEqual(text("function"), ["lower"]);
    assert.deepEqual(text("string"), ['"🦀"', '"a"']);
    assert.deepEqual(text("list"), ["$office"]);
    assert.equal(usage.length, [...source].length);
    assert.equal(usage.maxLength, 4096);
    assert.equal(usage.maxDepth, 128);
    assert.equal(analyze('http.host matches "a"').usage.regexes, 1);
  });

  test("complete offers names at a UTF-16 offset", () => {
    const source = 'http.user_agent contains "🦀" and http.ho';
    const { start, end, items, diagnostics } = complete(source, source.length);
    assert.deepEqual(diagnostics, []);
    assert.equal(source.slice(start, end), "http.ho");
    const host = items.find((item) => item.label === "http.host");
    assert.equal(host.kind, "field");
    assert.match(host.detail, /String/);
    for (const offset of [-1, 0, 27, 28, 2.5, 10_000, Infinity, -Infinity]) {
      assert.deepEqual(complete(source, offset).diagnostics, []);
    }
  });
});

describe("editor services", () => {
  test("complete returns the text to insert and its cursor", () => {
    const source = 'http.user_agent contains "🦀" and http.host con';
    const { start, end, items } = complete(source, source.length);
    const { insert, cursor } = items[0];
    assert.equal(source.slice(start, end), "con");
    assert.deepEqual([insert.slice(0, cursor), insert.slice(cursor)], ['contains "', '"']);
  });

  test("hover describes the token at a UTF-16 offset", () => {
    const source = 'http.user_agent contains "🦀" and ip.src in {10.0.0.0/8}';
    const hoverAt = (text) => hover(source, source.indexOf(text) + 1).hover;
    const network = hoverAt("10.0.0.0/8");
    assert.equal(source.slice(network.start, network.end), "10.0.0.0/8");
    assert.equal(network.detail, "IPv4 network");
    assert.equal("example" in network, false);
    assert.match(hoverAt("ip.src").example, /ip\.src/);
    assert.equal(hover(source, source.indexOf(" in {") + 4).hover, null);
    for (const offset of [-1, 0, 27, 28, 2.5, 10_000, Infinity, -Infinity]) {
      assert.deepEqual(hover(source, offset).diagnostics, []);
    }
  });

  test("signature describes the call around a UTF-16 offset", () => {
    const source = 'http.user_agent contains "🦀" and substring(http.host, ';
    const { signature: call, diagnostics } = signature(source, source.length);
    assert.deepEqual(diagnostics, []);
    assert.equal(source.slice(call.start, call.end), "substring");
    const { start, end, name } = call.parameters[call.active];
    assert.deepEqual([call.label.slice(start, end), name], ["start", "start"]);
    assert.equal(signature(source, 3).signature, null);
  });
});

describe("invalid arguments yield diagnostics and never throw", () => {
  test("a source that is not a string is reported", () => {
    for (const source of [undefined, null, 5, 5n, true, Symbol("a"), {}, [], () => "ssl", new String("ssl")]) {
      for (const call of [check, analyze, ...[complete, hover, signature].map((call) => (value) => call(value, 0))]) {
        assert.deepEqual(codes(call(source)), ["invalid-source"]);
      }
    }
    assertStillWorks();
  });

  test("a lone surrogate is reported", () => {
    for (const half of ["\ud83e", "\udd80"]) {
      const source = `http.host eq\n "🦀${half}"`;
      const [found] = check(source).diagnostics;
      assert.deepEqual([found.code, source.slice(found.start, found.end)], ["invalid-source", half]);
      assert.deepEqual([found.line, found.column], [2, 4]);
    }
    assert.equal(check('http.host eq "\ufffd"').ok, true);
  });

  test("options of the wrong type are reported", () => {
    for (const options of ["pro", 5, true, [], () => {}, Symbol("a"), 5n]) {
      const result = check("ssl", options);
      assert.deepEqual([result.ok, codes(result)], [false, ["invalid-option"]]);
    }
    for (const options of [
      undefined,
      null,
      {},
      { plan: undefined, phase: null, lists: undefined },
      Object.create(null),
    ]) {
      assert.equal(check("ssl", options).ok, true);
    }
  });

  test("unknown options and values are all reported with suggestions", () => {
    const { diagnostics } = check("ssl", {
      phse: "x",
      plan: "enterprice",
      kind: 5,
      maxLength: 1.5,
      lists: { a: "ips" },
    });
    assert.deepEqual(new Set(diagnostics.map((diagnostic) => diagnostic.code)), new Set(["invalid-option"]));
    assert.equal(diagnostics.length, 5);
    assert.equal(diagnostics[0].help, "did you mean `phase`?");
    assert.equal(diagnostics[1].help, "did you mean `enterprise`?");
    for (const { message } of check("ssl", { ["x\n".repeat(1000)]: 1, plan: "y".repeat(1000) }).diagnostics) {
      assert.ok(message.length < 200 && !message.includes("\n"), message);
    }
  });

  test("an offset that is not a number is reported", () => {
    for (const offset of [undefined, null, "1", NaN, {}, 5n]) {
      for (const call of [complete, hover, signature]) assert.deepEqual(codes(call("ssl", offset)), ["invalid-offset"]);
    }
  });

  test("options with throwing getters are reported", () => {
    const hostile = {
      get plan() {
        throw new Error("not today");
      },
    };
    for (const options of [
      hostile,
      new Proxy(
        {},
        {
          ownKeys() {
            throw null;
          },
        },
      ),
    ]) {
      for (const call of [check, analyze, ...[complete, hover].map((call) => (source, value) => call(source, 0, value))]) {
        assert.deepEqual(codes(call("ssl", options)), ["internal-error"]);
        assertStillWorks();
      }
    }
  });
});

test("hostile input yields a diagnostic and the next call works", () => {
  const many = (text, count) => text.repeat(count);
  const inputs = {
    empty: "",
    blank: " \n\t ",
    "one megabyte": `http.host eq "${many("a", 1 << 20)}"`,
    "many mistakes": many("http.hots or ", 4_000),
    NUL: 'http.host eq \0"a"\0',
    brackets: `${many("(", 10_000)}ssl${many(")", 10_000)}`,
    "open brackets": many("(", 10_000),
    not: `${many("not ", 10_000)}ssl`,
    calls: `${many("lower(", 1000)}http.host${many(")", 1000)} eq "a"`,
    "an open string": 'http.host eq "abc',
    "a huge regex": 'http.host matches "((a{1000}){1000}){1000}"',
    "a wrong regex": 'http.host matches "(("',
  };
  for (const [name, source] of Object.entries(inputs)) {
    for (const maxLength of [4096, 1 << 20]) {
      for (const call of [check, analyze]) {
        const result = call(source, { maxLength });
        assert.equal(result.ok, false, name);
        assert.ok(result.diagnostics.length > 0, name);
        assert.ok(!codes(result).includes("internal-error"), `${name}: ${result.diagnostics[0].message}`);
      }
      for (const call of [complete, hover, signature]) {
        assert.deepEqual(call(source, source.length, { maxLength }).diagnostics, []);
      }
      assertStillWorks();
    }
  }
});

test("the maximum nesting depth fits on the stack", () => {
  const { maxDepth } = analyze("ssl").usage;
  const nested = (open, inner, close, count) => open.repeat(count) + inner + close.repeat(count);
  const shapes = {
    brackets: (count) => nested("(", "ssl", ")", count),
    not: (count) => nested("not ", "ssl", "", count),
    "brackets in chains": (count) => nested("(ssl or ", "ssl", " and ssl)", count),
    calls: (count) => `${nested("lower(", "http.host", ")", count)} eq "a"`,
    "calls with arguments": (count) => `${nested('concat("a", ', "http.host", ")", count)} eq "a"`,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const deepest = analyze(shape(maxDepth), { maxLength: 10_000 });
    assert.deepEqual(
      [deepest.ok, deepest.usage.depth],
      [true, maxDepth],
      `${name}: ${deepest.diagnostics[0]?.message}`,
    );
    assert.deepEqual(codes(check(shape(maxDepth + 1), { maxLength: 10_000 })), ["nesting-too-deep"], name);
  }
});

test("a WebAssembly trap fails one call and later calls work", async () => {
  const { createEngine } = await import(pathToFileURL(join(folder, "node_modules/zonewright/core.js")));
  let instances = 0;
  const run = (verb, [source]) => {
    if (source === "trap" || verb === "schema" || verb === "datasets") throw new WebAssembly.RuntimeError("unreachable");
    return "fine";
  };
  const bindings = () => {
    const initSync = () => (instances += 1);
    return { initSync, language: run, help: run, evaluate: run, test: run, prove: run, logpush: run, migration: run };
  };
  const emptyModule = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const engine = createEngine(bindings, () => [emptyModule]);
  assert.equal(engine.check("a"), "fine");
  assert.deepEqual(codes(engine.check("trap")), ["internal-error"]);
  assert.equal(engine.check("a"), "fine");
  assert.equal(engine.check("a"), "fine");
  assert.equal(instances, 2);
  // Every function returns the result of a call with invalid arguments.
  const data = ["schema", "logpush", "migration", "datasets"];
  const verbs = (module) => Object.entries(module).filter(([name]) => !data.includes(name));
  const parts = ["logpush", "migration"].map((part) => [engine[part], load(folder)[part]]);
  for (const [broken, expected] of [[engine, load(folder)], ...parts]) {
    for (const [name, call] of verbs(broken)) {
      const result = call("trap");
      assert.deepEqual(codes(result), ["internal-error"], name);
      assert.deepEqual({ ...result, diagnostics: [] }, { ...expected[name](), diagnostics: [] }, name);
      assert.equal(engine.check("a"), "fine");
    }
  }
  assert.deepEqual(Object.keys(engine.schema()).sort(), Object.keys(load(folder).schema()).sort());
  assert.deepEqual(engine.logpush.datasets(), []);
});
