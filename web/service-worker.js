// Makes the app work offline. The build writes three constants before this code (`web/service_worker_build.mjs`):
// `BUILD_ID`, `FILES` with the integrity of each file, and `HASHED_NAME`.
//
// - Install: stores every file of the build in the cache of the build, or fails. A cache never has files of two builds,
//   an error response, or the log-in page of a proxy.
// - Requests: files with a content hash come from any cache, because their content never changes. The page and the
//   other files come from the host, and from the cache if the host does not respond. Online, the page thus always has
//   the version of the service that sends it, and log-in pages of proxies appear. Other requests are not touched.
// - Upgrade: a new worker waits until the user accepts it, all tabs are closed, or a page of its own build starts.
// - Several tabs: each page holds a lock with the name of its build's cache (`web/offline.js`). The cache of an earlier
//   build is deleted when no page holds its lock, so a tab that still runs that build can load all of its files.

const SCOPE = registration.scope;
/** Caches belong to the origin, which may have several copies of the app, so the name contains the scope. */
const CACHE_PREFIX = `zonewright ${SCOPE} `;
const CACHE = CACHE_PREFIX + BUILD_ID;
/** The path of the page. Some hosts redirect `index.html` to it, and a page cannot be a redirected response. */
const PAGE = "./";
/** How long a request waits for the host if the cache has the file. */
const NETWORK_TIMEOUT_MS = 3000;

addEventListener("install", (event) => event.waitUntil(storeBuild()));
addEventListener("activate", (event) => event.waitUntil(Promise.all([clients.claim(), deleteUnusedCaches()])));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(SCOPE)) return;
  const path = url.pathname.slice(new URL(SCOPE).pathname.length);
  // The API of the service. Its paths may contain text that looks like a content hash.
  if (path.startsWith("client/")) return;
  const name = path === "" || path === "index.html" ? PAGE : path;
  if (HASHED_NAME.test(name)) event.respondWith(cacheFirst(request));
  else if (Object.hasOwn(FILES, name)) event.respondWith(networkFirst(request, name));
});

addEventListener("message", (event) => {
  const { type, buildId } = event.data;
  if (type === "delete-unused-caches") event.waitUntil(deleteUnusedCaches());
  // A page from the host may be newer than the active worker. If the page already runs the build of this worker, there
  // is nothing to accept.
  else if (type === "activate" || buildId === BUILD_ID) skipWaiting();
  else event.source.postMessage({ type: "update-available" });
});

async function storeBuild() {
  // After a rollback, the cache of this build may be in use, so it is completed and never deleted here.
  const isNew = !(await caches.has(CACHE));
  const cache = await caches.open(CACHE);
  try {
    // One by one, because the page may load files at the same time.
    for (const [path, integrity] of Object.entries(FILES)) await storeFile(cache, path, integrity);
  } catch (error) {
    if (isNew) await caches.delete(CACHE);
    throw error;
  }
}

/** Stores a file. Fails if the response is not the file of this build. */
async function storeFile(cache, path, integrity) {
  const url = new URL(path, SCOPE);
  // The content of a hashed name never changes.
  if (HASHED_NAME.test(path) && (await cache.match(url, { ignoreVary: true }))) return;
  const response = await fetch(url, { integrity, cache: HASHED_NAME.test(path) ? "default" : "no-cache" });
  if (!response.ok || response.redirected) throw new Error(`${path}: status ${response.status}`);
  // Hosts may add to the page, so its build ID identifies it instead of its integrity.
  if (path === PAGE && !(await response.clone().text()).includes(`content="${BUILD_ID}"`)) {
    throw new Error("the host serves the page of another build");
  }
  await cache.put(url, response);
}

async function cacheFirst(request) {
  // A browser may deny access to its storage at any time.
  const stored = await caches.match(request.url, { ignoreVary: true }).catch(() => undefined);
  return stored ?? fetch(request);
}

async function networkFirst(request, path) {
  const fetching = fetch(request);
  const timeout = new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS));
  const response = await Promise.race([fetching.catch(() => undefined), timeout]);
  // A proxy responds with 502 to 504 while the service is down.
  if (response && response.status < 500) return response;
  return (await findStored(path).catch(() => undefined)) ?? fetching;
}

async function findStored(path) {
  const cache = await caches.open(CACHE);
  return cache.match(new URL(path, SCOPE), { ignoreVary: true });
}

/** Deletes the caches of other builds that no page uses. */
async function deleteUnusedCaches() {
  // The cache of another worker that installs or waits has no page yet.
  if (registration.installing || registration.waiting) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  const { held } = await navigator.locks.query();
  const unused = names.filter((name) => !held.some((lock) => lock.name === name));
  await Promise.all(unused.map((name) => caches.delete(name)));
}
