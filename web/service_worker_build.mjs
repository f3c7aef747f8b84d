// Writes the service worker of a built app, with the list of its files.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A name with a content hash of Trunk or wasm-bindgen: up to 16 digits, because leading zeros are omitted. */
export const HASHED_NAME = /(^|[-_./])[0-9a-f]{12,16}([-_./]|$)/;
/** The name of the service worker. Browsers look for a new version under the same name. */
export const SERVICE_WORKER = "service-worker.js";

/**
 * Adds the build ID to `index.html`, and writes the service worker. `paths` are the files of the app, without
 * compressed files and without files for hosts. The build ID is a hash of all files and of the worker's source.
 */
export async function writeServiceWorker(directory, paths) {
  const source = await readFile(new URL(`./${SERVICE_WORKER}`, import.meta.url), "utf8");
  const page = await readFile(join(directory, "index.html"), "utf8");
  const names = paths.filter((path) => path !== "index.html");
  const entries = await Promise.all(names.map(async (path) => [path, integrity(await readFile(join(directory, path)))]));
  const hash = createHash("sha256").update(JSON.stringify([entries, page, source]));
  const buildId = hash.digest("hex").slice(0, 16);

  const charset = '<meta charset="utf-8">';
  if (!page.includes(charset)) throw new Error(`index.html has no ${charset}`);
  const meta = `<meta name="zonewright-build" content="${buildId}">`;
  await writeFile(join(directory, "index.html"), page.replace(charset, `${charset}\n    ${meta}`));
  // The page contains the build ID, so its own integrity cannot be part of it.
  const files = Object.fromEntries([["./", ""], ...entries]);
  const constants = [
    `const BUILD_ID = ${JSON.stringify(buildId)};`,
    `const FILES = ${JSON.stringify(files, null, 2)};`,
    `const HASHED_NAME = ${HASHED_NAME};`,
  ];
  await writeFile(join(directory, SERVICE_WORKER), [...constants, source].join("\n"));
}

function integrity(content) {
  return `sha384-${createHash("sha384").update(content).digest("base64")}`;
}
