// The engine of the app: the npm package in Web Workers, so that no computation blocks the page. It is a script of its
// own, because the app needs it even if the code editor cannot be loaded.
import { createWorkerClient } from "zonewright/worker_client.js";

/**
 * The time limits of one call in milliseconds, far above the measured times: of `editor` for the longest text that the
 * engine accepts, and of `tools` for a list of a thousand rules.
 */
const TIMEOUTS_MS = { editor: 10_000, tools: 60_000 };
/** The event that reports a worker that was replaced. Its `detail` is the reason. */
const RESTARTED = "zonewright-engine-restarted";
const { worker } = document.querySelector('meta[name="zonewright-app"]').dataset;

function createClient(name) {
  return createWorkerClient({
    workerUrl: new URL(worker, document.baseURI),
    timeoutMs: TIMEOUTS_MS[name],
    onRestart: (error) => dispatchEvent(new CustomEvent(RESTARTED, { detail: describe(name, error) })),
  });
}

/** Describes an error to a user of the app. The rest of its message is for programs that use the package. */
function describe(client, { name, message }) {
  if (name === "TimeoutError") return `the engine did not answer within ${TIMEOUTS_MS[client] / 1000} seconds`;
  return message.replace(/^zonewright: /, "").split("; ")[0];
}

/**
 * The clients by name. Each has a worker, which starts with the first call: `editor` answers while the user types, so
 * it never waits for the proofs and evaluations of `tools`.
 */
const clients = { editor: createClient("editor"), tools: createClient("tools") };

window.zonewrightEngine = {
  /**
   * Calls a verb such as `check` or `logpush.check`, and returns its result. A newer call on the channel supersedes this
   * one. An error has a `name` as in the package, and a `message` for the user.
   */
  async call(client, channel, verb, values) {
    const verbs = clients[client].latest(channel);
    const run = verb.split(".").reduce((members, name) => members[name], verbs);
    try {
      return await run(...values);
    } catch (error) {
      throw Object.assign(new Error(describe(client, error)), { name: error.name });
    }
  },
  /** Starts the worker of the editor. Resolves when it can answer, and rejects if it cannot be started. */
  start: () => clients.editor.preload(),
};
