// The test of a heuristic: wrong moves, certificate and match; and its tuning.
import { boardGrid } from "../../bench/boards.js";
import {
  button,
  copyText,
  details,
  heading,
  help,
  html,
  iconButton,
  numberCell,
  paragraph,
  scroller,
  table,
  toolbar,
} from "../../shell/dom.js";
import * as forms from "../../shell/forms.js";
import { agentAsked, agentName, agentOptions } from "../../shell/tables.js";
import { counted, percent } from "../../shell/wording.js";
import { depthChart, figure, resultBar } from "./pictures.js";
import { Runner } from "./runner.js";

const { choice, controls, field, numberInput } = forms;
const PLIES = { 1: "1 ply", 2: "2 plies", 3: "3 plies", 4: "4 plies", 6: "6 plies" };
const OPPONENT = "level-5";
/** Cells of the largest board on which all games, or a search, decide soon who can be beaten. */
const CERTIFIED_CELLS = 20;
/** Cells of a board that has too many openings of more than one ply. */
const LARGE_CELLS = 100;
/** Rows of a table of figures: the JSON has all. */
const MOST_ROWS = 6;
/** @typedef {"report" | "certify" | "match" | "tune" | "why"} Measure */

export class Testing {
  /** The answers so far. @type {Partial<Pick<Answers, Measure>>} */
  found = {};
  /** Why there is no answer. @type {Partial<Record<Measure, string>>} */
  faults = {};
  figures = html("div", { class: "figures" });
  result = html("div", { class: "result" });
  stale = help("The heuristic has changed since this test.");
  /** The folded details. */
  rest = html("div");
  inputs = {
    depths: numberInput(6, { min: 1, max: 8 }),
    games: numberInput(200, { min: 2, max: 10_000, step: 2 }),
    seconds: numberInput(30, { min: 1, max: 60 }),
  };
  plies = choice(PLIES, "2", () => this.draw());
  against = choice([], undefined, () => this.draw());

  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    this.room = room;
    const { depths, games, seconds } = this.inputs;
    depths.addEventListener("change", () => room.name());
    this.runner = new Runner(room, () => [this.start, this.tune, this.ask]);
    this.start = iconButton("play", "Test", () => this.test(), { class: "primary" });
    this.tune = button("Tune", () => this.improve());
    this.ask = button("Why no better?", () => this.explain());
    const copy = () => copyText(room.lab, JSON.stringify(this.found, null, 2), "the answers");
    this.copy = button("Copy all figures as JSON", copy);
    this.form = controls(
      field("Depths", depths),
      field("Plies in games", this.plies),
      field("Against", this.against),
      field("Games", games),
      field("Seconds for each", seconds),
      help("Depths: plies of the searches whose wrong moves are counted."),
    );
    const more = toolbar("better numbers", this.tune, this.ask, this.copy);
    this.all = details("Tune, why no better, more figures", more, this.rest);
    this.parts = [
      toolbar("test", this.start, this.runner.stop),
      this.runner.progress,
      this.stale,
      this.figures,
      this.result,
      this.all,
    ];
  }

  /** Offer opponents and openings for this game. */
  follow() {
    const { lab, game } = this.room;
    const { shown } = game;
    const value = this.against.value || OPPONENT;
    this.against.replaceChildren(...forms.optionsOf(agentOptions(lab, shown)));
    this.against.value = value;
    if (!this.against.value) this.against.selectedIndex = 0;
    this.stale.hidden = !Object.keys(this.found).length;
    this.draw();
  }

  get cells() {
    return this.room.game.shown.shape.reduce((one, other) => one * other, 1);
  }

  get isLarge() {
    return this.cells > CERTIFIED_CELLS;
  }

  /** The heuristic as a player. */
  get player() {
    return { heuristic: this.room.bench.asked, depth: Number(this.plies.value) };
  }

  /** The inputs of requests. Raise an error that names a wrong number. */
  get asked() {
    const entries = Object.entries(this.inputs).map(([name, input]) => [
      name,
      forms.numberOf(input),
    ]);
    return { game: this.room.game.shown.game, ...Object.fromEntries(entries) };
  }

  /** Ask for the wrong moves, then for a certificate where it is quick, then for games. */
  test() {
    return this.runner.run(async () => {
      const { game, depths, games, seconds } = this.asked;
      const { room, player: a } = this;
      const heuristic = room.bench.asked;
      this.forget();
      await this.measure("report", { game, heuristic, depths, seconds });
      if (!this.isLarge) await this.measure("certify", { game, agent: a, seconds });
      const b = agentAsked(room.lab, this.against.value);
      const opening_plies = this.cells > LARGE_CELLS ? 1 : 2;
      await this.measure("match", { game, a, b, games, opening_plies, seconds });
    });
  }

  /** What is tested: results of the same are shown again. */
  get key() {
    return JSON.stringify([this.room.game.shown.game, this.player]);
  }

  /** Open with the last result, else with the wrong moves, which take a second on a small board. */
  offer() {
    const { tested } = this.room.lab;
    if (tested?.key === this.key) {
      this.found = tested.found;
      this.draw();
    } else if (!this.isLarge)
      this.runner.run(() => {
        const { game, depths, seconds } = this.asked;
        const heuristic = this.room.bench.asked;
        return this.measure("report", { game, heuristic, depths, seconds });
      });
  }

  /** Learn better numbers. */
  improve() {
    return this.runner.run(async () => {
      const { game, seconds } = this.asked;
      const heuristic = this.room.bench.asked;
      const depth = Number(this.plies.value);
      delete this.found.tune;
      await this.measure("tune", { game, heuristic, depth, seconds });
    });
  }

  /** Find positions that no numbers of these terms play right together. */
  explain() {
    return this.runner.run(async () => {
      delete this.found.why;
      await this.measure("why", { game: this.asked.game, heuristic: this.room.bench.asked });
    });
  }

  forget() {
    this.found = {};
    this.faults = {};
    this.stale.hidden = true;
    this.draw();
  }

  /**
   * Ask for one of the answers and show it, as far as it is known by then.
   * @param {Measure} endpoint @param {object} asked
   */
  async measure(endpoint, asked) {
    if (this.runner.isStopped) return;
    const told = (/** @type {any} */ found) => {
      this.found = { ...this.found, [endpoint]: found };
      this.room.lab.tested = { key: this.key, found: this.found };
      this.draw();
    };
    delete this.faults[endpoint];
    try {
      told(await this.runner.ask(endpoint, asked, told));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (message !== "stopped") this.faults[endpoint] = message;
      this.draw();
    }
  }

  draw() {
    const { report, certify, match, tune, why } = this.found;
    const isEmpty = !Object.keys(this.found).length;
    this.copy.hidden = isEmpty;
    const plies = Number(this.plies.value);
    const depths = report?.card.depths ?? [];
    const at = depths.find((/** @type {any} */ { depth }) => depth === plies) ?? depths.at(-1);
    const ahead = counted(at?.depth ?? plies, "ply", "plies");
    const [elo, interval] = match?.elo.split(" (") ?? [];
    const [sign, kind, says] = certify
      ? verdictOf(certify)
      : ["–", "", this.isLarge ? "not certified: the board is too large" : "is it ever beaten?"];
    this.figures.replaceChildren(
      figure(at ? percent(at.mistakes) : "–", `wrong moves, ${ahead} deep`),
      figure(sign, says, kind),
      figure(elo ?? "–", `Elo against ${match?.match.b ?? agentName(this.against.value)}`),
    );
    this.result.replaceChildren(
      ...Object.values(this.faults).map((text) => html("p", { class: "error" }, text)),
      ...(tune ? this.tuned(tune) : []),
      ...(why ? this.conflicts(why) : []),
      ...(report ? [depthChart(depths)] : []),
      ...(certify?.losing_line ? [this.lostGame(certify)] : []),
      ...(match ? [resultBar([match.match.a_wins, match.match.draws, match.match.b_wins])] : []),
      ...(interval ? [help(`95 % interval: ${interval.replace(")", "")} Elo`)] : []),
    );
    this.rest.replaceChildren(
      ...[report, certify, match, tune].flatMap((found) => sectionParts(found, MOST_ROWS)),
      ...(report?.boards.length ? this.worst(report) : []),
    );
  }

  /** @param {CertificateFound} found */
  lostGame({ game, losing_line }) {
    const open = () => this.room.openLine(game, losing_line ?? []);
    return button("Look at the game that beats it", open);
  }

  /** @param {TuneFound} found */
  tuned({ answer, table, tuning }) {
    const take = () => this.room.bench.take("tuned", table);
    return [
      html("p", { class: tuning.outcome === "improved" ? "answer good" : "answer" }, answer),
      toolbar("tuned table", button("Use the tuned table", take)),
    ];
  }

  /** @param {WhyFound} found */
  conflicts({ answer, conflicts, sections, drawing }) {
    const open = (/** @type {string} */ position) => this.room.bench.open(position);
    const parts = conflicts.flatMap(({ boards, section }) => {
      const [title, ...proof] = sectionParts({ sections: [section] });
      return [title, boardGrid(boards, drawing, open, ({ text }) => text), ...proof];
    });
    const [first, ...more] = sections;
    return [
      html("p", { class: "answer" }, answer),
      ...first.words.slice(1).map(paragraph),
      ...parts,
      ...sectionParts({ sections: more }),
    ];
  }

  /** @param {CardFound} found */
  worst({ boards, drawing }) {
    const open = (/** @type {string} */ position) => this.room.bench.open(position);
    return [heading("Most wrong one ply ahead"), boardGrid(boards, drawing, open)];
  }
}

/** A certificate as a figure: a sign, its kind and what it says. @param {CertificateFound} found */
function verdictOf({ never_loses, losing_line }) {
  if (never_loses) return ["✓", "good", "never loses: every line of play was tried"];
  if (losing_line) return ["✗", "bad", "can be beaten"];
  return ["?", "", "not known to be beaten"];
}

/** The sections of an answer, with the first rows of each. @param {{ sections: Section[] } | undefined} found */
const sectionParts = (found, most = Infinity) =>
  (found?.sections ?? []).flatMap(({ heading: title, words, head, rows, notes }) => [
    heading(title),
    ...words.map(paragraph),
    ...(rows.length ? [scroller(title, table(head, rows.slice(0, most).map(tableCells)))] : []),
    ...notes.map(help),
  ]);

/** @param {string[]} row */
const tableCells = ([label, ...cells]) => [label, ...cells.map(numberCell)];
