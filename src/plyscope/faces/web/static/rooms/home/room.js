// The first screen: what this is, games to play, and what else there is to see.
import { heading, help, html, labelled } from "../../shell/dom.js";
import { form, submit } from "../../shell/forms.js";
import { Picker } from "../../shell/picker.js";
import { Room } from "../room.js";
import { card, treePicture } from "./cards.js";

const WHAT = "See what a search thinks of every move.";
const MORE =
  "Play line games, from tic-tac-toe to Gomoku and four in a row in a cube. Watch a heuristic's " +
  "opinion, the search's score and the proven value appear on the board; step through the search " +
  "that found them; and change the heuristic while you look.";

/** Games to begin with, and positions of them that are shown. @type {[game: string, name: string, says: string, shown: string][]} */
const GAMES = [
  ["tictactoe", "Tic-tac-toe", "three in a line on 3×3", "tictactoe b2 a1 c3 a3 a2"],
  ["connect4", "Connect Four", "stones fall, four in a line", "connect4 44443355323"],
  ["gomoku15", "Gomoku", "five in a line on 15×15", "gomoku15 h8 i9 h9 h10 g9 i7 i8 g8"],
  ["qubic", "Qubic", "four in a line in a cube", "qubic b2b a1a c3c d4d b3b c2b d1d a4a"],
  ["torus-tictactoe", "On a torus", "3×3 whose edges meet", "torus-tictactoe a1 b2 c1 b3"],
];
const TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]";
const THINKING = "connect4 4444433";
const THINKING_MOVES = "d1,d2,d3,d4,d5,c1,c2";

export class HomeRoom extends Room {
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
    const owns = own
      ? [card(own, "the game that this page was opened with", () => this.play(own)).element]
      : [];
    const trees = () => lab.go({ room: "trees", tree: TREE }, true);
    const tree = card("A tree", "alpha-beta, step by step", trees, treePicture());
    this.panel.append(
      html(
        "section",
        { class: "welcome", "aria-label": "plyscope" },
        html("p", { class: "claim" }, WHAT),
        help(MORE),
        this.thinking(),
        html("div", { class: "ways" }, ...this.ways()),
      ),
      html(
        "section",
        { "aria-label": "games" },
        heading("Play"),
        html("div", { class: "offer-list" }, owns, games, tree.element),
        this.alert,
        this.other(),
      ),
    );
  }

  /** A card with the picture of a position. @param {string} position @param {ReturnType<typeof card>} made */
  shown(position, { element, shown }) {
    this.lab.pictures.into(position, shown);
    return element;
  }

  thinking() {
    const go = () => this.goTo({ room: "analyze", position: "connect4", moves: THINKING_MOVES });
    const says =
      "Connect Four after seven moves: each move shows the heuristic's opinion, a score and a proof";
    const made = card("See it think", says, go);
    made.element.classList.add("first");
    return this.shown(THINKING, made);
  }

  /** What else there is. */
  ways() {
    /** @type {[name: IconName, label: string, place: Place][]} */
    const ways = [
      ["forward", "Step through a search", { room: "trees", tree: TREE }],
      ["hint", "Try a quiz", { room: "quiz" }],
      [
        "halves",
        "Tune a heuristic",
        { room: "analyze", position: "tictactoe", moves: "", shelf: "heuristic" },
      ],
      ["last", "Test it in the Lab", { room: "lab" }],
    ];
    return ways.map(([name, label, place]) =>
      html("button", { type: "button", onclick: () => this.goTo(place) }, ...labelled(name, label)),
    );
  }

  /** Any other game. */
  other() {
    const picker = new Picker(this.lab, "7,7,4,torus");
    const made = form(() => this.play(picker.value), picker.element, submit("Play", "play"));
    return html("details", { class: "other" }, html("summary", {}, "Another game …"), made);
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
