// The cases of tests/spec, as the Rust tests run them: the package returns the same results.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { blocksOf, diagnosticLines, filesOf, oneLine, splitAtFirstArrow, splitAtLastArrow, summarizeDiagnostics, wordsOf } from "./cases.mjs";
import { pairAnswer } from "./pairs.mjs";
import { outcomeText, readRecord } from "./records.mjs";
import { load, project } from "./support.mjs";

/** A lower number of cases means that files are missing. */
const MIN_CASES = 300;
/** Answer blocks of the expression that they follow. */
const ANSWERS = ["diagnostics", "fixed", "formatted", "explained"];

const zonewright = load(project());
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
  expression({ text, options, answers }, place) {
    const answer = (holds) => answers.find((one) => one.holds === holds)?.text;
    assertDiagnostics(place, text, options, answer("diagnostics") ?? "", answer("fixed") ?? text);
    for (const { holds, words, text: expected } of answers) {
      if (holds === "formatted") assertEqualAt(formatAndCheck(text, words), expected, `${place} (formatted): ${text}`);
      if (holds === "explained") assertEqualAt(explain(text, options).text, expected, `${place} (explained): ${text}`);
    }
  },
  expressions(block, place) {
    for (const line of block.lines) assertDiagnostics(place, line, block.options, "", line);
  },
  refused: (block, place) => assertDiagnosticLines(block, place, false),
  suspicious: (block, place) => assertDiagnosticLines(block, place, true),
  formats(block, place) {
    for (const [source, expected] of block.lines.map(splitAtFirstArrow)) {
      assertEqualAt(toOneLine(formatAndCheck(source, block.words)), expected, `${place}: ${source}`);
    }
  },
  explanations(block, place) {
    for (const [source, expected] of block.lines.map(splitAtFirstArrow)) {
      assertEqualAt(toOneLine(explain(source, block.options).text), expected, `${place}: ${source}`);
    }
  },
  equivalent: (block, place) => assertVerdicts(block, place),
  subsumes: (block, place) => assertVerdicts(block, place),
  evaluated(block, place, record) {
    for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
      const answer = evaluate(source, record, { ...block.options, trace: true });
      assertEqualAt(outcomeText(answer), expected, `${place}: ${source}`);
      assertEqualAt(outcomeText(evaluate(source, record, block.options)), expected, `${place}: ${source} (without a trace)`);
    }
  },
  complete: (block, place) => assertCursorResults(block, place),
  hover: (block, place) => assertCursorResults(block, place),
  signature: (block, place) => assertCursorResults(block, place),
};

for (const file of filesOf("spec")) {
  test(file, () => {
    let record = {};
    for (const block of blocksOf("spec", file, { expression: ANSWERS }, optionsOf)) {
      const place = `${file}:${block.line}`;
      if (block.holds === "record") record = readRecord(block.words, block.text);
      else if (Object.hasOwn(blocks, block.holds)) blocks[block.holds](block, place, record);
      else assert.ok(!ANSWERS.includes(block.holds), `${place}: the block does not follow an expression`);
    }
  });
}

after(() => assert.ok(cases >= MIN_CASES, `only ${cases} cases`));

function assertEqualAt(got, expected, place) {
  cases += 1;
  assert.equal(got, expected, place);
}

function assertDiagnostics(place, source, options, expected, fixed) {
  const found = check(source, options).diagnostics;
  assertEqualAt(diagnosticLines(source, found), expected, `${place}: ${source}`);
  assert.equal(fix(source, options).text, fixed, `${place}: the fixes of ${source}`);
}

function assertDiagnosticLines(block, place, ok) {
  for (const [source, expected] of block.lines.map(splitAtLastArrow)) {
    const answer = check(source, block.options);
    assert.equal(answer.ok, ok, `${place}: ${source}`);
    assertEqualAt(summarizeDiagnostics(source, answer.diagnostics), expected, `${place}: ${source}`);
  }
}

function assertVerdicts(block, place) {
  for (const [question, expected] of block.lines.map(splitAtLastArrow)) {
    assertEqualAt(pairAnswer(zonewright, block.holds, question, block.options), expected, `${place}: ${question}`);
  }
}

function assertCursorResults(block, place) {
  for (const line of block.lines) {
    const [, marked, expected] = /^(.*) ⇒ ?(.*)$/.exec(line);
    const offset = marked.indexOf("|");
    assertEqualAt(atCursor[block.holds](marked.replace("|", ""), offset, block.options), expected, `${place}: ${marked}`);
  }
}

/** Formats the text; the result must be stable under formatting. */
function formatAndCheck(source, words) {
  const options = Object.fromEntries(wordsOf(words).map(formatOption));
  const { text } = format(source, options);
  if (text !== null) assert.equal(format(text, options).text, text, source);
  return text;
}

function formatOption([name, value]) {
  if (name === "max_length") return ["maxLength", Number(value)];
  return [name, name === "width" ? Number(value) : value];
}

/** The formatted text on one line; empty for a syntax error. */
function toOneLine(text) {
  return oneLine(text || "wrong syntax");
}

/** Reads `kind=value phase=… plan=… lists=blocked:ip,hosts:hostname max_length=40 lint allow=…`. */
function optionsOf(words) {
  const options = { lint: false };
  for (const [name, value] of wordsOf(words)) {
    if (name === "lists") options.lists = Object.fromEntries(value.split(",").map((list) => list.split(":")));
    else if (name === "lint") options.lint = true;
    else if (name === "allow") options.lint = { allow: value.split(",") };
    else if (name === "max_length") options.maxLength = Number(value);
    else options[name] = value;
  }
  return options;
}
