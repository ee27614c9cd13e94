// The review of a game: its graph, with the mistakes.
import { gameGraph } from "../../shell/charts.js";
import { failure, html, iconButton, paragraph, redraw, scroller } from "../../shell/dom.js";
import { counted, spokenMove } from "../../shell/wording.js";
import { resultWords } from "./evaluationbar.js";

/** The seconds of a request in which the solvers prove what is left. */
const PROVING_SECONDS = 20;

/** The moves that no proof judges. @param {ReviewPoint[]} points */
const openMoves = (points) => points.slice(1).filter(({ judged }) => !judged).length;

/**
 * How many moves are not judged, as the end of a sentence.
 * @param {ReviewPoint[]} points @param {boolean} isProving whether proofs are still coming
 */
export function openText(points, isProving) {
  const open = openMoves(points);
  const moves = counted(open, "move is", "moves are");
  return open ? `; ${moves} not judged ${isProving ? "yet, proving …" : "by a proof"}` : "";
}

/**
 * The moves that gave something away, in words.
 * @param {ReviewPoint[]} points @param {string[]} moves @param {boolean} isProving
 */
export function mistakes(points, moves, isProving = false) {
  const found = points.flatMap(({ verdict }, ply) =>
    verdict ? [`${ply}. ${moves[ply - 1]}: ${verdict}`] : [],
  );
  const none = openMoves(points) ? "no mistake is proved" : "no mistakes";
  return `${found.join("; ") || none}${openText(points, isProving)}`;
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
 * Ask about a game until every move is judged, or no proof comes any more; keep what is proved.
 * @param {import("../room.js").Room} room @param {GameNode[]} variation
 * @param {(points: ReviewPoint[]) => void} told
 */
export async function askReview(room, variation, told) {
  const { proofs } = room.lab;
  const moves = variation.slice(1).map((node) => node.move);
  for (let isMore = true; isMore;) {
    /** @type {number | undefined} */
    let first;
    const known = proofs.carried(variation);
    const hear = (/** @type {{ points?: ReviewPoint[] }} */ { points }) => {
      if (!points) return;
      told(points);
      if (points.length === variation.length) first ??= openMoves(points);
      for (const { proof } of points) proofs.learn(proof);
    };
    const asked = { position: variation[0].shown.position, moves, known, proving: PROVING_SECONDS };
    const found = await room.ask("review", asked, { told: hear });
    hear(found);
    const open = openMoves(found.points);
    const isNews = found.points.some(({ proved }, at) => !proved && proofs.of(variation[at]));
    const isKnown = isNews && proofs.carried(variation).length > known.length; // proved meanwhile
    isMore = isKnown || (open > 0 && open < (first ?? 0));
  }
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
    this.halt = iconButton("pause", "Stop", () => this.stop());
    this.halt.hidden = true;
  }

  get isRunning() {
    return this.room.jobs.has("review");
  }

  async ask(variation = this.room.game.variation) {
    this.asked = variation;
    if (this.room.lab.reviewed?.variation !== variation)
      this.graph.replaceChildren(paragraph("analysing every position …"));
    try {
      await askReview(this.room, variation, (points) => {
        if (this.asked !== variation) return;
        this.room.lab.reviewed = { points, variation };
        this.redraw();
      });
      this.stop();
    } catch (error) {
      this.stop();
      this.graph.replaceChildren(failure(error));
    }
  }

  /** Keep what has been judged. */
  stop() {
    this.room.cancel("review");
    this.redraw();
  }

  /** Judge anew where a position has been proved that was estimated. @param {string} position */
  hear(position) {
    const { reviewed } = this.room.lab;
    if (!isOf(reviewed, this.room.game.root)) return;
    const { points, variation } = /** @type {Reviewed} */ (reviewed);
    const at = variation.findIndex(({ shown }) => shown.position === position);
    if (!points[at] || points[at].proved) return;
    this.redraw();
    if (!this.isRunning) this.ask(variation); // else it is asked again when this request ends
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
    this.halt.hidden = !this.isRunning;
    this.button.hidden = this.isRunning;
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
      paragraph(mistakes(points, moves, this.isRunning)),
      ...(points[at]?.sentence ? [paragraph(points[at].sentence)] : []),
    );
  }
}
