// The answer that is being written, kept while its tab is open, so that it survives a reload.

const KEY = "plyscope-answer";

export class Draft {
  /** @param {import("../../shell/memory.js").Kept} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {string} question @returns {Record<string, NodeAnswer>} */
  read(question) {
    try {
      const kept = JSON.parse(this.store.getItem(KEY) ?? "{}");
      return (kept.question === question && kept.answer) || {};
    } catch {
      return {};
    }
  }

  /** @param {string} question @param {Record<string, NodeAnswer>} answer */
  write(question, answer) {
    this.store.setItem(KEY, JSON.stringify({ question, answer }));
  }
}
