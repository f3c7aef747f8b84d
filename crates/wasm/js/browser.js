// The entry point for browsers and all other runtimes: `init` fetches the wasm file.
import { createBindings, createEngine, version } from "./core.js";

let compiledModule;
let loading;

const engine = createEngine(createBindings, () => {
  if (compiledModule === undefined) throw new Error("zonewright: call `await init()` before any other function");
  return compiledModule;
});

export const { check, analyze, fix, format, explain, evaluate, equivalent, subsumes, test, schema } = engine;
export const { complete, hover, logpush, migration, neverFires, signature } = engine;
export { version };

export function init(wasm) {
  // Bundlers recognize exactly this expression, and copy the file to their output.
  loading ??= load(wasm ?? new URL("./zonewright_bg.wasm", import.meta.url));
  return loading;
}

async function load(wasm) {
  try {
    compiledModule = await compile(await wasm);
  } catch (error) {
    // The next call of `init` retries a failed download.
    loading = undefined;
    throw error;
  }
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  const response = wasm instanceof Response ? wasm : await fetch(wasm);
  if (!response.ok) throw new Error(`zonewright: cannot load ${response.url}: HTTP status ${response.status}`);
  // `compileStreaming` rejects all other types, and some servers do not send this one.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
