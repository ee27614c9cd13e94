// What the three layers say of each move, and where the heuristic is wrong.
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
  all: "all",
  heuristic: "heuristic",
  search: "search",
  proof: "proof",
  wrong: "wrong",
  threats: "threats",
};
const KINDS =
  "▢ proved, ✓ by a solver · ○ searched, = ≥ ≤ · ⋯ h opinion; pointing up: good for the side to move";
/** @type {Record<string, string>} */
const LEGENDS = {
  all: KINDS,
  heuristic: "h: the heuristic's opinion of the position after the move, for the side to move",
  search: "= exact, ≥ at least, ≤ at most: the search's score for the side to move",
  proof: "✓ proved, with plies to the end",
  wrong: "▼ n: rated too high against n other moves · ▲ n: too low",
};
const TOO_LARGE = "large boards show the best-known value alone; • a bound";
const REFUTED = "▪ proved";
/** @type {Record<number, string>} */
const RESULTS = { 1: "win", 0: "draw", [-1]: "loss" };
/** @type {Record<string, (judgement: Judgement, cell: number) => Note[]>} */
const SAYS = {
  heuristic: evaluationNotes,
  search: scoreNotes,
  proof: proofNotes,
  wrong: wrongNotes,
};
/** Cells beyond which a board has no room for three notes on each. */
const LARGE = 49;
/** A proved win stands so far above a draw that no distance reaches it. */
const WIN = 10_000;
/** So many moves that hold out longest are still marked as the best ones of a lost position. */
const MOST_LAST = 3;
/** Plies after which a proven end is late. */
const LATE = 40;
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

/** What is known of the moves, by cell; `truth` orders those whose value is sure. */
export class Judgement {
  /** @param {Known} known @param {number[]} moves */
  constructor({ explanation, search, proof }, moves) {
    this.evaluations = new Map(explanation?.after.map(({ cell, value }) => [cell, value]));
    this.scores = new Map(search?.moves.map((score) => [score.cell, score]));
    this.proofs = provedMoves(proof);
    this.isProved = moves.length > 0 && this.proofs.size === moves.length;
    this.isSettled = Boolean(search?.settled);
    this.truth = this.isProved ? provedOrder(this.proofs) : searchedOrder(this.scores);
    this.scoreUnit = unitOf([...this.scores.values()].map(({ value }) => value));
    this.evaluationUnit = unitOf([...this.evaluations.values()]);
  }

  /** Whether a score of the search says how the game ends. @param {MoveScore} score */
  isSure(score) {
    return isSureScore(score, this.isSettled);
  }

