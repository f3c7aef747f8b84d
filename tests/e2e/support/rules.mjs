// Shared helpers for the rule page tests, with a zone that has no rules.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";
import { connect, emptyZone } from "./service.mjs";

/** Calls the API for that zone, and returns the result of a successful response. */
export async function callEmptyZone(service, method, path, body) {
  const { base_url: base, token } = service.credentials;
  const response = await fetch(`${base}/zones/${emptyZone(service.credentials).id}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const envelope = await response.json();
  assert.equal(envelope.success, true, JSON.stringify(envelope));
  return envelope.result;
}

/** Returns functions that open the Rules page with that zone, and that call the API for it. */
export function ruleHelpers(harness) {
  async function open(options) {
    const opened = await openPage(harness.browser, harness.service.url, options);
    await connect(opened.page, harness.service.credentials);
    await opened.page.locator("#zone").selectOption(emptyZone(harness.service.credentials).id);
    await opened.page.getByRole("link", { name: "Rules" }).click();
    return opened;
  }

  const api = (method, path, body) => callEmptyZone(harness.service, method, path, body);

  return { open, api };
}
