// The one value of each move in each layer, and the heuristic's wrong order.
import {
  compact,
  count,
  counted,
  isEstimate,
  isSureScore,
  pliesIn,
  shareOf,
} from "../../shell/wording.js";

export const LAYERS = {
  all: "best known",
  heuristic: "heuristic",
  wrong: "wrong",
  threats: "threats",
};
/** What the forms of marks mean. */
export const FORMS =
  "▢ proved · ○ searched, ≥ ≤ a bound · ⋯ heuristic · ▴ good, ▾ bad for the side to move";
/** @type {Record<string, string>} */
const LEGENDS = {
  heuristic: "the heuristic's value of the position after the move, for the side to move",
  wrong: "▼ n: rated too high against n other moves · ▲ n: too low",
};
/** @type {Record<number, string>} */
const RESULTS = { 1: "win", 0: "draw", [-1]: "loss" };
/** The number of cells above which faded moves and bounds are small marks without numbers. */
const LARGE = 49;
/** A proved win stands so far above a draw that no distance reaches it. */
const WIN = 10_000;
/** The most moves that keep their tiles on a large board if all moves lose. */
const MOST_LAST = 3;
/** Plies after which a proven end is late. */
const LATE = 40;
/** The palest share of a move if all moves lose: the one that holds out longest. */
const LONGEST = 0.1;
/** The least and the greatest value that stands half-way between nothing and a win. */
const [FINE, COARSE] = [4, 60];

/**
 * What is known of a position: each is null until it has been answered.
 * @typedef {object} Known
 * @property {Explanation | null} explanation
 * @property {Search | null} search
 * @property {Proved | null} proof
 * @property {Threat[] | null} [threats]
 */

/** The values of the moves, by cell; `exact` ranks those with an exact value. */
export class Judgement {
  /** @param {Known} known @param {number[]} moves */
  constructor({ explanation, search, proof }, moves) {
    this.evaluations = new Map(explanation?.after.map(({ cell, value }) => [cell, value]));
    this.scores = new Map(search?.moves.map((score) => [score.cell, score]));
    this.proofs = provedMoves(proof);
    this.isProved = moves.length > 0 && this.proofs.size === moves.length;
    this.isSettled = Boolean(search?.settled);
    this.exact = this.isProved ? provedOrder(this.proofs) : searchedOrder(this.scores);
    this.scoreUnit = unitOf([...this.scores.values()].map(({ value }) => value));
    this.evaluationUnit = unitOf([...this.evaluations.values()]);
  }

  /** Return whether a score of the search says how the game ends. @param {MoveScore} score */
  isSure(score) {
    return isSureScore(score, this.isSettled);
  }

  /**
   * Return the proved value of a move; `isExact` says whether its plies are exact or an upper
   * bound.
   * @param {number} cell
   * @returns {{ value: number, plies: number | null, isExact: boolean } | null}
   */
  proved(cell) {
    const proof = this.proofs.get(cell);
    if (proof) return { value: proof.value, plies: proof.distance, isExact: true };
    const score = this.scores.get(cell);
    if (!score || !this.isSure(score)) return null;
    const { value, sign, text } = score;
    return { value: Math.sign(value), plies: pliesIn(text), isExact: sign === "=" };
  }

  /** Return how many moves the heuristic puts on the wrong side of this one. @param {number} cell */
  misjudged(cell) {
    const [exact, evaluation] = [this.exact.get(cell), this.evaluations.get(cell)];
    if (exact === undefined || evaluation === undefined) return null;
    let [over, under] = [0, 0];
    for (const [other, value] of this.exact) {
      const rival = this.evaluations.get(other) ?? NaN;
      if (exact < value && evaluation >= rival) over++;
      if (exact > value && evaluation <= rival) under++;
    }
    return { over, under };
  }
}

/**
 * The value that is half of a win in the colours of a position: that in the middle of all.
 * @param {number[]} values
 */
function unitOf(values) {
  const sizes = values
    .filter(isEstimate)
    .map(Math.abs)
    .sort((one, other) => one - other);
  return Math.min(COARSE, Math.max(FINE, sizes[sizes.length >> 1] ?? 0));
}

