// The lab: a heuristic on the bench, and how good it is: against the truth, against every line of
// play, in games.
import { Bench } from "../../bench/bench.js";
import { html, status, uniqueId } from "../../shell/dom.js";
import { field, form, setNumber, submit, textInput } from "../../shell/forms.js";
import { heuristicOfPlace, heuristicPlace } from "../../shell/tables.js";
import { Tools } from "../../shell/tools.js";
import { Room } from "../room.js";
import { certificate } from "./certificate.js";
import { Leaderboard } from "./leaderboard.js";
import { match, MOST_PLIES } from "./match.js";
import { Matches } from "./matches.js";
import { reportCard } from "./report.js";

const USUAL = "counted-lines";
const FIRST_SHELF = "report";
const LARGE = 100; // cells of a board that has too many openings of more than one ply

export class LabRoom extends Room {
  status = status();

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.matches = new Matches(lab.tables);
    const value = heuristicOfPlace(lab, lab.analysis?.heuristic ?? USUAL);
    this.bench = new Bench(this, value, {
      choose: () => this.begin(),
      follow: () => this.follow(),
    });
    this.match = match(this);
    this.tasks = [reportCard(this), certificate(this), this.match];
    this.players = this.tasks.flatMap(({ form }) => form.players ?? []);
    this.leaderboard = new Leaderboard(this);
    const list = uniqueId("games");
    const text = textInput(this.game.shown.game, { list });
    const games = lab.catalogues.games.map(({ name, summary }) =>
      html("option", { value: name }, summary),
    );
    const setUp = () => this.attempt(() => this.game.start(text.value));
    this.text = text;
    const known = html("datalist", { id: list }, games);
    const game = form(setUp, field("Game", text), known, submit("Set up"));
    const shelf = lab.place.shelf ?? FIRST_SHELF;
    const shelves = this.tasks.map(({ form: { label }, parts }, at) => {
      return { name: [FIRST_SHELF, "certificate", "match"][at], label, parts };
    });
    const board = { name: "leaderboard", label: "Leaderboard", parts: this.leaderboard.parts };
    this.tools = new Tools("lab", [...shelves, board], shelf, (shelf) => {
      this.lab.go({ shelf: shelf === FIRST_SHELF ? "" : shelf });
      if (shelf === "leaderboard") this.attempt(() => this.leaderboard.draw());
    });
    this.expect("shelf", this.tools.names);
    this.mount({
      stage: ["measures", this.status, this.tools.element],
      side: ["bench", game, this.alert, this.bench.element],
    });
    this.endings.push(
      this.game.on(() => this.begin()),
      lab.tables.on(() => this.players.forEach((player) => player.offer())),
    );
    this.begin();
    if (shelf === "leaderboard") this.attempt(() => this.leaderboard.draw());
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
    this.tools.element.hidden = this.bench.element.hidden = Boolean(shown.text);
    if (shown.text) {
      this.status.textContent = `${shown.game} is no line game; expected one, such as tictactoe`;
      return;
    }
    this.follow();
    this.players.forEach((player) => player.offer());
    const cells = shown.shape.reduce((one, other) => one * other, 1);
    const plies = this.match.inputs.opening_plies;
    plies.max = String(cells > LARGE ? 1 : MOST_PLIES);
    if (Number(plies.value) > Number(plies.max)) setNumber(plies, Number(plies.max));
    this.attempt(() => this.explain());
  }

  async explain() {
    const asked = { position: this.game.shown.position, heuristic: this.bench.asked };
    const explanation = await this.ask("explain", asked);
    this.bench.draw(explanation, this.game.shown);
    this.status.textContent = `${explanation.heuristic} on ${this.game.shown.game}`;
  }

  /** The heuristic changes: what was found is of the one before. */
  follow() {
    for (const task of this.tasks) task.stale.hidden = !task.found;
    if (!this.game.shown.text) this.bench.count(this.game.shown);
  }

  /** Look at a game from its start. @param {string} game @param {string[]} moves */
  openLine(game, moves) {
    this.attempt(async () => {
      await this.game.start(game);
      for (const move of moves) await this.game.play(move);
      this.lab.go({ room: "analyze" }, true);
    });
  }

  /**
   * Keep the result of a match of tables that have names.
   * @param {MatchFound} found @param {any} asked
   */
  keepMatch({ outcomes, match }, { game, a, b }) {
    if (match.a === match.b) return; // who plays itself gets no better
    /** @type {Record<string, LineTable>} */
    const tables = {};
    for (const { table } of [a, b].filter((agent) => agent.table)) {
      const kept = this.lab.tables.get(table.name);
      if (!kept) return;
      tables[table.name] = table;
    }
    if (Object.keys(tables).length) this.matches.add(game, tables, outcomes, match.distinct);
  }
}
