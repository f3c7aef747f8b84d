// Requirements on every page: accessible, not wider than its window, and without an empty area below its content.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// The directory for screenshots. If it is not set, no screenshots are taken.
const shots = process.env.ZONEWRIGHT_SHOTS;

/** Asserts that the page in its current state is accessible and not too large, and takes a screenshot. */
export async function expectAccessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  if (shots) {
    await mkdir(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`) });
  }
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.flat().join(" ")).join(", ")}`);
  assert.deepEqual(found, [], `${name}: axe`);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(sideways <= 0, `${name}: ${sideways} px wider than the window`);
  // The body is as high as the window, except where the whole page scrolls: in low windows, and in the docs of the API.
  const below = await page.evaluate(() => document.documentElement.scrollHeight
    - Math.max(document.documentElement.clientHeight, Math.ceil(document.body.getBoundingClientRect().height)));
  assert.ok(below <= 0, `${name}: ${below} px below the body`);
  const panes = await page.evaluate(() => [...document.querySelectorAll(".scroll, .settings, dialog[open]")]
    .map((pane) => pane.scrollWidth - pane.clientWidth).filter((more) => more > 0));
  assert.deepEqual(panes, [], `${name}: panes that scroll sideways`);
}
