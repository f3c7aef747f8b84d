// The functions of the package for browsers and all other runtimes except Node.js: `init` and `load` fetch the wasm
// files. The build appends `urls`, the functions that return the URL of each file. The page and its worker both use
// this module.
import { createBindings, createEngine, packedModules, partFiles, version } from "./core.js";

const MAIN = "zonewright_bg.wasm";
/** The sources that the program passed to `init`, by the name of the file. */
let sources = {};
/** Whether the only source is a promise or a response. */
let isReadOnce = false;
/** The promise of each file that was requested. */
const loading = new Map();
/** The compiled modules of each file. */
const modules = new Map();

const engine = createEngine(createBindings, (file, part, verb) => {
  const compiled = modules.get(file);
  if (compiled !== undefined) return compiled;
  if (!modules.has(MAIN)) throw new Error("zonewright: call `await init()` before any other function");
  const name = part === "logpush" || part === "migration" ? `${part}.${verb}` : verb;
  throw new Error(`zonewright: call \`await load("${part}")\` before \`${name}\``);
});

export const { check, analyze, fix, format, explain, evaluate, equivalent, subsumes, test, schema } = engine;
export const { complete, hover, logpush, migration, neverFires, runsManagedRules, sample, satisfiable, signature, traceZone } = engine;
export { version };

export function init(source) {
  if (source !== undefined && !loading.has(MAIN)) {
    sources = isFileMap(source) ? source : { [MAIN]: source };
    isReadOnce = source instanceof Promise || source instanceof Response;
  }
  return loadFile(MAIN);
}

export async function load(...parts) {
  const unknown = parts.find((part) => !Object.hasOwn(partFiles, part));
  if (unknown !== undefined) throw new Error(`zonewright: \`${unknown}\` is not a part; the parts are ${Object.keys(partFiles).join(", ")}`);
  const files = new Set([MAIN, ...parts.flatMap((part) => partFiles[part])]);
  await Promise.all([...files].map(loadFile));
}

function isFileMap(source) {
  return Object.getPrototypeOf(source) === Object.prototype;
}

/** Loads a file once. A failed download is forgotten, so that the next call retries it. */
function loadFile(file) {
  if (!loading.has(file)) {
    const promise = compileFile(sources[file] ?? locate(file)).then((compiled) => void modules.set(file, compiled));
    loading.set(file, promise);
    promise.catch(() => {
      loading.delete(file);
      // A promise or a response can be read only once, so the next call needs another source.
      if (isReadOnce) sources = {};
    });
  }
  return loading.get(file);
}

/** Returns the URL of a file. If `init` received the URL of the main file, the file is in the same directory. */
function locate(file) {
  const main = sources[MAIN];
  if (typeof main !== "string" && !(main instanceof URL)) return urls[file]();
  return new URL(file, new URL(main, globalThis.location?.href));
}

/** Compiles the module of a file, or the modules that it contains. */
async function compileFile(source) {
  const module = await compile(source);
  const packed = packedModules(module);
  return packed.length === 0 ? [module] : Promise.all(packed.map((bytes) => WebAssembly.compile(bytes)));
}

async function compile(source) {
  const wasm = await source;
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  // Vite replaces the URLs of small files by `data:` URLs. A Content Security Policy usually forbids fetching these.
  if (wasm instanceof URL && wasm.protocol === "data:") return WebAssembly.compile(decodeDataUrl(wasm.href));
  const response = wasm instanceof Response ? wasm : await fetch(wasm);
  if (!response.ok) throw new Error(`zonewright: cannot load ${response.url}: HTTP status ${response.status}`);
  // `compileStreaming` rejects all other types, and some servers do not send this one.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function decodeDataUrl(url) {
  return Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (character) => character.charCodeAt(0));
}
