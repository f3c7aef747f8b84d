// Creates the client of a worker, and the responder in the worker. The build appends this text to js/engine.js in core.js
// and core.cjs, so it has no imports and exports. docs/internals/wasm.md explains the method.

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NOT_STARTED = "its script cannot be loaded; check that worker.js is next to the module and served as JavaScript, or pass its URL in the option `workerUrl`";

class WorkerClientError extends Error {
  constructor(name, message) {
    super(`zonewright: ${message}`);
    this.name = name;
  }
}

/** The queue of a client: sends the worker one call at a time, and replaces the worker after a failure. */
class CallQueue {
  #startWorker;
  #timeoutMs;
  #onRestart;
  /** The worker with its parts; undefined before the first call, and after the worker failed. */
  #worker;
  /** The call that the worker runs. */
  #running;
  /** The calls that were not sent, in their order. A call without a verb waits only for its part. */
  #queued = [];
  #isClosed = false;

  constructor(startWorker, timeoutMs, onRestart) {
    this.#startWorker = startWorker;
    this.#timeoutMs = timeoutMs;
    this.#onRestart = onRestart;
  }

  async add(part, verb, values, channel) {
    if (this.#isClosed) throw closedError();
    // The caller may change its objects before the call is sent.
    const call = { part, verb, channel, values: copyValues(verb, values) };
    if (channel !== undefined) this.#supersede(channel);
    const promise = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    this.#queued.push(call);
    this.#loadPart(part);
    this.#sendNext();
    return promise;
  }

  close() {
    this.#isClosed = true;
    this.#stopWorker();
    this.#rejectAll(closedError());
  }

  #supersede(channel) {
    const error = new WorkerClientError("SupersededError", `a newer call on the channel \`${channel}\` supersedes this one`);
    // The worker cannot stop its call, so that call keeps its turn. Its promise ignores the answer.
    if (this.#running?.channel === channel) this.#running.reject(error);
    this.#rejectQueued((call) => call.channel === channel, error);
  }

  #loadPart(part) {
    try {
      this.#worker ??= this.#createWorker();
    } catch (error) {
      this.#failWorker(undefined, error.message);
      return;
    }
    if (this.#worker.requested.has(part)) return;
    this.#worker.requested.add(part);
    this.#worker.port.postMessage({ load: part });
  }

  #createWorker() {
    const worker = { requested: new Set(), loaded: new Set(), hasStarted: false };
    const isCurrent = () => this.#worker === worker;
    worker.port = this.#startWorker({
      onMessage: (message) => isCurrent() && this.#receive(message),
      onFailure: (reason) => isCurrent() && this.#failWorker(worker, reason),
    });
    return worker;
  }

  #receive(message) {
    this.#worker.hasStarted = true;
    if (message.version !== version) {
      this.#failWorker(undefined, `worker.js has version ${message.version}, and the page has ${version}; deploy both from one package`);
    } else if (message.part !== undefined) {
      this.#receivePart(message);
    } else {
      this.#finishRunning((call) => {
        if (message.error === undefined) call.resolve(message.result);
        else call.reject(new WorkerClientError("WorkerError", message.error));
      });
      this.#sendNext();
    }
  }

  #receivePart({ part, error }) {
    if (error === undefined) {
      this.#worker.loaded.add(part);
    } else {
      // The next call requests the part again.
      this.#worker.requested.delete(part);
      const reason = new WorkerClientError("WorkerError", `the worker cannot load the part \`${part}\`: ${error}`);
      this.#rejectQueued((call) => call.part === part, reason);
    }
    this.#sendNext();
  }

  /** Sends the first call whose part is loaded, if the worker is idle. */
  #sendNext() {
    const worker = this.#worker;
    if (worker === undefined) return;
    const isReady = (call) => worker.loaded.has(call.part);
    for (const call of this.#take((call) => call.verb === undefined && isReady(call))) call.resolve();
    const index = this.#running === undefined ? this.#queued.findIndex(isReady) : -1;
    if (index >= 0) this.#send(this.#queued.splice(index, 1)[0]);
    // In Node.js, only a worker with calls keeps the process alive.
    const hasCalls = this.#running !== undefined || this.#queued.length > 0;
    worker.port[hasCalls ? "ref" : "unref"]?.();
  }

  #send(call) {
    this.#running = call;
    const { part, verb, values } = call;
    this.#worker.port.postMessage({ part, verb, values });
    if (this.#timeoutMs > MAX_TIMER_MS) return;
    const timeOut = () => {
      if (this.#running === call) this.#timeOutRunning();
    };
    // If the page was busy, the answer may already be in its event queue. The second timer lets that answer arrive.
    call.timer = setTimeout(() => (call.timer = setTimeout(timeOut)), this.#timeoutMs);
  }

  #finishRunning(settle) {
    const call = this.#running;
    clearTimeout(call.timer);
    this.#running = undefined;
    settle(call);
  }

  #timeOutRunning() {
    const limit = `\`${this.#running.verb}\` exceeded the limit of ${this.#timeoutMs} ms`;
    const error = new WorkerClientError("TimeoutError", `${limit}; set the option \`timeoutMs\` to raise it`);
    this.#finishRunning((call) => call.reject(error));
    this.#replaceWorker(error);
  }

  /** A worker that fails during a call loses only that call. Any other failure would repeat, so it rejects all calls. */
  #failWorker(worker, reason) {
    if (worker !== undefined && this.#running !== undefined) {
      const error = workerError(`the worker crashed during \`${this.#running.verb}\``, reason || "unknown reason");
      this.#finishRunning((call) => call.reject(error));
      this.#replaceWorker(error);
      return;
    }
    const problem = worker?.hasStarted ? "the worker crashed" : "the worker cannot start";
    const error = workerError(problem, reason || NOT_STARTED);
    this.#stopWorker();
    this.#rejectAll(error);
    if (worker?.hasStarted) this.#onRestart?.(error);
  }

  /** Starts another worker with the same parts. Calls without an answer stay in the queue. */
  #replaceWorker(reason) {
    const { requested } = this.#worker;
    this.#stopWorker();
    for (const part of requested) this.#loadPart(part);
    this.#sendNext();
    this.#onRestart?.(reason);
  }

  #stopWorker() {
    this.#worker?.port.terminate();
    this.#worker = undefined;
  }

  #take(isTaken) {
    const taken = this.#queued.filter(isTaken);
    if (taken.length > 0) this.#queued = this.#queued.filter((call) => !isTaken(call));
    return taken;
  }

  #rejectQueued(isRejected, error) {
    for (const call of this.#take(isRejected)) call.reject(error);
  }

  #rejectAll(error) {
    if (this.#running !== undefined) this.#finishRunning((call) => call.reject(error));
    this.#rejectQueued(() => true, error);
  }
}

