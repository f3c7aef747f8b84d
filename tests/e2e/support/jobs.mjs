// Shared helpers for the job page tests.
import { openPage } from "./browser.mjs";
import { connect } from "./service.mjs";

/** Opens a page by its navigation link. */
export const goTo = (page, name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
const table = (page) => page.getByRole("table", { name: "Jobs" });
/** The row of a job in the list. */
export const row = (page, name) => table(page).getByRole("row").filter({ hasText: name });
/** Waits for a toast with this text. */
export const waitForToast = (page, text) => page.locator(".toast").filter({ hasText: text }).waitFor();

/** Returns functions that open the Jobs page, and that call the API of the service of `harness`. */
export function jobHelpers(harness) {
  async function open(options) {
    const opened = await openPage(harness.browser, harness.service.url, options);
    await connect(opened.page, harness.service.credentials);
    await goTo(opened.page, "Jobs");
    return opened;
  }

  async function api(method, path, body, owners = "zones") {
    const { base_url: base, token, zone_id: zone, account_id: account } = harness.service.credentials;
    const response = await fetch(`${base}/${owners}/${owners === "zones" ? zone : account}/logpush/jobs${path}`, {
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
