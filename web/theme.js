// Before the first paint: the chosen theme, so that the page does not flash in the other one.
// The app takes over from here; the key is the one of `storage::THEME`.
try {
  const theme = localStorage.getItem("zonewright.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: the system's theme is used.
}
