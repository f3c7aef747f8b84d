// Starts the app. A file of its own instead of an inline script: see Trunk.toml.
const { module, wasm } = document.querySelector('meta[name="zonewright-app"]').dataset;
const absolute = (path) => new URL(path, document.baseURI).href;
try {
  const { default: init } = await import(absolute(module));
  await init({ module_or_path: absolute(wasm) });
} catch (error) {
  const message = document.createElement("p");
  message.className = "boot-message";
  message.textContent = `The app could not start: ${error.message}. It needs a browser with WebAssembly, and all files of the app beside this page.`;
  document.body.append(message);
  throw error;
}
