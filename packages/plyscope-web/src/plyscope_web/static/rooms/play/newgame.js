// The form for a new game; other boards, players and pasted games are folded.
import { details, help, html } from "../../shell/dom.js";
import { choice, controls, field, form, submit, toggle } from "../../shell/forms.js";
import { agentName } from "../../shell/tables.js";
import { Picker } from "../../shell/picker.js";
import { levelOf, levelText, playerText, seatOptions, SIDES } from "./players.js";

const OPPONENTS = { agent: "the computer", person: "a person" };
const WHICH = { x: "X, first", o: "O, second" };

/**
 * What the form tells the room.
 * @typedef {object} Host
 * @property {import("./opening.js").Opening} opening
 * @property {(side: Side, name: string) => void} seat
 */

export class NewGame {
  about = help();
  /** The choices among OPPONENTS and WHICH, until the game starts. */
  opponent = "agent";
  which = "x";
  isChosen = false;
  chosen = html("div", { class: "form" });
  level = html("input", { type: "range", min: 1, max: 10, value: 5 });
  words = help();

  /** @param {Lab} lab @param {Record<Side, string>} players @param {Host} room */
  constructor(lab, players, room) {
    this.lab = lab;
    this.players = players;
    this.offeredFor = "";
    /** @param {Side} side */
    const seat = (side) => choice([], undefined, (name) => room.seat(side, name));
    this.seats = { x: seat("x"), o: seat("o") };
    this.level.oninput = () => this.choose();
    this.strength = field("Strength", this.level, { class: "field wide strength" });
    this.strength.append(this.words);
    const picker = new Picker(lab, lab.game.root.shown.game);
    const pasted = html("textarea", { rows: 4, spellcheck: "false" });
    const file = html("input", { type: "file", accept: ".json,.sgf,.txt,.pgn" });
    file.onchange = async () => {
      const [chosen] = file.files ?? [];
      if (chosen) await room.opening.paste(await chosen.text());
      file.value = "";
    };
    this.element = html(
      "div",
      { class: "newgame" },
      form(
        () => room.opening.begin(picker.value, () => this.seat()),
        this.chosen,
        picker.element,
        this.strength,
        submit("Start", "play"),
      ),
      details(
        "Other players, paste or open a game",
        controls(field("X", this.seats.x), field("O", this.seats.o)),
        this.about,
        form(
          () => room.opening.paste(pasted.value),
          field("A position or a game", pasted, { class: "field wide" }),
          submit("Open it"),
          field("or a file", file),
          help("A board as text, SGF, 44455, h8i9g7, or a saved game."),
        ),
      ),
    );
  }

  /** Take a choice, and show it. @param {{ opponent?: string, which?: string }} [chosen] */
  choose(chosen = {}) {
    this.isChosen = true;
    Object.assign(this, chosen);
    this.draw();
  }

  draw() {
    const { chosen, isChosen, level, opponent, players, strength, words } = this;
    const seated = players.x === "human" ? players.o : players.x;
    const isLevel = isChosen || seated === "human" || levelOf(seated);
    const [, sides] = chosen.children;
    strength.hidden = opponent === "person";
    if (sides instanceof HTMLElement) sides.hidden = opponent !== "agent";
    words.textContent = isLevel
      ? `level ${level.value}: ${levelText(Number(level.value))}`
      : `${agentName(seated)}, until you choose a level`;
    level.setAttribute("aria-valuetext", words.textContent);
  }

  /** Seat those who were chosen here. */
  seat() {
    if (!this.isChosen) return;
    const { opponent, which } = this;
    for (const side of SIDES) {
      const isAgent = opponent === "agents" || (opponent === "agent" && side !== which);
      this.players[side] = isAgent ? `level-${this.level.value}` : "human";
    }
    this.isChosen = false;
  }

  /** Choose those who play. */
  follow() {
    const agents = SIDES.filter((side) => this.players[side] !== "human");
    const [first] = agents;
    this.opponent = ["person", "agent", "agents"][agents.length];
    if (agents.length === 1) this.which = first === "x" ? "o" : "x";
    if (first && levelOf(this.players[first]))
      this.level.value = String(levelOf(this.players[first]));
    this.chosen.replaceChildren(
      toggle("Play against", OPPONENTS, this.opponent, (opponent) => this.choose({ opponent })),
      toggle("You play", WHICH, this.which, (which) => this.choose({ which })),
    );
    this.isChosen = false;
    this.draw();
  }

  /** Offer those who play a game, and whoever is seated. @param {Shown} shown */
  offer(shown) {
    const tables = this.lab.tables.all().map(({ name }) => name);
    const key = JSON.stringify([shown.game, this.players, tables]);
    if (this.offeredFor === key) return;
    this.offeredFor = key;
    this.follow();
    for (const side of SIDES) {
      const seated = this.players[side];
      this.seats[side].replaceChildren(...seatOptions(this.lab, shown, seated));
      this.seats[side].value = seated;
    }
    /** @param {Side} side */
    const about = (side) => {
      const name = this.players[side];
      const text = playerText(this.lab.catalogues, name, shown);
      return name === "human" ? [] : [`${side.toUpperCase()} ${text}`];
    };
    this.about.textContent = SIDES.flatMap(about).join(". ");
    this.about.hidden = !this.about.textContent;
  }
}
