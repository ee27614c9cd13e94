// The matches that were played in this browser, from which its tables are rated. What a table that
// has changed since has played is left out.
import { browser, readKept } from "../../shell/memory.js";
import { tableText } from "../../shell/tables.js";

const KEY = "plyscope-matches";
const MOST = 400;

/**
 * @typedef {object} PlayedMatch
 * @property {string} game
 * @property {Record<string, string>} tables the numbers of the tables that played, by their names
 * @property {Outcome[]} outcomes
 * @property {number} distinct games that repeat none before them
 */

/** @param {any} entry @returns {entry is PlayedMatch} */
const isPlayed = (entry) =>
  typeof entry?.game === "string" &&
  Boolean(entry.tables) &&
  Array.isArray(entry.outcomes) &&
  entry.outcomes.every((/** @type {any} */ row) => Number.isInteger(row?.games));

export class Matches {
  /** @param {Tables} tables @param {import("../../shell/memory.js").Kept} kept */
  constructor(tables, kept = browser) {
    this.tables = tables;
    this.kept = kept;
  }

  /** @returns {PlayedMatch[]} */
  all() {
    const found = readKept(this.kept, KEY);
    return Array.isArray(found) ? found.filter(isPlayed) : [];
  }

  /** Those of a game whose tables are what they were. @param {string} game */
  of(game) {
    const now = Object.fromEntries(
      this.tables.all().map(({ name, table }) => [name, tableText(table)]),
    );
    return this.all().filter(
      (match) =>
        match.game === game &&
        Object.entries(match.tables).every(([name, text]) => now[name] === text),
    );
  }

  /** The results of a game's players. @param {string} game @returns {Outcome[]} */
  outcomes(game) {
    /** @type {Map<string, Outcome>} */
    const sums = new Map();
    for (const row of this.of(game).flatMap(({ outcomes }) => outcomes)) {
      const key = JSON.stringify([row.first, row.second, row.outcome]);
      const games = (sums.get(key)?.games ?? 0) + row.games;
      if (games) sums.set(key, { ...row, games });
    }
    return [...sums.values()];
  }

  /** Of a game's matches the games that are different. @param {string} game */
  distinct(game) {
    return this.of(game).reduce((sum, { distinct }) => sum + (distinct ?? 0), 0);
  }

  /**
   * Keep a match; the latest between two players stands for those before, which may be the same
   * games again.
   * @param {string} game @param {Record<string, LineTable>} tables @param {Outcome[]} outcomes
   * @param {number} distinct
   */
  add(game, tables, outcomes, distinct) {
    const players = playersOf(outcomes);
    const others = this.all().filter(
      (match) => match.game !== game || playersOf(match.outcomes) !== players,
    );
    const texts = Object.entries(tables).map(([name, table]) => [name, tableText(table)]);
    const match = { game, tables: Object.fromEntries(texts), outcomes, distinct };
    this.kept.setItem(KEY, JSON.stringify([...others, match].slice(-MOST)));
  }

  /** Forget a game's matches. @param {string} game */
  clear(game) {
    this.kept.setItem(KEY, JSON.stringify(this.all().filter((match) => match.game !== game)));
  }
}

/** @param {Outcome[]} outcomes */
const playersOf = (outcomes) =>
  JSON.stringify([...new Set(outcomes.flatMap(({ first, second }) => [first, second]))].sort());

/**
 * All pairs of some players.
 * @template T
 * @param {T[]} players @returns {[T, T][]}
 */
export const pairsOf = (players) =>
  players.flatMap((one, at) =>
    players.slice(at + 1).map((other) => /** @type {[T, T]} */ ([one, other])),
  );
