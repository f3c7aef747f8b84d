// Starts a Web Worker for a client.
import { createClient, WorkerClientError } from "./core.js";

export { WorkerClientError };

export function createWorkerClient(options) {
  return createClient(options, startWorker);
}

function startWorker(workerUrl, { onMessage, onFailure }) {
  // The browser reports a forbidden worker to the page, and only an error without a message to the worker.
  let blockedUrl;
  const onViolation = (event) => {
    if (event.effectiveDirective === "worker-src") blockedUrl = event.blockedURI;
  };
  const stopListening = () => removeEventListener("securitypolicyviolation", onViolation);
  addEventListener("securitypolicyviolation", onViolation);
  let worker;
  try {
    // Bundlers recognize exactly the first expression, and bundle the worker.
    worker = workerUrl === undefined
      ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
      : new Worker(workerUrl, { type: "module" });
  } catch (error) {
    stopListening();
    throw error;
  }
  worker.addEventListener("message", ({ data }) => {
    stopListening();
    onMessage(data);
  });
  worker.addEventListener("messageerror", () => onFailure("an answer cannot be read"));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    // The order of this event and the violation is not defined.
    setTimeout(() => {
      stopListening();
      onFailure(blockedUrl === undefined ? event.message : describeViolation(blockedUrl));
    });
  });
  return worker;
}

function describeViolation(url) {
  return `the Content Security Policy of the page forbids ${url}; add \`worker-src 'self'\` to the policy`;
}
