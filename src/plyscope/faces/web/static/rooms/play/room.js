// Play: against an agent or each other, on any board, with every variation kept; puzzles, and what
// can be learned from a game.
import { Board } from "../../board.js";
import { askChild } from "../../game.js";
import { html, iconButton, idle, status, toolbar } from "../../dom.js";
import { USUAL_PLAYERS } from "../../link.js";
import { agentAsked, agentName, isOwnAgent, playerOfPlace, playersPlace } from "../../tables.js";
import { TextBoard } from "../../textboard.js";
import { Tools } from "../../tools.js";
import { Copying } from "../copying.js";
import { Room } from "../room.js";
import { Clock } from "./clock.js";
import { Learning } from "./learning.js";
import { NewGame } from "./newgame.js";
import { Pace, USUAL_PACE } from "./pace.js";
import { Puzzles } from "./puzzles.js";
import { Sounds } from "./sounds.js";
import { statusText } from "./status.js";
import { Variations } from "./variations.js";

const HINT_SECONDS = 1;
const MOVE_SECONDS = 30;
const NO_CLOCK = "0";
const FIRST_SHELF = "moves";

/** @typedef {{ cells: number[], text: string }} Hint */

/**
 * A position in which a move is looked for: it stands for the game until it is left.
 * @typedef {object} Exercise
 * @property {GameNode} node
 * @property {string} text what is asked, or what came of it
 * @property {boolean} isDone
 * @property {(move: string) => Promise<void>} play
 * @property {() => void} left
 */

