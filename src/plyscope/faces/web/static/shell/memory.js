// What a browser keeps for a page. What it does not take, as it is full or keeps nothing, is kept
// until the page goes; whoever listens is told of that, once for each thing.

/** @typedef {Pick<Storage, "getItem" | "setItem">} Kept */

/** @implements {Kept} */
export class Memory {
  /** What the browser has not taken. @type {Map<string, string>} */
  loose = new Map();
  /** @type {Set<() => void>} */
  listeners = new Set();

  /** @param {() => Kept} find the browser's storage; where that is forbidden, this fails */
  constructor(find) {
    this.find = find;
  }

  /** @param {string} key */
  getItem(key) {
    try {
      return this.loose.get(key) ?? this.find().getItem(key);
    } catch {
      return this.loose.get(key) ?? null;
    }
  }

  /** @param {string} key @param {string} text */
  setItem(key, text) {
    const isNews = !this.loose.has(key);
    try {
      this.find().setItem(key, text);
      this.loose.delete(key);
    } catch {
      this.loose.set(key, text);
      if (isNews) for (const listener of this.listeners) listener();
    }
  }

  /** Hear of what will be forgotten; what is returned stops that. @param {() => void} listener */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Kept for the next visit. */
export const browser = new Memory(() => localStorage);
/** Kept while a tab is open. */
export const tab = new Memory(() => sessionStorage);
