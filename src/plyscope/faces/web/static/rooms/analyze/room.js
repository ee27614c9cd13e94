// Analyse: on every move what the heuristic thinks, what the search says, and what is proved.
import { Board } from "../../board.js";
import { waterfall } from "../../charts.js";
import { button, heading, help, html, paragraph, scroller, status, toolbar } from "../../dom.js";
import {
  choice,
  controls,
  field,
  form,
  namedOptions,
  numberInput,
  submit,
  textInput,
} from "../../forms.js";
import { count } from "../../wording.js";
import { Room } from "../room.js";
import { LAYERS, legend, notes } from "./layers.js";
import { BestLines } from "./lines.js";
import { Refutation } from "./refutation.js";
import { Review } from "./review.js";
import { Sliders } from "./sliders.js";

const PROOF_SECONDS = 10;
/** @type {AnalysisSettings} */
const SETTINGS = {
  algorithm: "engine",
  heuristic: "counted-lines",
  depth: 60,
  seconds: 5,
  layer: "all",
  table: null,
};

/**
 * The table that an address brings along, as the card of a tuning does.
 * @param {Place} place @returns {LineTable | null}
 */
function tableOf({ table }) {
  try {
    return JSON.parse(table ?? "null");
  } catch {
    return null;
  }
}

export class AnalyzeRoom extends Room {
  status = status();
  legend = help();
  proof = status("verdict-line");
  moves = toolbar("moves");
  shares = html("div");
  /** What is known of the position. @type {import("./layers.js").Known} */
  known = { explanation: null, search: null, proof: null };
  /** The cells of a line that is shown on the board. @type {number[] | null} */
  previewed = null;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.settings = lab.analysis ??= { ...SETTINGS, table: tableOf(lab.place) };
    const play = (/** @type {string} */ move) => this.attempt(() => this.game.play(move));
    const preview = this.preview.bind(this);
    const togglePreview = this.togglePreview.bind(this);
    this.board = new Board(play);
    this.lines = new BestLines({ play, preview });
    this.refutation = new Refutation(this, { preview, togglePreview });
    this.review = new Review(this);
    this.sliders = new Sliders((table) => this.set({ table }));
    this.arrange();
    this.endings.push(
      this.game.on(() => this.begin()),
      () => this.sliders.stop(),
    );
    this.begin();
  }

  arrange() {
    const place = textInput(this.game.root.shown.game);
    const setUp = () => this.attempt(() => this.game.start(place.value));
    const layer = choice(LAYERS, this.settings.layer, (layer) => this.showLayer(layer));
    const position = form(
      setUp,
      field("Position", place),
      submit("Set up"),
      field("Shown on the moves", layer),
    );
    const { status, legend, proof, moves, alert, lines, refutation, review, shares } = this;
    const stage = [position, status, this.board.element, legend, proof, moves, alert];
    const side = [
      this.searchForm(),
      heading("Best lines"),
      lines.element,
      heading("Why not this move?"),
      refutation.question,
      refutation.answer,
      heading("The game"),
      review.button,
      review.graph,
      heading("Why this number"),
      shares,
      this.sliders.element,
    ];
    this.mount({ stage: ["board", ...stage], side: ["analysis", ...side] });
  }

  searchForm() {
    const { algorithms, heuristics } = this.lab.catalogues;
    const { algorithm, heuristic } = this.settings;
    const setAlgorithm = (/** @type {string} */ algorithm) => this.set({ algorithm });
    const setHeuristic = (/** @type {string} */ heuristic) => this.set({ heuristic, table: null });
    return controls(
      field("Algorithm", choice(namedOptions(algorithms), algorithm, setAlgorithm)),
      field("Heuristic", choice(namedOptions(heuristics), heuristic, setHeuristic)),
      field("Depth", this.numberInput("depth", { min: 1, max: 60, step: 1 })),
      field("Seconds", this.numberInput("seconds", { min: 0.5, max: 30, step: 0.5 })),
    );
  }

  /** @param {"depth" | "seconds"} name @param {{ min: number, max: number, step: number }} range */
  numberInput(name, range) {
    return numberInput(this.settings[name], range, (text) =>
      this.set({ [name]: Math.min(range.max, Math.max(range.min, Number(text) || range.min)) }),
    );
  }

  /** @param {Partial<AnalysisSettings>} settings */
  set(settings) {
    Object.assign(this.settings, settings);
    this.begin();
  }

  /** Ask all three about the position where we are. */
  begin() {
    this.cancel("explain", "analyze", "solve");
    const { root, trail, shown } = this.game;
    const { table } = this.settings;
    const said = table ? JSON.stringify(table) : "";
    this.lab.go({ position: root.shown.position, moves: trail, table: said });
    this.board.element.hidden = Boolean(shown.text);
    if (shown.text) return this.refuse(shown);
    this.known = { explanation: null, search: null, proof: null };
    this.previewed = null;
    this.refutation.clear();
    this.refutation.offer(shown);
    this.showQueue(0);
    this.proof.textContent = shown.over ? "the game is over" : "";
    this.draw();
    this.lines.draw(null, shown.over);
    this.drawMoves();
    this.attempt(() => this.explain());
    if (shown.over) return;
    this.attempt(() => this.search());
    this.attempt(() => this.prove());
  }

  /** A game of one's own has no lines to be looked at. @param {Shown} shown */
  refuse({ game }) {
    this.moves.replaceChildren();
    this.legend.textContent = this.proof.textContent = "";
    this.status.textContent = `${game} is no line game; expected one, such as tictactoe`;
  }

  get asked() {
    const { table, heuristic } = this.settings;
    return { position: this.game.shown.position, heuristic: table ?? heuristic };
  }

  /** @param {number} place */
  showQueue(place) {
    const { doubt } = this.game.shown;
    this.status.textContent = place > 1 ? `waiting, place ${place} in line` : (doubt ?? "");
  }

  async explain() {
    const queue = this.showQueue.bind(this);
    const explanation = await this.ask("explain", this.asked, { queue });
    this.known.explanation = explanation;
    const { heuristic, total, lines, terms, notes } = explanation;
    this.shares.replaceChildren(
      ...notes.map((note) => paragraph(note)),
      lines.length || terms.some(({ value }) => value)
        ? scroller("why this number", waterfall(explanation))
        : paragraph(`${heuristic}: ${count(total)}, no line counts`),
    );
    this.sliders.draw(explanation, this.game.shown, this.settings);
    this.draw();
  }

  async search() {
    const { algorithm, depth, seconds } = this.settings;
    const asked = { ...this.asked, algorithm, depth, seconds };
    const search = await this.ask("analyze", asked, {
      told: (news) => this.takeSearch(news),
      queue: (place) => this.showQueue(place),
    });
    this.takeSearch(search);
    if (!search.lines) return;
    const best = search.lines[0]?.pv[0];
    this.lab.announce(`depth ${search.depth}: ${search.text}, best ${best}`);
  }

  /** @param {Partial<Search>} search a depth's answer, or a text alone: what comes first */
  takeSearch(search) {
    if (search.lines) this.known.search = /** @type {Search} */ (search);
    else if (search.text) this.status.textContent = search.text;
    this.lines.draw(this.known.search, false);
    this.draw();
  }

  async prove() {
    const asked = { position: this.game.shown.position, seconds: PROOF_SECONDS };
    const proof = await this.ask("solve", asked, {
      told: ({ text }) => (this.proof.textContent = `proving: ${text}`),
      queue: (place) => this.showQueue(place),
    });
    this.known.proof = proof.value === null ? null : proof;
    this.proof.textContent =
      proof.value === null ? "no proof in time" : `proved: ${proof.text} (${proof.proof})`;
    this.draw();
  }

  draw() {
    const { shown, node } = this.game;
    const { layer } = this.settings;
    const best = this.known.proof?.best ?? this.known.search?.best ?? [];
    this.board.draw(shown, {
      last: node.cell,
      notes: notes(shown, this.known, layer),
      line: this.previewed ?? [],
      best: best.length < shown.moves.length ? best : [], // where all are, none is worth a mark
    });
    this.legend.textContent = legend(shown, layer);
  }

  drawMoves() {
    const buttons = this.game.variation.map((node, ply) =>
      button(ply ? `${ply}. ${node.move}` : "start", () => this.game.go(node), {
        class: "move",
        "aria-current": node === this.game.node && "step",
      }),
    );
    this.moves.replaceChildren(...buttons);
  }

  /** @param {string} layer */
  showLayer(layer) {
    this.settings.layer = layer;
    this.draw();
  }

  /** @param {number[] | null} cells */
  preview(cells) {
    if (this.previewed === cells) return; // drawn anew, a focused line says so again
    this.previewed = cells;
    this.draw();
  }

  /** @param {number[]} cells */
  togglePreview(cells) {
    this.preview(this.previewed ? null : cells);
  }

  get keys() {
    const go = (/** @type {GameNode | null | undefined} */ node) => node && this.game.go(node);
    return [
      { keys: ["ArrowLeft", "u"], text: "back a move", act: () => go(this.game.node.parent) },
      { keys: ["ArrowRight", "r"], text: "on a move", act: () => go(this.game.node.children[0]) },
      { keys: ["Home"], text: "to the start", act: () => go(this.game.root) },
      { keys: ["End"], text: "to the last move", act: () => go(this.game.variation.at(-1)) },
      ...this.board.keys,
    ];
  }
}
