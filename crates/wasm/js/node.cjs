// The entry point for Node.js: the first call of a part reads and compiles the wasm files of the part.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Worker } = require("node:worker_threads");
const { createBindings, createClient, createEngine, packedModules, version, WorkerClientError } = require("./core.cjs");

/** The compiled modules of each file. */
const modules = new Map();

const engine = createEngine(createBindings, (file) => {
  if (!modules.has(file)) modules.set(file, compileFile(readFileSync(join(__dirname, file))));
  return modules.get(file);
});

/** Compiles the module of a file, or the modules that it contains. */
function compileFile(wasm) {
  const module = new WebAssembly.Module(wasm);
  const packed = packedModules(module);
  return packed.length === 0 ? [module] : packed.map((bytes) => new WebAssembly.Module(bytes));
}

exports.check = engine.check;
exports.analyze = engine.analyze;
exports.fix = engine.fix;
exports.format = engine.format;
exports.explain = engine.explain;
exports.evaluate = engine.evaluate;
exports.equivalent = engine.equivalent;
exports.subsumes = engine.subsumes;
exports.sample = engine.sample;
exports.satisfiable = engine.satisfiable;
exports.runsManagedRules = engine.runsManagedRules;
exports.neverFires = engine.neverFires;
exports.test = engine.test;
exports.schema = engine.schema;
exports.complete = engine.complete;
exports.hover = engine.hover;
exports.signature = engine.signature;
exports.traceZone = engine.traceZone;
exports.logpush = engine.logpush;
exports.migration = engine.migration;
exports.version = version;
// These do nothing; they exist so that the same code runs in browsers and in Node.js.
exports.init = async function init() {};
exports.load = async function load() {};
exports.WorkerClientError = WorkerClientError;
exports.createWorkerClient = function createWorkerClient(options) {
  return createClient(options, startThread);
};

function startThread(workerUrl, { onMessage, onFailure }) {
  const worker = new Worker(workerUrl ?? join(__dirname, "node_worker.cjs"));
  worker.on("message", onMessage);
  worker.on("messageerror", () => onFailure("an answer cannot be read"));
  worker.on("error", (error) => onFailure(error.message));
  worker.on("exit", (code) => onFailure(`its thread ended with code ${code}`));
  return worker;
}
