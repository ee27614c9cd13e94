// The certificate: can a player be beaten? Every line of play is tried, else some are searched for.
import { button, help, html, table } from "../../shell/dom.js";
import { controls, field, numberInput, numberOf } from "../../shell/forms.js";
import { count } from "../../shell/wording.js";
import { Task } from "./task.js";

const SECONDS = { min: 1, max: 60, step: 1 };

export class Certificate {
  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    this.player = room.player("Player");
    const seconds = numberInput(30, SECONDS);
    this.task = new Task(
      room,
      "certify",
      "Certificate",
      () => ({
        game: room.game.shown.game,
        agent: this.player.asked,
        seconds: numberOf(seconds),
      }),
      (found) => this.draw(found, room),
    );
    this.parts = [
      help(
        "Every line of play is played against it, whichever of its best moves it draws. Where " +
          "there are too many, the engine looks for one that beats it, and nothing is proved.",
      ),
      controls(...this.player.fields, field("Seconds", seconds)),
      this.task.element,
    ];
  }

  /** @param {CertificateFound} found @param {import("./room.js").LabRoom} room @returns {Children} */
  draw({ agent, game, answer, never_loses, is_searched, sides, losing_line }, room) {
    const against = is_searched ? "a search" : "every line of play";
    const rows = sides.map(({ agent_side, wins, draws, losses, positions }) => [
      `${agent_side.toUpperCase()} (moves ${agent_side === "x" ? "first" : "second"})`,
      ...[wins, draws, losses, positions].map(count),
    ]);
    const sign = never_loses ? "✓" : losing_line ? "✗" : "?";
    const kind = never_loses ? "good" : losing_line ? "bad" : "";
    const watch =
      losing_line && button("Look at that game", () => room.openLine(game, losing_line));
    return [
      html("p", { class: `answer ${kind}` }, `${sign} ${answer}`),
      table(
        ["agent plays", "wins", "draws", "losses", "positions"],
        rows,
        `${agent} on ${game}, against ${against}`,
      ),
      watch,
    ];
  }
}
