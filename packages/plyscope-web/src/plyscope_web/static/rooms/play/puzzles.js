// Puzzles with one right move, as a solver has proved; with the streak.
import { askChild } from "../../shell/game.js";
import { button, html, iconButton, toolbar } from "../../shell/dom.js";
import { choice, field, form } from "../../shell/forms.js";
import { browser, readKept } from "../../shell/memory.js";
import { counted, spokenMove } from "../../shell/wording.js";

const KEY = "plyscope-puzzles";
/** The date and position of the last puzzle of a day. */
const DAILY_KEY = "plyscope-daily";
const DAY_MS = 86_400_000;
/** Games that a solver knows at once, and have something to find. */
const GAMES = {
  connect4: "Connect Four",
  "connect4-5x4": "Connect Four on 5×4",
  tictactoe: "tic-tac-toe",
  "torus-tictactoe": "tic-tac-toe on a torus",
  "misere-tictactoe": "misère tic-tac-toe",
  "4,4,4": "four in a line on 4×4",
};
/** Plies that have to be seen. @type {Record<string, [number, number]>} */
const DEPTHS = { easy: [1, 5], medium: [6, 11], hard: [12, 60], any: [1, 60] };
const REACHES = { win: "wins", draw: "does not lose" };

/**
 * Solved puzzles: the streak, the best streak, all; the day of the last daily puzzle, and days in a
 * row.
 * @typedef {{ streak: number, best: number, solved: number, day: number, days: number }} Score
 */

/** Today in this place: `2026-11-24`. */
export const today = () => new Date().toLocaleDateString("sv");

/** @param {string} date */
const dayNumber = (date) => Date.parse(date) / DAY_MS;

/** Ask for the puzzle of today, and keep its position so that its solution counts. @param {Lab} lab */
export async function askDaily({ client }) {
  const date = today();
  const puzzle = await client.ask("puzzle", { date });
  browser.setItem(DAILY_KEY, JSON.stringify({ date, position: puzzle.position }));
  return puzzle;
}

/** The days in a row, up to today or yesterday. @param {Score} score */
function daysText({ day, days }, date = "") {
  return days && day >= dayNumber(date || today()) - 1
    ? `solved ${counted(days, "day")} in a row`
    : "";
}

/** Describe the puzzle of today. @param {PuzzleFound} puzzle @param {Score} score */
export function dailyText({ goal, depth }, score, date = "") {
  const task = `Connect Four: only one move ${REACHES[goal]}`;
  const plies = `look ${counted(depth, "ply", "plies")} ahead`;
  return [task, plies, daysText(score, date)].filter(Boolean).join(" · ");
}

/** @param {import("../../shell/memory.js").Kept} kept @returns {Score} */
export function scoreOf(kept) {
  const none = { streak: 0, best: 0, solved: 0, day: 0, days: 0 };
  const found = { ...none, ...readKept(kept, KEY) };
  return Object.values(found).every(Number.isInteger) ? found : none;
}

/**
 * The score after a puzzle: what was shown or missed at first ends the streak.
 * @param {Score} score @param {boolean} isSolved @param {number} [today] the day whose puzzle it is
 * @returns {Score}
 */
export function scored({ streak, best, solved, day, days }, isSolved, today = day) {
  const next = isSolved ? streak + 1 : 0;
  const inRow = day === today - 1 ? days + 1 : 1;
  return {
    streak: next,
    best: Math.max(best, next),
    solved: solved + (isSolved ? 1 : 0),
    day: today,
    days: today === day ? days : isSolved ? inRow : 0,
  };
}

/** @param {PuzzleFound} puzzle @param {Side} side */
export const taskText = ({ goal }, side) =>
  `Puzzle: ${side.toUpperCase()} to move, only one move ${REACHES[goal]}`;

/** Describe how far ahead a puzzle is. @param {PuzzleFound} puzzle */
export const depthText = ({ depth, fooled }) =>
  `Look ${counted(depth, "ply", "plies")} ahead.` +
  (fooled.length ? ` At a glance ${fooled.join(", ")} would choose another move.` : "");

