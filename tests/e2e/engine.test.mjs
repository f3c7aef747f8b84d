// The engine in Web Workers: what the page shows if a worker is missing, forbidden, too slow, or crashes.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { expectAccessible } from "./support/appearance.mjs";
import { editor, fillEditor, openPage, startBrowser } from "./support/browser.mjs";
import { dist } from "./support/service.mjs";
import { policy, startStatic } from "./support/static.mjs";

const TIMEOUT = { timeout: 60_000 };
const WORKER = readdirSync(dist).find((name) => /^engine-worker-[0-9a-f]+\.js$/.test(name));
const javascript = { "content-type": "text/javascript; charset=utf-8" };

let chromium;

before(async () => {
  chromium = await startBrowser();
}, TIMEOUT);
after(() => chromium?.stop(), TIMEOUT);

/** Opens the page of expressions on a host whose `intercept` can replace files. */
async function openWith(t, intercept) {
  const host = await startStatic(dist);
  t.after(() => host.stop());
  host.intercept = intercept;
  const opened = await openPage(chromium.browser, host.url);
  t.after(() => opened.context.close());
  return { host, ...opened };
}

/** Sends the worker's script with code before it. */
function sendWorker(response, code) {
  response.writeHead(200, javascript).end(`${code}\n${readFileSync(join(dist, WORKER), "utf8")}`);
  return true;
}

const problems = (page) => page.getByRole("region", { name: "Problems" });
const failure = (page) => problems(page).getByRole("alert").filter({ hasText: "The engine has no result" });

test("without its worker, the page says so and keeps the text, and Retry continues", TIMEOUT, async (t) => {
  let isMissing = true;
  const { page } = await openWith(t, (name, response) => {
    if (!isMissing || name !== WORKER) return false;
    response.writeHead(404).end();
    return true;
  });
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /the worker cannot start: its script cannot be loaded/);
  await expectAccessible(page);
  await page.getByRole("contentinfo").getByText("Not checked").waitFor();
  await fillEditor(page, 'http.hots eq "a"');
  isMissing = false;
  await failure(page).getByRole("button", { name: "Retry" }).click();
  await problems(page).getByText("unknown field").first().waitFor();
  assert.equal(await editor(page).innerText(), 'http.hots eq "a"');
  await page.getByRole("tabpanel").getByRole("alert").waitFor({ state: "detached" });
});

test("a policy that forbids workers is named", TIMEOUT, async (t) => {
  const { page } = await openWith(t, (name, response) => {
    if (name !== "index.html") return false;
    const forbid = (text) => text.replaceAll("worker-src 'self'", "worker-src 'none'");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": forbid(policy) });
    response.end(forbid(readFileSync(join(dist, "index.html"), "utf8")));
    return true;
  });
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /the Content Security Policy of the page forbids/);
  await fillEditor(page, "ssl");
  assert.equal(await editor(page).innerText(), "ssl");
});

test("a worker that never answers is replaced, and the next edit is checked", TIMEOUT, async (t) => {
  const hang = 'addEventListener("message", ({ data }) => { while (data.values?.[0] === "never") {} });';
  const { page } = await openWith(t, (name, response) => name === WORKER && sendWorker(response, hang));
  await problems(page).getByText("the string uses single quotes").waitFor();
  await fillEditor(page, "never");
  await failure(page).waitFor({ timeout: 30_000 });
  assert.match(await failure(page).innerText(), /did not answer within 10 seconds/);
  await page.getByText("The engine was restarted: the engine did not answer within 10 seconds").waitFor();
  await page.keyboard.insertText(' eq "a"');
  await problems(page).getByText("unknown field").first().waitFor();
});

test("a worker that crashes is replaced, and the text is checked again", TIMEOUT, async (t) => {
  const crash = 'addEventListener("message", ({ data }) => { if (data.values?.[0] === "crash") setTimeout(() => { throw new Error("boom"); }); });';
  const { page } = await openWith(t, (name, response) => name === WORKER && sendWorker(response, `${crash}\nconst post = postMessage; self.postMessage = (answer) => answer.part ? post(answer) : setTimeout(() => post(answer), 50);`));
  await fillEditor(page, "crash");
  await page.getByText(/The engine was restarted: the worker crashed/).waitFor();
  await page.keyboard.insertText(' eq "a"');
  await problems(page).getByText("unknown field").first().waitFor();
});

test("without the script of the engine, the app starts and says what is missing", TIMEOUT, async (t) => {
  const isScript = (name) => name.startsWith("engine-") && name.endsWith(".js") && name !== WORKER;
  const { page } = await openWith(t, (name, response) => isScript(name) && (response.writeHead(404).end(), true));
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /script cannot be loaded/);
  await fillEditor(page, "ssl");
  assert.equal(await editor(page).innerText(), "ssl");
});

test("a text of 10 MB is rejected, and the editor remains usable", TIMEOUT, async (t) => {
  const { page } = await openWith(t, () => false);
  const part = 'http.host eq "example.com" or ';
  await fillEditor(page, "");
  await editor(page).evaluate((field, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, part.repeat(Math.ceil(10_000_000 / part.length)));
  await problems(page).getByText(/MB|MiB|bytes|characters/).first().waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("ssl");
  await problems(page).getByText("No problems found.").waitFor();
});

test("a late answer about an earlier text is dropped", TIMEOUT, async (t) => {
  const delay = 'const send = postMessage; let isLate; addEventListener("message", ({ data }) => { isLate = data.values?.[0] === "http.hots"; }); self.postMessage = (answer) => { if (isLate) setTimeout(() => send(answer), 1000); else send(answer); };';
  const { page } = await openWith(t, (name, response) => name === WORKER && sendWorker(response, delay));
  await problems(page).getByText("the string uses single quotes").waitFor();
  await page.evaluate(() => {
    window.lateProblems = 0;
    const count = () => { window.lateProblems += document.body.innerText.includes("unknown field"); };
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await fillEditor(page, "http.hots");
  await page.waitForTimeout(200);
  await fillEditor(page, "ssl");
  await problems(page).getByText("No problems found.").waitFor();
  assert.equal(await page.evaluate(() => window.lateProblems), 0);
});
