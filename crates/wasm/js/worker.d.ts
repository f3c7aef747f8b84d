
/** A function with a promise of the same result. */
type Async<Verb> = Verb extends (...values: infer Values) => infer Result ? (...values: Values) => Promise<Result> : never;

/** The functions of a namespace, each with a promise of the same result. */
type AsyncVerbs<Verbs> = { [Name in keyof Verbs]: Async<Verbs[Name]> };

/**
 * The functions of the package, which run in a worker. Each returns a promise of the same result as the direct call. A
 * call that has no result rejects with a {@link WorkerClientError}.
 */
export interface WorkerVerbs {
  check: Async<typeof check>;
  analyze: Async<typeof analyze>;
  fix: Async<typeof fix>;
  format: Async<typeof format>;
  explain: Async<typeof explain>;
  evaluate: Async<typeof evaluate>;
  equivalent: Async<typeof equivalent>;
  subsumes: Async<typeof subsumes>;
  sample: Async<typeof sample>;
  satisfiable: Async<typeof satisfiable>;
  runsManagedRules: Async<typeof runsManagedRules>;
  neverFires: Async<typeof neverFires>;
  test: Async<typeof test>;
  schema: Async<typeof schema>;
  complete: Async<typeof complete>;
  hover: Async<typeof hover>;
  signature: Async<typeof signature>;
  traceZone: Async<typeof traceZone>;
  logpush: AsyncVerbs<typeof logpush>;
  migration: AsyncVerbs<typeof migration>;
}

/** A client of a worker. The first call starts the worker, and each part loads on its first use. */
export interface WorkerClient extends WorkerVerbs {
  /**
   * Returns the same functions for a channel. A new call on a channel supersedes all earlier calls on it, whichever
   * function they call: those without a result reject with a `SupersededError`.
   */
  latest(channel: string): WorkerVerbs;
  /** Starts the worker, and loads parts before their first use. The language part is always loaded. */
  preload(...parts: Part[]): Promise<void>;
  /** Stops the worker. All calls without a result, and all later calls, reject with a `ClosedError`. */
  close(): void;
}

/** Options of {@link createWorkerClient}. */
export interface WorkerClientOptions {
  /** The URL of `worker.js`, or of a module that imports it. By default, it is next to the module of the package. */
  workerUrl?: string | URL | undefined;
  /**
   * The time limit of one call, without the time that it waits for its part and for other calls; 10,000 by default. A
   * worker that exceeds it is replaced. `Infinity` turns the limit off.
   */
  timeoutMs?: number | undefined;
  /** Called after a worker exceeded the time limit or crashed, with the error that the affected calls reject with. */
  onRestart?: ((reason: WorkerClientError) => void) | undefined;
}

/** The error of a call to a worker that has no result. */
export class WorkerClientError extends Error {
  private constructor();
  /**
   * - `SupersededError`: there is a newer call on the same channel.
   * - `TimeoutError`: the call exceeded the time limit.
   * - `ClosedError`: the client is closed.
   * - `WorkerError`: the worker cannot start, load a part, or receive an argument, or it crashed.
   */
  readonly name: "SupersededError" | "TimeoutError" | "ClosedError" | "WorkerError";
}

/**
 * Creates a client that runs the functions of the package in a worker: a module Web Worker in browsers, and a worker
 * thread in Node.js. The worker runs one call at a time, so a slow call blocks neither the page nor the process.
 *
 * Arguments and results are copied, so they must be plain data. The functions are pure: a worker can be replaced at any
 * time, because it has no state that a later call needs.
 */
export function createWorkerClient(options?: WorkerClientOptions | null): WorkerClient;
