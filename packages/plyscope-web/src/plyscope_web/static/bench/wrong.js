// The count of a heuristic's wrong moves, with the positions fixed and regressed.
import { button, help, html, redraw, status } from "../shell/dom.js";
import { choice } from "../shell/forms.js";
import { count, counted, percent } from "../shell/wording.js";
import { boardGrid, fixedText } from "./boards.js";
import { Latest } from "./latest.js";

const MOST_CELLS = 16; // of a board whose positions are looked at unasked
/** @type {Record<string, string>} */
const DEPTHS = { 1: "1 ply", 2: "2 plies", 3: "3 plies", 4: "4 plies" };
const SORTS = /** @type {const} */ (["fixed", "regressed", "wrong"]);

/** @typedef {typeof SORTS[number]} Sort */

/** @param {WrongCount} found */
export function countText({ faulty, before, choices }) {
  const change = before ? `${count(before.faulty)} → ${count(faulty)}` : count(faulty);
  return `${change} of ${counted(choices, "position")}`;
}

/** Which positions these are, and how sure the count is. @param {WrongCount} found */
export function aboutText({ whole, game, about, share, low, high, before, chance }) {
  const wrong = `equal ratings are played at random, and ${percent(share)} of the moves played are wrong`;
  if (whole) return `all critical positions of ${game}; ${wrong}`;
  const test = before && chance !== undefined ? `, p ${chance.toFixed(3)} by McNemar's test` : "";
  const interval = `(${percent(low)} to ${percent(high)}, 95 %)${test}`;
  return `${about}, only critical ones; ${wrong} ${interval}`;
}

export class WrongMoves {
  number = status("wrong-count");
  about = help();
  progress = help();
  boards = html("div");
  /** Which boards are shown. @type {Sort | ""} */
  sort = "";
  /** @type {WrongCount | null} */
  found = null;
  /** The last request. @type {{ game: string, heuristic: string | LineTable, before?: string | LineTable } | null} */
  asked = null;
  /** The game whose positions somebody wants to see counted. */
  wanted = "";
  depth = 1;

  /**
   * @param {import("../rooms/room.js").Room} room
   * @param {(position: string) => void} open is told of a position that somebody wants to see
   */
  constructor(room, open) {
    this.room = room;
    this.open = open;
    this.latest = new Latest(() => this.ask());
    const want = () => {
      this.wanted = this.asked?.game ?? "";
      this.begin.hidden = true;
      this.follow();
    };
    this.begin = button("Count the wrong moves", want, { hidden: true });
    this.cancel = button("Stop", () => this.stop(), { hidden: true });
    const depth = choice(DEPTHS, "1", (depth) => {
      this.depth = Number(depth);
      this.follow();
    });
    this.sorts = html("div", { class: "sorts" });
    const head = html("label", {}, "Wrong moves, looking ahead ", depth);
    this.element = html(
      "div",
      { class: "wrong-moves" },
      html("div", { class: "wrong-head" }, head, this.begin, this.cancel),
      this.number,
      this.progress,
      this.about,
      this.sorts,
      this.boards,
    );
    room.endings.push(() => this.latest.forget());
  }

  /**
   * Count with a table, beside the one that it was made of.
   * @param {Shown} shown
   * @param {string | LineTable} heuristic @param {string | LineTable} [before]
   */
  draw({ game, shape }, heuristic, before) {
    const isNew = this.asked?.game !== game;
    this.asked = { game, heuristic, before };
    if (isNew) this.clear();
    const cells = shape.reduce((one, other) => one * other, 1);
    const isSmall = cells > 0 && cells <= MOST_CELLS;
    this.element.hidden = !shape.length;
    this.begin.hidden = isSmall || this.wanted === game;
    if (isSmall || this.wanted === game) this.follow();
  }

  follow() {
    if (this.asked && this.element.checkVisibility()) this.latest.run();
  }

  async ask() {
    const { game, heuristic, before } = this.asked ?? {};
    const asked = { game, heuristic, before, depth: this.depth };
    try {
      const found = await this.room.ask("wrong", asked, {
        told: ({ text, ...part }) => {
          if (Object.keys(part).length) this.showFound(/** @type {WrongCount} */ (part));
          this.showProgress(text ?? "");
        },
        queue: (place) =>
          this.showProgress(place > 1 ? `waiting, place ${place} in the queue` : ""),
      });
      this.showFound(found);
    } catch (error) {
      this.clear();
      this.number.classList.add("error");
      this.number.textContent = /** @type {Error} */ (error).message;
    }
    this.showProgress("");
  }

  /** @param {WrongCount} found all, or the first positions of a sample */
  showFound(found) {
    if (found.game !== this.asked?.game) return;
    this.found = found;
    this.number.classList.remove("error");
    this.number.textContent = countText(found);
    this.about.textContent = aboutText(found);
    this.show();
  }

  /** @param {string} text */
  showProgress(text) {
    this.progress.textContent = text && `${text} …`;
    this.progress.hidden = this.cancel.hidden = !text;
  }

  /** Stop looking for positions. */
  stop() {
    this.room.cancel("wrong");
    this.latest.forget();
    this.showProgress("");
    this.wanted = "";
    this.begin.hidden = false;
  }

  clear() {
    this.found = null;
    this.number.textContent = this.about.textContent = "";
    redraw(this.sorts);
    redraw(this.boards);
  }

  show() {
    const { found } = this;
    if (!found) return;
    const numbers = {
      fixed: found.fixed ?? 0,
      regressed: found.regressed ?? 0,
      wrong: found.faulty,
    };
    const offered = SORTS.filter((sort) => found.boards[sort]?.length);
    if (this.sort && !offered.includes(this.sort)) this.sort = "";
    redraw(
      this.sorts,
      ...offered.map((sort) => {
        const text = `${count(numbers[sort])} ${sort}`;
        const names = { "aria-pressed": String(sort === this.sort), class: `sort ${sort}` };
        return button(text, () => this.toggle(sort), names);
      }),
    );
    const boards = this.sort ? (found.boards[this.sort] ?? []) : [];
    const caption = this.sort === "fixed" ? fixedText : undefined;
    const grid = boards.length && boardGrid(boards, found.drawing, this.open, caption);
    redraw(this.boards, ...(grid ? [grid] : []));
  }

  /** @param {Sort} sort */
  toggle(sort) {
    this.sort = this.sort === sort ? "" : sort;
    this.show();
  }
}
