// The cases of tests/spec, as the Rust tests run them: the package returns the same results.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { readBlocks, diagnosticLines, listCaseFiles, oneLine, splitAtFirstArrow, splitAtLastArrow, summarizeDiagnostics, parseOptions } from "./cases.mjs";
import { formatPairVerdict } from "./pairs.mjs";
import { formatOutcome, readRecord } from "./records.mjs";
import { load, createProject } from "./support.mjs";

/** A lower number of cases means that files are missing. */
const MIN_CASES = 300;
/** Answer blocks of the expression that they follow. */
const ANSWERS = ["diagnostics", "fixed", "formatted", "explained"];

const zonewright = load(createProject());
const { check, complete, evaluate, explain, fix, format, hover, signature } = zonewright;
let cases = 0;

/** Results for a text with a cursor, formatted as the blocks of these names show them. */
const atCursor = {
  complete(source, offset, options) {
    return complete(source, offset, options).items.slice(0, 5).map((item) => item.label).join(" · ");
  },
  hover(source, offset, options) {
    const found = hover(source, offset, options).hover;
    return found ? `${found.title} — ${found.detail} — ${found.text.join(" / ")}`.trimEnd() : "";
  },
  signature(source, offset) {
    const call = signature(source, offset).signature;
    const active = call?.parameters[call.active];
    if (!active) return call?.label ?? "";
    const { start, end } = active;
    return `${call.label.slice(0, start)}‹${call.label.slice(start, end)}›${call.label.slice(end)}`;
  },
};

/** Runs a block, by its name. `record` is the last record block. */
const blocks = {
  expression({ text, options, answers }, location) {
    const answer = (kind) => answers.find((answer) => answer.kind === kind)?.text;
    assertDiagnostics(location, text, options, answer("diagnostics") ?? "", answer("fixed") ?? text);
    for (const { kind, optionText, text: expected } of answers) {
      if (kind === "formatted") assertEqualAt(formatAndCheck(text, optionText), expected, `${location} (formatted): ${text}`);
      if (kind === "explained") assertEqualAt(explain(text, options).text, expected, `${location} (explained): ${text}`);
    }
  },
  expressions(block, location) {
    for (const line of block.lines) assertDiagnostics(location, line, block.options, "", line);
  },
  rejected: (block, location) => assertDiagnosticLines(block, location, false),
  suspicious: (block, location) => assertDiagnosticLines(block, location, true),
  formats(block, location) {
    for (const [source, expected] of block.lines.map(splitAtFirstArrow)) {
      assertEqualAt(toOneLine(formatAndCheck(source, block.optionText)), expected, `${location}: ${source}`);
    }
  },
  explanations(block, location) {
    for (const [source, expected] of block.lines.map(splitAtFirstArrow)) {
      assertEqualAt(toOneLine(explain(source, block.options).text), expected, `${location}: ${source}`);
    }
  },
  equivalent: (block, location) => assertVerdicts(block, location),
  subsumes: (block, location) => assertVerdicts(block, location),
  evaluated(block, location, record) {
    for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
      const answer = evaluate(source, record, { ...block.options, trace: true });
      assertEqualAt(formatOutcome(answer), expected, `${location}: ${source}`);
      assertEqualAt(formatOutcome(evaluate(source, record, block.options)), expected, `${location}: ${source} (without a trace)`);
    }
  },
  complete: (block, location) => assertCursorResults(block, location),
  hover: (block, location) => assertCursorResults(block, location),
  signature: (block, location) => assertCursorResults(block, location),
};

for (const file of listCaseFiles("spec")) {
  test(file, () => {
    let record = {};
    for (const block of readBlocks("spec", file, { expression: ANSWERS }, readOptions)) {
      const location = `${file}:${block.line}`;
      if (block.kind === "record") record = readRecord(block.optionText, block.text);
      else if (Object.hasOwn(blocks, block.kind)) blocks[block.kind](block, location, record);
      else assert.ok(!ANSWERS.includes(block.kind), `${location}: the block does not follow an expression`);
    }
  });
}

after(() => assert.ok(cases >= MIN_CASES, `only ${cases} cases`));

function assertEqualAt(actual, expected, location) {
  cases += 1;
  assert.equal(actual, expected, location);
}

function assertDiagnostics(location, source, options, expected, fixed) {
  const found = check(source, options).diagnostics;
  assertEqualAt(diagnosticLines(source, found), expected, `${location}: ${source}`);
  assert.equal(fix(source, options).text, fixed, `${location}: the fixes of ${source}`);
}

function assertDiagnosticLines(block, location, ok) {
  for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
    const answer = check(source, block.options);
    assert.equal(answer.ok, ok, `${location}: ${source}`);
    assertEqualAt(summarizeDiagnostics(source, answer.diagnostics), expected, `${location}: ${source}`);
  }
}

function assertVerdicts(block, location) {
  for (const [question, expected] of block.lines.map(splitAtLastArrow)) {
    assertEqualAt(formatPairVerdict(zonewright, block.kind, question, block.options), expected, `${location}: ${question}`);
  }
}

function assertCursorResults(block, location) {
  for (const line of block.lines) {
    const [, marked, expected] = /^(.*) ⇒ ?(.*)$/.exec(line);
    const offset = marked.indexOf("|");
    assertEqualAt(atCursor[block.kind](marked.replace("|", ""), offset, block.options), expected, `${location}: ${marked}`);
  }
}

/** Formats the text; the result must be stable under formatting. */
function formatAndCheck(source, optionText) {
  const options = Object.fromEntries(parseOptions(optionText).map(formatOption));
  const { text } = format(source, options);
  if (text !== null) assert.equal(format(text, options).text, text, source);
  return text;
}

function formatOption([name, value]) {
  if (name === "max_length") return ["maxLength", Number(value)];
  return [name, name === "width" ? Number(value) : value];
}

/** Returns the text on one line, or `wrong syntax` if there is no text because of a syntax error. */
function toOneLine(text) {
  return oneLine(text || "wrong syntax");
}

/** Reads `kind=value phase=… plan=… lists=blocked:ip,hosts:hostname max_length=40 lint allow=…`. */
function readOptions(optionText) {
  const options = { lint: false };
  for (const [name, value] of parseOptions(optionText)) {
    if (name === "lists") options.lists = Object.fromEntries(value.split(",").map((list) => list.split(":")));
    else if (name === "lint") options.lint = true;
    else if (name === "allow") options.lint = { allow: value.split(",") };
    else if (name === "max_length") options.maxLength = Number(value);
    else options[name] = value;
  }
  return options;
}
