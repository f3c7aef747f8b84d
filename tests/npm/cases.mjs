// Reads the case files of tests/spec, and formats results as their blocks show them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tests } from "./support.mjs";

/** Returns the names of the case files in a directory of tests. */
export function listCaseFiles(folder) {
  return readdirSync(join(tests, folder)).filter((name) => name.endsWith(".md") && name !== "README.md");
}

/**
 * Returns the fenced blocks of a file. `answerKinds` maps the name of a block to the names of its answer blocks, which
 * follow it directly and become its `answers`. `readOptions` parses the text after a name.
 */
export function readBlocks(folder, name, answerKinds, readOptions) {
  const lines = readFileSync(join(tests, folder, name), "utf8").split(/\r?\n/);
  const blocks = [];
  let ended = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^(`{3,})(\S*)\s*(.*)$/.exec(lines[index]);
    if (!opening) continue;
    const [, fence, kind, optionText] = opening;
    const end = lines.indexOf(fence, index + 1);
    const body = lines.slice(index + 1, end === -1 ? lines.length : end).join("\n");
    const block = { kind, optionText, options: readOptions(optionText), text: body, lines: body.split("\n"), line: index + 1 };
    const adjacent = ended === index ? blocks.at(-1) : undefined;
    if (adjacent && answerKinds[adjacent.kind]?.includes(kind)) adjacent.answers.push(block);
    else blocks.push({ ...block, answers: [] });
    if (end === -1) break;
    index = end;
    ended = end + 1;
  }
  return blocks;
}

/** Splits a line of a block at the last or first arrow into the input and the expected result. */
export const splitAtLastArrow = (line) => split(line, line.lastIndexOf(" ⇒ "));
export const splitAtFirstArrow = (line) => split(line, line.indexOf(" ⇒ "));
const split = (line, index) => (index < 0 ? [line.replace(/ ⇒$/, ""), ""] : [line.slice(0, index), line.slice(index + 3)]);

/** The options after a block's name: `[name, value]`, where an option without `=` has no value. */
export const parseOptions = (optionText) => optionText.split(/\s+/).filter(Boolean).map((option) => option.split("="));

/** Formats diagnostics as a `diagnostics` block shows them. */
export function diagnosticLines(source, diagnostics) {
  return diagnostics.map((d) => `${d.severity}[${d.code}] ${sourceExcerpt(source, d)}: ${d.message}`).join("\n");
}

/** Formats diagnostics as the lines of a `rejected` or `suspicious` block show them. */
export function summarizeDiagnostics(source, diagnostics) {
  return diagnostics.map((d) => `${d.code} ${sourceExcerpt(source, d)}`).join(", ");
}

export function sourceExcerpt(source, { start, end }) {
  return `\`${oneLine(source.slice(start, end))}\``;
}

export const oneLine = (text) => text.replaceAll("\n", "␊");
