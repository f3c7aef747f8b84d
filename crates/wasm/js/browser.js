// The entry point for browsers and all other runtimes except Node.js. The worker imports loader.js instead, because
// Vite rejects a worker that can start itself.
export * from "./loader.js";
export { createWorkerClient, WorkerClientError } from "./worker_client.js";