export class PlayRoom extends Room {
  status = status();
  board = new Board((move) => this.play(move));
  textBoard = new TextBoard((move) => this.play(move));
  variations = new Variations(
    (node) => this.go(node),
    () => this.game.promote(this.game.node),
    () => this.game.remove(this.game.node),
  );
  sounds = new Sounds();
  /** A hint, under the board: it moves nothing. */
  said = status("said");
  /** The node that the address has. @type {GameNode | null} */
  seen = null;
  /** The node at which an agent thinks. @type {GameNode | null} */
  thinking = null;
  /** The node at which an agent gave no move, and why. @type {{ node: GameNode, why: string } | null} */
  halted = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  limit = undefined;
  /** @type {Hint | null} */
  hint = null;
  /** @type {Exercise | null} */
  exercise = null;
  /** Whether a shelf was chosen: else the moves show themselves once there is one. */
  hasChosen = false;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    const { x, o } = { ...USUAL_PLAYERS, ...lab.place };
    const { clock = NO_CLOCK, pace = USUAL_PACE, shelf } = lab.place;
    this.players = lab.players ??= { x: playerOfPlace(lab, x), o: playerOfPlace(lab, o) };
    this.pace = new Pace(Number(pace));
    this.clock = new Clock(
      this.game,
      () => this.running(),
      () => this.update(),
    );
    if (clock !== NO_CLOCK && !this.game.left) this.clock.set(clock);
    this.buttons = this.makeButtons();
    this.copying = new Copying(
      this,
      () => (this.game.shown.text ? null : this.board),
      () => `${this.game.shown.game}: ${this.status.textContent}`,
    );
    this.newGame = new NewGame(lab, this.players, this, {
      clock,
      pace,
      sounds: this.sounds.isOn,
    });
    this.learning = new Learning(this);
    this.puzzles = new Puzzles(this);
    this.arrange(shelf);
    this.listen();
    this.endings.push(
      this.game.on(() => this.update()),
      lab.tables.on(() => this.update()),
      () => this.clock.stop(),
      () => this.sounds.stop(),
      () => this.pace.drop(),
      () => clearTimeout(this.limit),
    );
    this.update();
    if (shelf === "puzzles" && !this.game.node.parent && !this.game.shown.text)
      this.puzzles.ask({ position: this.game.root.shown.position });
  }

  /** @param {string} [shelf] the one that is open */
  arrange(shelf) {
    const { status, said, clock, board, textBoard, buttons, alert, copying } = this;
    const boards = [board.element, textBoard.element];
    const bar = toolbar("game", Object.values(buttons), copying.element);
    const hasBegun = this.game.root.children.length > 0;
    this.hasChosen = shelf !== undefined;
    const shelves = [
      { name: FIRST_SHELF, label: "Moves", parts: [this.variations.element] },
      { name: "new", label: "New game", parts: [this.newGame.element] },
      { name: "review", label: "Review", parts: [this.learning.element] },
      { name: "puzzles", label: "Puzzles", parts: [this.puzzles.element] },
    ];
    const open = shelf ?? (hasBegun ? FIRST_SHELF : "new");
    this.tools = new Tools("tools", shelves, open, (name) => {
      this.hasChosen = true;
      this.lab.go({ shelf: name === FIRST_SHELF ? "" : name });
    });
    const side = html("div", { class: "clocked" }, clock.element);
    this.mount({
      stage: ["board", status, side, ...boards, bar, said, alert],
      side: ["game and moves", this.tools.element],
    });
  }

  /** A file that is dropped on the room is opened. */
  listen() {
    const ending = new AbortController();
    const { signal } = ending;
    this.panel.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    this.panel.addEventListener("drop", (event) => this.drop(event), { signal });
    this.endings.push(() => ending.abort());
  }

  /** @param {DragEvent} event */
  async drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const text = file ? await file.text() : event.dataTransfer?.getData("text");
    if (text) await this.paste(text);
  }

  makeButtons() {
    return {
      undo: iconButton("undo", "Undo", () => this.undo(), { title: "u" }),
      redo: iconButton("redo", "Redo", () => this.redo(), { title: "r" }),
      hint: iconButton("hint", "Hint", () => this.askHint(), { title: "h" }),
      stop: iconButton("pause", "Stop", this.stopOrGo, { title: "s" }),
      again: iconButton("play", "Let it think", this.stopOrGo, { title: "s" }),
      pause: iconButton("pause", "Pause", this.pauseOrGo, { title: "s" }),
      go: iconButton("play", "Go on", this.pauseOrGo, { title: "s" }),
      step: iconButton("step", "One move", () => this.step(), { title: "n" }),
    };
  }

  /** @param {Side} side */
  isHuman(side) {
    return this.players[side] === "human";
  }

  get isOver() {
    return this.game.shown.over || this.clock.out !== null;
  }

  /** Whether agents play each other. */
  get isWatched() {
    return !this.isHuman("x") && !this.isHuman("o") && !this.exercise;
  }

  update() {
    const { node, shown } = this.game;
    if (this.exercise && this.exercise.node !== node && !this.exercise.isDone)
      this.endExercise(false);
    const { exercise, isOver } = this;
    const isFree = exercise ? !exercise.isDone : this.isHuman(shown.side);
    const isText = Boolean(shown.text);
    this.board.element.hidden = isText;
    this.textBoard.element.hidden = !isText;
    const board = isText ? this.textBoard : this.board;
    const isLocked = isOver || !isFree;
    board.draw(shown, { last: node.cell, best: this.hint?.cells, isLocked });
    if (isOver || exercise || this.isHuman(shown.side)) this.stopThinking();
    else if (this.thinking !== node && this.halted?.node !== node) this.think();
    const why = this.halted?.node === node ? this.halted.why : undefined;
    const { out } = this.clock;
    const names = { x: agentName(this.players.x), o: agentName(this.players.o) };
    const told = statusText(node, names, { out, why });
    this.said.textContent = this.hint?.text ?? "";
    this.status.textContent = exercise?.node === node ? exercise.text : told;
    this.drawButtons(why !== undefined);
    this.variations.draw(this.game);
    this.newGame.offer(shown);
    this.learning.playOn.hidden = shown.over;
    this.clock.draw();
    this.follow(node);
  }

  /** @param {boolean} isHalted */
  drawButtons(isHalted) {
    const { node } = this.game;
    const { undo, redo, hint, stop, again, pause, go, step } = this.buttons;
    const { isWatched, isOver } = this;
    stop.hidden = !this.thinking || isWatched;
    again.hidden = !isHalted;
    pause.hidden = !isWatched || isOver || this.pace.isPaused;
    go.hidden = step.hidden = !isWatched || isOver || !this.pace.isPaused;
    hint.hidden = isWatched || this.exercise !== null;
    idle(undo, !node.parent);
    idle(redo, !node.children.length);
    idle(hint, isOver);
  }

  /** Tell the address where one is, and the ear what was played. @param {GameNode} node */
  follow(node) {
    if (this.seen && node.parent === this.seen)
      this.sounds.play(node.shown.over ? "end" : this.seen.shown.side);
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
   * Whether the way back leads to the node before: not for an agent's answer, so that somebody can
   * move there.
   * @param {GameNode} node
   */
  isStep(node) {
    return node !== this.seen && (!node.parent || this.isHuman(node.parent.shown.side));
  }

  /** Another player takes over, also where one thinks. @param {Side} side @param {string} name */
  seat(side, name) {
    this.players[side] = name;
    this.stopThinking();
    this.update();
  }

  /** People play both sides, quietly. */
  seatPeople() {
    this.players.x = this.players.o = "human";
    this.stopThinking();
  }

  /** Who moves here goes on, against a level. @param {string} name */
  playOn(name) {
    const { side } = this.game.shown;
    this.endExercise();
    this.players[side] = "human";
    this.seat(side === "x" ? "o" : "x", name);
  }

  async think() {
    const { node, shown } = this.game;
    const agent = this.players[shown.side];
    this.stopThinking();
    if (!shown.agents.includes(agent) && !isOwnAgent(agent))
      return void (this.halted = { node, why: "it is not for this game; choose another agent" });
    this.thinking = node;
    this.limitThinking();
    try {
      const asked = {
        position: shown.position,
        agent: agentAsked(this.lab, agent),
        seed: Math.floor(Math.random() * 1e9),
      };
      const { move } = await this.ask("move", asked, {
        queue: (place) => {
          if (place > 1) this.status.textContent = `waiting, place ${place} in line`;
          this.limitThinking();
        },
        told: ({ text }) => {
          if (text) this.status.textContent = text;
          this.limitThinking(!text);
        },
      });
      this.limitThinking(false);
      if (!this.isWatched) return await this.answer(move);
      this.pace.hold(() => this.answer(move));
    } catch (error) {
      this.halt(/** @type {Error} */ (error).message);
    }
  }

  /** Play an agent's move. @param {string} move */
  answer(move) {
    this.stopThinking();
    this.hint = null;
    return this.attempt(() => this.game.play(move));
  }

  /** Give an agent its time from now on, or as much as it needs. */
  limitThinking(is = true) {
    clearTimeout(this.limit);
    const stop = () => this.halt(`no move in ${MOVE_SECONDS} seconds`);
    if (is) this.limit = setTimeout(stop, 1000 * MOVE_SECONDS);
  }

  /** Think no more at this position, and say why. @param {string} why */
  halt(why) {
    this.stopThinking();
    this.halted = { node: this.game.node, why };
    this.update();
  }

  stopOrGo = () => {
    if (this.isWatched && !this.halted) return this.pauseOrGo();
    if (this.thinking) return this.halt("stopped");
    this.halted = null;
    this.update();
  };

  pauseOrGo = () => {
    this.pace.pauseOrGo();
    this.update();
  };

  step() {
    if (!this.isWatched) return;
    this.pace.step();
    this.update();
  }

  /** @param {string} seconds */
  setPace(seconds) {
    this.pace.set(Number(seconds));
    this.lab.go({ pace: seconds === USUAL_PACE ? "" : seconds });
  }

  /** @param {boolean} isOn */
  setSounds(isOn) {
    this.sounds.set(isOn);
  }

  stopThinking() {
    clearTimeout(this.limit);
    this.cancel("move");
    this.pace.drop();
    this.thinking = this.halted = null;
  }

  /** @param {string} move */
  play(move) {
    this.hint = null;
    const { exercise } = this;
    if (!exercise) return this.attempt(() => this.game.play(move));
    return this.attempt(() => (exercise.isDone ? undefined : exercise.play(move)));
  }

  // Exercises

  /** @param {Exercise} exercise */
  setExercise(exercise) {
    this.stopThinking();
    this.hint = null;
    this.exercise = exercise;
    this.game.go(exercise.node);
  }

  /** Say what came of a try. @param {import("./sounds.js").Sound} sound @param {string} text */
  mark(sound, text) {
    if (this.exercise) this.exercise.text = text;
    this.sounds.play(sound);
    this.update();
  }

  /** Nothing is looked for any more. @param {string} text @param {string[]} [better] is shown */
  finishExercise(text, better = []) {
    if (!this.exercise) return;
    this.exercise.isDone = true;
    const { names } = this.game.shown;
    this.hint = better.length
      ? { cells: better.map((move) => names.indexOf(move)), text: "" }
      : null;
    this.mark("end", text);
  }

  /** The game goes on. @param {boolean} [withUpdate] */
  endExercise(withUpdate = true) {
    const { exercise } = this;
    if (!exercise) return;
    this.exercise = this.hint = null;
    exercise.left();
    if (withUpdate) this.update();
  }

  /** Begin a new game. @param {string} text @param {string} clock */
  begin(text, clock) {
    return this.attempt(async () => {
      await this.open(text);
      this.hasChosen = false;
      this.clock.set(clock);
      this.lab.go({ clock: clock === NO_CLOCK ? "" : clock });
    });
  }

  /**
   * A game that was copied elsewhere: with its players where it names them, else with people, so
   * that nobody answers it at once.
   * @param {string} text
   */
  paste(text) {
    return this.attempt(async () => {
      const { x, o } = await this.open(text, () => this.seatPeople());
      const isKnown = (/** @type {string} */ name) =>
        name === "human" || this.game.shown.agents.includes(name);
      if (isKnown(x) && isKnown(o)) {
        this.players.x = x;
        this.players.o = o;
        this.update();
      }
    });
  }

  /**
   * Open a position or a game in any notation, and say what it was read as.
   * @param {string} text @param {() => void} seat what is done once it has been read
   */
  async open(text, seat = () => {}) {
    const read = await this.ask("read", { text });
    this.endExercise(false);
    seat();
    this.stopThinking();
    this.hint = null;
    const { game } = this;
    await game.start(read.position);
    let { node } = game;
    if (read.moves.length) {
      this.stopThinking();
      for (const move of read.moves) node = await askChild(game.client, node, move);
      if (game.root === game.node) game.turnTo(node);
    }
    if (read.said) this.lab.tell(`read as ${read.said}`);
    return read;
  }

  /** @param {GameNode} node */
  go(node) {
    this.hint = null;
    this.game.go(node);
  }

  /** Against an agent, take back its moves as well. */
  undo() {
    let node = this.game.node.parent;
    const isHumanThere = this.isHuman("x") || this.isHuman("o");
    while (isHumanThere && node?.parent && !this.isHuman(node.shown.side)) node = node.parent;
    if (node) this.go(node);
  }

  redo() {
    const [next] = this.game.node.children;
    if (next) this.go(next);
  }

  askHint() {
    return this.attempt(() => this.findHint());
  }

  async findHint() {
    const { node, shown } = this.game;
    const asked = { position: shown.position, seconds: HINT_SECONDS };
    const { cell, sentence, number } = await this.ask("suggest", asked);
    if (this.game.node !== node) return;
    this.hint =
      cell === null
        ? { cells: [], text: "Hint: none was found in time" }
        : { cells: [cell], text: `Hint: ${sentence}${number && ` (${number})`}` };
    this.update();
  }

  /** Whose time runs: nobody's before the first move. @returns {Side | null} */
  running() {
    const { node, shown } = this.game;
    const hasBegun = node.parent !== null || node.children.length > 0;
    return hasBegun && !shown.over && !this.exercise ? shown.side : null;
  }

  get keys() {
    return [
      { keys: ["ArrowLeft", "u", "Ctrl+Z"], text: "undo", act: () => this.undo() },
      { keys: ["ArrowRight", "r", "Ctrl+Y"], text: "redo", act: () => this.redo() },
      {
        keys: ["h"],
        text: "hint",
        act: () => this.isOver || this.isWatched || this.exercise || this.askHint(),
      },
      {
        keys: ["s"],
        text: "stop an agent that thinks, or let it think again; pause agents, or let them go on",
        act: this.stopOrGo,
      },
      { keys: ["n"], text: "one move of agents that are paused", act: () => this.step() },
      ...(this.game.shown.text ? [] : this.board.keys),
    ];
  }
}
