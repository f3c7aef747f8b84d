// Node.js: the wasm file is read and compiled at the first call.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createEngine, glue, version } = require("./core.cjs");

let compiled;

const engine = createEngine(glue, () => {
  compiled ??= new WebAssembly.Module(readFileSync(join(__dirname, "zonewright_bg.wasm")));
  return compiled;
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
// Nothing to wait for; it exists so that the same code runs in a browser.
exports.init = async function init() {};
