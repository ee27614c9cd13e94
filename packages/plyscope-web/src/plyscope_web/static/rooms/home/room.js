// The first screen: a stored analysis, today's puzzle, and games to play.
import { Board } from "../../board/board.js";
import { isStill } from "../../board/motion.js";
import { heading, help, html, iconButton, toolbar } from "../../shell/dom.js";
import { browser } from "../../shell/memory.js";
import { bestWords, standing } from "../analyze/evaluationbar.js";
import { bestMoves } from "../analyze/lines.js";
import { NOTHING } from "../analyze/questions.js";
import { values } from "../analyze/layers.js";
import { askDaily, dailyText, scoreOf } from "../play/puzzles.js";
import { Room } from "../room.js";

const WHAT = "See what a search thinks of every move.";
const MORE = "From tic-tac-toe to Gomoku: which moves win, with a proof.";

/** Games to begin with, and positions of them that are shown. @type {[game: string, name: string, says: string, shown: string][]} */
const GAMES = [
  ["tictactoe", "Tic-tac-toe", "three in a line on 3×3", "tictactoe b2 a1 c3 a3 a2"],
  ["connect4", "Connect Four", "stones fall, four in a line", "connect4 44443355323"],
  ["gomoku15", "Gomoku", "five in a line on 15×15", "gomoku15 h8 i9 h9 h10 g9 i7 i8 g8"],
];
/** An analysis that is stored: Connect Four after nine moves, and the value of each move. */
const HERO = { position: "connect4", moves: "d1,c1,e1,c2,b1,f1,a1,g1,c3" };
const HERO_TEXT = "connect4 435326173";
const HERO_VALUES = {
  value: 1,
  distance: 29,
  proof: "by the solver of gravity games",
  best: [31],
  moves: [
    { move: 28, value: -1, distance: 28 },
    { move: 34, value: -1, distance: 26 },
    { move: 29, value: 0, distance: null },
    { move: 32, value: 0, distance: null },
    { move: 33, value: 0, distance: null },
    { move: 16, value: 1, distance: 31 },
    { move: 31, value: 1, distance: 29 },
  ],
};
/** How long the finished analysis stands, and how long each of its moves. */
const [REST_MS, TICK_MS] = [2000, 450];

/** A card with a picture that leads somewhere. @param {string} name @param {string} says @param {() => void} onclick */
function card(name, says, onclick) {
  const shown = html("span", { class: "shown" });
  const [title, text] = [
    html("span", { class: "offer-name" }, name),
    html("span", { class: "offer-says" }, says),
  ];
  const names = { type: "button", class: "offer", onclick };
  return { element: html("button", names, shown, title, text), shown };
}

export class HomeRoom extends Room {
  hero = new Board(() => {});
  result = html("p", { class: "standing" });
  reason = help();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    const { own } = lab.catalogues;
    const games = GAMES.map(([game, name, says, shown]) =>
      this.shown(
        shown,
        card(name, says, () => this.play(game)),
      ),
    );
    const owns = own ? [card(own, "your own game", () => this.play(own)).element] : [];
    const analyze = iconButton(
      "play",
      "Analyse this position",
      () => this.goTo({ room: "analyze", ...HERO }),
      { class: "primary" },
    );
    this.panel.append(
      html(
        "section",
        { class: "welcome", "aria-label": "plyscope" },
        html("p", { class: "claim" }, WHAT),
        help(MORE),
        html("div", { class: "said" }, this.result, this.reason),
        html("div", { class: "hero", inert: true }, this.hero.element),
        toolbar("begin", analyze),
      ),
      html(
        "section",
        { "aria-label": "games" },
        heading("Play"),
        html("div", { class: "offer-list" }, owns, this.daily(), games),
        this.alert,
      ),
    );
    this.endings.push(() => clearTimeout(this.timer));
    this.attempt(() => this.think());
  }

  /** A card with the picture of a position. @param {string} position @param {ReturnType<typeof card>} made */
  shown(position, { element, shown }) {
    this.lab.pictures.into(position, shown);
    return element;
  }

  /** Show the stored analysis at once, and then move by move where motion is wanted. */
  async think() {
    const shown = await this.ask("show", { position: HERO_TEXT });
    const { position } = shown;
    const { moves } = HERO_VALUES;
    const whole = { ...NOTHING, proof: { ...HERO_VALUES, position } };
    const [result, ...parts] = standing(shown, whole)?.parts ?? [];
    this.result.textContent = result;
    this.reason.textContent = [...parts, bestWords(whole.proof, shown)].join(" · ");
    /** @param {number} number of the moves whose value is shown */
    const draw = (number) => {
      const proof = { ...HERO_VALUES, position, moves: moves.slice(0, number) };
      const known = { ...NOTHING, proof: number ? proof : null };
      const found = values(shown, known, "all");
      const best = number === moves.length ? bestMoves(shown, known) : [];
      this.hero.draw(shown, { isLocked: true, notes: found, values: found, best });
      if (number < moves.length) this.timer = setTimeout(() => draw(number + 1), TICK_MS);
    };
    draw(moves.length);
    if (!isStill()) this.timer = setTimeout(() => draw(0), REST_MS);
  }

  /** The puzzle of today, the same for everybody, once the server has proved it. */
  daily() {
    const { element, shown } = card("Today's puzzle", "proving it …", () => {});
    const said = /** @type {Element} */ (element.querySelector(".offer-says"));
    askDaily(this.lab).then(
      (puzzle) => {
        said.textContent = dailyText(puzzle, scoreOf(browser));
        element.onclick = () =>
          this.goTo({ room: "play", position: puzzle.position, moves: "", shelf: "puzzles" });
        this.lab.pictures.into(puzzle.position, shown);
      },
      (error) => (said.textContent = error.message),
    );
    return element;
  }

  /** Go to a place; the game of one that names it is opened first. @param {Place} place */
  goTo(place) {
    return this.attempt(async () => {
      if (place.position) {
        await this.game.start(place.position);
        for (const move of place.moves.split(",").filter(Boolean)) await this.game.play(move);
      }
      this.lab.go(place, true);
    });
  }

  /** @param {string} position */
  play(position) {
    return this.goTo({ room: "play", position, moves: "" });
  }
}
