// Measures how fast the app loads and reacts, and compares the results with its budgets:
//
//   ZONEWRIGHT_BIN=target/debug/zonewright node tests/e2e/page.bench.mjs [number of loads]
//
// - Load: cold loads over 1.6 Mbit/s. Bytes are counted as received, with headers, up to each event.
// - Further pages: the bytes that each page adds when it is opened first, with its parts of the engine.
// - Reaction: from a key press in an expression of 4 KB to the list of its problems, with the normal CPU and slowed
//   down four times, and the longest task of the main thread meanwhile.
//
// Times depend on the machine; compare them only with those of another build in the same hour. The script prints the
// results and never fails because of them.

import { startBrowser } from "./support/browser.mjs";
import { createDataDirectory, removeDirectory, startService } from "./support/service.mjs";
import { startSlowNetwork } from "./support/slow_network.mjs";

const LOADS = Number(process.argv[2] ?? 10);
const NETWORK = { bitsPerSecond: 1_600_000, latencyMs: 40 };
const CPU_SLOWDOWN = 4;
const KEY_PRESSES = 40;
const EXPRESSION_CHARS = 4096;

/**
 * The budgets of the app, and its figures before it was split into parts and compressed. Each budget is an upper bound.
 * Sizes are in KiB, times in ms.
 */
const ROWS = {
  "something is visible": { before: "6,611 KiB, 35,000 ms" },
  "editor accepts typing": { kibibytes: 260, milliseconds: 2500, before: "6,611 KiB, 35,000 ms" },
  "problems are underlined": { kibibytes: 520, before: "6,611 KiB, 35,000 ms" },
  "problems are listed": { before: "6,611 KiB, 35,000 ms" },
  "page is idle": {},
  "first further page: Log filters": { kibibytes: 200, before: "0 KiB" },
  "first further page: Jobs": { kibibytes: 200, before: "0 KiB" },
  "first further page: Rules": { kibibytes: 200, before: "0 KiB" },
  "first further page: Migration": { kibibytes: 200, before: "0 KiB" },
  "first further page: Settings": { kibibytes: 200, before: "0 KiB" },
  "key press to problems, p50": { before: "53 ms" },
  "key press to problems, p95": { milliseconds: 50, before: "83 ms" },
  "longest task": { milliseconds: 50 },
  "slow CPU: key press to problems, p50": { before: "465 ms" },
  "slow CPU: key press to problems, p95": { milliseconds: 150, before: "775 ms" },
  "slow CPU: longest task": { milliseconds: 50 },
};

const percentile = (values, percent) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
};

/** Opens the page in a new profile, so that nothing is cached. */
async function openCold(browser, url, { serviceWorkers = "allow" } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "commit" });
  return { context, page };
}

/** Measures one cold load up to each event. */
async function measureLoad(browser, url) {
  const network = await startSlowNetwork(url, NETWORK);
  const start = performance.now();
  const { context, page } = await openCold(browser, network.url);
  const measureNow = () => ({ milliseconds: performance.now() - start, kibibytes: network.bytes() / 1024 });
  await page.locator("body *:visible").first().waitFor();
  const visible = measureNow();
  const field = page.getByRole("textbox", { name: "Expression", exact: true });
  await field.click();
  await page.keyboard.insertText("http.hots eq 1");
  const typing = measureNow();
  await page.locator(".zw-error").first().waitFor();
  const underlined = measureNow();
  await page.locator(".problem-message").first().waitFor();
  const listed = measureNow();
  await page.waitForLoadState("networkidle");
  const everything = measureNow();
  await context.close();
  await network.stop();
  return {
    "something is visible": visible,
    "editor accepts typing": typing,
    "problems are underlined": underlined,
    "problems are listed": listed,
    "page is idle": everything,
  };
}

/** Measures the bytes that the app and its engine load when a page is opened as the first further page. */
async function measureFurtherPage(browser, url, title) {
  const network = await startSlowNetwork(url, { bitsPerSecond: 1e9, latencyMs: 0 });
  const { context, page } = await openCold(browser, network.url, { serviceWorkers: "block" });
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.waitForLoadState("networkidle");
  const before = network.bytes();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
  await page.waitForTimeout(1000);
  const kibibytes = (network.bytes() - before) / 1024;
  await context.close();
  await network.stop();
  return { kibibytes };
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
  const { context, page } = await openCold(browser, url);
  const devtools = await context.newCDPSession(page);
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

function printRow(name, figures) {
  const row = ROWS[name];
  const cells = Object.entries(figures).map(([unit, value]) => {
    const limit = row[unit];
    const verdict = limit === undefined ? "" : ` (budget ${limit}${value <= limit ? "" : ", exceeded"})`;
    return `${value.toFixed(0)} ${unit === "kibibytes" ? "KiB" : "ms"}${verdict}`;
  });
  console.log(`${name.padEnd(38)}${(row.before ?? "").padEnd(22)}${cells.join(", ")}`);
}

const data = await createDataDirectory();
const service = await startService(data);
const { browser, stop } = await startBrowser();
try {
  console.log(`${"".padEnd(38)}${"before".padEnd(22)}now`);
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await measureLoad(browser, service.url));
  console.log(`median of ${LOADS} cold loads over 1.6 Mbit/s`);
  for (const event of Object.keys(loads[0])) {
    const median = (unit) => percentile(loads.map((load) => load[event][unit]), 50);
    printRow(event, { kibibytes: median("kibibytes"), milliseconds: median("milliseconds") });
  }
  console.log("\nfurther pages, with the parts of the engine that they use");
  for (const title of ["Log filters", "Jobs", "Rules", "Migration", "Settings"]) {
    printRow(`first further page: ${title}`, await measureFurtherPage(browser, service.url, title));
  }
  for (const [slowdown, prefix] of [[1, ""], [CPU_SLOWDOWN, "slow CPU: "]]) {
    const { reactions, longest } = await measureTyping(browser, service.url, slowdown);
    console.log(`\n${KEY_PRESSES} key presses in ${EXPRESSION_CHARS} characters, CPU slowed down ${slowdown} times`);
    printRow(`${prefix}key press to problems, p50`, { milliseconds: percentile(reactions, 50) });
    printRow(`${prefix}key press to problems, p95`, { milliseconds: percentile(reactions, 95) });
    printRow(`${prefix}longest task`, { milliseconds: longest });
  }
} finally {
  await stop();
  await service.stop();
  await removeDirectory(data);
}