  /**
   * What is proved of a move by some layers; `isExact` is whether its plies are, else it ends sooner.
   * @param {number} cell @param {string[]} layers
   * @returns {{ value: number, plies: number | null, isExact: boolean } | null}
   */
  proved(cell, layers) {
    const proof = layers.includes("proof") && this.proofs.get(cell);
    if (proof) return { value: proof.value, plies: proof.distance, isExact: true };
    const score = layers.includes("search") && this.scores.get(cell);
    if (!score || !this.isSure(score)) return null;
    const { value, sign, text } = score;
    return { value: Math.sign(value), plies: pliesIn(text), isExact: sign === "=" };
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

/** A proof without its moves says what the best ones are worth. @param {Proved | null} proof */
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
 * The moves of a large board that are proved to lose, of which there are many to say little: all but
 * those that hold out longest where nothing else is left.
 * @param {Shown} shown @param {Judgement} judgement @param {string} layer
 * @returns {Map<number, number | null>} by cell, the plies in which a move loses at most
 */
function refutedMoves(shown, judgement, layer) {
  if (!isLarge(shown) || layer === "wrong") return new Map();
  const layers = layersOf(layer);
  const lost = shown.moves.flatMap((cell) => {
    const found = judgement.proved(cell, layers);
    return found && found.value < 0 ? [{ cell, ...found }] : [];
  });
  const most = Math.max(...lost.map(({ plies }) => plies ?? 0));
  const last = lost.filter(({ plies, isExact }) => isExact && plies === most);
  const isLost = lost.length === shown.moves.length && last.length <= MOST_LAST;
  const kept = isLost ? last.map(({ cell }) => cell) : [];
  return new Map(lost.flatMap(({ cell, plies }) => (kept.includes(cell) ? [] : [[cell, plies]])));
}

/** @param {Shown} shown @param {Known} known @param {string} layer */
function refutedSum(shown, known, layer) {
  const lost = refutedMoves(shown, new Judgement(known, shown.moves), layer);
  if (!lost.size) return "";
  const plies = [...lost.values()];
  const most = plies.includes(null) ? "" : ` in at most ${Math.max(...plies.map(Number))} plies`;
  const others = shown.moves.length - lost.size ? "other " : "";
  const [noun, verb] = lost.size === 1 ? ["move", "loses"] : ["moves", "lose"];
  return `${REFUTED}: ${count(lost.size)} ${others}${noun} ${verb}${most}`;
}

/**
 * What the marks and words on the moves mean.
 * @param {Shown} shown @param {Known} known @param {string} layer
 */
export function legend(shown, known, layer) {
  if (layer === "wrong") return `${LEGENDS.wrong}; ${wrongSum(shown, known)}`;
  const large = layer === "all" && isLarge(shown) ? TOO_LARGE : "";
  return [LEGENDS[layer], large, refutedSum(shown, known, layer)].filter(Boolean).join(" · ");
}

/** How many moves are misjudged. @param {Shown} shown @param {Known} known */
function wrongSum({ moves }, known) {
  const judgement = new Judgement(known, moves);
  const judged = moves.map((cell) => judgement.misjudged(cell)).filter((found) => found !== null);
  const wrong = judged.filter(({ over, under }) => over || under);
  const by = judgement.isProved ? "the proof" : "the search";
  return `${wrong.length} of ${counted(judged.length, "move")} misjudged, by ${by}`;
}

/** @param {string} layer */
const layersOf = (layer) => (layer === "all" ? ["heuristic", "search", "proof"] : [layer]);

/**
 * The notes on the cells of the legal moves.
 * @param {Shown} shown @param {Known} known @param {string} layer
 * @returns {Map<number, Note[]>}
 */
export function notes(shown, known, layer) {
  if (!(layer in SAYS || layer === "all")) return new Map();
  const judgement = new Judgement(known, shown.moves);
  /** @param {number} cell */
  const said = (cell) =>
    layersOf(layer)
      .filter((name) => name === layer || name !== "search" || !judgement.proofs.has(cell))
      .flatMap((name) => SAYS[name](judgement, cell));
  const isBrief = isLarge(shown) && layer !== "wrong";
  const refuted = refutedMoves(shown, judgement, layer);
  return new Map(
    shown.moves.map((cell) => [
      cell,
      isBrief ? inBrief(said(cell), refuted.has(cell)) : said(cell),
    ]),
  );
}

/**
 * The best known of all alone, of small marks not even that; all of it is heard.
 * @param {Note[]} all @param {boolean} isRefuted
 */
function inBrief(all, isRefuted) {
  const title = all.map(({ title }) => title).join(", ");
  return all.slice(-1).map((note) => {
    const isSmall = isRefuted || note.kind === "score bound";
    return { ...note, ...(isSmall && { text: "", short: "", bare: "" }), title };
  });
}

/**
 * What the moves are worth to the side to move: what is known best of each.
 * @param {Shown} shown @param {Known} known @param {string} layer
 * @returns {Map<number, Worth>}
 */
export function worths(shown, known, layer) {
  const judgement = new Judgement(known, shown.moves);
  const refuted = refutedMoves(shown, judgement, layer);
  /** @type {[number, Worth][]} */
  const found = shown.moves.flatMap((cell) => {
    const worth =
      layer === "wrong" ? wrongWorth(judgement, cell) : bestKnown(judgement, cell, layer);
    if (!worth) return [];
    const isBound = isLarge(shown) && worth.isBound;
    return [
      /** @type {[number, Worth]} */ ([cell, { ...worth, isSmall: isBound || refuted.has(cell) }]),
    ];
  });
  return new Map(found);
}

/** @param {Judgement} judgement @param {number} cell @param {string} layer @returns {Worth | null} */
function bestKnown(judgement, cell, layer) {
  const layers = layersOf(layer);
  const proof = judgement.proofs.get(cell);
  if (proof && layers.includes("proof"))
    return {
      knowledge: "proved",
      share: provedShare(proof),
      ...words(proofNotes(judgement, cell)),
    };
  const score = judgement.scores.get(cell);
  if (score && layers.includes("search")) {
    const isSure = judgement.isSure(score);
    const share = isSure ? Math.sign(score.value) : shareOf(score.value, judgement.scoreUnit);
    const knowledge = isSure ? "proved" : "searched";
    const isBound = !isSure && score.sign !== "=";
    return { knowledge, share, isBound, ...words(scoreNotes(judgement, cell)) };
  }
  const value = judgement.evaluations.get(cell);
  if (value === undefined || !layers.includes("heuristic")) return null;
  const share = shareOf(value, judgement.evaluationUnit);
  return { knowledge: "opinion", share, ...words(evaluationNotes(judgement, cell)) };
}

/** @param {Judgement} judgement @param {number} cell @returns {Worth | null} */
function wrongWorth(judgement, cell) {
  const wrong = judgement.misjudged(cell);
  if (!wrong || !(wrong.over || wrong.under)) return null;
  const share = (wrong.under - wrong.over) / (wrong.under + wrong.over);
  const knowledge = judgement.isProved ? "proved" : "searched";
  return { knowledge, share, ...words(wrongNotes(judgement, cell)) };
}

/** @param {Note[]} notes */
const words = (notes) => ({
  text: notes.map(({ text }) => text).join(" "),
  title: notes.map(({ title }) => title).join(", "),
});

/** A quick win counts for more than a late one. @param {MoveProof} proof */
const provedShare = ({ value, distance }) =>
  value * (1 - 0.5 * Math.min(1, (distance ?? 0) / LATE));

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function evaluationNotes({ evaluations }, cell) {
  const value = evaluations.get(cell);
  if (value === undefined) return [];
  const bare = compact(value);
  const text = `h ${count(value)}`;
  return [{ kind: "evaluation", text, short: `h${bare}`, bare, title: `heuristic ${value}` }];
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
  const number = shortened(said);
  const short = `${sign}${number}`;
  const bare = sign === "=" ? number : short; // a bound is never without its sign
  return [{ kind, text: `${sign} ${said}`, short, bare, title: `search ${sign} ${text}` }];
}

/** @param {Judgement} judgement @param {number} cell @returns {Note[]} */
function proofNotes({ proofs }, cell) {
  const proof = proofs.get(cell);
  if (!proof) return [];
  const result = RESULTS[proof.value];
  const text = proof.distance ? `${result} ${proof.distance}` : result;
  const kind = `proof v${proof.value}`;
  const bare = shortened(text);
  return [{ kind, text: `✓ ${text}`, short: `✓${bare}`, bare, title: `proved ${text}` }];
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
