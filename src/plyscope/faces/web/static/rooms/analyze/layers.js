// What the three layers say of each move, and where the heuristic is wrong.
import { compact, count } from "../../wording.js";

export const LAYERS = {
  all: "all three",
  evaluation: "heuristic: its opinion of the position after the move",
  score: "search: the score, with its bound",
  proof: "proof: the value, with its distance",
  wrong: "where the heuristic is wrong",
};
/** @type {Record<string, string>} */
const LEGENDS = {
  all:
    "h the heuristic's opinion after the move · = ≥ ≤ the search's score · " +
    "✓ proved, with plies to the end; all for the side to move",
  evaluation: "h: the heuristic's opinion of the position after the move, for the side to move",
  score: "= exact, ≥ at least, ≤ at most: the search's score for the side to move",
  proof: "✓ proved, with plies to the end",
  wrong:
    "▼ n: rated too high against n other moves · ▲ n: too low · " +
    "judged by the proof, or by the search where there is none",
};
const TOO_LARGE = "on a board of this size the search's layer is shown; choose another above";
/** @type {Record<number, string>} */
const RESULTS = { 1: "win", 0: "draw", [-1]: "loss" };
/** @type {Record<string, (judgement: Judgement, cell: number) => Note[]>} */
const SAYS = {
  evaluation: evaluationNotes,
  score: scoreNotes,
  proof: proofNotes,
  wrong: wrongNotes,
};
/** Cells beyond which a board has no room for three notes on each. */
const LARGE = 49;
/** A proved win stands so far above a draw that no distance reaches it. */
const WIN = 10_000;

/**
 * What is known of a position: each is null until it has been answered.
 * @typedef {{ explanation: Explanation | null, search: Search | null, proof: Proof | null }} Known
 */

/** What is known of the moves, by cell; `truth` orders those whose value is sure. */
export class Judgement {
  /** @param {Known} known @param {number[]} moves */
  constructor({ explanation, search, proof }, moves) {
    this.evaluations = new Map(explanation?.after.map(({ cell, value }) => [cell, value]));
    this.scores = new Map(search?.moves.map((score) => [score.cell, score]));
    this.proofs = provedMoves(proof);
    this.truth =
      this.proofs.size === moves.length ? provedOrder(this.proofs) : searchedOrder(this.scores);
  }

  /**
   * How many moves the heuristic puts on the wrong side of this one.
   * @param {number} cell
   */
  misjudged(cell) {
    const [truth, evaluation] = [this.truth.get(cell), this.evaluations.get(cell)];
    if (truth === undefined || evaluation === undefined) return null;
    let [over, under] = [0, 0];
    for (const [other, value] of this.truth) {
      const rival = this.evaluations.get(other) ?? NaN;
      if (truth < value && evaluation >= rival) over++;
      if (truth > value && evaluation <= rival) under++;
    }
    return { over, under };
  }
}

/** A proof without its moves says what the best ones are worth. @param {Proof | null} proof */
function provedMoves(proof) {
  if (!proof) return new Map();
  if (proof.moves.length) return new Map(proof.moves.map((item) => [item.move, item]));
  const { value, distance } = proof;
  return new Map(proof.best.map((cell) => [cell, { value, distance }]));
}

/** A quick win is the best, a quick loss the worst. @param {Map<number, ProvedMove>} proofs */
function provedOrder(proofs) {
  /** @type {Map<number, number>} */
  const order = new Map();
  for (const [cell, { value, distance }] of proofs)
    order.set(cell, value * (WIN - (distance ?? 0)));
  return order;
}

/** A bound is not sure. @param {Map<number, MoveScore>} scores */
function searchedOrder(scores) {
  const exact = [...scores.values()].filter(({ sign }) => sign === "=");
  return new Map(exact.map(({ cell, value }) => [cell, value]));
}

/** @param {Shown} shown @param {string} layer */
function visibleLayer(shown, layer) {
  return layer === "all" && shown.cells.length > LARGE ? "score" : layer;
}

/** @param {Shown} shown @param {string} layer */
export function legend(shown, layer) {
  if (visibleLayer(shown, layer) !== layer) return TOO_LARGE;
  return LEGENDS[layer];
}

/**
 * The notes on the cells of the legal moves.
 * @param {Shown} shown @param {Known} known @param {string} layer
 * @returns {Map<number, Note[]>}
 */
export function notes(shown, known, layer) {
  const judgement = new Judgement(known, shown.moves);
  const visible = visibleLayer(shown, layer);
  const layers = visible === "all" ? ["evaluation", "score", "proof"] : [visible];
  /** @param {number} cell */
  const said = (cell) => layers.flatMap((name) => SAYS[name](judgement, cell));
  return new Map(shown.moves.map((cell) => [cell, said(cell)]));
}

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function evaluationNotes({ evaluations }, cell) {
  const value = evaluations.get(cell);
  if (value === undefined) return [];
  const short = `h${compact(value)}`;
  return [{ kind: "evaluation", text: `h ${count(value)}`, short, title: `heuristic ${value}` }];
}

/** `W3` for a win in 3, `L32`, `D`; `1.2k` for a number. @param {string} text */
function shortened(text) {
  const [, result, plies] = /^(win|draw|loss) ?(.*)$/.exec(text) ?? [];
  if (result) return `${result[0].toUpperCase()}${plies}`;
  return /^−?\d+$/.test(text) ? compact(Number(text.replace("−", "-"))) : text;
}

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function scoreNotes({ scores }, cell) {
  const score = scores.get(cell);
  if (!score) return [];
  const { sign, text } = score;
  const said = text.replace(" plies", "").replace(" ply", "").replace(" in ", " ");
  const kind = sign === "=" ? "score" : "score bound";
  const short = `${sign}${shortened(said)}`;
  return [{ kind, text: `${sign} ${said}`, short, title: `search ${sign} ${text}` }];
}

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function proofNotes({ proofs }, cell) {
  const proof = proofs.get(cell);
  if (!proof) return [];
  const result = RESULTS[proof.value];
  const text = proof.distance ? `${result} ${proof.distance}` : result;
  const kind = `proof v${proof.value}`;
  return [{ kind, text: `✓ ${text}`, short: `✓${shortened(text)}`, title: `proved ${text}` }];
}

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function wrongNotes(judgement, cell) {
  const wrong = judgement.misjudged(cell);
  if (!wrong) return [];
  const { over, under } = wrong;
  /** @type {Note[]} */
  const notes = [];
  /** @param {string} kind @param {string} sign @param {number} moves */
  const add = (kind, sign, moves) => {
    const title = `${kind}rated against ${moves} moves`;
    if (moves) notes.push({ kind, text: `${sign} ${moves}`, short: `${sign}${moves}`, title });
  };
  add("over", "▼", over);
  add("under", "▲", under);
  return notes.length ? notes : [{ kind: "right", text: "·", title: "judged right" }];
}
