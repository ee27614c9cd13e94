// Play: a game against an agent or a person, with variations, reviews and puzzles.
import { Board } from "../../board/board.js";
import { details, html, iconButton, idle, status, toolbar } from "../../shell/dom.js";
import { USUAL_PLAYERS } from "../../shell/link.js";
import { agentName, playerOfPlace, playersPlace } from "../../shell/tables.js";
import { TextBoard } from "../../board/textboard.js";
import { Tools } from "../../shell/tools.js";
import { Room } from "../room.js";
import { Exercises } from "./exercises.js";
import { Learning } from "./learning.js";
import { Mistakes } from "./mistakes.js";
import { NewGame } from "./newgame.js";
import { Opening } from "./opening.js";
import { seatsOf } from "./players.js";
import { Puzzles } from "./puzzles.js";
import { statusText } from "./status.js";
import { Thinking } from "./thinking.js";
import { Variations } from "./variations.js";

const HINT_SECONDS = 1;
const FIRST_SHELF = "moves";

/** @typedef {{ cells: number[], text: string }} Hint */

export class PlayRoom extends Room {
  status = status();
  board = new Board((move) => this.play(move));
  textBoard = new TextBoard((move) => this.play(move));
  variations = new Variations((node) => this.go(node));
  /** A hint, under the board: it moves nothing. */
  said = status("said");
  /** The node that the address has. @type {GameNode | null} */
  seen = null;
  thinking = new Thinking(this);
  exercises = new Exercises(this);
  opening = new Opening(this);
  toReview = iconButton("hint", "Review the game", () => {
    this.tools?.choose("review");
    this.learning.reviewOnce();
  });
  rematch = iconButton("play", "Rematch", () => this.opening.rematch(), {
    title: "the same game with sides changed",
  });
  /** The buttons for a finished game. */
  ending = toolbar("after the game", this.toReview, this.rematch);
  /** @type {Hint | null} */
  hint = null;
  /** Whether a shelf was chosen: else the moves show themselves once there is one. */
  hasChosen = false;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    const { x, o } = { ...USUAL_PLAYERS, ...lab.place };
    const { shelf } = lab.place;
    this.players = lab.players ??= { x: playerOfPlace(lab, x), o: playerOfPlace(lab, o) };
    this.seats = html("div", { class: "seats", role: "group", "aria-label": "players" });
    this.buttons = this.makeButtons();
    this.newGame = new NewGame(lab, this.players, this);
    this.mistakes = new Mistakes(this);
    this.learning = new Learning(this);
    this.puzzles = new Puzzles(this);
    this.arrange(shelf);
    this.endings.push(
      this.game.on(() => this.update()),
      lab.tables.on(() => this.update()),
      () => this.thinking.stop(),
    );
    this.update();
    if (shelf === "puzzles") this.puzzles.open({ isOfAddress: true });
  }

  /** @param {string} [shelf] the one that is open */
  arrange(shelf) {
    const { status, ending, said, board, textBoard, buttons, alert } = this;
    const boards = [board.element, textBoard.element];
    const bar = toolbar("game", Object.values(buttons));
    const hasBegun = this.game.root.children.length > 0;
    this.hasChosen = shelf !== undefined;
    const shelves = [
      { name: FIRST_SHELF, label: "Moves", parts: [this.variations.element] },
      { name: "new", label: "New game", parts: [this.newGame.element] },
      { name: "review", label: "Review", parts: [this.learning.element] },
      {
        name: "puzzles",
        label: "Practise",
        parts: [
          this.puzzles.element,
          details("Your mistakes in reviewed games", this.mistakes.element),
        ],
      },
    ];
    const open = shelf ?? (hasBegun ? FIRST_SHELF : "new");
    this.tools = new Tools("tools", shelves, open, (name) => {
      this.hasChosen = true;
      this.lab.go({ shelf: name === FIRST_SHELF ? "" : name });
      if (name === "puzzles") this.puzzles.open();
      this.drawButtons();
    });
    this.expect("shelf", this.tools.names);
    this.mount({
      stage: [
        "board",
        html("div", { class: "headline" }, status, ending),
        this.seats,
        ...boards,
        bar,
        said,
        alert,
      ],
      side: ["game and moves", this.tools.element],
    });
  }

  get sharedGame() {
    const { text, game } = this.game.shown;
    return { board: text ? null : this.board, caption: `${game}: ${this.status.textContent}` };
  }

  makeButtons() {
    return {
      undo: iconButton("undo", "Undo", () => this.undo(), { title: "u" }),
      redo: iconButton("redo", "Redo", () => this.redo(), { title: "r" }),
      hint: iconButton("hint", "Hint", () => this.askHint(), { title: "h" }),
      stop: iconButton("pause", "Stop", () => this.thinking.stopOrGo(), { title: "s" }),
      again: iconButton("play", "Let it think", () => this.thinking.stopOrGo(), { title: "s" }),
    };
  }

  /** @param {Side} side */
  isHuman(side) {
    return this.players[side] === "human";
  }

  get isOver() {
    return this.game.shown.over;
  }

  /** Return whether agents play each other. */
  get isWatched() {
    return !this.isHuman("x") && !this.isHuman("o") && !this.exercises.current;
  }

  update() {
    const { node, shown } = this.game;
    this.exercises.follow(node);
    const exercise = this.exercises.current;
    const { isOver } = this;
    const { ahead, foreseen, last } = this.game;
    const isFree = exercise ? !exercise.isDone : this.isHuman(foreseen.side);
    const isText = Boolean(shown.text);
    this.board.element.hidden = isText;
    this.textBoard.element.hidden = !isText;
    const board = isText ? this.textBoard : this.board;
    // what a move of one's own game leads to is known by its server alone
    const isLocked = isOver || !isFree || (isText && ahead.length > 0);
    board.draw(foreseen, { last, best: this.hint?.cells, isLocked });
    this.thinking.follow(!isOver && !exercise && !ahead.length && !this.isHuman(shown.side));
    this.said.textContent = this.hint?.text ?? "";
    this.seats.replaceChildren(...seatsOf(this.lab, this.players));
    this.seats.hidden = exercise !== null;
    this.drawStatus();
    this.drawButtons();
    this.variations.draw(this.game);
    this.newGame.offer(shown);
    this.learning.follow(this.game.root);
    this.follow(node);
  }

  /** Show the status of the game, or news. @param {string} [news] */
  drawStatus(news) {
    const { node } = this.game;
    const { why } = this.thinking;
    const exercise = this.exercises.current;
    const names = { x: agentName(this.players.x), o: agentName(this.players.o) };
    const told = statusText(node, names, why);
    this.status.textContent = news || (exercise?.node === node ? exercise.text : told);
  }

  drawButtons() {
    const { node } = this.game;
    const { undo, redo, hint, stop, again } = this.buttons;
    const { isWatched, isOver } = this;
    const exercise = this.exercises.current;
    stop.hidden = !this.thinking.node;
    again.hidden = this.thinking.why === undefined;
    const isNew = !node.parent && !node.children.length;
    undo.hidden = redo.hidden = isNew && !exercise;
    hint.hidden = isWatched || exercise !== null || isNew;
    this.ending.hidden = !isOver || exercise !== null || Boolean(node.shown.doubt);
    this.toReview.hidden = Boolean(node.shown.text) || this.tools?.opened === "review";
    idle(undo, !node.parent);
    idle(redo, !node.children.length);
    idle(hint, isOver);
  }

  /** Tell the address where one is. @param {GameNode} node */
  follow(node) {
    const isNews = !this.hasChosen && node.parent && this.tools?.opened === "new";
    if (isNews) this.tools?.show(FIRST_SHELF);
    /** @type {Place} */
    const shelf = isNews ? { shelf: "" } : {};
    const table = playersPlace(this.lab, this.players);
    const place = { ...this.game.place, ...this.players, ...table, ...shelf };
    this.lab.go(place, this.isStep(node));
    this.seen = node;
  }

  /**
   * Return whether the browser's Back leads to the node before, which it does for a person's moves.
   * @param {GameNode} node
   */
  isStep(node) {
    return node !== this.seen && (!node.parent || this.isHuman(node.parent.shown.side));
  }

  /** Another player takes over, also where one thinks. @param {Side} side @param {string} name */
  seat(side, name) {
    this.players[side] = name;
    this.thinking.stop();
    this.update();
  }

  /** People play both sides, quietly. */
  seatPeople() {
    this.players.x = this.players.o = "human";
    this.thinking.stop();
  }

  /** @param {string} move */
  play(move) {
    this.hint = null;
    return this.attempt(() => {
      const exercise = this.exercises.current;
      if (!exercise) return this.game.play(move);
      return exercise.isDone ? undefined : exercise.play(move);
    });
  }

  /** @param {GameNode} node */
  go(node) {
    this.hint = null;
    if (node.children.length) this.thinking.rest(node);
    this.game.go(node);
  }

  /** Against an agent, take back its moves as well. */
  undo() {
    let node = this.game.node.parent;
    while (node?.parent && this.isAnswered(node)) node = node.parent;
    if (node) this.go(node);
  }

  /** Against an agent, play its moves again as well. */
  redo() {
    let [next] = this.game.node.children;
    while (next?.children.length && this.isAnswered(next)) [next] = next.children;
    if (next) this.go(next);
  }

  /** Return whether a person's agent moves at a node. @param {GameNode} node */
  isAnswered({ shown }) {
    return !this.isHuman(shown.side) && (this.isHuman("x") || this.isHuman("o"));
  }

  askHint() {
    return this.attempt(async () => {
      const { node, shown } = this.game;
      const known = this.lab.proofs.carried([node]);
      const asked = { position: shown.position, seconds: HINT_SECONDS, known };
      this.said.textContent = "looking for a hint …";
      const found = this.ask("suggest", asked).finally(() => (this.said.textContent = ""));
      const { cell, sentence, number, proof } = await found;
      this.lab.proofs.learn(proof);
      if (this.game.node !== node) return;
      const text = `Hint: ${sentence}${number && ` (score ${number})`}`;
      const none = { cells: [], text: "No hint was found in time" };
      this.hint = cell === null ? none : { cells: [cell], text };
      this.update();
    });
  }

  get keys() {
    return [
      { keys: ["ArrowLeft", "u", "Ctrl+Z"], text: "undo", act: () => this.undo() },
      { keys: ["ArrowRight", "r", "Ctrl+Y"], text: "redo", act: () => this.redo() },
      {
        keys: ["h"],
        text: "hint",
        act: () => this.buttons.hint.hidden || this.isOver || this.askHint(),
      },
      {
        keys: ["s"],
        text: "stop a thinking agent, or let it continue",
        act: () => this.thinking.stopOrGo(),
      },
      ...(this.game.shown.text ? [] : this.board.keys),
    ];
  }
}
