// The unfinished answer, kept while its tab is open.
import { readKept } from "../../shell/memory.js";

const KEY = "plyscope-answer";

export class Draft {
  /** @param {import("../../shell/memory.js").Kept} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {string} question @returns {Record<string, NodeAnswer>} */
  read(question) {
    const kept = readKept(this.store, KEY);
    return (kept?.question === question && kept.answer) || {};
  }

  /** @param {string} question @param {Record<string, NodeAnswer>} answer */
  write(question, answer) {
    this.store.setItem(KEY, JSON.stringify({ question, answer }));
  }
}
