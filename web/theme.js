// Runs before the first paint. The class shows the layout of index.html, which would be useless without JavaScript.
document.documentElement.classList.add("has-scripts");

// Sets the stored theme before the first paint, so that the page does not flash in the other theme.
// The storage key must equal `storage::THEME_KEY` of the app, which changes the theme from then on.
try {
  const theme = localStorage.getItem("zonewright.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser denies access to storage, so the system's theme applies.
}
