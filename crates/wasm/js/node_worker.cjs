// The worker thread of a client in Node.js.
"use strict";

const { parentPort } = require("node:worker_threads");
const { createResponder, version } = require("./core.cjs");

const respond = createResponder(require("./node.cjs"), (answer) => parentPort.postMessage({ ...answer, version }));
parentPort.on("message", respond);
