// Reads and writes the stored texts of the app, for scripts that run before it.

/** The storage key of the expression (`web/src/storage/item.rs`). */
export const EXPRESSION_KEY = "zonewright.source";
/** The storage key of its kind, phase and plan. */
export const SCOPE_KEY = "zonewright.scope";

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
  let isStoredForAll = true;
  try {
    localStorage.setItem(key, text);
  } catch {
    // The storage is full or denied; the other one may have space.
    isStoredForAll = false;
  }
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Otherwise, a reload would restore the outdated value of this tab.
    if (isStoredForAll) removeOwn(key);
  }
}

function removeOwn(key) {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // The browser denies access, so there is no outdated value.
  }
}
