// Your mistakes: the proved blunders of reviewed games, by kind, to try again.
import { html, iconButton, table } from "../../shell/dom.js";
import { askChild, askRoot } from "../../shell/game.js";
import { browser, readKept } from "../../shell/memory.js";
import { counted } from "../../shell/wording.js";

const KEY = "plyscope-mistakes";
const MAX_GAMES = 100;
/** Mistakes that are set in a row. */
const MAX_SET = 5;
/** The kinds of mistakes, by the server's names: what the position asked for. @type {Record<string, string>} */
const ASKED = {
  "win at hand": "a win at once",
  "forced block": "a block",
  "lets the opponent win": "a move that lets nobody win at once",
  "makes a double threat": "a double threat",
  "prevents a double threat": "a move against a double threat",
  zugzwang: "an odd or even threat (zugzwang)",
  "none of these": "something else",
};

/**
 * @typedef {{ position: string, move: string, asked: string, isFound?: boolean }} Mistake
 * @typedef {{ start: string, moves: string[], mistakes: Mistake[] }} KeptGame
 */

/** @param {any} mistake */
const isMistake = (mistake) =>
  [mistake?.position, mistake?.move, mistake?.asked].every((text) => typeof text === "string");

/** @param {any} game @returns {game is KeptGame} */
const isGame = (game) =>
  typeof game?.start === "string" &&
  [game.moves, game.mistakes].every(Array.isArray) &&
  game.mistakes.every(isMistake);

/** Return the reviewed games of a JSON value, without anything else. @param {any} games @returns {KeptGame[]} */
export const readGames = (games) => (Array.isArray(games) ? games.filter(isGame) : []);

/**
 * Games with one more, in the place of its own beginning; the oldest go.
 * @param {KeptGame[]} games @param {KeptGame} game
 */
export function withGame(games, game) {
  const isPart = (/** @type {KeptGame} */ { start, moves }) =>
    start === game.start && moves.every((move, ply) => move === game.moves[ply]);
  const found = games.filter(isPart).flatMap(({ mistakes }) => mistakes.filter((at) => at.isFound));
  const mistakes = game.mistakes.map((mistake) => ({
    ...mistake,
    ...found.find(({ position, move }) => position === mistake.position && move === mistake.move),
  }));
  return [...games.filter((other) => !isPart(other)), { ...game, mistakes }].slice(-MAX_GAMES);
}

/**
 * Count the mistakes by kind, the most frequent first: missed, and found since.
 * @param {KeptGame[]} games @returns {[asked: string, missed: number, found: number][]}
 */
export function missed(games) {
  const all = games.flatMap(({ mistakes }) => mistakes);
  return [...new Set(all.map(({ asked }) => asked))]
    .map((asked) => {
      const own = all.filter((mistake) => mistake.asked === asked);
      const found = own.filter(({ isFound }) => isFound).length;
      return /** @type {[string, number, number]} */ ([ASKED[asked] ?? asked, own.length, found]);
    })
    .sort(([, one], [, other]) => other - one);
}

export class Mistakes {
  said = html("p", { role: "status" });
  kinds = html("div");

  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
    this.set = iconButton("redo", "Try them again", () => this.begin(), { class: "primary" });
    this.element = html("div", {}, this.said, this.kinds, this.set);
    this.draw();
  }

  get games() {
    return readGames(readKept(browser, KEY));
  }

  /** @param {KeptGame[]} games */
  write(games) {
    browser.setItem(KEY, JSON.stringify(games));
    this.draw();
  }

  /** Keep a reviewed game of persons. @param {GameNode[]} nodes @param {Blunder[]} blunders */
  keep([root, ...nodes], blunders) {
    const mistakes = blunders.flatMap(({ node: { parent, move }, point: { asked } }) =>
      asked && parent ? [{ position: parent.shown.position, move, asked }] : [],
    );
    const moves = nodes.map(({ move }) => move);
    if (moves.length)
      this.write(withGame(this.games, { start: root.shown.position, moves, mistakes }));
  }

  draw() {
    const { games } = this;
    const rows = missed(games);
    const count = rows.reduce((sum, [, number]) => sum + number, 0);
    const [[most, times], [, next]] = [...rows, ["", 0], ["", 0]];
    const text = `${counted(count, "move is", "moves are")} proved to give something away`;
    this.said.textContent = games.length
      ? `Of ${counted(games.length, "game")} reviewed here, ${text}.` +
        (times > next ? ` You miss ${most} most often.` : "")
      : "Review a game that you have played: this browser keeps the mistakes.";
    const cells = rows.map(([name, ...numbers]) => [name, ...numbers.map(String)]);
    const head = ["The position asked for", "Missed", "Found since"];
    this.kinds.replaceChildren(count ? table(head, cells) : "");
    this.set.hidden = !count;
  }

  /** Set mistakes again, those that were not found first; each is proved anew before. */
  begin() {
    const { room } = this;
    return room.attempt(async () => {
      const all = this.games.flatMap(({ mistakes }) => mistakes).reverse();
      const left = all.filter(({ isFound }) => !isFound);
      /** @type {Blunder[]} */
      const blunders = [];
      for (const mistake of left.length ? left : all) {
        this.said.textContent = "proving the mistakes …";
        const blunder = await this.prove(mistake).catch(() => null);
        if (blunder) blunders.push(blunder);
        if (blunders.length === MAX_SET) break;
      }
      this.draw();
      if (!blunders.length)
        throw new Error("none of these mistakes could be proved in time; try again");
      room.seatPeople();
      room.tools?.choose("review");
      room.learning.begin(blunders);
    });
  }

  /** @param {Mistake} mistake @returns {Promise<Blunder | null>} */
  async prove({ position, move }) {
    const { room } = this;
    const point = await room.ask("attempt", { position, move });
    if (point.right || !point.proved) return null;
    const { client } = room.lab;
    const node = await askChild(client, await askRoot(client, position), move);
    const solve = () =>
      this.write(
        this.games.map((game) => ({
          ...game,
          mistakes: game.mistakes.map((at) =>
            at.position === position && at.move === move ? { ...at, isFound: true } : at,
          ),
        })),
      );
    return { node, point: { ...point, judged: true }, solve };
  }
}

/**
 * A mistake that can be tried again.
 * @typedef {object} Blunder
 * @property {GameNode} node the position after it
 * @property {number} [ply] the number of the move in its game
 * @property {{ judged?: boolean, sentence: string, better: string[], asked?: string | null }} point
 * @property {() => void} [solve] is called when the first try is right
 */
