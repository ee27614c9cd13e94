// The choice of a game: by picture, by numbers and switches, or by text.
import { button, details, html } from "./dom.js";
import { controls, field, numberInput, setNumber, textInput } from "./forms.js";
import { formatSpec, hasWord, parseSpec, SWITCHES, withSize, withWord } from "./gamespec.js";

/** The games that stand first, with the names that people use. @type {Record<string, string>} */
const FIRST = {
  tictactoe: "Tic-tac-toe",
  connect4: "Connect Four",
  gomoku15: "Gomoku",
  qubic: "Qubic",
};
const PAUSE = 250; // milliseconds after which what is typed is read
/** The names of a board's sizes. */
const SIZES = ["Columns", "Rows", "Levels"];
const MOST_SIZE = 30;

export class Picker {
  text = textInput("", { spellcheck: false });
  games = html("div", { class: "games first", role: "group", "aria-label": "games" });
  others = html("div", { class: "games", role: "group", "aria-label": "other games" });
  said = html("p", { class: "help", role: "status" });
  sizes = SIZES.map((_, axis) =>
    numberInput(1, { min: 1, max: MOST_SIZE }, (text) =>
      this.build((spec) => withSize(spec, axis, Number(text))),
    ),
  );
  k = numberInput(3, { min: 1, max: MOST_SIZE }, (text) =>
    this.build((spec) => ({ ...spec, k: Number(text) })),
  );
  switches = SWITCHES.map(([name, label, title]) => {
    const input = html("input", { type: "checkbox" });
    input.onchange = () => this.build((spec) => withWord(spec, name, input.checked));
    return { name, input, element: field(label, input, { class: "field switch", title }) };
  });
  /** The game that the numbers and the switches show. */
  spec = parseSpec("3,3,3");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  turn = 0;

  /**
   * @param {Lab} lab
   * @param {string} text the game or position that is picked first
   */
  constructor(lab, text) {
    this.lab = lab;
    this.text.value = text;
    this.text.oninput = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.read(), PAUSE);
    };
    const numbers = [...SIZES.map((name, axis) => field(name, this.sizes[axis]))];
    const switches = this.switches.map(({ element }) => element);
    const more = details(
      "Other boards and rules",
      this.others,
      field("Game or position", this.text, { class: "field wide" }),
      controls(...numbers, field("In a line", this.k)),
      controls(...switches),
    );
    more.open = !(text in FIRST);
    this.element = html("div", { class: "picker" }, this.games, this.said, more);
    this.offer();
    this.read();
  }

  get value() {
    return this.text.value.trim();
  }

  /** Pick another game or position. @param {string} text */
  set value(text) {
    this.text.value = text;
    this.read();
  }

  /** The games of the catalogue, whose pictures come when they are seen. */
  offer() {
    /** @type {[name: string, shown: Element][]} */
    const places = [];
    for (const { name, summary } of this.lab.catalogues.games) {
      const shown = html("span", { class: "shown" });
      const choose = () => (this.value = name);
      const choice = button("", choose, { title: summary, "data-game": name });
      choice.append(shown, html("span", {}, FIRST[name] ?? name));
      (name in FIRST ? this.games : this.others).append(choice);
      places.push([name, shown]);
    }
    const watch = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      watch.disconnect();
      for (const [name, shown] of places) this.lab.pictures.into(name, shown);
    });
    watch.observe(this.games);
  }

  /** Show the game of the text, or say what is wrong with it. */
  async read() {
    clearTimeout(this.timer);
    const turn = ++this.turn;
    try {
      const shown = await this.lab.client.ask("show", { position: this.value });
      if (turn === this.turn) this.draw(shown);
    } catch (error) {
      if (turn === this.turn) this.refuse(/** @type {Error} */ (error).message);
    }
  }

  /** Change the game by its numbers and switches. @param {(spec: Spec) => Spec} change */
  build(change) {
    if (!this.spec) return;
    this.spec = change(this.spec); // the next change may come before the server has answered this one
    this.value = formatSpec(this.spec);
  }

  /** @param {Shown} shown */
  draw(shown) {
    this.spec = parseSpec(shown.spec);
    const { spec } = this;
    this.said.className = "help";
    this.said.textContent = spec ? `${shown.spec}: ${shown.summary}` : shown.summary;
    for (const choice of [...this.games.children, ...this.others.children])
      choice.setAttribute("aria-pressed", String(choice.getAttribute("data-game") === shown.game));
    const inputs = [...this.sizes, this.k, ...this.switches.map(({ input }) => input)];
    for (const input of inputs) input.disabled = !spec;
    if (!spec) return;
    this.sizes.forEach((input, axis) => setNumber(input, spec.shape[axis] ?? 1));
    setNumber(this.k, spec.k);
    for (const { name, input } of this.switches) input.checked = hasWord(spec, name);
  }

  /** @param {string} message */
  refuse(message) {
    this.said.className = "help error";
    this.said.textContent = message;
  }
}

/** @typedef {import("./gamespec.js").GameSpec} Spec */
