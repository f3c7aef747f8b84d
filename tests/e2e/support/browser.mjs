// A real browser for the tests: started once per file, and always stopped.
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM_BIN ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser; returns the browser and a function that stops it. */
export async function startBrowser() {
  // Playwright reads the browser's output through its own pipes, so nothing is inherited.
  const server = await chromium.launchServer({ executablePath, args, headless: true, timeout: 60_000 });
  const kill = () => server.process().kill("SIGKILL");
  process.once("exit", kill);
  const browser = await chromium.connect(server.wsEndpoint(), { timeout: 30_000 });
  return {
    browser,
    async stop() {
      process.removeListener("exit", kill);
      const guard = setTimeout(kill, 10_000);
      await browser.close().catch(() => {});
      await server.close().catch(() => {});
      clearTimeout(guard);
    },
  };
}

/**
 * Opens a page and collects console errors and warnings; `consoleProblems()` is empty on a healthy page. `allow` lists
 * patterns of errors that a test provokes.
 */
export async function openPage(browser, url, { width = 1280, height = 800, scheme = "light", storage = {}, navigation = "Pages", serviceWorkers = "block" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale: "en-GB",
    // The routes of a test do not see the requests of a page that has a service worker.
    serviceWorkers,
  });
  context.setDefaultTimeout(15_000);
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    }
  }, storage);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    const isProblem = message.type() === "error" || message.type() === "warning" || /autofocus/i.test(message.text());
    const isBlockedWorker = /Service Worker registration blocked by Playwright/.test(message.text());
    if (isProblem && !isBlockedWorker) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  await page.goto(url, { waitUntil: "load" });
  await page.getByRole("navigation", { name: navigation }).waitFor();
  const consoleProblems = (allow = []) => problems.filter((line) => !allow.some((pattern) => pattern.test(line)));
  return { page, context, consoleProblems };
}

/** The editor's text field with this name, at any depth. */
export function editor(page, name = "Expression") {
  return page.getByRole("textbox", { name, exact: true });
}

/** Replaces the editor's text in one step, like a paste. */
export async function fillEditor(page, text, name = "Expression") {
  const field = editor(page, name);
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  if (text) await page.keyboard.insertText(text);
}
