// The cases of tests/spec, as the Rust tests run them: the package gives the same answers.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { load, project, tests } from "./support.mjs";

/** Fewer cases than this mean that files got lost. */
const FEWEST_CASES = 300;
/** More rounds of fixes than any text needs. */
const MOST_ROUNDS = 20;

const { check, complete, hover, signature } = load(project());
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

for (const file of readdirSync(join(tests, "spec")).filter((name) => name.endsWith(".md") && name !== "README.md")) {
  test(file, () => {
    const blocks = read(readFileSync(join(tests, "spec", file), "utf8"));
    blocks.forEach((block, index) => {
      const place = `${file}:${block.line}`;
      if (block.holds === "expression") {
        const answers = following(blocks, index);
        one(place, block.text, block.options, answers.diagnostics ?? "", answers.fixed ?? block.text);
      }
      for (const line of block.holds === "expressions" ? block.text.split("\n") : []) {
        one(place, line, block.options, "", line);
      }
      const judged = ["refused", "suspicious"].includes(block.holds);
      for (const line of judged ? block.text.split("\n") : []) {
        const arrow = line.lastIndexOf(" ⇒ ");
        verdict(place, line.slice(0, arrow), block.options, line.slice(arrow + 3), block.holds === "suspicious");
      }
      for (const line of block.holds in atCursor ? block.text.split("\n") : []) {
        const [, marked, expected] = /^(.*) ⇒ ?(.*)$/.exec(line);
        const offset = marked.indexOf("|");
        const source = marked.replace("|", "");
        cases += 1;
        assert.equal(atCursor[block.holds](source, offset, block.options), expected, `${place}: ${marked}`);
      }
    });
  });
}

after(() => assert.ok(cases >= FEWEST_CASES, `only ${cases} cases`));

function one(place, source, options, expected, mended) {
  cases += 1;
  const found = check(source, options).diagnostics;
  const lines = found.map((d) => `${d.severity}[${d.code}] ${underlined(source, d)}: ${d.message}`);
  assert.equal(lines.join("\n"), expected, `${place}: ${source}`);
  assert.equal(fixed(source, options), mended, `${place}: the fixes of ${source}`);
}

function verdict(place, source, options, expected, ok) {
  cases += 1;
  const answer = check(source, options);
  assert.equal(answer.ok, ok, `${place}: ${source}`);
  assert.equal(
    answer.diagnostics.map((d) => `${d.code} ${underlined(source, d)}`).join(", "),
    expected,
    `${place}: ${source}`,
  );
}

function underlined(source, { start, end }) {
  return `\`${source.slice(start, end).replaceAll("\n", "␊")}\``;
}

/** The text after all safe fixes, round by round until nothing changes. */
function fixed(source, options) {
  let text = source;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = withSafeFixes(text, check(text, options).diagnostics);
    if (next === text) break;
    text = next;
  }
  return text;
}

/** The first safe fix of every diagnostic; one that touches the text of an earlier one waits. */
function withSafeFixes(source, diagnostics) {
  const fixes = diagnostics.map((d) => d.fixes.find((fix) => fix.safe)).filter((fix) => fix && fix.edits.length > 0);
  const ranged = fixes.map(({ edits }) => ({ edits, start: edits[0].start, end: edits.at(-1).end }));
  ranged.sort((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let position = 0;
  let free = -1;
  for (const { edits, start, end } of ranged) {
    if (start < free || (start === free && end === start)) continue;
    free = end;
    for (const edit of edits) {
      result += source.slice(position, edit.start) + edit.text;
      position = edit.end;
    }
  }
  return result + source.slice(position);
}

/** The fenced blocks of a file; `next` tells whether a block stands right behind the one before. */
function read(text) {
  const lines = text.split(/\r?\n/);
  const blocks = [];
  let ended = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^(`{3,})(\S*)\s*(.*)$/.exec(lines[at]);
    if (!opening) continue;
    const [, fence, holds, words] = opening;
    const end = lines.indexOf(fence, at + 1);
    const body = lines.slice(at + 1, end === -1 ? lines.length : end).join("\n");
    blocks.push({ holds, options: optionsOf(words), text: body, line: at + 1, next: ended === at });
    if (end === -1) break;
    at = end;
    ended = end + 1;
  }
  return blocks;
}

/** The answers of `check` that stand right below a block; those of other verbs come behind them. */
function following(blocks, index) {
  const answers = {};
  for (const block of blocks.slice(index + 1)) {
    if (!block.next || !["diagnostics", "fixed"].includes(block.holds)) break;
    answers[block.holds] = block.text;
  }
  return answers;
}

/** `kind=value phase=… plan=… lists=blocked:ip,hosts:hostname max_length=40 lint allow=…` */
function optionsOf(words) {
  const options = {};
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const [name, value] = word.split("=");
    if (name === "lists") options.lists = Object.fromEntries(value.split(",").map((list) => list.split(":")));
    else if (name === "lint") options.lint = true;
    else if (name === "allow") options.lint = { allow: value.split(",") };
    else if (name === "max_length") options.maxLength = Number(value);
    else options[name] = value;
  }
  return options;
}
