// Control over the engine of a page: a test holds the answers of a verb, or crashes the worker that runs it.

/**
 * Loads the page again with controlled workers. `rule` is `{ hold: verb }`, `{ crash: verb }`, or empty. A worker that
 * replaces a crashed one has the first rule.
 */
export async function controlEngine(page, rule = {}) {
  const code = `
    const control = new BroadcastChannel("engine-control"), reports = new BroadcastChannel("engine-held");
    const send = postMessage, held = [];
    let rule = ${JSON.stringify(rule)}, verb;
    control.onmessage = ({ data }) => { rule = data; for (const answer of held.splice(0)) send(answer); };
    addEventListener("message", ({ data }) => { verb = data.verb ?? "load"; });
    self.postMessage = (answer) => {
      if (rule.crash === verb) setTimeout(() => { throw new Error("boom"); });
      else if (rule.hold === verb) { held.push(answer); reports.postMessage(verb); }
      else send(answer);
    };`;
  await page.route("**/engine-worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
  await page.addInitScript(() => {
    window.heldVerbs = [];
    new BroadcastChannel("engine-held").onmessage = ({ data }) => window.heldVerbs.push(data);
  });
  await page.reload();
  return {
    /** Changes the rule of all workers, and sends the answers that they hold. */
    setRule: (rule) => page.evaluate((rule) => new BroadcastChannel("engine-control").postMessage(rule), rule),
    /** Waits until a worker holds the answer of a verb. */
    waitForHeld: (verb) => page.waitForFunction((verb) => window.heldVerbs.includes(verb), verb),
  };
}

/** The message about a failure of the engine, with its button to try again. */
export const engineFailure = (page) => page.getByRole("alert").filter({ hasText: "The engine has no result" });
