// The review in Play: try each blunder again; a proof marks the try, else a search.
import { button, failure, html, iconButton, paragraph, status, toolbar } from "../../shell/dom.js";
import { counted, spoken, spokenMove } from "../../shell/wording.js";
import { askReview, openText } from "../analyze/review.js";
import { SIDES } from "./players.js";
import { moverOf } from "./variations.js";

/**
 * The moves of a game that gave something away, of those whose mistakes are looked for.
 * @param {ReviewPoint[]} points one for each position
 * @param {GameNode[]} nodes those of the game
 * @param {Side[]} sides
 */
export function blunders(points, nodes, sides) {
  return points.flatMap((point, ply) => {
    const node = nodes[ply];
    const side = node?.parent?.shown.side;
    return point.gives && side && sides.includes(side) ? [{ node, ply, point }] : [];
  });
}

/** @typedef {import("./mistakes.js").Blunder} Blunder */

/** Name the move of a mistake. @param {Blunder} blunder */
const blunderText = ({ node, ply }) =>
  `${ply ? `move ${ply}, ` : ""}${moverOf(node)} ${spokenMove(node)}`;

/**
 * How many moves gave something away.
 * @param {{ point: ReviewPoint }[]} blunders @param {ReviewPoint[]} points
 * @param {boolean} isProving whether proofs are still coming
 */
export function foundText(blunders, points, isProving = false) {
  const open = openText(points, isProving);
  if (!blunders.length)
    return open ? `no move is proved to give anything away${open}` : "no move gave anything away";
  return `${counted(blunders.length, "move gave", "moves gave")} something away${open}`;
}

