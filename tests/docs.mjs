// The user documentation: README.md and the pages of docs/. The tests run the examples of all pages.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root directory of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** All pages, each with its `path` from the root and its `text`. */
export function docPages() {
  const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).sort();
  return ["README.md", ...docs.map((name) => `docs/${name}`)].map((path) => ({ path, text: readPage(path) }));
}

/** The text of the page at a path from the root. */
export function readPage(path) {
  return readFileSync(join(root, path), "utf8");
}

/** The texts of the fenced code blocks in a language. The language is all that follows the fence, such as `js browser`. */
export function codeBlocks(text, language) {
  return [...text.matchAll(/^```(.*?)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , block]) => block);
}

/** The only code block in a language, of all pages, that contains `fragment`. */
export function findBlock(language, fragment) {
  const blocks = docPages().flatMap(({ text }) => codeBlocks(text, language)).filter((block) => block.includes(fragment));
  assert.equal(blocks.length, 1, `code blocks with ${fragment}`);
  return blocks[0];
}