function workerError(problem, reason) {
  // Browsers end their messages with a period.
  const sentence = `${problem}: ${reason.replace(/\.$/, "")}`;
  return new WorkerClientError("WorkerError", `${sentence}; without a worker, call the functions of the package directly`);
}

function closedError() {
  return new WorkerClientError("ClosedError", "the client is closed; create another one");
}

function copyValues(verb, values) {
  try {
    return structuredClone(values);
  } catch (error) {
    throw new WorkerClientError("WorkerError", `pass plain data to \`${verb}\`; an argument cannot be copied to the worker: ${error.message}`);
  }
}

/** @param startWorker starts the worker at a URL, or the worker of the package, and returns it */
function createClient(options, startWorker) {
  const { workerUrl, timeoutMs = 10_000, onRestart } = options ?? {};
  if (!(timeoutMs > 0)) throw new TypeError("zonewright: `timeoutMs` must be a positive number");
  const queue = new CallQueue((handlers) => startWorker(workerUrl, handlers), timeoutMs, onRestart);
  return {
    ...createAsyncVerbs(queue),
    latest: (channel) => createAsyncVerbs(queue, channel),
    async preload(...parts) {
      await Promise.all(["language", ...parts].map((part) => queue.add(part, undefined, [])));
    },
    close: () => queue.close(),
  };
}

function createAsyncVerbs(queue, channel) {
  const createPart = (part, ...names) =>
    Object.fromEntries(names.map((verb) => [verb, (...values) => queue.add(part, verb, values, channel)]));
  return {
    ...createPart("language", ...Object.keys(languageVerbs)),
    ...createPart("help", "schema", ...Object.keys(helpVerbs)),
    ...createPart("evaluate", ...Object.keys(evaluateVerbs)),
    ...createPart("test", ...Object.keys(testVerbs)),
    ...createPart("prove", ...Object.keys(proveVerbs)),
    logpush: createPart("logpush", "datasets", ...Object.keys(logpushVerbs)),
    migration: createPart("migration", ...Object.keys(migrationVerbs)),
    ...createPart("trace", ...Object.keys(traceVerbs)),
  };
}

/**
 * Returns the function that answers the messages of a client.
 *
 * @param zonewright the functions of the package
 * @param post sends an answer
 */
function createResponder(zonewright, post) {
  const describe = (error) => String(error?.message ?? error).replace(/^zonewright: /, "");
  const verbsOf = (part) => (typeof zonewright[part] === "object" ? zonewright[part] : zonewright);
  const loadPart = (part) =>
    zonewright.load(part).then(
      () => post({ part }),
      (error) => post({ part, error: describe(error) }),
    );
  const run = ({ part, verb, values }) => {
    try {
      post({ result: verbsOf(part)[verb](...values) });
    } catch (error) {
      post({ error: describe(error) });
    }
  };
  return (message) => (message.load === undefined ? run(message) : void loadPart(message.load));
}
