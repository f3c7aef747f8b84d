// Measures how fast the app loads and reacts, and compares the results with its budgets:
//
//   ZONEWRIGHT_BIN=target/debug/zonewright node tests/e2e/page.bench.mjs [number of loads]
//
// - Load: cold loads over 1.6 Mbit/s. Bytes are counted as served, compressed, up to each event.
// - Reaction: from a key press in an expression of 4 KB to the list of its problems, with the normal CPU and slowed
//   down four times, and the longest task of the main thread meanwhile.
//
// Times depend on the machine; compare them only with those of another build in the same hour. The script prints the
// results and never fails because of them.

import { startBrowser } from "./support/browser.mjs";
import { createDataDirectory, removeDirectory, startService } from "./support/service.mjs";

const LOADS = Number(process.argv[2] ?? 10);
const NETWORK = { offline: false, latency: 40, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
const KEY_PRESSES = 40;
const EXPRESSION_CHARS = 4096;

/** The budgets of the app; each figure is an upper bound. */
const BUDGETS = {
  "editor accepts typing": { kibibytes: 260, milliseconds: 2500 },
  "problems are shown": { kibibytes: 520 },
  "key press to problems": { milliseconds: 50 },
  "key press to problems, slow CPU": { milliseconds: 150 },
  "longest task": { milliseconds: 50 },
};

const percentile = (values, percent) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
};

/** Opens the page in a new profile, so that nothing is cached. */
async function openCold(browser, url, { network } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  if (network) await devtools.send("Network.emulateNetworkConditions", network);
  let bytes = 0;
  devtools.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  const start = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  return { context, page, devtools, elapsed: () => performance.now() - start, bytes: () => bytes };
}

/** Measures one cold load up to each event. */
async function measureLoad(browser, url) {
  const { context, page, elapsed, bytes } = await openCold(browser, url, { network: NETWORK });
  const measureNow = () => ({ milliseconds: elapsed(), kibibytes: bytes() / 1024 });
  await page.locator("body *:visible").first().waitFor();
  const visible = measureNow();
  const field = page.getByRole("textbox", { name: "Expression", exact: true });
  await field.click();
  await page.keyboard.insertText("http.hots eq 1");
  const typing = measureNow();
  await page.locator(".problem-message").first().waitFor();
  const problems = measureNow();
  await page.waitForLoadState("networkidle");
  const everything = measureNow();
  await context.close();
  return { "something is visible": visible, "editor accepts typing": typing, "problems are shown": problems, "page is idle": everything };
}

/** Returns an expression of about 4 KB. */
function longExpression() {
  const parts = [];
  for (let number = 0; parts.join(" or ").length < EXPRESSION_CHARS - 200; number += 1) {
    parts.push(`(http.request.uri.path contains "/login-${number}" and ip.src in {10.0.${number}.0/24})`);
  }
  return parts.join(" or ");
}

/**
 * Types into a long expression. Returns the time from each key press until its problem appears or disappears, and the
 * longest task.
 */
async function measureTyping(browser, url, slowdown) {
  const { context, page, devtools } = await openCold(browser, url);
  await page.getByRole("textbox", { name: "Expression", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(longExpression());
  await page.waitForTimeout(1500);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration)))
      .observe({ type: "longtask" });
    window.reactions = [];
    let pressed;
    addEventListener("keydown", () => (pressed = performance.now()), { capture: true });
    new MutationObserver(() => {
      if (pressed === undefined) return;
      const hasProblems = document.querySelector(".problem-message") !== null;
      if (hasProblems === window.hadProblems) return;
      window.hadProblems = hasProblems;
      window.reactions.push(performance.now() - pressed);
      pressed = undefined;
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    window.hadProblems = false;
  });
  for (let press = 0; press < KEY_PRESSES; press += 1) {
    const count = press + 1;
    await page.keyboard.press(press % 2 === 0 ? "x" : "Backspace");
    await page.waitForFunction((count) => window.reactions.length >= count, count, { timeout: 20_000 });
    await page.waitForTimeout(100);
  }
  const { reactions, tasks } = await page.evaluate(() => ({ reactions: window.reactions, tasks: window.tasks }));
  await context.close();
  return { reactions, longest: Math.max(0, ...tasks) };
}

function printRow(name, figures, budget = {}) {
  const cells = Object.entries(figures).map(([unit, value]) => {
    const limit = budget[unit];
    const verdict = limit === undefined ? "" : ` (budget ${limit}${value <= limit ? "" : ", exceeded"})`;
    return `${value.toFixed(0)} ${unit === "kibibytes" ? "KiB" : "ms"}${verdict}`;
  });
  console.log(`${name.padEnd(34)}${cells.join(", ")}`);
}

const data = await createDataDirectory();
const service = await startService(data);
const { browser, stop } = await startBrowser();
try {
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await measureLoad(browser, service.url));
  console.log(`median of ${LOADS} cold loads over 1.6 Mbit/s`);
  for (const event of Object.keys(loads[0])) {
    const median = (unit) => percentile(loads.map((load) => load[event][unit]), 50);
    printRow(event, { kibibytes: median("kibibytes"), milliseconds: median("milliseconds") }, BUDGETS[event]);
  }
  for (const [slowdown, name] of [[1, "key press to problems"], [CPU_SLOWDOWN, "key press to problems, slow CPU"]]) {
    const { reactions, longest } = await measureTyping(browser, service.url, slowdown);
    console.log(`\n${KEY_PRESSES} key presses in ${EXPRESSION_CHARS} characters, CPU slowed down ${slowdown} times`);
    printRow(`${name}, p50`, { milliseconds: percentile(reactions, 50) });
    printRow(`${name}, p95`, { milliseconds: percentile(reactions, 95) }, BUDGETS[name]);
    printRow("longest task", { milliseconds: longest }, BUDGETS["longest task"]);
  }
} finally {
  await stop();
  await service.stop();
  await removeDirectory(data);
}
