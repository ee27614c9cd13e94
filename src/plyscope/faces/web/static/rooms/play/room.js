// Play: against an agent or each other, on any board, with every variation kept.
import { Board } from "../../board.js";
import { savePng, saveSvg } from "../../boardfile.js";
import { heading, iconButton, idle, status, toolbar } from "../../dom.js";
import { TextBoard } from "../../textboard.js";
import { Room } from "../room.js";
import { Clock } from "./clock.js";
import { newGameForm } from "./newgame.js";
import { statusText } from "./status.js";
import { Variations } from "./variations.js";

const HINT_SECONDS = 1;
const USUAL_PLAYERS = { x: "human", o: "level-5" };

/** @typedef {{ cells: number[], text: string }} Hint */

/**
 * Who plays, as the address says where it names agents that there are.
 * @param {Place} place @param {Named[]} agents
 * @returns {Record<Side, string>}
 */
function playersAt(place, agents) {
  const isKnown = (/** @type {string} */ name) =>
    name === "human" || agents.some((agent) => agent.name === name);
  return {
    x: isKnown(place.x) ? place.x : USUAL_PLAYERS.x,
    o: isKnown(place.o) ? place.o : USUAL_PLAYERS.o,
  };
}

export class PlayRoom extends Room {
  status = status();
  board = new Board((move) => this.play(move));
  textBoard = new TextBoard((move) => this.play(move));
  variations = new Variations((node) => this.go(node));
  clock = new Clock(
    () => this.running(),
    () => this.update(),
  );
  /** The node at which an agent thinks. @type {GameNode | null} */
  thinking = null;
  /** @type {Hint | null} */
  hint = null;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.players = lab.players ??= playersAt(lab.place, lab.catalogues.agents);
    this.buttons = this.makeButtons();
    const { status, clock, board, textBoard, variations, buttons, alert } = this;
    const boards = [board.element, textBoard.element];
    const bar = toolbar("game", Object.values(buttons));
    const form = newGameForm(lab, this.players, this);
    this.mount({
      stage: ["board", status, clock.element, ...boards, bar, alert],
      side: ["game and moves", heading("Moves"), variations.element, heading("New game"), form],
    });
    panel.onkeydown = (event) => this.hearKey(event);
    this.endings.push(
      this.game.on(() => this.update()),
      () => clock.stop(),
    );
    this.update();
  }

  makeButtons() {
    const save = (/** @type {typeof savePng} */ as) => as(this.game.shown, this.game.node.cell);
    return {
      undo: iconButton("undo", "Undo", () => this.undo(), { title: "Left arrow" }),
      redo: iconButton("redo", "Redo", () => this.redo(), { title: "Right arrow" }),
      hint: iconButton("hint", "Hint", () => this.attempt(() => this.findHint())),
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
    this.status.textContent = statusText(node, this.players, this.clock.out, this.hint?.text);
    idle(this.buttons.undo, !node.parent);
    idle(this.buttons.redo, !node.children.length);
    idle(this.buttons.hint, isOver);
    this.variations.draw(this.game);
    this.clock.draw();
    this.lab.go({ position: root.shown.position, moves: trail, ...this.players });
    if (isOver || this.isHuman(shown.side)) this.stopThinking();
    else if (this.thinking !== node) this.attempt(() => this.think());
  }

  async think() {
    const { node, shown } = this.game;
    this.thinking = node;
    const agent = this.players[shown.side];
    const asked = { position: shown.position, agent, seed: Math.floor(Math.random() * 1e9) };
    const { move } = await this.ask("move", asked, {
      queue: (place) => {
        if (place > 1) this.status.textContent = `waiting, place ${place} in line`;
      },
    });
    this.thinking = null;
    await this.play(move);
  }

  stopThinking() {
    this.cancel("move");
    this.thinking = null;
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
    this.clock.set(minutes);
    return this.attempt(() => this.game.start(text));
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

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.matches("input, select, textarea, [role=gridcell]")) return;
    if (event.key === "ArrowLeft") this.undo();
    else if (event.key === "ArrowRight") this.redo();
    else return;
    event.preventDefault();
  }
}
