// The whole game as a graph, with its mistakes.
import { gameGraph } from "../../charts.js";
import { failure, html, iconButton, paragraph, scroller } from "../../dom.js";
import { counted } from "../../wording.js";

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

export class Review {
  /** @param {import("../room.js").Room} room */
  constructor(room) {
    this.room = room;
    this.graph = html("div", { class: "graphs" });
    this.button = iconButton("play", "Look at every position", () => this.ask());
  }

  async ask() {
    const { game } = this.room;
    const variation = game.variation;
    const moves = variation.slice(1).map((node) => node.move);
    /** @param {{ points?: ReviewPoint[] }} news */
    const draw = ({ points }) => points && this.draw(points, variation, moves);
    this.graph.replaceChildren(paragraph("looking at every position …"));
    const asked = { position: game.root.shown.position, moves };
    try {
      draw(await this.room.ask("review", asked, { told: draw }));
    } catch (error) {
      this.graph.replaceChildren(failure(error));
    }
  }

  /** @param {ReviewPoint[]} points @param {GameNode[]} variation @param {string[]} moves */
  draw(points, variation, moves) {
    const { game } = this.room;
    const at = variation.indexOf(game.node);
    const graph = gameGraph(points, at, moves, (ply) => game.go(variation[ply]));
    const words = paragraph(mistakes(points, moves));
    this.graph.replaceChildren(scroller("graph of the game", graph), words);
  }
}