/** The proved values of moves; a proof without moves gives those of the best. @param {Proved | null} proof */
export function provedMoves(proof) {
  if (!proof) return new Map();
  if (proof.moves.length) return new Map(proof.moves.map((item) => [item.move, item]));
  const { value, distance } = proof;
  return new Map(proof.best.map((cell) => [cell, { value, distance }]));
}

/** A quick win is the best, a quick loss the worst. @param {Map<number, MoveProof>} proofs */
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

/** @param {Shown} shown */
const isLarge = ({ cells }) => cells.length > LARGE;

/**
 * Return the best known value of each move. Proved losses fade, or if every move loses, the palest
 * holds out longest.
 * @param {Shown} shown @param {Known} known @param {string} layer
 * @returns {Map<number, CellValue>}
 */
export function values(shown, known, layer) {
  const judgement = new Judgement(known, shown.moves);
  const valued = { all: bestKnown, heuristic: heuristicValue, wrong: wrongValue }[layer];
  /** @type {Map<number, CellValue>} */
  const found = new Map();
  for (const cell of shown.moves) {
    const value = valued?.(judgement, cell);
    if (value) found.set(cell, value);
  }
  if (layer !== "all") return found;
  const { plies, most, isAll, last } = lostMoves(shown, judgement);
  const least = Math.min(...plies.values());
  for (const [cell, value] of found) {
    const lost = plies.get(cell);
    if (lost !== undefined && isAll && most > least)
      value.share = -(LONGEST + ((1 - LONGEST) * (most - lost)) / (most - least));
    value.isFaded = lost !== undefined && !isAll;
    if (value.isFaded) value.kind += " faded";
    // the moves that a search has not measured are silent beside those that it has
    const isUnmeasured =
      value.isBound || (value.knowledge === "heuristic" && judgement.scores.size > 0);
    value.isSmall =
      isLarge(shown) && (isUnmeasured || (lost !== undefined && !last.includes(cell)));
    if (value.isSmall) value.text = value.short = "";
  }
  return found;
}

/**
 * Return the proved losses with their plies; `last` are the few that hold out longest if all lose.
 * @param {Shown} shown @param {Judgement} judgement
 */
function lostMoves({ moves }, judgement) {
  const lost = moves.flatMap((cell) => {
    const found = judgement.proved(cell);
    return found && found.value < 0 ? [{ ...found, cell, plies: found.plies ?? Infinity }] : [];
  });
  const most = Math.max(...lost.map(({ plies }) => plies));
  const isAll = moves.length > 0 && lost.length === moves.length;
  const longest = lost.filter(({ plies, isExact }) => isExact && plies === most);
  const last = isAll && longest.length <= MOST_LAST ? longest.map(({ cell }) => cell) : [];
  const isAlike = lost.every(({ plies, isExact }) => isExact && plies === most);
  const plies = new Map(lost.map(({ cell, plies }) => [cell, plies]));
  return { plies, most, isAll, last, isAlike };
}

/** Return how many moves lose, in a sentence. @param {Shown} shown @param {Known} known */
function lostSum(shown, known) {
  const { plies, most, isAll, isAlike } = lostMoves(shown, new Judgement(known, shown.moves));
  if (!plies.size) return "";
  const end =
    most < Infinity ? ` in ${isAlike ? "" : "at most "}${counted(most, "ply", "plies")}` : "";
  if (isAll) return `every move loses${end}${isAlike ? "" : "; the palest holds out longest"}`;
  const others = plies.size === 1 ? "1 other move loses" : `${count(plies.size)} other moves lose`;
  return `${others}${end}`;
}

/**
 * What the marks and words on the moves mean.
 * @param {Shown} shown @param {Known} known @param {string} layer
 */
export function legend(shown, known, layer) {
  if (layer === "wrong") return `${LEGENDS.wrong}; ${wrongSum(shown, known)}`;
  return LEGENDS[layer] ?? (known.proof?.reason ? "" : lostSum(shown, known));
}

/** Add signs to the values of moves. @param {Map<number, CellValue>} values @param {SignMark[]} marks */
export const withSigns = (values, marks) =>
  marks.reduce(
    (notes, mark) => {
      const value = values.get(mark.cell);
      const both = value && { ...value, sign: mark.text, title: `${value.title}, ${mark.title}` };
      return notes.set(mark.cell, both ?? mark);
    },
    new Map(/** @type {Map<number, Note>} */ (values)),
  );

