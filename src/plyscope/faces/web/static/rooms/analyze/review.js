// The whole game as a graph, with its mistakes.
import { gameGraph } from "../../charts.js";
import { failure, html, iconButton, paragraph, scroller } from "../../dom.js";
import { counted, spokenMove } from "../../wording.js";

/**
 * The moves that gave something away, in words.
 * @param {ReviewPoint[]} points @param {string[]} moves
 */
export function mistakes(points, moves) {
  const found = points.flatMap(({ slip }, ply) =>
    slip ? [`${ply}. ${moves[ply - 1]}: ${slip}`] : [],
  );
  const estimated = points.filter(({ proved }) => !proved).length;
  const guess = estimated
    ? `; ${counted(estimated, "position is", "positions are")} estimated, not proved, and a move ` +
      "between the two kinds is not judged"
    : "";
  return `${found.join("; ") || "no mistakes found so far"}${guess}`;
}

/** @typedef {{ points: ReviewPoint[], variation: GameNode[] }} Reviewed */

/**
 * Whether a review is of the game that one is in. @param {Reviewed | undefined} reviewed
 * @param {GameNode} root
 */
const isOf = (reviewed, root) => reviewed?.variation[0] === root;

export class Review {
  /** @param {import("../room.js").Room} room */
  constructor(room) {
    this.room = room;
    this.graph = html("div", { class: "graphs" });
    /** What was asked about last. @type {GameNode[] | null} */
    this.asked = null;
    this.button = iconButton("play", "Review the game", () => this.ask());
  }

  async ask() {
    const { game, lab } = this.room;
    const variation = game.variation;
    const moves = variation.slice(1).map((node) => node.move);
    /** @param {{ points?: ReviewPoint[] }} news */
    const take = ({ points }) => {
      if (!points || this.asked !== variation) return;
      lab.reviewed = { points, variation };
      this.redraw();
    };
    this.asked = variation;
    this.graph.replaceChildren(paragraph("looking at every position …"));
    const asked = { position: game.root.shown.position, moves };
    try {
      take(await this.room.ask("review", asked, { told: take }));
    } catch (error) {
      this.graph.replaceChildren(failure(error));
    }
  }

  /** A game that has ended is looked at without being asked. */
  offer() {
    const { lab, game } = this.room;
    const isKnown = isOf(lab.reviewed, game.root) || this.asked?.[0] === game.root;
    if (game.shown.over && !isKnown) this.ask();
  }

  /** Draw what is known of the game: it stays while one goes about in it. */
  redraw() {
    const { lab, game } = this.room;
    if (!isOf(lab.reviewed, game.root)) {
      if (this.asked?.[0] === game.root) return; // it is being looked at
      this.room.cancel("review");
      return this.graph.replaceChildren();
    }
    const { points, variation } = /** @type {Reviewed} */ (lab.reviewed);
    const moves = variation.slice(1).map(spokenMove);
    const at = variation.indexOf(game.node);
    const focused = this.spots.findIndex((spot) => spot === document.activeElement);
    const graph = gameGraph(points, at, moves, (ply) => game.go(variation[ply]));
    this.graph.replaceChildren(
      scroller("graph of the game", graph),
      paragraph(mistakes(points, moves)),
      ...(points[at]?.sentence ? [paragraph(points[at].sentence)] : []),
    );
    this.spots[focused]?.focus();
  }

  /** @returns {SVGElement[]} */
  get spots() {
    return [...this.graph.querySelectorAll("g.point")].map((spot) => /** @type {any} */ (spot));
  }
}
