// The browser's storage; what it refuses is kept until the page closes.
import { Listened } from "./listened.js";

/** @typedef {Pick<Storage, "getItem" | "setItem">} Kept */

/** @extends {Listened<[]>} @implements {Kept} */
export class Memory extends Listened {
  /** The texts that the browser has refused. @type {Map<string, string>} */
  loose = new Map();

  /** @param {() => Kept} find the browser's storage; where that is forbidden, this fails */
  constructor(find) {
    super();
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
      if (isNews) this.tell();
    }
  }
}

/** Kept for the next visit. */
export const browser = new Memory(() => localStorage);
/** Kept while a tab is open. */
export const tab = new Memory(() => sessionStorage);

/** Return a stored JSON value, or null. @param {Kept} kept @param {string} key */
export function readKept(kept, key) {
  try {
    return JSON.parse(kept.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