/** Return how many moves are misjudged. @param {Shown} shown @param {Known} known */
function wrongSum({ moves }, known) {
  const judgement = new Judgement(known, moves);
  const judged = moves.map((cell) => judgement.misjudged(cell)).filter((found) => found !== null);
  const wrong = judged.filter(({ over, under }) => over || under);
  const by = judgement.isProved ? "the proof" : "the search";
  return `${wrong.length} of ${counted(judged.length, "move")} misjudged, by ${by}`;
}

/**
 * The best value that is known of a move, in its title all of them.
 * @param {Judgement} judgement @param {number} cell @returns {CellValue | null}
 */
function bestKnown(judgement, cell) {
  const all = [proof, score, heuristicValue].flatMap((valued) => valued(judgement, cell) ?? []);
  return all.length ? { ...all[0], title: all.map(({ title }) => title).join(", ") } : null;
}

/** @param {Judgement} judgement @param {number} cell @returns {CellValue | null} */
function proof({ proofs }, cell) {
  const proof = proofs.get(cell);
  if (!proof) return null;
  const { value, distance } = proof;
  const text = distance ? `${RESULTS[value]} ${distance}` : RESULTS[value];
  // a quick win counts for more than a late one
  const share = value * (1 - 0.5 * Math.min(1, (distance ?? 0) / LATE));
  const kind = `proof v${value}`;
  return {
    knowledge: "proved",
    share,
    kind,
    text,
    short: shortened(text),
    title: `proved ${text}`,
  };
}

/** @param {Judgement} judgement @param {number} cell @returns {CellValue | null} */
function score(judgement, cell) {
  const score = judgement.scores.get(cell);
  if (!score) return null;
  const { sign, text, value } = score;
  const isSure = judgement.isSure(score);
  const said = text.replace(" plies", "").replace(" ply", "").replace(" in ", " ");
  const bound = sign === "=" ? "" : sign; // a bound is never without its sign
  return {
    knowledge: isSure ? "proved" : "searched",
    share: isSure ? Math.sign(value) : shareOf(value, judgement.scoreUnit),
    kind: bound ? "score bound" : "score",
    text: bound ? `${bound} ${said}` : said,
    short: `${bound}${shortened(said)}`,
    title: `search ${sign} ${text}`,
    isBound: Boolean(bound) && !isSure,
  };
}

/** @param {Judgement} judgement @param {number} cell @returns {CellValue | null} */
function heuristicValue({ evaluations, evaluationUnit }, cell) {
  const value = evaluations.get(cell);
  if (value === undefined) return null;
  const share = shareOf(value, evaluationUnit);
  const [text, short] = [count(value), compact(value)];
  return {
    knowledge: "heuristic",
    share,
    kind: "evaluation",
    text,
    short,
    title: `heuristic ${text}`,
  };
}

/** @param {Judgement} judgement @param {number} cell @returns {CellValue | null} */
function wrongValue(judgement, cell) {
  const wrong = judgement.misjudged(cell);
  if (!wrong) return null;
  const { over, under } = wrong;
  if (!over && !under) return { share: 0, kind: "right", text: "·", title: "judged right" };
  const [kind, sign, moves] = over >= under ? ["over", "▼", over] : ["under", "▲", under];
  const said = [over && `overrated against ${over}`, under && `underrated against ${under}`];
  return {
    knowledge: judgement.isProved ? "proved" : "searched",
    share: (under - over) / (under + over),
    kind,
    text: `${sign} ${moves}`,
    short: `${sign}${moves}`,
    title: said.filter(Boolean).join(", "),
  };
}

/** `W3` for a win in 3, `L32`, `D`; `1.2k` for a number. @param {string} text */
function shortened(text) {
  const [, result, plies] = /^(win|draw|loss) ?(.*)$/.exec(text) ?? [];
  if (result) return `${result[0].toUpperCase()}${plies}`;
  return /^−?\d+$/.test(text) ? compact(Number(text.replace("−", "-"))) : text;
}
