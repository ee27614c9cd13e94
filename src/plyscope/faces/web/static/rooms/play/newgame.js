// The form of a new game: the board, who plays, and the clock.
import { help, html } from "../../dom.js";
import { choice, field, form, namedOptions, optionsOf, submit, textInput } from "../../forms.js";
import { CLOCKS } from "./clock.js";

/** @type {Side[]} */
const SIDES = ["x", "o"];

export class NewGame {
  /**
   * @param {Lab} lab @param {Record<Side, string>} players
   * @param {{ begin(text: string, minutes: number): void, seat(side: Side, name: string): void }} room
   */
  constructor({ catalogues, game }, players, room) {
    this.agents = catalogues.agents;
    this.players = players;
    this.offeredFor = "";
    /** @param {Side} side */
    const seat = (side) => choice([], undefined, (name) => room.seat(side, name));
    this.seats = { x: seat("x"), o: seat("o") };
    const games = catalogues.games.map(({ name, summary }) =>
      html("option", { value: name }, summary),
    );
    const text = textInput(game.root.shown.game, { list: "games" });
    const minutes = choice(CLOCKS, "0");
    this.element = form(
      () => room.begin(text.value, Number(minutes.value)),
      field("Game or position", text),
      html("datalist", { id: "games" }, games),
      help("a name, m,n,k such as 7,7,5, or moves such as connect4 444"),
      field("X", this.seats.x),
      field("O", this.seats.o),
      field("Clock", minutes),
      submit("New game", "play"),
    );
  }

  /** Offer those who play a game, and whoever is seated. @param {Shown} shown */
  offer({ game, agents }) {
    if (this.offeredFor === game) return;
    this.offeredFor = game;
    for (const side of SIDES) {
      const seated = this.players[side];
      const offered = this.agents.filter(({ name }) => agents.includes(name) || name === seated);
      const options = optionsOf([["human", "a person"], ...namedOptions(offered)]);
      this.seats[side].replaceChildren(...options);
      this.seats[side].value = seated;
    }
  }
}
