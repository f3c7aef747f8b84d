// Registers the service worker, and offers a new version of the app when its worker has stored all files.
// `web/service-worker.js` describes the caches and the upgrade. Without a service worker, the app works online only.

/** How often a page that stays open looks for a new version. */
const UPDATE_INTERVAL_MS = 60 * 60 * 1000;

const buildId = document.querySelector('meta[name="zonewright-build"]')?.content;
const scope = new URL("./", document.baseURI).href;

// The lock keeps the cache of this build until the page is closed. It is requested before the app loads its files.
const hold = () => new Promise(() => {});
navigator.locks?.request(`zonewright ${scope} ${buildId}`, { mode: "shared" }, hold).catch(() => {});

// The registration fails over plain HTTP, if a policy forbids it, or if the browser denies storage. The user cannot
// correct that in the app, so the error is ignored.
// The worker downloads all files, so it starts when the browser is idle.
const whenIdle = globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 1000));
addEventListener("zonewright-started", () => whenIdle(() => start().catch(() => {})), { once: true });

async function start() {
  const region = document.createElement("div");
  region.className = "update no-print";
  region.setAttribute("role", "status");
  document.body.append(region);

  const registration = await navigator.serviceWorker.register(new URL("service-worker.js", scope));
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.type === "update-available") showNotice(region, registration);
  });
  // A worker of the same build activates itself. Any other worker answers that an update is available.
  const reportBuild = (worker) => worker.postMessage({ type: "report-build", buildId });
  const reportWhenInstalled = (worker) => worker.addEventListener("statechange", () => {
    if (worker.state === "installed") reportBuild(worker);
  });
  registration.addEventListener("updatefound", () => reportWhenInstalled(registration.installing));
  if (registration.installing) reportWhenInstalled(registration.installing);
  if (registration.waiting) reportBuild(registration.waiting);
  registration.active?.postMessage({ type: "delete-unused-caches" });
  // The browser also looks for an update, but later. Until then, the stored build may be older than this page.
  const lookForUpdate = () => registration.update().catch(() => {});
  if (registration.active) lookForUpdate();
  setInterval(lookForUpdate, UPDATE_INTERVAL_MS);
}

function showNotice(region, registration) {
  const notice = document.createElement("div");
  notice.className = "notice";
  const text = document.createElement("p");
  text.textContent = "A new version is available. Reloading keeps your input, except secrets.";
  notice.append(
    text,
    createButton("Reload", "button small", () => activate(registration.waiting)),
    createButton("Dismiss", "button quiet small", () => region.replaceChildren()),
  );
  region.replaceChildren(notice);
}

function createButton(label, className, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.textContent = label;
  button.addEventListener("click", onClick);
  return button;
}

/** Activates the new worker and reloads this page. Other tabs keep their page. */
function activate(worker) {
  // Another tab may have activated it already.
  if (!worker) return location.reload();
  worker.addEventListener("statechange", () => location.reload(), { once: true });
  worker.postMessage({ type: "activate" });
}
