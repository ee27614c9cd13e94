// The leaderboard: all user heuristics play each other and are rated.
import { help, html, iconButton, paragraph, toolbar } from "../../shell/dom.js";
import { agentAsked, agentName, heuristicName, ownValues } from "../../shell/tables.js";
import { ratingTable } from "./pictures.js";
import { Runner } from "./runner.js";

const PAIR_GAMES = 40;
const MIN_PAIR_SECONDS = 1;
const MAX_PLAYERS = 8;

export class Leaderboard {
  ratings = html("div", { class: "result" });

  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    this.room = room;
    this.runner = new Runner(room, () => [this.play]);
    this.play = iconButton("play", "All pairs", () => this.playAll(), { class: "primary" });
    this.parts = [
      help(
        "Your heuristics, such as the tables saved in this browser, and the opponent of the test " +
          `play each other and are rated. Of more than ${MAX_PLAYERS} the first ${MAX_PLAYERS} play.`,
      ),
      toolbar("all pairs", this.play, this.runner.stop),
      this.runner.progress,
      this.ratings,
    ];
  }

  /** Rate the players of some matches. @param {MatchFound[]} played */
  async rate(played) {
    const { game } = this.room.game.shown;
    const outcomes = played.flatMap(({ outcomes }) => outcomes).filter(({ games }) => games);
    const distinct = played.reduce((sum, { match }) => sum + match.distinct, 0);
    const { players, text, note } = await this.room.ask("rate", { outcomes, distinct });
    const names = ownValues(this.room.lab).map((value) => `${heuristicName(value)}, `);
    const isOwn = (/** @type {string} */ name) => names.some((own) => name.startsWith(own));
    this.ratings.replaceChildren(
      ratingTable(players, isOwn),
      paragraph(`${game}: ${text}`),
      help(note ?? ""),
    );
  }

  /** Let all pairs play, each for its share of the test's seconds. */
  playAll() {
    const { room, runner } = this;
    const { lab, testing } = room;
    return runner.run(async () => {
      const { game, seconds: all, seed } = testing.asked;
      const own = ownValues(lab).slice(0, MAX_PLAYERS);
      const players = own.map((value) => `${value}@${testing.plies.value}`);
      const other = testing.against.value;
      const pairs = pairsOf(players.includes(other) ? players : [...players, other]);
      if (!own.length) throw new Error("no table is saved here; expected one under a name");
      const seconds = Math.max(MIN_PAIR_SECONDS, all / pairs.length);
      /** @type {MatchFound[]} */
      const played = [];
      for (const [at, pair] of pairs.entries()) {
        if (runner.isStopped) break;
        runner.say(`pair ${at + 1} of ${pairs.length}: ${pair.map(agentName).join(" – ")}`);
        const [a, b] = pair.map((name) => agentAsked(lab, name));
        const asked = { game, a, b, games: PAIR_GAMES, seconds, seed };
        played.push(await runner.ask("match", asked));
        await this.rate(played);
      }
    });
  }
}

/** All pairs of some players. @template T @param {T[]} players @returns {[T, T][]} */
export const pairsOf = (players) =>
  players.flatMap((one, at) =>
    players.slice(at + 1).map((other) => /** @type {[T, T]} */ ([one, other])),
  );
