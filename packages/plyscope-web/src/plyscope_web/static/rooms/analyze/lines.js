// The best lines, proved wins and draws first.
import { button, help, html, paragraph, redraw, scroller, table } from "../../shell/dom.js";
import {
  count,
  isSureScore,
  pliesIn,
  provedWords,
  scoreWords,
  spoken,
} from "../../shell/wording.js";
import { provedCells } from "../../shell/proofs.js";
import { provedMoves } from "./layers.js";

/** The most proved best moves that get a line if the search has none for them. */
const MOST_ALONE = 3;
const HINT = "Point at a line to see it on the board; click it to play its first move.";

/** The order of lines: proved wins, proved draws, searched lines, proved losses. */
const RANKS = { won: 0, drawn: 1, searched: 2, lost: 3 };

/**
 * Return a line's value in words, its rank, and its order among lines of that rank.
 * @param {BestLine} line @param {Partial<Search>} search @param {MoveProof} [proof]
 */
export function lineStanding({ value, text }, { settled = false }, proof) {
  const score = { value, text, sign: text[0] };
  const words = proof ? `✓ ${provedWords(proof)}` : scoreWords(score, settled);
  if (!proof && !isSureScore(score, settled)) return { words, rank: RANKS.searched, order: -value };
  const sure = proof?.value ?? Math.sign(value);
  const plies = proof ? (proof.distance ?? Infinity) : (pliesIn(text) ?? 0);
  if (sure > 0) return { words, rank: RANKS.won, order: plies };
  return sure < 0
    ? { words, rank: RANKS.lost, order: -plies }
    : { words, rank: RANKS.drawn, order: 0 };
}

/**
 * Return the lines, the best first, with their values in words; each proved best move has a line.
 * @param {import("./layers.js").Known} known @param {string[]} names of the cells
 */
export function bestLines({ search, proof }, names) {
  const proofs = provedMoves(proof);
  const searched = search?.lines ?? [];
  const best = proof && proof.best.length <= MOST_ALONE ? proof.best : [];
  const unseen = best.filter((move) => !searched.some(({ cells }) => cells[0] === move));
  const alone = unseen.map((move) => ({ value: 0, text: "", pv: [names[move]], cells: [move] }));
  return [...alone, ...searched]
    .map((line) => {
      const known = proofs.get(line.cells[0]);
      const standing = lineStanding(line, search ?? {}, known);
      return { line: known ? provedLine(line, proof, names) : line, ...standing };
    })
    .toSorted((one, other) => one.rank - other.rank || one.order - other.order || 0);
}

/**
 * Return a line without the search's score, and with the proof's moves if the proof has a line; an
 * end that is not known is an ellipsis.
 * @param {BestLine} line @param {Proved | null} proof @param {string[]} names
 */
function provedLine(line, proof, names) {
  const whole = provedCells(proof, line.cells[0]);
  const cells = whole ?? line.cells;
  const known = proof?.moves.find(({ move }) => move === cells[0]);
  const isPart = Boolean(known?.value) && !whole && cells.length < (known?.distance ?? Infinity);
  return { ...line, text: "", cells, isPart, pv: cells.map((cell) => names[cell]) };
}

/**
 * Return the best moves if they are few; if most moves are, none gets a mark.
 * @param {Shown} shown @param {Partial<import("./layers.js").Known>} known
 */
export function bestMoves({ moves }, { proof, search }) {
  const best = proof?.best ?? search?.best ?? [];
  return best.length <= moves.length / 2 || (best.length === 1 && moves.length > 1) ? best : [];
}

/** Describe a search in a line. @param {Search} search */
export function searchCaption(search) {
  const { algorithm, depth, complete, nodes, cutoffs } = search;
  const reach = `depth ${depth}${complete ? " (to the end)" : ""}`;
  const counts = `${count(nodes)} nodes, ${count(cutoffs)} cutoffs`;
  return [`${algorithm}: ${reach}, ${counts}`, ...speed(search)].join(", ");
}

/** Of all depths together; nothing where the time was too short to say. @param {Search} search */
function speed({ nodes, total_nodes = nodes, total_seconds }) {
  if (total_seconds === undefined || total_seconds <= 0.001) return [];
  return [`${count(Math.round(total_nodes / total_seconds))} nodes/s`];
}

/** @typedef {{ preview(cells: number[] | null): void, play(move: string): void }} LineActions */

export class BestLines {
  /** @param {LineActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = html("div", { class: "lines" });
  }

  /** @param {import("./layers.js").Known} known @param {Shown} shown */
  draw(known, shown) {
    const { over, side, names } = shown;
    if (over) return redraw(this.element, paragraph("the game is over"));
    const found = bestLines(known, names);
    if (!found.length) return redraw(this.element, paragraph("searching …"));
    const isScored = found.some(({ line }) => line.text);
    const rows = found.map(({ line, words }) => [
      words,
      ...(isScored ? [line.text] : []),
      this.button(line, shown),
    ]);
    const head = [side.toUpperCase(), ...(isScored ? ["score"] : []), "line"];
    redraw(this.element, scroller("best lines", table(head, rows)), help(HINT));
  }

  /** @param {BestLine & { isPart?: boolean }} line @param {Shown} shown */
  button({ pv, cells, isPart }, shown) {
    const { play, preview } = this.actions;
    return button(
      cells.map((cell) => spoken(shown, cell)).join(" ") + (isPart ? " …" : "") || "–",
      () => play(pv[0]),
      {
        class: "line",
        onmouseenter: () => preview(cells),
        onmouseleave: () => preview(null),
        onfocus: () => preview(cells),
      },
    );
  }
}