export class Learning {
  /** @type {ReviewPoint[]} */
  points = [];
  /** @type {GameNode[]} */
  nodes = [];
  /** The mistakes that are tried again. @type {Blunder[]} */
  again = [];
  at = 0;
  /** Those that were put right at the first try. */
  solved = 0;
  isFirstTry = true;

  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
    this.progress = status("help");
    this.list = html("ul", { class: "blunders" });
    this.card = html("div", { class: "card", hidden: true });
    this.start = iconButton("hint", "Review the game", () => this.review(), { class: "primary" });
    this.halt = iconButton("pause", "Stop", () => this.stop());
    this.learn = iconButton("redo", "Learn from the mistakes", () => this.begin());
    this.halt.hidden = this.learn.hidden = true;
    const bar = toolbar("review", this.start, this.halt, this.learn);
    this.element = html("div", {}, bar, this.progress, this.card, this.list);
    const { reviewed } = room.lab;
    if (reviewed?.variation[0] === room.game.root) {
      this.nodes = reviewed.variation;
      this.draw(reviewed.points);
    }
  }

  /** @returns {Side[]} whose mistakes are looked for: the persons', else everybody's */
  get sides() {
    const people = SIDES.filter((side) => this.room.isHuman(side));
    return people.length ? people : SIDES;
  }

  get blunders() {
    return blunders(this.points, this.nodes, this.sides);
  }

  /** Forget a game that one is no longer in. @param {GameNode} root */
  follow(root) {
    if (!this.nodes.length || this.nodes[0] === root) return;
    this.room.cancel("review");
    this.points = this.nodes = [];
    this.halt.hidden = this.learn.hidden = true;
    this.progress.replaceChildren();
    this.list.replaceChildren();
  }

  /** Review a game that has not been looked at to its end. */
  async reviewOnce() {
    const isKnown = this.nodes.includes(this.room.game.node);
    if (!isKnown || this.points.length < this.nodes.length) await this.review();
  }

  async review() {
    this.room.exercises.end();
    this.nodes = this.room.game.variation;
    this.draw([]);
    this.halt.hidden = false;
    try {
      await askReview(this.room, this.nodes, (points) => this.draw(points));
      this.stop();
      const isPersons = this.sides.some((side) => this.room.isHuman(side));
      if (isPersons) this.room.mistakes.keep(this.nodes, this.blunders);
    } catch (error) {
      this.halt.hidden = true;
      this.progress.replaceChildren(failure(error));
    }
  }

  /** Keep what has been judged. */
  stop() {
    this.room.cancel("review");
    this.halt.hidden = true;
    this.draw(this.points);
    if (this.points.length < this.nodes.length) this.progress.textContent = "stopped";
  }

  /** @param {ReviewPoint[]} points */
  draw(points) {
    this.points = points;
    const { nodes, blunders } = this;
    const isAll = points.length === nodes.length;
    if (isAll) this.room.lab.reviewed = { points, variation: nodes };
    this.progress.textContent = isAll
      ? foundText(blunders, points, !this.halt.hidden)
      : `looking at position ${points.length + 1} of ${nodes.length} …`;
    this.learn.hidden = !isAll || !blunders.length;
    this.list.replaceChildren(
      ...blunders.map((blunder) => {
        const go = button(blunderText(blunder), () => this.room.go(blunder.node), {
          class: "quiet",
        });
        return html("li", {}, go, paragraph(blunder.point.sentence.replace(/^move \d+, /, "")));
      }),
    );
  }

  begin(again = /** @type {Blunder[]} */ (this.blunders)) {
    this.again = again;
    this.at = this.solved = 0;
    this.set();
  }

  /** Set the board before the mistake that comes next, or say how it went. */
  set() {
    const blunder = this.again[this.at];
    if (!blunder) return this.end();
    const before = /** @type {GameNode} */ (blunder.node.parent);
    this.isFirstTry = true;
    this.list.hidden = true;
    this.room.exercises.set({
      node: before,
      text: `${moverOf(blunder.node)} ${spokenMove(blunder.node)} gave something away: find a better move`,
      isDone: false,
      play: (move) => this.try(move),
      left: () => this.leave(),
    });
    this.drawCard("");
  }

  /** @param {string} said */
  drawCard(said) {
    const { again, at } = this;
    const isDone = this.room.exercises.current?.isDone;
    const isLast = at + 1 === again.length;
    this.card.hidden = false;
    const next = button(isLast ? "Finish" : "Next", () => (this.at++, this.set()), {
      class: isDone ? "primary" : "",
    });
    this.card.replaceChildren(
      paragraph(`mistake ${at + 1} of ${again.length}: ${blunderText(again[at])}`),
      html("p", { role: "status", class: "outcome" }, said),
      toolbar(
        "mistake",
        isDone ? null : button("Show it", () => this.show()),
        next,
        button("End", () => this.room.exercises.end()),
      ),
    );
  }

  /** @param {string} move */
  async try(move) {
    const { exercises } = this.room;
    const found = await exercises.try(move);
    if (!found) return;
    const blunder = this.again[this.at];
    if (found.right) {
      if (this.isFirstTry) {
        this.solved++;
        blunder.solve?.();
      }
      exercises.finish(`Right: ${this.spoken(found.cell)}`);
      this.drawCard(`Right: ${found.said} ${blunder.point.sentence}`);
    } else this.drawCard(`${found.said} Try another move.`);
    this.isFirstTry = false;
  }

  /** Return the spoken name of a cell. @param {number} cell */
  spoken(cell) {
    return spoken(this.room.game.shown, cell);
  }

  show() {
    const blunder = this.again[this.at];
    this.isFirstTry = false;
    const { names } = this.room.game.shown;
    const better = blunder.point.better.map((move) => this.spoken(names.indexOf(move)));
    this.room.exercises.finish(`Better: ${better.join(" or ")}`, blunder.point.better);
    this.drawCard(blunder.point.sentence);
  }

  end() {
    const count = this.again.length;
    this.room.exercises.end();
    const last = this.nodes[this.nodes.length - 1];
    this.progress.textContent = `${this.solved} of ${count} found at the first try`;
    if (last) this.room.go(last);
  }

  leave() {
    this.card.hidden = true;
    this.list.hidden = false;
  }
}
