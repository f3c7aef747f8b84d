// Loads the parts of the app. `split_app.mjs` bundles it with the bindings of the main module.

/**
 * Returns a function that creates the loaders of parts. A loader is called with a function of the main module and its
 * data. It calls that function when the files of the part are loaded, or when one of them has failed.
 * @param getExports returns the exports of the main module
 * @param ownImports the imports of a part that the main module does not export
 */
export function createPartLoaders(getExports, ownImports) {
  const files = new Map();
  /** The names and the numbers of the modules that were added. Adding one again would reset its data. */
  const added = new Set();
  let imports;

  /** Loads a file once. A failure is not cached, so the next call tries again. */
  function load(name) {
    if (!files.has(name)) {
      files.set(name, instantiate(name).catch((error) => {
        files.delete(name);
        throw error;
      }));
    }
    return files.get(name);
  }

  /**
   * Adds a file to the main module: its functions to the table, and its data to the memory. A merged file
   * has its modules in custom sections.
   */
  async function instantiate(name) {
    const module = await compile(new URL(name, import.meta.url));
    imports ??= { __wasm_split: { ...getExports(), ...ownImports } };
    const merged = WebAssembly.Module.customSections(module, "module");
    const modules = [module, ...(await Promise.all(merged.map((bytes) => WebAssembly.compile(bytes))))];
    for (const [number, module] of modules.entries()) {
      const key = `${name} ${number}`;
      if (added.has(key)) continue;
      await WebAssembly.instantiate(module, imports);
      added.add(key);
    }
  }

  return (names) => {
    let isLoaded = false;
    return async (callback, data) => {
      const report = () => getExports().__indirect_function_table.get(callback)(data, isLoaded);
      // `call_loaded` in `web/src/part.rs` needs the callback before this function returns.
      if (isLoaded) return report();
      try {
        await Promise.all(names.map(load));
        isLoaded = true;
      } catch (error) {
        console.error(error);
      }
      report();
    };
  };
}

/** Compiles a file during its download if the host sends the MIME type of WebAssembly, and otherwise after it. */
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
