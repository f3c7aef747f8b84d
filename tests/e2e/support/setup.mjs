// Fixtures of a test file: a browser, and the service or a static host.
import { after, before } from "node:test";
import { startBrowser } from "./browser.mjs";
import { dataFolder, dist, removeFolder, startService } from "./service.mjs";
import { startStatic } from "./static.mjs";

/**
 * A browser and a service on a separate data directory. `prepare(service)` runs once the service listens;
 * `options(data)` returns further options of `serve`.
 */
export function withService(prepare, options = () => []) {
  const it = {};
  before(async () => {
    it.data = await dataFolder();
    it.service = await startService(it.data, undefined, options(it.data));
    const chromium = await startBrowser();
    it.browser = chromium.browser;
    it.stopBrowser = chromium.stop;
    await prepare?.(it.service);
  }, { timeout: 120_000 });
  after(async () => {
    await it.stopBrowser?.();
    await it.service?.stop();
    if (it.data) await removeFolder(it.data);
  }, { timeout: 60_000 });
  return it;
}

/** A browser and a static host that serves files under `base`. */
export function withFiles(base) {
  const it = {};
  before(async () => {
    it.host = await startStatic(dist, base);
    const chromium = await startBrowser();
    it.browser = chromium.browser;
    it.stopBrowser = chromium.stop;
  }, { timeout: 120_000 });
  after(async () => {
    await it.stopBrowser?.();
    await it.host?.stop();
  }, { timeout: 60_000 });
  return it;
}
