// Case files of tests/spec: their blocks, and how answers are shown in them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tests } from "./support.mjs";

/** The names of the case files in a folder of tests. */
export function filesOf(folder) {
  return readdirSync(join(tests, folder)).filter((name) => name.endsWith(".md") && name !== "README.md");
}

/**
 * The fenced blocks of a file. `answersOf` has, by the name of a block, the names of those that belong to it
 * when they stand right below: they become its `answers`. `optionsOf` reads the words behind a name.
 */
export function blocksOf(folder, name, answersOf, optionsOf) {
  const lines = readFileSync(join(tests, folder, name), "utf8").split(/\r?\n/);
  const blocks = [];
  let ended = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^(`{3,})(\S*)\s*(.*)$/.exec(lines[at]);
    if (!opening) continue;
    const [, fence, holds, words] = opening;
    const end = lines.indexOf(fence, at + 1);
    const body = lines.slice(at + 1, end === -1 ? lines.length : end).join("\n");
    const block = { holds, words, options: optionsOf(words), text: body, lines: body.split("\n"), line: at + 1 };
    const before = ended === at ? blocks.at(-1) : undefined;
    if (before && answersOf[before.holds]?.includes(holds)) before.answers.push(block);
    else blocks.push({ ...block, answers: [] });
    if (end === -1) break;
    at = end;
    ended = end + 1;
  }
  return blocks;
}

/** A line of a block: the question, and the answer behind the last or first arrow. */
export const atLast = (line) => split(line, line.lastIndexOf(" ⇒ "));
export const atFirst = (line) => split(line, line.indexOf(" ⇒ "));
const split = (line, at) => (at < 0 ? [line.replace(/ ⇒$/, ""), ""] : [line.slice(0, at), line.slice(at + 3)]);

/** The words behind a block's name: `[name, value]`, where a word without `=` has no value. */
export const wordsOf = (words) => words.split(/\s+/).filter(Boolean).map((word) => word.split("="));

/** What a `diagnostics` block says of a text. */
export function drawn(source, diagnostics) {
  return diagnostics.map((d) => `${d.severity}[${d.code}] ${underlined(source, d)}: ${d.message}`).join("\n");
}

/** What stands behind the arrow of a line that is refused or suspicious. */
export function verdict(source, diagnostics) {
  return diagnostics.map((d) => `${d.code} ${underlined(source, d)}`).join(", ");
}

export function underlined(source, { start, end }) {
  return `\`${oneLine(source.slice(start, end))}\``;
}

export const oneLine = (text) => text.replaceAll("\n", "␊");
