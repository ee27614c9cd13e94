// A match: games in pairs from the same openings, and what they prove.
import { html, table } from "../../shell/dom.js";
import { count } from "../../shell/wording.js";
import { resultBar } from "./pictures.js";
import { Player } from "./player.js";
import { Task } from "./task.js";

const HEAD = ["agent", "wins", "as X", "as O", "draws", "losses"];
/** Plies of an opening at most; on large boards one of more would be one of too many. */
export const MOST_PLIES = 6;

/** @param {import("./room.js").LabRoom} room */
export function match(room) {
  const [a, b] = [new Player(room, "Player"), new Player(room, "Against", "level-3")];
  return new Task(room, "match", {
    label: "Match",
    about: "Each opening is played twice, the players changing sides.",
    note:
      "0: all games are played. Else the match ends as soon as a sequential test tells whether " +
      "the player is so many Elo better, or none.",
    players: [a, b],
    numbers: {
      games: ["Games", 200, { min: 2, max: 10_000, step: 2 }],
      opening_plies: ["Opening plies", 2, { min: 0, max: MOST_PLIES }],
      seconds: ["Seconds", 20, { min: 1, max: 60 }],
      seed: ["Seed", 0, { min: 0 }],
      elo: ["Stop when better by Elo", 0, { min: 0, max: 1000, step: 10 }],
    },
    asked: ({ elo, ...numbers }) => ({
      ...numbers,
      a: a.asked,
      b: b.asked,
      sprt: elo > 0 ? [0, elo] : null,
    }),
    draw: ({ match, wanted, rows, verdict, findings }) => {
      const shown = rows.map(([name, ...counts]) => [name, ...counts.map(count)]);
      const items = findings.map((finding) => html("li", {}, finding));
      return [
        html("p", { class: "answer" }, verdict),
        resultBar([match.a_wins, match.draws, match.b_wins]),
        table(HEAD, shown, `${count(match.games)} games of ${count(wanted)}, seed ${match.seed}`),
        html("ul", { class: "findings" }, items),
      ];
    },
    done: (found, asked) => room.keepMatch(found, asked),
  });
}