export class Puzzles {
  score = scoreOf(browser);
  /** @type {PuzzleFound | null} */
  puzzle = null;
  /** Whether the puzzle has counted already. */
  hasCounted = false;

  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
    this.answer = html("p", { class: "outcome", role: "status" });
    this.tally = html("p", { class: "help" });
    const shown = room.game.root.shown.game;
    this.name = choice(GAMES, shown in GAMES ? shown : "connect4");
    this.depth = choice(Object.keys(DEPTHS), "easy");
    this.next = iconButton("play", "New puzzle", () => this.draw(), { class: "primary" });
    this.daily = button("Today's puzzle", () => this.ask(askDaily(room.lab)));
    this.show = button("Show it", () => this.solve());
    this.show.hidden = true;
    this.element = html(
      "div",
      { class: "puzzles" },
      form(() => this.draw(), field("Game", this.name), field("How hard", this.depth)),
      toolbar("puzzle", this.next, this.daily, this.show),
      this.answer,
      this.tally,
    );
    this.drawScore();
  }

  drawScore() {
    const { streak, best, solved } = this.score;
    const days = daysText(this.score);
    this.tally.textContent = solved
      ? `streak ${streak}, best ${best}; ${counted(solved, "puzzle")} solved in this browser` +
        (days && `; the puzzle of the day ${days}`)
      : "a solver has proved that only one move is right";
  }

  /**
   * Open the puzzle of the address, or a new one if the board is empty and no game would be lost.
   */
  open({ isOfAddress = false } = {}) {
    const { exercises, game } = this.room;
    const { node, shown } = game;
    if (exercises.current || node.parent || shown.text) return;
    if (!/[xo]/.test(shown.cells)) return node.children.length ? undefined : this.draw();
    if (isOfAddress) return this.ask(this.room.ask("puzzle", { position: shown.position }));
  }

  /** Ask for another one. */
  draw() {
    const [least, most] = DEPTHS[this.depth.value];
    const asked = { game: this.name.value, seed: Math.floor(Math.random() * 1e9), least, most };
    return this.ask(this.room.ask("puzzle", asked));
  }

  /** @param {Promise<PuzzleFound>} asked */
  ask(asked) {
    this.answer.textContent = "looking for a puzzle …";
    return this.room.attempt(async () => {
      try {
        await this.begin(await asked);
      } catch (error) {
        this.answer.textContent = "";
        throw error;
      }
    });
  }

  /** @param {PuzzleFound} puzzle */
  async begin(puzzle) {
    const { room } = this;
    room.exercises.end();
    room.seatPeople();
    await room.game.start(puzzle.position);
    this.puzzle = puzzle;
    this.hasCounted = false;
    this.answer.textContent = depthText(puzzle);
    this.show.hidden = false;
    const { node } = room.game;
    room.exercises.set({
      node,
      text: taskText(puzzle, node.shown.side),
      isDone: false,
      play: (move) => this.try(move),
      left: () => (this.show.hidden = true),
    });
  }

  /** @param {string} move */
  async try(move) {
    const found = await this.room.exercises.try(move);
    if (!found) return;
    this.count(found.right);
    if (found.right) return this.finish(found, `Right: ${found.said}`);
    this.answer.textContent = `${found.said} Try another move.`;
  }

  /** @param {boolean} isSolved */
  count(isSolved) {
    if (this.hasCounted) return;
    this.hasCounted = true;
    const daily = readKept(browser, DAILY_KEY);
    const isDaily = daily?.date === today() && daily.position === this.puzzle?.position;
    this.score = scored(this.score, isSolved, isDaily ? dayNumber(daily.date) : undefined);
    browser.setItem(KEY, JSON.stringify(this.score));
    this.drawScore();
  }

  /** Show the answer: any legal move asks for it. */
  solve() {
    return this.room.attempt(async () => {
      const exercise = this.room.exercises.current;
      if (!exercise) return;
      const { shown } = exercise.node;
      this.count(false);
      const asked = { position: shown.position, move: shown.names[shown.moves[0]] };
      await this.finish(await this.room.ask("attempt", asked), "");
    });
  }

  /**
   * Put the solution on the board's record, its first move played: Redo goes on.
   * @param {Attempted} found @param {string} said
   */
  async finish({ solution }, said) {
    const { exercises, game } = this.room;
    const exercise = exercises.current;
    if (!exercise) return;
    /** @type {GameNode[]} */
    const line = [];
    for (const move of solution)
      line.push(await askChild(game.client, line.at(-1) ?? exercise.node, move));
    if (exercises.current !== exercise || !line.length) return;
    const names = line.map(spokenMove);
    const answer = `${names[0]} is the only move that ${REACHES[this.puzzle?.goal ?? "win"]}.`;
    this.answer.textContent = `${said || answer} The line is ${names.join(" ")}; Redo walks through it.`;
    if (document.activeElement === this.show) this.next.focus();
    this.show.hidden = true;
    exercise.node = line[0];
    exercises.finish(said ? `Right: ${names[0]}` : `The answer is ${names[0]}`);
    game.go(exercise.node);
  }
}
