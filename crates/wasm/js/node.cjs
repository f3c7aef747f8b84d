// The entry point for Node.js: the first call reads and compiles the wasm file.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createBindings, createEngine, version } = require("./core.cjs");

let compiledModule;

const engine = createEngine(createBindings, () => {
  compiledModule ??= new WebAssembly.Module(readFileSync(join(__dirname, "zonewright_bg.wasm")));
  return compiledModule;
});

exports.check = engine.check;
exports.analyze = engine.analyze;
exports.fix = engine.fix;
exports.format = engine.format;
exports.explain = engine.explain;
exports.evaluate = engine.evaluate;
exports.equivalent = engine.equivalent;
exports.subsumes = engine.subsumes;
exports.neverFires = engine.neverFires;
exports.test = engine.test;
exports.schema = engine.schema;
exports.complete = engine.complete;
exports.hover = engine.hover;
exports.signature = engine.signature;
exports.logpush = engine.logpush;
exports.migration = engine.migration;
exports.version = version;
// Does nothing; it exists so that the same code runs in browsers and in Node.js.
exports.init = async function init() {};
