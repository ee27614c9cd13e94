// The form of a new game: the board, who plays and the pace; and one that is pasted.
import { details, help, html } from "../../shell/dom.js";
import { choice, field, form, submit } from "../../shell/forms.js";
import { Picker } from "../../shell/picker.js";
import { PACES } from "./pace.js";
import { playerText, seatOptions } from "./players.js";

/** @type {Side[]} */
const SIDES = ["x", "o"];

/**
 * What the form tells the room.
 * @typedef {object} Host
 * @property {import("./opening.js").Opening} opening
 * @property {(side: Side, name: string) => void} seat
 * @property {(seconds: string) => void} setPace
 */

export class NewGame {
  about = help();

  /**
   * @param {Lab} lab @param {Record<Side, string>} players @param {Host} room
   * @param {string} pace seconds
   */
  constructor(lab, players, room, pace) {
    this.lab = lab;
    this.players = players;
    this.offeredFor = "";
    /** @param {Side} side */
    const seat = (side) => choice([], undefined, (name) => room.seat(side, name));
    this.seats = { x: seat("x"), o: seat("o") };
    const picker = new Picker(lab, lab.game.root.shown.game);
    this.pace = choice(PACES, pace, (seconds) => room.setPace(seconds));
    this.paceField = field("Pace of agents", this.pace);
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
        () => room.opening.begin(picker.value),
        picker.element,
        field("X", this.seats.x),
        field("O", this.seats.o),
        this.paceField,
        submit("New game", "play"),
        this.about,
      ),
      details(
        "Paste or open a game",
        form(
          () => room.opening.paste(pasted.value),
          field("A position or a game", pasted, { class: "field wide" }),
          submit("Open it"),
          field("or a file", file),
          help(
            "a drawing in several lines, SGF, 44455, h8i9g7, or a game that was saved; " +
              "a file can be dropped on the page too",
          ),
        ),
      ),
    );
  }

  /** Offer those who play a game, and whoever is seated. @param {Shown} shown */
  offer(shown) {
    const tables = this.lab.tables.all().map(({ name }) => name);
    const key = JSON.stringify([shown.game, this.players, tables]);
    if (this.offeredFor === key) return;
    this.offeredFor = key;
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
    this.paceField.hidden = SIDES.some((side) => this.players[side] === "human");
  }
}
