// A question about a board: its value, its best move, the order of some moves, or missing signs.
import { Board } from "../../board/board.js";
import { button, help, html } from "../../shell/dom.js";
import { choice, field, textInput } from "../../shell/forms.js";
import { withMinus } from "../../shell/wording.js";

/** The fields of each kind of question; signs have one for each letter. */
const FIELDS = {
  evaluation: { value: "Value" },
  choice: { move: "Move", value: "Its value" },
  order: { order: "The best first" },
};
const SIGNS = {
  0: "0, not asked for",
  1: "1, urgent",
  2: "2, one of a pair",
  3: "3, claimeven or claimodd",
  ...{ 4: "4", 5: "5", 6: "6", "": "?" },
};

/** Moves as they are typed, apart. @param {string} text */
export const movesIn = (text) => text.split(/[\s,]+/).filter(Boolean);

/**
 * The moves after one has been chosen: it is added at the end, or taken out.
 * @param {string[]} moves @param {string} move
 */
export const toggled = (moves, move) =>
  moves.includes(move) ? moves.filter((other) => other !== move) : [...moves, move];

export class BoardPaper {
  board = new Board((move) => this.choose(move));
  form = html("div", { class: "form" });
  element = html("div", { class: "posed" }, this.board.element, this.form);
  /** By name, of a sign by its letter. @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  inputs = {};
  /** The game that refutes the answer. @type {number[]} */
  line = [];
  /** @type {Posed | null} */
  posed = null;

  /** @param {() => void} onend is told of Enter in the last field */
  constructor(onend) {
    this.form.onkeydown = ({ key, target }) => {
      const inputs = Object.values(this.inputs);
      const at = inputs.findIndex((input) => input === target);
      if (key !== "Enter" || at < 0) return;
      if (inputs[at + 1]) inputs[at + 1].focus();
      else onend();
    };
  }

  /** @param {Posed} posed */
  draw(posed) {
    this.posed = posed;
    this.inputs = {};
    const { item, missing } = posed;
    const letters = Object.keys(missing).map((letter) => [letter, `Sign at ${letter}`]);
    const labels = item === "signs" ? letters : Object.entries(FIELDS[item]);
    const fields = labels.map(([name, label]) => {
      const input = item === "signs" ? choice(SIGNS) : textInput("");
      input.oninput = () => this.type(input, input.value);
      this.inputs[name] = input;
      return field(label, input);
    });
    this.form.replaceChildren(
      ...fields,
      "move" in this.inputs || item === "order"
        ? help("Choose moves on the board, or type them.")
        : "",
      item === "order" ? button("Start again", () => this.type(this.inputs.order, "")) : "",
    );
    for (const input of Object.values(this.inputs)) this.type(input, "");
  }

  /** A move was chosen on the board. @param {string} move */
  choose(move) {
    const { move: chosen, order } = this.inputs;
    if (chosen) this.type(chosen, move);
    if (order && this.posed?.moves.includes(move))
      this.type(order, toggled(movesIn(order.value), move).join(" "));
  }

  /** @param {HTMLInputElement | HTMLSelectElement} input @param {string} text */
  type(input, text) {
    input.value = text;
    input.removeAttribute("data-mark");
    this.line = [];
    this.show();
  }

  /** Draw the board with what was given and chosen on it. */
  show() {
    if (!this.posed) return;
    const { shown, item, moves, marks, missing } = this.posed;
    const { order, move } = this.inputs;
    const chosen = movesIn((order ?? move)?.value ?? "");
    /** @type {Map<number, Note>} */
    const notes = new Map(marks.map((mark) => [mark.cell, mark]));
    /** @param {string} name @param {number} cell @param {string} text */
    const write = (name, cell, text) =>
      notes.set(cell, { kind: "best", text, title: `${name}: ${text}` });
    for (const name of order ? moves : chosen) {
      const place = chosen.indexOf(name);
      write(name, shown.names.indexOf(name), place < 0 ? "?" : order ? `${place + 1}` : "★");
    }
    for (const [letter, cell] of Object.entries(missing))
      write(letter, cell, this.inputs[letter].value || letter);
    const lit = Object.values(missing);
    this.board.draw(shown, { notes, lit, line: this.line, isLocked: item === "signs" });
  }

  /** @returns {BoardAnswer} */
  get answer() {
    const texts = Object.entries(this.inputs).flatMap(([name, { value }]) =>
      value.trim() ? [[name, value.trim()]] : [],
    );
    if (this.posed?.item === "signs" && texts.length)
      return { signs: texts.map((pair) => pair.join("")).join(" ") };
    const { order, ...answer } = Object.fromEntries(texts);
    return order ? { order: movesIn(order) } : answer;
  }

  /** @param {Grading} grading */
  showMarks({ marks, key, refuted }) {
    this.line = (!key && refuted?.cells) || [];
    if (key) {
      const signs = key.signs?.split(" ").map(([letter, sign]) => [letter, sign]) ?? [];
      const [value, order] = [withMinus(`${key.value ?? ""}`), key.order?.join(" ")];
      const written = { value, order, move: key.move?.[0], ...Object.fromEntries(signs) };
      for (const [name, input] of Object.entries(this.inputs)) input.value = written[name] ?? "";
    }
    this.show();
    for (const { item, verdict } of marks)
      for (const [name, input] of Object.entries(this.inputs))
        if (name === item || item === "signs") input.setAttribute("data-mark", verdict);
  }
}
