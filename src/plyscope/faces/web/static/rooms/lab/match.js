// A match: games in pairs from the same openings, and what they prove.
import { help, html, table } from "../../shell/dom.js";
import { controls, field, numberInput, numberOf, setNumber } from "../../shell/forms.js";
import { count } from "../../shell/wording.js";
import { resultBar } from "./pictures.js";
import { Task } from "./task.js";

const HEAD = ["agent", "wins", "as X", "as O", "draws", "losses"];
const LARGE = 100; // cells of a board that has too many openings of more than one ply
const MOST_PLIES = 6;

export class Match {
  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    this.room = room;
    this.a = room.player("Player");
    this.b = room.player("Against", "level-3");
    const games = numberInput(200, { min: 2, max: 10_000, step: 2 });
    this.plies = numberInput(2, { min: 0, max: MOST_PLIES, step: 1 });
    const seconds = numberInput(20, { min: 1, max: 60, step: 1 });
    const elo = numberInput(0, { min: 0, max: 1000, step: 10 });
    const seed = numberInput(0, { min: 0, step: 1 });
    this.task = new Task(
      room,
      "match",
      "Match",
      () => {
        return {
          game: room.game.shown.game,
          a: this.a.asked,
          b: this.b.asked,
          games: numberOf(games),
          opening_plies: numberOf(this.plies),
          seconds: numberOf(seconds),
          seed: numberOf(seed),
          sprt: numberOf(elo) > 0 ? [0, numberOf(elo)] : null,
        };
      },
      (found) => this.draw(found),
      (found, asked) => room.keepMatch(found, asked),
    );
    this.parts = [
      help("Each opening is played twice, the players changing sides."),
      controls(
        ...this.a.fields,
        ...this.b.fields,
        field("Games", games),
        field("Opening plies", this.plies),
        field("Seconds", seconds),
        field("Seed", seed),
        field("Stop when better by Elo", elo),
      ),
      help(
        "0: all games are played. Else the match ends as soon as a sequential test tells whether " +
          "the player is so many Elo better, or none.",
      ),
      this.task.element,
    ];
  }

  /** Offer the openings that there are on a board. @param {Shown} shown */
  fit({ shape }) {
    const cells = shape.reduce((one, other) => one * other, 1);
    const most = cells > LARGE ? 1 : MOST_PLIES;
    this.plies.max = String(most);
    if (Number(this.plies.value) > most) setNumber(this.plies, most);
  }

  /** @param {MatchFound} found @returns {Children} */
  draw({ match, wanted, rows, verdict, findings }) {
    const shown = rows.map(([name, ...counts]) => [name, ...counts.map(count)]);
    return [
      html("p", { class: "answer" }, verdict),
      resultBar([match.a_wins, match.draws, match.b_wins]),
      table(HEAD, shown, `${count(match.games)} games of ${count(wanted)}, seed ${match.seed}`),
      html(
        "ul",
        { class: "findings" },
        findings.map((finding) => html("li", {}, finding)),
      ),
    ];
  }
}
