// Requests of a page that a test holds or rejects.

/** Returns a route handler that responds with this error of the service. */
export const rejection = (error) => (route) => route.fulfill({
  status: 400,
  json: { success: false, errors: [{ code: 1002, ...error }], messages: [], result: null },
});

/**
 * Holds the first request of a method whose URL matches `pattern` until `release()`, and then passes it to `respond`.
 * With `lost`, the request never reaches the service.
 */
export async function holdRequest(page, method, { lost = false, pattern = /\/client\/v4\//, respond } = {}) {
  let release, sent;
  const released = new Promise((resolve) => { release = resolve; });
  const arrived = new Promise((resolve) => { sent = resolve; });
  const finish = respond ?? ((route) => (lost ? route.abort("connectionreset") : route.continue()));
  let isFirst = true;
  await page.route(pattern, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback();
    isFirst = false;
    sent();
    await released;
    // The page may have aborted the request.
    return finish(route).catch(() => {});
  });
  return { release, arrived };
}
