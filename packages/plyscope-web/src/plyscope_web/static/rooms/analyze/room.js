// Analyse: the best known value of each move, best lines, a heuristic and a review.
import { Bench } from "../../bench/bench.js";
import { Latest } from "../../bench/latest.js";
import { Board } from "../../board/board.js";
import { evaluationText, waterfall } from "../../shell/charts.js";
import {
  button,
  details,
  heading,
  help,
  html,
  icon,
  iconButton,
  paragraph,
  redraw,
  scroller,
  status,
  toolbar,
} from "../../shell/dom.js";
import {
  choice,
  controls,
  field,
  form,
  namedOptions,
  numberInput,
  submit,
  textInput,
  toggle,
} from "../../shell/forms.js";
import { DRAFT, heuristicOfPlace, heuristicPlace, isWritten } from "../../shell/tables.js";
import { threatsLegend } from "../../board/threats.js";
import { Tools } from "../../shell/tools.js";
import { count, spoken, spokenMove } from "../../shell/wording.js";
import { Room } from "../room.js";
import { EvaluationBar, standing } from "./evaluationbar.js";
import { FORMS, LAYERS, legend, values, withSigns } from "./layers.js";
import { BestLines, bestMoves } from "./lines.js";
import { PlayOut } from "./playout.js";
import { Questions } from "./questions.js";
import { Refutation } from "./refutation.js";
import { Review } from "./review.js";

const FIRST_SHELF = "lines";
/** Algorithms that are watched in Trees, and tell no more here than alpha-beta. */
const OF_TREES = ["sss", "mtdf", "pn", "dfpn", "accumulating"];
/** @type {AnalysisSettings} */
const SETTINGS = {
  algorithm: "engine",
  heuristic: "counted-lines",
  depth: 60,
  seconds: 5,
  layer: "all",
};

/** @param {Game} game */
const before = ({ node }) => node.parent;
/** @param {Game} game */
const after = ({ node }) => node.children[0];
/**
 * Ways through the game by keys; a step has a button too.
 * @type {[keys: string[], text: string, to: (game: Game) => GameNode | null | undefined][]}
 */
const WALKS = [
  [["Home"], "to the start", ({ root }) => root],
  [["ArrowLeft", "u"], "back a move", before],
  [["ArrowRight", "r"], "on a move", after],
  [["End"], "to the last move", ({ variation }) => variation.at(-1)],
];

export class AnalyzeRoom extends Room {
  status = status();
  legend = help();
  /** All that is known of the move pointed at, else the reason for the best one. */
  pointed = html("p", { class: "help pointed" });
  /** @type {number | null} */
  pointedAt = null;
  proof = status("help");
  moves = toolbar("moves");
  shares = html("div");
  evaluation = html("p", { class: "evaluation", role: "status" });
  questions = new Questions(this);
  bar = new EvaluationBar();
  standing = html("p", { class: "standing" });
  says = html("div", { class: "help" });
  /** Whether the next move that is chosen is asked about, and not played. */
  isAsking = false;
  asking = iconButton("hint", "Why not …", () => this.setAsking(!this.isAsking), {
    "aria-pressed": "false",
    title: "ask about the next move that you choose: w",
  });
  /** A table that changes is explained again and again. */
  following = new Latest(() => this.attempt(() => this.questions.explain()));
  /** The cells of a line that is shown on the board. @type {number[] | null} */
  previewed = null;

