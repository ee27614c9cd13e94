// What this browser keeps: nothing where it keeps nothing, or is not asked to.

/** @param {"localStorage" | "sessionStorage"} name @returns {Storage | undefined} */
export function storage(name) {
  try {
    return globalThis[name];
  } catch {
    return undefined; // a browser may refuse to say
  }
}

const KEY = "plyscope-answer";

/** The answer that is being written, kept while its tab is open, so that it survives a reload. */
export class Draft {
  /** @param {Storage | undefined} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {string} question @returns {Record<string, NodeAnswer>} */
  read(question) {
    try {
      const kept = JSON.parse(this.store?.getItem(KEY) ?? "{}");
      return kept.question === question ? kept.answer : {};
    } catch {
      return {};
    }
  }

  /** @param {string} question @param {Record<string, NodeAnswer>} answer */
  write(question, answer) {
    try {
      this.store?.setItem(KEY, JSON.stringify({ question, answer }));
    } catch {
      // no room, or none allowed: it is lost with a reload
    }
  }
}
