// Reads and writes the stored texts of the app, for scripts that run before it.

/** Reads a text like the app: that of this tab, or the latest one of all tabs. */
export function readStoredText(key) {
  try {
    return sessionStorage.getItem(key) ?? localStorage.getItem(key);
  } catch {
    // The browser denies access to storage, so nothing is stored.
    return null;
  }
}

/** Stores an edit like the app: in this tab, and for new tabs. */
export function storeText(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The storage is full or denied; the other one may have space.
  }
  try {
    // If the next write fails, a reload must not restore the outdated value of this tab.
    sessionStorage.removeItem(key);
    sessionStorage.setItem(key, text);
  } catch {
    // The local storage has the text.
  }
}
