// Shared helpers for the job page tests.
import { openPage } from "./browser.mjs";
import { connect } from "./service.mjs";

/** Opens a page by its navigation link. */
export const goTo = (page, name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
const table = (page) => page.getByRole("table", { name: "Jobs" });
/** The row of a job in the list. */
export const row = (page, name) => table(page).getByRole("row").filter({ hasText: name });
/** Waits for a toast with this text. */
export const toast = (page, text) => page.locator(".toast").filter({ hasText: text }).waitFor();

/** Opens the job page and calls the service of `harness`. */
export function jobHelpers(harness) {
  async function open(options) {
    const opened = await openPage(harness.browser, harness.service.url, options);
    await connect(opened.page, harness.service.credentials);
    await goTo(opened.page, "Jobs");
    return opened;
  }

  async function api(method, path, body, of = "zones") {
    const { base_url: base, token, zone_id: zone, account_id: account } = harness.service.credentials;
    const response = await fetch(`${base}/${of}/${of === "zones" ? zone : account}/logpush/jobs${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return (await response.json()).result;
  }

  async function clear() {
    for (const job of await api("GET", "")) await api("DELETE", `/${job.id}`);
  }

  return { open, api, clear };
}