  /** The node that the address has. @type {GameNode | null} */
  seen = null;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.settings = lab.analysis ??= {
      ...SETTINGS,
      ...(lab.place.layer in LAYERS && { layer: lab.place.layer }),
      heuristic: heuristicOfPlace(lab, SETTINGS.heuristic),
    };
    const play = (/** @type {string} */ move) => this.attempt(() => this.choose(move));
    this.board = new Board(play, (cell) => this.drawPointed(cell));
    this.playOut = new PlayOut(this);
    this.endings.push(() => this.playOut.set(false));
    this.lines = new BestLines({ play, preview: this.preview });
    this.refutation = new Refutation(this, this.preview);
    this.review = new Review(this);
    this.bench = new Bench(this, this.settings.heuristic, {
      choose: (heuristic) => this.take(heuristic),
      follow: () => this.following.run(),
    });
    this.arrange();
    this.endings.push(lab.proofs.on((position) => this.hear(position)));
    this.endings.push(this.game.on(() => (this.game.ahead.length ? this.draw() : this.begin())));
    this.begin();
  }

  arrange() {
    const { status, legend, proof, alert, board } = this;
    const walk = toolbar("moves back and on", ...this.steps, this.asking, this.playOut.button);
    const beside = html("div", { class: "beside" }, this.bar.element, board.element);
    const said = html("div", { class: "said" }, status, this.standing, proof);
    this.layers = toggle("Shown on the moves", LAYERS, this.settings.layer, (layer) =>
      this.showLayer(layer),
    );
    const stage = [said, beside, this.pointed, walk, this.layers, legend, alert];
    const { heuristic } = this.settings;
    const isOpen = heuristic === DRAFT || isWritten(this.lab, heuristic);
    const open = this.lab.place.shelf ?? (isOpen ? "heuristic" : FIRST_SHELF);
    this.tools = new Tools("analysis", this.shelves(), open, (shelf) => {
      this.lab.go({ shelf: shelf === FIRST_SHELF ? "" : shelf });
      if (shelf === "heuristic") this.bench.show();
      if (shelf === "game") this.review.offer();
    });
    this.expect("shelf", this.tools.names);
    this.mount({ stage: ["board", ...stage], side: ["analysis", this.tools.element] });
  }

  shelves() {
    const { lines, refutation, review, shares, bench, moves } = this;
    const known = details(
      "How is this known?",
      help(FORMS),
      lines.rest,
      this.says,
      this.searchForm(),
    );
    return [
      { name: FIRST_SHELF, label: "Lines", parts: [lines.element, known] },
      { name: "heuristic", label: "Heuristic", parts: [this.evaluation, bench.element] },
      {
        name: "why",
        label: "Why",
        parts: [
          help("Press Why not …, and choose a move on the board."),
          refutation.answer,
          heading("Why this number"),
          shares,
        ],
      },
      {
        name: "game",
        label: "Game",
        parts: [moves, review.button, review.halt, review.graph, this.positionForm()],
      },
    ];
  }

  get sharedGame() {
    const caption = `${this.game.shown.game}: ${this.standing.textContent}`;
    return { board: this.board, caption };
  }

  get steps() {
    /** @param {IconName} name @param {string} label @param {typeof before} to */
    const step = (name, label, to) => {
      const names = { type: "button", "aria-label": label, title: label };
      return html("button", { ...names, onclick: () => this.walk(to(this.game)) }, icon(name));
    };
    return [step("back", "Back", before), step("forward", "On", after)];
  }

  /** @param {boolean} is */
  setAsking(is) {
    this.isAsking = is;
    this.asking.setAttribute("aria-pressed", String(is));
    this.status.textContent = is ? "Choose the move to ask about on the board." : "";
  }

  /** Play a move, or ask why it is none. @param {string} move */
  choose(move) {
    if (!this.isAsking) return this.game.play(move);
    this.setAsking(false);
    this.tools?.choose("why");
    return this.refutation.ask(move);
  }

  /** @param {GameNode | null | undefined} node */
  walk(node) {
    this.playOut.set(false);
    if (node) this.game.go(node);
  }

  positionForm() {
    const place = textInput(this.game.root.shown.game);
    const setUp = () => this.attempt(() => this.game.start(place.value));
    return form(setUp, field("Position", place), submit("Set up"));
  }

  searchForm() {
    const { algorithms } = this.lab.catalogues;
    const shown = algorithms.filter(({ name }) => !OF_TREES.includes(name));
    const setAlgorithm = (/** @type {string} */ algorithm) => this.set({ algorithm });
    /** @param {"depth" | "seconds"} name @param {Attributes} range */
    const number = (name, range) =>
      numberInput(this.settings[name], range, (text) => this.set({ [name]: Number(text) }));
    return controls(
      field("Algorithm", choice(namedOptions(shown), this.settings.algorithm, setAlgorithm)),
      field("Depth", number("depth", { min: 1, max: 60, step: 1 })),
      field("Seconds", number("seconds", { min: 0.5, max: 30, step: 0.5 })),
    );
  }

  /** @param {Partial<AnalysisSettings>} settings */
  set(settings) {
    Object.assign(this.settings, settings);
    this.begin();
  }

  /** Take another heuristic: what is proved stays as it is. @param {string} heuristic */
  take(heuristic) {
    const isNew = heuristic !== this.settings.heuristic && isWritten(this.lab, heuristic);
    if (isNew && this.settings.layer === SETTINGS.layer) this.chooseLayer("heuristic");
    this.settings.heuristic = heuristic;
    this.following.forget();
    this.cancel("explain", "analyze");
    this.go();
    if (!this.game.shown.text) this.questions.askAgain();
  }

  /** Show the position where we are, and ask all about it. */
  begin() {
    this.following.forget();
    this.questions.forget();
    const { shown } = this.game;
    this.go();
    this.board.element.hidden = Boolean(shown.text);
    if (shown.text) return this.refuse(shown);
    this.previewed = null;
    this.setAsking(false);
    this.refutation.clear();
    this.showNews();
    this.draw();
    this.questions.drawProof();
    this.drawLines();
    this.drawMoves();
    this.review.redraw();
    if (this.tools?.opened === "game") this.review.offer();
    this.questions.ask();
  }

  /** Draw what has been proved, wherever it is said. @param {string} position */
  hear(position) {
    this.questions.hear(position);
    this.refutation.hear(position);
    this.review.hear(position);
  }

  /** Say where we are. */
  go() {
    const { node, place } = this.game;
    const chosen = heuristicPlace(this.lab, this.settings.heuristic, SETTINGS.heuristic);
    this.lab.go({ ...place, ...chosen }, node !== this.seen);
    this.seen = node;
  }

  /** A game of one's own has no lines to be looked at. @param {Shown} shown */
  refuse({ game }) {
    this.moves.replaceChildren();
    this.legend.textContent = this.proof.textContent = this.standing.textContent = "";
    this.status.textContent = `${game} is not a line game; expected one, such as tictactoe`;
  }

  quiet() {
    this.showNews();
    this.questions.drawProof("");
  }

  /** Show what is waited for, else what is to be said of the position. @param {string} [news] */
  showNews(news) {
    this.status.textContent = news || (this.game.shown.doubt ?? "");
  }

  /** @param {Explanation} explanation */
  drawExplanation(explanation) {
    const { heuristic, total, lines, terms, notes } = explanation;
    this.evaluation.textContent = evaluationText(explanation);
    this.shares.replaceChildren(
      ...notes.map((note) => paragraph(note)),
      lines.length || terms.some(({ value }) => value)
        ? scroller("why this number", waterfall(explanation))
        : paragraph(`${heuristic}: ${count(total)}, no line counts`),
    );
    this.bench.draw(explanation, this.game.shown);
  }

  drawLines() {
    this.lines.draw(this.questions.known, this.game.shown);
  }

  draw() {
    const { shown, node, ahead, foreseen, last } = this.game;
    if (ahead.length) return this.board.draw(foreseen, { last });
    const { layer } = this.settings;
    const { known } = this.questions;
    const found = values(shown, known, layer);
    const isOfMoves = layer === SETTINGS.layer;
    const signs = isOfMoves ? (this.playOut.signs ?? known.proof?.reason?.signs) : null;
    this.board.draw(shown, {
      last: node.cell,
      notes: withSigns(found, signs?.marks ?? []),
      line: this.previewed ?? [],
      best: isOfMoves ? bestMoves(shown, known) : [],
      lit: isOfMoves && !this.playOut.signs ? (known.proof?.reason?.cells ?? []) : [],
      values: this.previewed ? new Map() : found,
      threats: layer === "threats" ? (known.threats ?? []) : [],
    });
    this.legend.textContent =
      layer === "threats"
        ? threatsLegend(known.threats ?? [])
        : (signs?.legend ?? legend(shown, known, layer));
    const stands = standing(shown, known);
    this.bar.draw(stands);
    this.standing.textContent = stands?.parts[0] ?? "thinking …";
    this.standing.dataset.kind = stands && !stands.isProved ? "estimated" : "proved";
    this.playOut.follow();
  }

  drawPointed(cell = this.pointedAt) {
    this.pointedAt = cell;
    const title = cell === null ? undefined : this.board.marks.notes?.get(cell)?.title;
    const name = cell === null || !title ? "" : spoken(this.game.shown, cell);
    const reason = this.playOut.signs ? null : this.questions.known.proof?.reason;
    const said = this.playOut.said.get(this.game.node) ?? reason?.sentence ?? "";
    this.pointed.textContent = name ? `${name}: ${title}` : said;
  }

  drawMoves() {
    const buttons = this.game.variation.map((node, ply) =>
      button(ply ? `${ply}. ${spokenMove(node)}` : "start", () => this.game.go(node), {
        class: "move",
        "aria-current": node === this.game.node && "step",
      }),
    );
    redraw(this.moves, ...buttons);
  }

  /** Show another layer, as if a person had chosen it. @param {string} layer */
  chooseLayer(layer) {
    /** @type {HTMLInputElement | null | undefined} */
    const input = this.layers?.querySelector(`input[value=${layer}]`);
    if (input) input.checked = true;
    this.showLayer(layer);
  }

  /** @param {string} layer */
  showLayer(layer) {
    this.settings.layer = layer;
    this.lab.go({ layer: layer === SETTINGS.layer ? "" : layer });
    this.draw();
    this.attempt(() => this.questions.threaten());
  }

  /** Show a line on the board, or none; a line that is shown is hidden by a click. */
  preview = (/** @type {number[] | null} */ cells, isClick = false) => {
    const line = isClick && this.previewed ? null : cells;
    if (this.previewed === line) return; // drawn anew, a focused line says so again
    this.previewed = line;
    this.draw();
  };

  get keys() {
    const walks = WALKS.map(([keys, text, to]) => {
      return { keys, text, act: () => this.walk(to(this.game)) };
    });
    const ask = () => this.setAsking(!this.isAsking);
    const why = { keys: ["w"], text: "ask why not the move chosen next", act: ask };
    return [...walks, why, ...this.board.keys];
  }
}
