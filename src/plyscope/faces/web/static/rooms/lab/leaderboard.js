// The leaderboard: the tables of this browser, rated by the matches that they have played here.
import { button, help, html, iconButton, paragraph, status, toolbar } from "../../shell/dom.js";
import { choice, controls, field, isRight, numberInput } from "../../shell/forms.js";
import { agentAsked, agentName, ownValue } from "../../shell/tables.js";
import { counted } from "../../shell/wording.js";
import { pairsOf } from "./matches.js";
import { ratingTable } from "./pictures.js";

const GAMES = 40; // of a pair
const LEAST = 1; // seconds that a pair has
const MOST_PLAYERS = 8;
const BESIDE = { "": "nobody", "level-1": "level-1", "level-3": "level-3", "level-5": "level-5" };
const PLIES = { 1: "1 ply", 2: "2 plies", 4: "4 plies" };

export class Leaderboard {
  progress = status("progress help");
  ratings = html("div", { class: "result" });
  /** @type {Job<"match"> | null} */
  job = null;
  isStopped = true;

  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    this.room = room;
    this.plies = choice(PLIES, "2");
    this.beside = choice(BESIDE, "level-3");
    this.seconds = numberInput(30, { min: 5, max: 300, step: 5 });
    this.run = iconButton("play", "All pairs", () => this.playAll(), { class: "primary" });
    this.stop = button("Stop", () => this.end(), { hidden: true });
    this.forget = button("Forget these matches", () => this.clear(), { hidden: true });
    this.parts = [
      help(
        "The tables saved in this browser, by the matches that they have played here; of more than " +
          `${MOST_PLAYERS} the first ${MOST_PLAYERS} play.`,
      ),
      controls(
        field("Tables search", this.plies),
        field("Beside them", this.beside),
        field("Seconds in all", this.seconds),
      ),
      toolbar("all pairs", this.run, this.stop, this.forget),
      this.progress,
      this.ratings,
    ];
    room.endings.push(() => this.end());
  }

  /** Draw what has been played on this game. */
  async draw() {
    const { game } = this.room.game.shown;
    const outcomes = this.room.matches.outcomes(game);
    this.forget.hidden = !outcomes.length;
    if (!outcomes.length) {
      const text =
        "Nothing has been played here yet. Save two tables under names, and let all play.";
      return this.ratings.replaceChildren(paragraph(text));
    }
    const distinct = this.room.matches.distinct(game);
    const { players, text, note } = await this.room.ask("rate", { outcomes, distinct });
    if (this.room.game.shown.game !== game) return;
    const names = this.room.lab.tables.all().map(({ name }) => `${name}, `);
    const isOwn = (/** @type {string} */ name) => names.some((own) => name.startsWith(own));
    this.ratings.replaceChildren(
      ratingTable(players, isOwn),
      paragraph(`${game}: ${text}`),
      help(note ?? ""),
    );
  }

  /** Let all pairs play, each for its share of the seconds. */
  async playAll() {
    const { lab, game } = this.room;
    if (!isRight(this.seconds)) return;
    const own = lab.tables.all().slice(0, MOST_PLAYERS);
    const players = own.map(({ name }) => `${ownValue(name)}@${this.plies.value}`);
    if (this.beside.value) players.push(this.beside.value);
    const pairs = pairsOf(players);
    if (!pairs.length) return this.say("two tables are needed; save some under names");
    const seconds = Math.min(60, Math.max(LEAST, Number(this.seconds.value) / pairs.length));
    this.isStopped = false;
    this.run.hidden = !(this.stop.hidden = false);
    try {
      for (const [at, [a, b]] of pairs.entries()) {
        if (this.isStopped) break;
        this.say(`pair ${at + 1} of ${pairs.length}: ${agentName(a)} – ${agentName(b)} …`);
        const asked = {
          game: game.shown.game,
          a: agentAsked(lab, a),
          b: agentAsked(lab, b),
          games: GAMES,
          seconds,
        };
        this.job = lab.client.stream("match", asked, {});
        this.room.keepMatch(await this.job.promise, asked);
        await this.draw();
      }
      this.say(this.isStopped ? "stopped" : `${counted(pairs.length, "pair")} played`);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.say(message);
    }
    this.isStopped = true;
    this.run.hidden = !(this.stop.hidden = true);
  }

  /** @param {string} text */
  say(text) {
    this.progress.textContent = text;
  }

  end() {
    this.isStopped = true;
    this.job?.cancel();
  }

  clear() {
    this.room.matches.clear(this.room.game.shown.game);
    this.draw();
  }
}
