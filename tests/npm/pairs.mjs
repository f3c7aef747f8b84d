// Verdicts about pairs of expressions, formatted as case files show them.

import assert from "node:assert/strict";
import { inspect } from "node:util";

/** Returns the verdict for a line of an `equivalent` or `subsumes` block. */
export function formatPairVerdict(zonewright, kind, question, options) {
  const asksSame = kind === "equivalent";
  const [first, second] = question.split(asksSame ? " ≡ " : " ⊇ ").map(expandPlaceholders);
  const long = { ...options, maxLength: Number.MAX_SAFE_INTEGER };
  const verdict = zonewright[kind](first, second, long);
  switch (verdict.answer) {
    case "yes":
      return verdict.assumptions.length > 0 ? `yes (${verdict.assumptions.join(", ")})` : "yes";
    case "no":
      verifyCounterexample(zonewright.evaluate, first, second, long, verdict, asksSame);
      return "no";
    case "undecided":
      return `undecided: ${verdict.reason}`;
    default:
      return assert.fail(`${question}: ${verdict.diagnostics[0]?.message}`);
  }
}

/** Evaluates both expressions on the counterexample and asserts that the results differ. */
function verifyCounterexample(evaluate, first, second, options, verdict, eitherWay) {
  const { record } = verdict;
  const results = [first, second].map((source) => evaluate(source, record, options).result);
  assert.deepEqual(results, [verdict.first, verdict.second], inspect(record));
  assert.ok(results[0] !== results[1] && (eitherWay || results[1] === true), inspect(record));
}

const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);
const addresses = (numbers) =>
  numbers.map((number) => [10, (7 * number) >> 16, ((7 * number) >> 8) & 255, (7 * number) & 255].join(".")).join(" ");
const hosts = (size) => range(0, size).map((number) => `"h${number}.example.com"`);
const chain = (size, operator, connective) => hosts(size).map((host) => `http.host ${operator} ${host}`).join(` ${connective} `);

/** Generates pseudo-random conditions that are the same in every run. */
function generateClauses(start, size) {
  const clause = (number) => {
    const parts = [0, 1, 2].map((part) => {
      const mixed = (Math.imul(number * 3 + part, 2_654_435_761) >>> 0) >>> 7;
      return `${mixed % 3 === 0 ? "not " : ""}http.cookie contains "k${mixed % 60}="`;
    });
    return `(${parts.join(" or ")})`;
  };
  return range(start, start + size).map(clause).join(" and ");
}

/** Long texts by their placeholders. */
const LONG = {
  "␊": () => "\n",
  "{{500 addresses}}": () => addresses(range(0, 500)),
  "{{500 addresses reversed}}": () => addresses(range(0, 500).reverse()),
  "{{first 250 addresses}}": () => addresses(range(0, 250)),
  "{{last 250 addresses}}": () => addresses(range(250, 500)),
  "{{499 addresses}}": () => addresses(range(0, 499)),
  "{{300 hosts}}": () => hosts(300).join(" "),
  "{{or of 300 hosts}}": () => chain(300, "eq", "or"),
  "{{or of 299 hosts}}": () => chain(299, "eq", "or"),
  "{{and of 300 other hosts}}": () => chain(300, "ne", "and"),
  "{{random of 60}}": () => generateClauses(0, 120),
  "{{half of 60}}": () => generateClauses(0, 60),
  "{{other half of 60}}": () => generateClauses(60, 60),
  "{{hard of 60}}": () => generateClauses(0, 255),
};

function expandPlaceholders(source) {
  let text = source;
  for (const [name, long] of Object.entries(LONG)) {
    if (text.includes(name)) text = text.replaceAll(name, long);
  }
  return text;
}
