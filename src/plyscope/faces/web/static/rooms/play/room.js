// Play: against an agent or each other, on any board, with every variation kept.
import { Board } from "../../board.js";
import { savePng, saveSvg } from "../../boardfile.js";
import { heading, iconButton, idle, status, toolbar } from "../../dom.js";
import { USUAL_PLAYERS } from "../../link.js";
import { TextBoard } from "../../textboard.js";
import { Room } from "../room.js";
import { Clock } from "./clock.js";
import { NewGame } from "./newgame.js";
import { statusText } from "./status.js";
import { Variations } from "./variations.js";

const HINT_SECONDS = 1;
const MOVE_SECONDS = 30;

/** @typedef {{ cells: number[], text: string }} Hint */

export class PlayRoom extends Room {
  status = status();
  board = new Board((move) => this.play(move));
  textBoard = new TextBoard((move) => this.play(move));
  variations = new Variations((node) => this.go(node));
  /** The node at which an agent thinks. @type {GameNode | null} */
  thinking = null;
  /** The node at which an agent gave no move, and why. @type {{ node: GameNode, why: string } | null} */
  halted = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  limit = undefined;
  /** @type {Hint | null} */
  hint = null;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    const { x, o } = { ...USUAL_PLAYERS, ...lab.place };
    this.players = lab.players ??= { x, o };
    this.clock = new Clock(
      this.game,
      () => this.running(),
      () => this.update(),
    );
    this.buttons = this.makeButtons();
    const { status, clock, board, textBoard, variations, buttons, alert } = this;
    const boards = [board.element, textBoard.element];
    const bar = toolbar("game", Object.values(buttons));
    this.newGame = new NewGame(lab, this.players, this);
    const form = this.newGame.element;
    this.mount({
      stage: ["board", status, clock.element, ...boards, bar, alert],
      side: ["game and moves", heading("Moves"), variations.element, heading("New game"), form],
    });
    this.endings.push(
      this.game.on(() => this.update()),
      () => clock.stop(),
      () => clearTimeout(this.limit),
    );
    this.update();
  }

  makeButtons() {
    const save = (/** @type {typeof savePng} */ as) => as(this.game.shown, this.game.node.cell);
    return {
      undo: iconButton("undo", "Undo", () => this.undo(), { title: "u" }),
      redo: iconButton("redo", "Redo", () => this.redo(), { title: "r" }),
      hint: iconButton("hint", "Hint", () => this.askHint(), { title: "h" }),
      stop: iconButton("pause", "Stop", this.stopOrGo, { title: "s" }),
      again: iconButton("play", "Let it think", this.stopOrGo, { title: "s" }),
      share: iconButton("link", "Copy link", () => this.copyLink()),
      svg: iconButton("down", "SVG", () => save(saveSvg)),
      png: iconButton("down", "PNG", () => save(savePng)),
    };
  }

  /** @param {Side} side */
  isHuman(side) {
    return this.players[side] === "human";
  }

  get isOver() {
    return this.game.shown.over || this.clock.out !== null;
  }

  update() {
    const { root, node, shown, trail } = this.game;
    const isOver = this.isOver;
    const isLocked = isOver || !this.isHuman(shown.side);
    const isText = Boolean(shown.text);
    this.board.element.hidden = isText;
    this.textBoard.element.hidden = !isText;
    const board = isText ? this.textBoard : this.board;
    board.draw(shown, { last: node.cell, best: this.hint?.cells, isLocked });
    for (const save of [this.buttons.svg, this.buttons.png]) save.hidden = isText;
    if (isOver || this.isHuman(shown.side)) this.stopThinking();
    else if (this.thinking !== node && this.halted?.node !== node) this.think();
    const why = this.halted?.node === node ? this.halted.why : undefined;
    const { out } = this.clock;
    this.status.textContent = statusText(node, this.players, { out, hint: this.hint?.text, why });
    this.buttons.stop.hidden = !this.thinking;
    this.buttons.again.hidden = why === undefined;
    idle(this.buttons.undo, !node.parent);
    idle(this.buttons.redo, !node.children.length);
    idle(this.buttons.hint, isOver);
    this.variations.draw(this.game);
    this.newGame.offer(shown);
    this.clock.draw();
    this.lab.go({ position: root.shown.position, moves: trail, ...this.players });
  }

  /** Another player takes over, also where one thinks. @param {Side} side @param {string} name */
  seat(side, name) {
    this.players[side] = name;
    this.stopThinking();
    this.update();
  }

  async think() {
    const { node, shown } = this.game;
    const agent = this.players[shown.side];
    this.stopThinking();
    if (!shown.agents.includes(agent))
      return void (this.halted = { node, why: "it is not for this game; choose another agent" });
    this.thinking = node;
    this.limitThinking();
    const asked = { position: shown.position, agent, seed: Math.floor(Math.random() * 1e9) };
    try {
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
      this.stopThinking();
      await this.play(move);
    } catch (error) {
      this.halt(/** @type {Error} */ (error).message);
    }
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
    if (this.thinking) return this.halt("stopped");
    this.halted = null;
    this.update();
  };

  stopThinking() {
    clearTimeout(this.limit);
    this.cancel("move");
    this.thinking = this.halted = null;
  }

  /** @param {string} move */
  play(move) {
    this.hint = null;
    return this.attempt(() => this.game.play(move));
  }

  /** Begin a new game. @param {string} text @param {number} minutes */
  begin(text, minutes) {
    this.stopThinking();
    this.hint = null;
    return this.attempt(async () => {
      await this.game.start(text);
      this.clock.set(minutes);
    });
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
    const { lines, depth } = await this.ask("analyze", asked);
    if (this.game.node !== node) return;
    const [best] = lines;
    this.hint = best
      ? {
          cells: best.cells.slice(0, 1),
          text: `${best.pv[0]} (${best.text}, ${depth} plies deep)`,
        }
      : { cells: [], text: "none was found in time" };
    this.update();
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.lab.announce("the link is copied");
    } catch {
      this.lab.announce(`the address of this page is the link: ${location.href}`);
    }
  }

  /** Whose time runs: nobody's before the first move. @returns {Side | null} */
  running() {
    const { node, shown } = this.game;
    const hasBegun = node.parent !== null || node.children.length > 0;
    return hasBegun && !shown.over ? shown.side : null;
  }

  get keys() {
    return [
      { keys: ["ArrowLeft", "u", "Ctrl+Z"], text: "undo", act: () => this.undo() },
      { keys: ["ArrowRight", "r", "Ctrl+Y"], text: "redo", act: () => this.redo() },
      { keys: ["h"], text: "hint", act: () => this.isOver || this.askHint() },
      { keys: ["s"], text: "stop an agent that thinks, or let it think again", act: this.stopOrGo },
      ...(this.game.shown.text ? [] : this.board.keys),
    ];
  }
}
