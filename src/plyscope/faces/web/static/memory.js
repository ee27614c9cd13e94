// What this browser keeps for a page, and forgets where it keeps nothing.

/** @param {string} key */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // It is forgotten with the page.
  }
}
