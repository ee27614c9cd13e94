// The certificate: can a player be beaten? Every line of play is tried, else some are searched for.
import { button, html, table } from "../../shell/dom.js";
import { count } from "../../shell/wording.js";
import { Player } from "./player.js";
import { Task } from "./task.js";

/** @param {import("./room.js").LabRoom} room */
export function certificate(room) {
  const player = new Player(room, "Player");
  return new Task(room, "certify", {
    label: "Certificate",
    about:
      "Every line of play is played against it, whichever of its best moves it draws. Where " +
      "there are too many, the engine looks for one that beats it, and nothing is proved.",
    players: [player],
    numbers: { seconds: ["Seconds", 30, { min: 1, max: 60 }] },
    asked: (numbers) => ({ ...numbers, agent: player.asked }),
    draw: ({ agent, game, answer, never_loses, is_searched, sides, losing_line }) => {
      const against = is_searched ? "a search" : "every line of play";
      const rows = sides.map(({ agent_side, wins, draws, losses, positions }) => [
        `${agent_side.toUpperCase()} (moves ${agent_side === "x" ? "first" : "second"})`,
        ...[wins, draws, losses, positions].map(count),
      ]);
      const [sign, kind] = never_loses ? ["✓", "good"] : losing_line ? ["✗", "bad"] : ["?", ""];
      const head = ["agent plays", "wins", "draws", "losses", "positions"];
      return [
        html("p", { class: `answer ${kind}` }, `${sign} ${answer}`),
        table(head, rows, `${agent} on ${game}, against ${against}`),
        losing_line && button("Look at that game", () => room.openLine(game, losing_line)),
      ];
    },
  });
}
