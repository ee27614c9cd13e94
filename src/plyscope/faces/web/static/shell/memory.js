// What a browser keeps for a page. What it does not take, as it is full or keeps nothing, is kept
// until the page goes; whoever listens is told of that, once for each thing.
import { Listened } from "./listened.js";

/** @typedef {Pick<Storage, "getItem" | "setItem">} Kept */

/** @extends {Listened<[]>} @implements {Kept} */
export class Memory extends Listened {
  /** What the browser has not taken. @type {Map<string, string>} */
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

/** What was kept as JSON, null for all else. @param {Kept} kept @param {string} key */
export function readKept(kept, key) {
  try {
    return JSON.parse(kept.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
