// Fixtures of a test file: a browser, and the service or a static host.
import { after, before } from "node:test";
import { startBrowser } from "./browser.mjs";
import { createDataDirectory, dist, removeDirectory, startService } from "./service.mjs";
import { startStatic } from "./static.mjs";

/**
 * Provides a browser and a service with its own data directory. `prepare(service)` runs once the service listens;
 * `options(data)` returns further options of `serve`.
 */
export function withService(prepare, options = () => []) {
  const harness = {};
  before(async () => {
    harness.data = await createDataDirectory();
    harness.service = await startService(harness.data, undefined, options(harness.data));
    const chromium = await startBrowser();
    harness.browser = chromium.browser;
    harness.stopBrowser = chromium.stop;
    await prepare?.(harness.service);
  }, { timeout: 120_000 });
  after(async () => {
    await harness.stopBrowser?.();
    await harness.service?.stop();
    if (harness.data) await removeDirectory(harness.data);
  }, { timeout: 60_000 });
  return harness;
}

/** Provides a browser and a static host that serves the built app under `base`. */
export function withStaticHost(base) {
  const harness = {};
  before(async () => {
    harness.host = await startStatic(dist, base);
    const chromium = await startBrowser();
    harness.browser = chromium.browser;
    harness.stopBrowser = chromium.stop;
  }, { timeout: 120_000 });
  after(async () => {
    await harness.stopBrowser?.();
    await harness.host?.stop();
  }, { timeout: 60_000 });
  return harness;
}
