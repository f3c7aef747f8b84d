// Runs before the first paint. The class shows the layout of index.html, which would be useless without JavaScript.
document.documentElement.classList.add("has-scripts");

// The user first needs the code editor on the page of expressions, and the app on all other pages.
{
  const { editor, wasm } = document.querySelector('meta[name="zonewright-app"]').dataset;
  const isOnExpressions = /^(#\/?)?$|^#\/expressions/.test(location.hash);
  const preload = isOnExpressions
    ? { rel: "modulepreload", href: editor }
    : { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: wasm };
  document.head.append(Object.assign(document.createElement("link"), preload));
}

// Sets the stored theme before the first paint, so that the page does not flash in the other theme.
// The storage key must equal `storage::THEME_KEY` of the app, which changes the theme from then on.
try {
  const theme = localStorage.getItem("zonewright.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser denies access to storage, so the system's theme applies.
}
