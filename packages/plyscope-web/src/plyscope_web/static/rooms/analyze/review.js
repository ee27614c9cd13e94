// The review of a game: its graph, with the mistakes.
import { gameGraph } from "../../shell/charts.js";
import { failure, html, iconButton, paragraph, redraw, scroller } from "../../shell/dom.js";
import { counted, spokenMove } from "../../shell/wording.js";
import { resultWords } from "./evaluationbar.js";

/**
 * The moves that gave something away, in words.
 * @param {ReviewPoint[]} points @param {string[]} moves
 */
export function mistakes(points, moves) {
  const found = points.flatMap(({ verdict }, ply) =>
    verdict
      ? [`${ply}. ${moves[ply - 1]}: ${verdict}${verdict === "doubtful" ? ", not proved" : ""}`]
      : [],
  );
  const open = points.slice(1).filter(({ judged }) => !judged).length;
  const none = open ? "no mistake is proved" : "no mistakes";
  const rest = open ? `; ${counted(open, "move is", "moves are")} not judged by a proof` : "";
  return `${found.join("; ") || none}${rest}`;
}

/**
 * Return the points of a review with later proofs; judgements that these change are removed.
 * @param {ReviewPoint[]} points @param {(Proved | null)[]} proofs @param {Side[]} sides who moves
 * @returns {ReviewPoint[]}
 */
export function withProofs(points, proofs, sides) {
  /** @param {number} ply */
  const isNews = (ply) => Boolean(points[ply] && !points[ply].proved && proofs[ply]);
  return points.map((point, ply) => {
    const isOld = ply > 0 && (isNews(ply) || isNews(ply - 1));
    const said = isOld
      ? { ...point, verdict: null, gives: false, sentence: "", judged: false }
      : point;
    const proof = proofs[ply];
    if (!proof || !isNews(ply)) return said;
    const share = (sides[ply] === "x" ? 1 : -1) * (proof.value ?? 0) || 0;
    return { ...said, proved: true, share, text: resultWords(sides[ply], proof) };
  });
}

/** @typedef {{ points: ReviewPoint[], variation: GameNode[] }} Reviewed */

/**
 * Ask about a game, with what is known of it by now, and keep what is proved.
 * @param {import("../room.js").Room} room @param {GameNode[]} variation
 * @param {(news: { points?: ReviewPoint[] }) => void} told
 */
export async function askReview(room, variation, told) {
  const { proofs } = room.lab;
  const moves = variation.slice(1).map((node) => node.move);
  const known = proofs.carried(variation);
  const asked = { position: variation[0].shown.position, moves, known };
  const found = await room.ask("review", asked, { told });
  told(found);
  for (const { proof } of found.points) proofs.learn(proof);
  return { ...found, known };
}

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
    /** The game that was reviewed last. @type {GameNode[] | null} */
    this.asked = null;
    this.button = iconButton("play", "Review the game", () => this.ask());
  }

  async ask() {
    const { game, lab } = this.room;
    const variation = game.variation;
    this.asked = variation;
    this.graph.replaceChildren(paragraph("analysing every position …"));
    /** @param {{ points?: ReviewPoint[] }} news */
    const told = ({ points }) => {
      if (!points || this.asked !== variation) return;
      lab.reviewed = { points, variation };
      this.redraw();
    };
    try {
      await this.look(variation, told);
    } catch (error) {
      this.graph.replaceChildren(failure(error));
    }
  }

  /**
   * Ask about a game, again where it is known meanwhile what was estimated.
   * @param {GameNode[]} variation @param {(news: { points?: ReviewPoint[] }) => void} told
   */
  async look(variation, told) {
    const { proofs } = this.room.lab;
    const { points, known } = await askReview(this.room, variation, told);
    const isNews = points.some(({ proved }, at) => !proved && proofs.of(variation[at]));
    const isMore = proofs.carried(variation).length > known.length; // proved meanwhile
    if (isNews && isMore) await this.look(variation, told);
  }

  /** Judge anew where a position has been proved that was estimated. @param {string} position */
  hear(position) {
    const { lab, game } = this.room;
    if (!isOf(lab.reviewed, game.root)) return;
    const { points, variation } = /** @type {Reviewed} */ (lab.reviewed);
    const at = variation.findIndex(({ shown }) => shown.position === position);
    if (!points[at] || points[at].proved) return;
    this.redraw();
    if (this.room.jobs.has("review") && points.length < variation.length) return; // asked again below
    this.room.attempt(() =>
      this.look(variation, ({ points }) => {
        if (points?.length !== variation.length) return;
        lab.reviewed = { points, variation };
        this.redraw();
      }),
    );
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
    const { variation, points: found } = /** @type {Reviewed} */ (lab.reviewed);
    const proofs = variation.map((node) => lab.proofs.of(node));
    const sides = variation.map(({ shown }) => shown.side);
    const points = withProofs(found, proofs, sides);
    const moves = variation.slice(1).map(spokenMove);
    const at = variation.indexOf(game.node);
    const graph = gameGraph(points, at, moves, (ply) => game.go(variation[ply]));
    redraw(
      this.graph,
      scroller("graph of the game", graph),
      paragraph(mistakes(points, moves)),
      ...(points[at]?.sentence ? [paragraph(points[at].sentence)] : []),
    );
  }
}
