// The cases of tests/spec, as the Rust tests run them: the package gives the same answers.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { atFirst, atLast, blocksOf, drawn, filesOf, oneLine, verdict, wordsOf } from "./cases.mjs";
import { pairAnswer } from "./pairs.mjs";
import { given, shown } from "./records.mjs";
import { load, project } from "./support.mjs";

/** Fewer cases than this mean that files got lost. */
const FEWEST_CASES = 300;
/** Blocks that belong to the expression right above them. */
const ANSWERS = ["diagnostics", "fixed", "formatted", "explained"];

const zonewright = load(project());
const { check, complete, evaluate, explain, fix, format, hover, signature } = zonewright;
let cases = 0;

/** The answers to a text with a cursor, as the blocks of these names show them. */
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
    if (!active) return call?.form ?? "";
    const { start, end } = active;
    return `${call.form.slice(0, start)}‹${call.form.slice(start, end)}›${call.form.slice(end)}`;
  },
};

/** What is done with a block, by its name. `record` is what was given last. */
const blocks = {
  expression({ text, options, answers }, place) {
    const answer = (holds) => answers.find((one) => one.holds === holds)?.text;
    one(place, text, options, answer("diagnostics") ?? "", answer("fixed") ?? text);
    for (const { holds, words, text: expected } of answers) {
      if (holds === "formatted") is(formatted(text, words), expected, `${place} (formatted): ${text}`);
      if (holds === "explained") is(explain(text, options).text, expected, `${place} (explained): ${text}`);
    }
  },
  expressions(block, place) {
    for (const line of block.lines) one(place, line, block.options, "", line);
  },
  refused: (block, place) => verdicts(block, place, false),
  suspicious: (block, place) => verdicts(block, place, true),
  formats(block, place) {
    for (const [source, expected] of block.lines.map(atFirst)) {
      is(onOneLine(formatted(source, block.words)), expected, `${place}: ${source}`);
    }
  },
  explanations(block, place) {
    for (const [source, expected] of block.lines.map(atFirst)) {
      is(onOneLine(explain(source, block.options).text), expected, `${place}: ${source}`);
    }
  },
  equivalent: (block, place) => pairs(block, place),
  subsumes: (block, place) => pairs(block, place),
  evaluated(block, place, record) {
    for (const [source, expected] of block.lines.map(atLast)) {
      const answer = evaluate(source, record, { ...block.options, trace: true });
      is(shown(answer), expected, `${place}: ${source}`);
      is(shown(evaluate(source, record, block.options)), expected, `${place}: ${source} (without a trace)`);
    }
  },
  complete: (block, place) => cursors(block, place),
  hover: (block, place) => cursors(block, place),
  signature: (block, place) => cursors(block, place),
};

for (const file of filesOf("spec")) {
  test(file, () => {
    let record = {};
    for (const block of blocksOf("spec", file, { expression: ANSWERS }, optionsOf)) {
      const place = `${file}:${block.line}`;
      if (block.holds === "record") record = given(block.words, block.text);
      else if (Object.hasOwn(blocks, block.holds)) blocks[block.holds](block, place, record);
      else assert.ok(!ANSWERS.includes(block.holds), `${place}: no expression stands right above`);
    }
  });
}

after(() => assert.ok(cases >= FEWEST_CASES, `only ${cases} cases`));

function is(got, expected, place) {
  cases += 1;
  assert.equal(got, expected, place);
}

function one(place, source, options, expected, mended) {
  const found = check(source, options).diagnostics;
  is(drawn(source, found), expected, `${place}: ${source}`);
  assert.equal(fix(source, options).text, mended, `${place}: the fixes of ${source}`);
}

function verdicts(block, place, ok) {
  for (const [source, expected] of block.lines.map(atLast)) {
    const answer = check(source, block.options);
    assert.equal(answer.ok, ok, `${place}: ${source}`);
    is(verdict(source, answer.diagnostics), expected, `${place}: ${source}`);
  }
}

function pairs(block, place) {
  for (const [question, expected] of block.lines.map(atLast)) {
    is(pairAnswer(zonewright, block.holds, question, block.options), expected, `${place}: ${question}`);
  }
}

function cursors(block, place) {
  for (const line of block.lines) {
    const [, marked, expected] = /^(.*) ⇒ ?(.*)$/.exec(line);
    const offset = marked.indexOf("|");
    is(atCursor[block.holds](marked.replace("|", ""), offset, block.options), expected, `${place}: ${marked}`);
  }
}

/** The text laid out anew, which must stay as it is when laid out once more. */
function formatted(source, words) {
  const options = Object.fromEntries(wordsOf(words).map(formatOption));
  const { text } = format(source, options);
  if (text !== null) assert.equal(format(text, options).text, text, source);
  return text;
}

function formatOption([name, value]) {
  if (name === "max_length") return ["maxLength", Number(value)];
  return [name, name === "width" ? Number(value) : value];
}

/** As a line of a block shows a text; there is none when the syntax is wrong. */
function onOneLine(text) {
  return oneLine(text || "wrong syntax");
}

/** `kind=value phase=… plan=… lists=blocked:ip,hosts:hostname max_length=40 lint allow=…` */
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
