// The progress through the kinds of questions, kept in this browser.
import { readKept } from "../../shell/memory.js";

/** What a rung asks; `algorithm` and `asked` are those of its questions. @typedef {typeof RUNGS[0]} Rung */

export const ITEMS = ["values", "windows", "cuts"];
/** @type {[name: string, label: string, about: string, algorithm: string, asked: string[]][]} */
const TABLE = [
  ["values", "Values", "the value of each node, by minimax", "minimax", ["values"]],
  ["cuts", "Cuts", "the edges that alpha-beta cuts", "alphabeta", ["cuts"]],
  ["windows", "Windows", "alpha and beta at every call", "alphabeta", ["windows"]],
  ["boards", "Boards", "the heuristic's value of a position, and its move", "board", ["board"]],
  ["signs", "Signs", "the missing signs of a strategy", "board", ["signs"]],
  ["all", "Everything at once", "values, windows and cuts", "alphabeta", ITEMS],
];
export const RUNGS = TABLE.map(([name, label, about, algorithm, asked]) => {
  return { name, label, about, algorithm, asked };
});
/** The rungs that open one after the other; the last is open to whoever wants it. */
const CLIMBED = RUNGS.slice(0, -1);
const KEY = "plyscope-quiz";

/** The rung of a question. @param {{ algorithm: string, asked: string[] }} settings */
export const rungOf = ({ algorithm, asked }) =>
  CLIMBED.find((rung) => rung.algorithm === algorithm && `${rung.asked}` === `${asked}`) ??
  RUNGS[RUNGS.length - 1];

/**
 * What has been done on a rung: questions all right, and how many in a row at the first marking.
 * @typedef {{ right: number, streak: number, best: number }} Progress
 */

export class Ladder {
  /** @param {import("../../shell/memory.js").Kept} store */
  constructor(store) {
    this.store = store;
    const found = readKept(store, KEY);
    /** @type {Record<string, Progress>} */
    this.progress = Object.fromEntries(
      RUNGS.flatMap(({ name }) => (isProgress(found?.[name]) ? [[name, found[name]]] : [])),
    );
    /** The questions that have been marked or shown. @type {Set<string>} */
    this.tried = new Set();
    /** Those that count no more: all right before, or their key was shown. @type {Set<string>} */
    this.spent = new Set();
  }

  /** @param {string} rung @returns {Progress} */
  of(rung) {
    return this.progress[rung] ?? { right: 0, streak: 0, best: 0 };
  }

  /** @param {string} rung */
  isOpen(rung) {
    const place = CLIMBED.findIndex(({ name }) => name === rung);
    return place < 1 || this.of(CLIMBED[place - 1].name).right > 0 || this.of(rung).right > 0;
  }

  /** The highest rung that is open. */
  get highest() {
    return CLIMBED.findLast(({ name }) => this.isOpen(name)) ?? CLIMBED[0];
  }

  /**
   * Record a marking and return the rung that it opens. A streak counts first markings only.
   * @param {string} rung @param {string} question @param {boolean} isRight
   */
  note(rung, question, isRight) {
    const isFirst = !this.tried.has(question);
    this.tried.add(question);
    if (this.spent.has(question)) return undefined;
    const { right, streak, best } = this.of(rung);
    const next = CLIMBED[CLIMBED.findIndex(({ name }) => name === rung) + 1];
    const wasOpen = next && this.isOpen(next.name);
    const row = isFirst && isRight ? streak + 1 : isRight ? streak : 0;
    this.progress[rung] = {
      right: right + Number(isRight),
      streak: row,
      best: Math.max(best, row),
    };
    if (isRight) this.spent.add(question);
    this.keep();
    return rung !== "all" && next && !wasOpen && this.isOpen(next.name) ? next : undefined;
  }

  /** The key was shown: the question counts no more. @param {string} rung @param {string} question */
  give(rung, question) {
    if (this.spent.has(question)) return;
    this.tried.add(question);
    this.spent.add(question);
    this.progress[rung] = { ...this.of(rung), streak: 0 };
    this.keep();
  }

  keep() {
    this.store.setItem(KEY, JSON.stringify(this.progress));
  }
}

/** @param {Record<string, unknown>} [found] */
const isProgress = (found) =>
  ["right", "streak", "best"].every((name) => Number.isInteger(found?.[name]));
