// Browsers and everything else: the wasm file is fetched by `init`.
import { createEngine, glue, version } from "./core.js";

let compiled;
let loading;

const engine = createEngine(glue, () => {
  if (compiled === undefined) throw new Error("zonewright: `await init()` comes before the first call");
  return compiled;
});

export const { check, analyze, fix, format, explain, evaluate, equivalent, subsumes, test, schema } = engine;
export const { complete, hover, logpush, migration, neverFires, signature } = engine;
export { version };

export function init(wasm) {
  // Bundlers know this very form and put the file beside their output.
  loading ??= load(wasm ?? new URL("./zonewright_bg.wasm", import.meta.url));
  return loading;
}

async function load(wasm) {
  try {
    compiled = await compile(await wasm);
  } catch (error) {
    // A failed download may be tried again.
    loading = undefined;
    throw error;
  }
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  const response = wasm instanceof Response ? wasm : await fetch(wasm);
  if (!response.ok) throw new Error(`zonewright: cannot load ${response.url}: HTTP status ${response.status}`);
  // Compiling while loading is refused for any other type; not every server knows the right one.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
