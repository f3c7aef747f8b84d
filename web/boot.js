// Starts the app. It is not an inline script, so that the content security policy needs no hash (see Trunk.toml).
const { module, wasm } = document.querySelector('meta[name="zonewright-app"]').dataset;
const absolute = (path) => new URL(path, document.baseURI).href;

function showAlert(text) {
  const message = document.createElement("p");
  message.className = "boot-message";
  message.setAttribute("role", "alert");
  message.textContent = text;
  document.body.prepend(message);
}

addEventListener("error", ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError) {
    showAlert("The app crashed. Reload the page; your expression is saved.");
  }
});

try {
  const { default: init } = await import(absolute(module));
  await init({ module_or_path: absolute(wasm) });
  dispatchEvent(new Event("zonewright-started"));
} catch (error) {
  showAlert(`The app could not start: ${error.message}. Check that your browser supports WebAssembly and that all files of the app are deployed.`);
  throw error;
}
