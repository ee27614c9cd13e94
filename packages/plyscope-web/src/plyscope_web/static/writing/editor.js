// The part where one writes heuristics, and compares two of them cell by cell.
import { help, html, redraw, scroller } from "../shell/dom.js";
import { choice, field, optionsOf } from "../shell/forms.js";
import { heuristicAsked, heuristicName, heuristicOptions, isWritten } from "../shell/tables.js";
import { TEXTS, WRITE } from "../shell/texts.js";
import { count, signed } from "../shell/wording.js";
import { Writing } from "./writing.js";

const [MINE, OTHER] = TEXTS;
const ABOUT =
  "Python, or a table. It runs in a worker of this browser and is kept here; " +
  "values follow as you type.";

export class Editor {
  element = html("section", {
    class: "editor",
    "aria-label": "heuristics that you write",
    hidden: true,
  });
  texts = html("div", { class: "texts" });
  compared = choice([], "", () => this.compareWith());
  difference = html("div", { class: "difference" });
  /** The texts that are shown. @type {Map<string, Writing>} */
  shown = new Map();
  /** The heuristic of the room. */
  value = "";
  /** The number of the newest comparison. */
  turn = 0;

  /**
   * @param {import("../rooms/room.js").Room} room
   * @param {import("./writing.js").Hooks} hooks
   */
  constructor(room, hooks) {
    this.room = room;
    this.lab = room.lab;
    this.hooks = hooks;
    const compared = field("Compare with", this.compared);
    this.element.append(help(ABOUT), this.texts, compared, this.difference);
    room.endings.push(
      this.lab.texts.on(() => this.offer()),
      room.game.on(() => this.again()),
    );
  }

  /** Show the text of a choice, or nothing. @param {string} value */
  show(value) {
    const isShown = isWritten(this.lab, value);
    this.element.hidden = !isShown;
    if (value === this.value) return;
    this.value = value;
    if (!isShown) return this.keep([]);
    if (this.compared.value === value) this.compared.value = "";
    this.offer();
    this.draw();
  }

  /** End the fields of all other texts. @param {string[]} names */
  keep(names) {
    for (const [name, writing] of this.shown)
      if (!names.includes(name)) {
        writing.end();
        writing.element.remove();
        this.shown.delete(name);
      }
  }

  /** Offer the heuristics to compare with. */
  offer() {
    const { value } = this.compared;
    const others = heuristicOptions(this.lab).filter(
      ([name]) => ![this.value, OTHER, WRITE].includes(name),
    );
    /** @type {[string, string][]} */
    const second = this.value === OTHER ? [] : [[OTHER, "a second text of yours"]];
    this.compared.replaceChildren(...optionsOf([["", "nothing"], ...second, ...others]));
    this.compared.value = value;
  }

  async compareWith() {
    if (this.compared.value === OTHER) this.compared.value = await beginText(this.lab, OTHER);
    this.draw();
  }

  /** Show the fields of the texts, and the comparison. */
  draw() {
    const names = [this.value, this.compared.value].filter((name) => isWritten(this.lab, name));
    this.keep(names);
    for (const name of names)
      if (!this.shown.has(name)) this.shown.set(name, new Writing(this.room, name, this.heard));
    redraw(this.texts, ...names.map((name) => /** @type {any} */ (this.shown.get(name)).element));
    this.compare();
  }

  /** The position has changed. */
  again() {
    if (this.element.hidden) return;
    for (const writing of this.shown.values()) writing.read();
  }

  get heard() {
    const { hooks } = this;
    const isOfRoom = (/** @type {string} */ name) => name === this.value;
    return {
      position: hooks.position,
      follow: (/** @type {string} */ name) => {
        this.compare();
        if (isOfRoom(name)) hooks.follow(name);
      },
      settle: (/** @type {string} */ name) => {
        if (this.lab.texts.linked.has(name)) this.lab.go(this.lab.texts.place);
        if (isOfRoom(name)) hooks.settle(name);
      },
    };
  }

  /** Ask for the values of both heuristics after each move. */
  async compare() {
    const { lab, value } = this;
    const other = this.compared.value;
    const turn = ++this.turn;
    if (!other) return redraw(this.difference);
    const position = this.hooks.position();
    const ask = (/** @type {string} */ name) =>
      lab.client.ask("explain", { position, heuristic: heuristicAsked(lab, name) });
    try {
      const [shown, one, two] = await Promise.all([
        lab.client.ask("show", { position }),
        ask(value),
        ask(other),
      ]);
      if (turn !== this.turn) return;
      redraw(this.difference, ...differenceParts(shown, [value, other], [one, two]));
    } catch (error) {
      if (turn === this.turn) redraw(this.difference, help(/** @type {Error} */ (error).message));
    }
  }
}

/**
 * The values of two heuristics after each move, and their differences, as boards of numbers.
 * @param {Shown} shown @param {string[]} names @param {Explanation[]} found
 */
export function differenceParts(shown, names, found) {
  const [one, two] = found.map(
    ({ after }) => new Map(after.map(({ cell, value }) => [cell, value])),
  );
  const differences = differencesOf(found[0], found[1]);
  const most = Math.max(0, ...[...differences.values()].map(Math.abs));
  const said =
    found[0].side === found[1].side && most
      ? `the greatest difference is ${count(most)}`
      : "both have the same values here";
  return [
    help(`Values of the moves for ${found[0].side.toUpperCase()}, who is to move; ${said}.`),
    scroller(
      "two heuristics, cell by cell",
      html(
        "div",
        { class: "pairs" },
        numberBoard(heuristicName(names[0]), shown, one, count),
        numberBoard(heuristicName(names[1]), shown, two, count),
        numberBoard("difference", shown, differences, signed, most),
      ),
    ),
  ];
}

/** The first value less the second, by cell. @param {Explanation} one @param {Explanation} two */
export function differencesOf(one, two) {
  const others = new Map(two.after.map(({ cell, value }) => [cell, value]));
  return new Map(one.after.map(({ cell, value }) => [cell, value - (others.get(cell) ?? 0)]));
}

/**
 * A board whose empty cells have numbers.
 * @param {string} caption @param {Shown} shown @param {Map<number, number>} values
 * @param {(value: number) => string} text @param {number} [most] marks the cells of this difference
 */
function numberBoard(caption, { cells, shape, names }, values, text, most = 0) {
  const width = shape[0];
  const rows = Array.from({ length: Math.ceil(cells.length / width) }, (_, row) =>
    Array.from({ length: width }, (_, column) => row * width + column),
  );
  const cell = (/** @type {number} */ at) => {
    const value = values.get(at);
    const stone = { x: "X", o: "O", "#": "" }[cells[at].toLowerCase()] ?? "";
    const isMost = most > 0 && value !== undefined && Math.abs(value) === most;
    return html(
      "td",
      { class: isMost ? "most" : value === undefined ? "stone" : "", title: names[at] },
      value === undefined ? stone : text(value),
    );
  };
  return html(
    "table",
    { class: "number-board" },
    html("caption", {}, caption),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map(cell)))),
  );
}

/** Begin a text with an example, if there is none, and return its name. @param {Lab} lab */
export async function beginText({ texts, client }, name = MINE) {
  if (texts.get(name)) return name;
  const { examples } = await client.ask("define", { text: "" });
  texts.set(name, examples[TEXTS.indexOf(name)].text);
  return name;
}
