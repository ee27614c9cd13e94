// The form of a new game: the board, who plays, and the clock.
import { help, html } from "../../dom.js";
import { choice, field, form, namedOptions, submit, textInput } from "../../forms.js";
import { CLOCKS } from "./clock.js";

/**
 * @param {Lab} lab @param {Record<Side, string>} players
 * @param {{ begin(text: string, minutes: number): void, update(): void }} room
 */
export function newGameForm({ catalogues, game }, players, room) {
  const games = catalogues.games.map(({ name, summary }) =>
    html("option", { value: name }, summary),
  );
  const text = textInput(game.root.shown.game, { list: "games" });
  const minutes = choice(CLOCKS, "0");
  /** @type {Options} */
  const agents = [["human", "a person"], ...namedOptions(catalogues.agents)];
  /** @param {Side} side */
  const player = (side) =>
    choice(agents, players[side], (name) => {
      players[side] = name;
      room.update();
    });
  return form(
    () => room.begin(text.value, Number(minutes.value)),
    field("Game or position", text),
    html("datalist", { id: "games" }, games),
    help("a name, m,n,k such as 7,7,5, or moves such as connect4 444"),
    field("X", player("x")),
    field("O", player("o")),
    field("Clock", minutes),
    submit("New game", "play"),
  );
}
