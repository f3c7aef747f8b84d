// Runs before the first paint. The class shows the layout of index.html, which would be useless without JavaScript.
document.documentElement.classList.add("has-scripts");

// The user first needs the code editor on the page of expressions, and the app with the part of the page on all others.
{
  const { editor, wasm, parts } = document.querySelector('meta[name="zonewright-app"]').dataset;
  const partsOfPages = JSON.parse(parts ?? "{}");
  const name = /^#\/([a-z-]+)\/?(?:\?|$)/.exec(location.hash)?.[1];
  const page = Object.hasOwn(partsOfPages, name) ? name : "expressions";
  const file = (href) => ({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href });
  const preloads = page === "expressions"
    ? [{ rel: "modulepreload", href: editor }]
    : [wasm, ...partsOfPages[page]].map(file);
  document.head.append(...preloads.map((preload) => Object.assign(document.createElement("link"), preload)));
  // The layout of index.html describes this page, and boot.js starts it.
  document.documentElement.dataset.page = page;
}

// Sets the stored theme before the first paint, so that the page does not flash in the other theme.
// The storage key must equal `storage::THEME_KEY` of the app, which changes the theme from then on.
try {
  const theme = localStorage.getItem("zonewright.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser denies access to storage, so the system's theme applies.
}
