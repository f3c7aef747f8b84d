// Every function does work that is linear in the length of its text, whatever token the text repeats. The tests count
// steps in the package's own WebAssembly (`step_counter.mjs`), because times depend on the machine.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { instrument } from "./step_counter.mjs";
import { load, createProject, tests } from "./support.mjs";

const folder = createProject();
const packed = join(folder, "node_modules", "zonewright");
for (const name of readdirSync(packed).filter((name) => name.endsWith(".wasm"))) {
  const file = join(packed, name);
  writeFileSync(file, instrument(readFileSync(file)));
}
/** The counters of the loaded files. */
const counters = [];
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...values) {
    super(...values);
    if (this.exports.steps !== undefined) counters.push(this.exports.steps);
  }
};
const steps = () => counters.reduce((sum, counter) => sum + counter.value, 0n);
const zonewright = load(folder);
zonewright.check("ssl");

function countSteps(call) {
  const before = steps();
  const result = call();
  const problem = result.diagnostics?.find((diagnostic) => diagnostic.code === "internal-error");
  assert.equal(problem, undefined);
  return Number(steps() - before);
}

/** Reads the repeated tokens and the texts around them. */
const readSamples = (name) => JSON.parse(readFileSync(join(tests, "growth", `${name}.json`), "utf8"));

/** The factor by which a text grows. A quadratic function takes 16 times the steps for 4 times the text. */
const LENGTH_FACTOR = 4;
/** Sorting and the further analysis of long patterns take slightly more than linear work. */
const TOLERANCE = 1.25;
/** Calls with fewer steps are too short to compare. */
const MIN_STEPS = 100_000;

/** Returns a text with a token repeated, and an offset inside its middle repetition. */
function repeatToken([before, after], token, count) {
  return [`${before}${token.repeat(count)}${after}`, before.length + Math.floor(((count + 1) * token.length) / 2)];
}

/** Describes by how much a function's steps grow faster than its text; undefined if they do not. */
function describeExcess(name, call, frame, token, bytes) {
  // An even count, because a quote closes the previous one.
  const count = 2 * Math.ceil(bytes / LENGTH_FACTOR / 2 / Buffer.byteLength(token));
  const stepsAtFactor = countSteps(() => call(...repeatToken(frame, token, LENGTH_FACTOR * count)));
  if (stepsAtFactor < MIN_STEPS) return undefined;
  const few = countSteps(() => call(...repeatToken(frame, token, count)));
  if (stepsAtFactor <= LENGTH_FACTOR * TOLERANCE * few) return undefined;
  return `${name} of ${JSON.stringify(frame)} around ${count} ${JSON.stringify(token)}: ${few}, then ${stepsAtFactor}`;
}

/**
 * Asserts that a function's steps grow in proportion to its text. Reaching a limit, such as the number of suggestions,
 * looks like superlinear work once; so a second pair of longer texts must confirm it.
 */
function assertLinear(name, call, frame, token, bytes) {
  if (!describeExcess(name, call, frame, token, bytes)) return;
  const found = describeExcess(name, call, frame, token, LENGTH_FACTOR * bytes);
  assert.ok(!found, found);
}

const long = { maxLength: 1 << 20 };
const EXPRESSIONS = {
  check: (text) => zonewright.check(text, long),
  value: (text) => zonewright.check(text, { ...long, kind: "value" }),
  analyze: (text) => zonewright.analyze(text, long),
  fix: (text) => zonewright.fix(text, long),
  format: (text) => zonewright.format(text, long),
  compact: (text) => zonewright.format(text, { ...long, style: "compact", operators: "symbols" }),
  explain: (text) => zonewright.explain(text, long),
  evaluate: (text) => zonewright.evaluate(text, {}, { ...long, trace: true }),
  complete: (text) => zonewright.complete(text, text.length),
  "complete in the middle": (text, middle) => zonewright.complete(text, middle),
  hover: (text) => zonewright.hover(text, text.length),
  "hover in the middle": (text, middle) => zonewright.hover(text, middle),
  signature: (text) => zonewright.signature(text, text.length),
  convert: (text) => zonewright.logpush.convert(text),
};
const { logpush } = zonewright;
const FILTERS = {
  check: (text) => logpush.check(text, { maxBytes: 1 << 20, maxOperators: 1 << 20 }),
  analyze: (text) => logpush.analyze(text),
  fix: (text) => logpush.fix(text),
  format: (text) => logpush.format(text),
  escaped: (text) => logpush.format(text, { style: "escaped" }),
  simplify: (text) => logpush.simplify(text),
  explain: (text) => logpush.explain(text),
  evaluate: (text) => logpush.evaluate(text, "{}", { trace: true }),
  count: (text) => logpush.count(text, "{}", { samples: 1 }),
  convert: (text) => logpush.convert(text),
  complete: (text) => logpush.complete(text, text.length),
  "complete in the middle": (text, middle) => logpush.complete(text, middle),
  hover: (text) => logpush.hover(text, text.length),
  "hover in the middle": (text, middle) => logpush.hover(text, middle),
};
const FILTER = '{"where":{"key":"ClientRequestHost","operator":"eq","value":"a"}}';
const READERS = {
  request: (text) => zonewright.evaluate("ssl", { request: text }),
  cases: (text) => zonewright.test(text),
  line: (text) => logpush.evaluate(FILTER, text, { trace: true }),
  count: (text) => logpush.count(FILTER, text, { samples: 10 }),
  render: (text) => logpush.render({ dataset: "http_requests", output_options: { field_names: ["ClientIP"] } }, text),
  zone: (text) => zonewright.migration.plan(text),
  ruleset: (text) => zonewright.migration.checkRuleset(text),
  requests: (text) => zonewright.migration.simulate({ plan: "pro" }, text),
};

/** The largest number of checks of a fix: the first one, and one after each round of fixes. */
const MAX_CHECKS = 1 + 20;

for (const [name, verbs] of Object.entries({ expressions: EXPRESSIONS, filters: FILTERS, requests: READERS })) {
  const { pieces: tokens, frames, chains } = readSamples(name);
  describe(name, () => {
    for (const [verb, call] of Object.entries(verbs).filter(([verb]) => verb !== "fix")) {
      test(`${verb} of a repeated token is linear`, () => {
        for (const token of tokens) assertLinear(verb, call, ["", ""], token, 8 * 1024);
      });
      test(`${verb} of a long chain is linear`, { skip: chains.length === 0 }, () => {
        for (const [before, link, after] of chains) assertLinear(verb, call, [before, after], link, 8 * 1024);
      });
    }
    if (verbs.fix) {
      test("fix of a repeated token takes a bounded number of checks", () => {
        for (const token of tokens) {
          const text = token.repeat(Math.ceil((8 * 1024) / Buffer.byteLength(token)));
          const [fix, check] = [countSteps(() => verbs.fix(text)), countSteps(() => verbs.check(text))];
          assert.ok(fix <= 1.5 * MAX_CHECKS * check, `many ${JSON.stringify(token)}: ${fix}, one check ${check}`);
        }
      });
    }
    test("check of repeated tokens inside other texts is linear", () => {
      const [verb, call] = Object.entries(verbs)[0];
      for (const frame of frames) for (const token of tokens) assertLinear(verb, call, frame, `${token}\n`, 3 * 1024);
    });
  });
}
