// The lab: a heuristic on the bench, and its test.
import { Bench } from "../../bench/bench.js";
import { html, uniqueId } from "../../shell/dom.js";
import { field, form, submit, textInput } from "../../shell/forms.js";
import { heuristicOfPlace, heuristicPlace } from "../../shell/tables.js";
import { counted } from "../../shell/wording.js";
import { Room } from "../room.js";
import { Testing } from "./testing.js";

const USUAL = "counted-lines";

export class LabRoom extends Room {
  /** The heuristic, game and depths of the test, in a line. */
  line = html("span", {}, "Set up");

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    const value = heuristicOfPlace(lab, lab.analysis?.heuristic ?? USUAL);
    this.bench = new Bench(this, value, {
      choose: () => this.begin(),
      follow: () => this.follow(),
    });
    this.testing = new Testing(this);
    const list = uniqueId("games");
    this.text = textInput(this.game.shown.game, { list });
    const games = lab.catalogues.games.map(({ name, summary }) =>
      html("option", { value: name }, summary),
    );
    const setUp = () => this.attempt(() => this.game.start(this.text.value));
    const known = html("datalist", { id: list }, games);
    const folded = html(
      "details",
      { class: "setup" },
      html("summary", {}, this.line),
      form(setUp, field("Game", this.text), known, submit("Set up")),
      this.testing.form,
    );
    const tests = html("div", {}, ...this.testing.parts);
    this.parts = [tests, this.bench.element];
    this.mount({
      stage: ["measures", folded, this.alert, tests],
      side: ["bench", this.bench.element],
    });
    this.endings.push(
      this.game.on(() => this.begin()),
      lab.tables.on(() => this.testing.follow()),
    );
    this.begin();
    if (!this.game.shown.text) this.testing.offer();
  }

  /** Look at the heuristic on this game. */
  begin() {
    this.cancel("explain");
    const { node, place, shown } = this.game;
    this.lab.go(
      { ...place, ...heuristicPlace(this.lab, this.bench.value, USUAL) },
      node !== this.seen,
    );
    this.seen = node;
    this.text.value = shown.game;
    for (const part of this.parts) part.hidden = Boolean(shown.text);
    if (shown.text) {
      this.line.textContent = `${shown.game} is not a line game; expected one, such as tictactoe`;
      return;
    }
    this.follow();
    this.attempt(() => this.explain());
  }

  async explain() {
    const asked = { position: this.game.shown.position, heuristic: this.bench.asked };
    this.bench.draw(await this.ask("explain", asked), this.game.shown);
    this.name();
    this.testing.follow();
  }

  /** Say what is tested: the heuristic, the game and the depths. */
  name() {
    const depths = counted(Number(this.testing.inputs.depths.value), "ply", "plies");
    this.line.textContent = `${this.bench.said} · ${this.game.shown.game} · ${depths}`;
  }

  /** The heuristic changes: what was found belongs to the one before. */
  follow() {
    if (this.game.shown.text) return;
    this.testing.follow();
    this.bench.count(this.game.shown);
  }

  /** Look at a game from its start. @param {string} game @param {string[]} moves */
  openLine(game, moves) {
    this.attempt(async () => {
      await this.game.start(game);
      for (const move of moves) await this.game.play(move);
      this.lab.go({ room: "analyze" }, true);
    });
  }
}
