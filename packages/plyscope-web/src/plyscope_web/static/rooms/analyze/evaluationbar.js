// The headline of a position, and the bar that shows who is ahead.
import { html } from "../../shell/dom.js";
import {
  compact,
  EVEN,
  isSureScore,
  pliesIn,
  provedWords,
  scoreWords,
  shareOf,
  signed,
  spoken,
} from "../../shell/wording.js";

/** An estimate never looks like a win. */
const MOST = 0.94;

/**
 * What is known of a position, as X sees it: the parts of the headline, the first of them large.
 * @param {Shown} shown @param {import("./layers.js").Known} known
 * @returns {{ isProved: boolean, share: number, parts: string[], short: string } | null}
 */
export function standing({ side, over, winner, doubt, known }, { proof, search }) {
  if (over && doubt) return null; // nobody has won a game that cannot have been played
  const sign = side === "x" ? 1 : -1;
  if (over) {
    const share = winner ? (winner === "x" ? 1 : -1) : 0;
    return proved(share, "", winner ? `${winner.toUpperCase()} has won` : "the game is drawn");
  }
  const sure = searchProof(search);
  if (proof?.value != null) {
    // a search may know of a win how long it takes, where the solver does not
    const distance = proof.distance ?? (sure?.value === proof.value ? sure.plies : null);
    return proved(sign * proof.value, "proved", resultWords(side, { ...proof, distance }));
  }
  if (sure) {
    const words = resultWords(side, { value: sure.value, distance: sure.plies });
    return proved(sign * sure.value, "proved by search", words);
  }
  if (known) {
    const parts = [`${side.toUpperCase()} wins`, `${known}; not proved here`];
    return { isProved: false, share: sign * MOST, parts, short: "" };
  }
  const best = search?.lines[0];
  if (!search || !best) return null;
  const value = sign * best.value || 0; // and not −0
  const share = MOST * shareOf(value);
  const words = scoreWords({ value: Math.abs(value), sign: "=", text: "" });
  const who = words === EVEN ? "" : `${value > 0 ? "X" : "O"} is `;
  const parts = [`${who}${words}`, "estimated", `${signed(value)} for X`];
  return { isProved: false, share, parts, short: `${value > 0 ? "+" : ""}${compact(value)}` };
}

/**
 * Return the value that a search has proved, with the plies to the end, or null.
 * @param {Search | null} search @returns {{ value: number, plies: number | null } | null}
 */
export function searchProof(search) {
  const best = search?.lines[0];
  if (!search || !best) return null;
  const { value, text } = best;
  if (!isSureScore({ value, sign: text[0], text }, search.settled)) return null;
  return { value: Math.sign(value) || 0, plies: pliesIn(text) };
}

/**
 * The same as a proof for the store: its wins may come sooner than it has seen.
 * @param {Search} search @param {Shown} shown @returns {Proved | null}
 */
export function proofOfSearch(search, { position }) {
  const sure = searchProof(search);
  const proof = `searched ${search.depth} plies deep`;
  return (
    sure && { position, value: sure.value, distance: null, proof, moves: [], best: search.best }
  );
}

/**
 * Who wins, in how many plies. @param {Side} side @param {{ value: number | null, distance: number | null }} proof
 */
export function resultWords(side, { value, distance }) {
  if (!value) return "a draw";
  const winner = value > 0 === (side === "x") ? "X" : "O";
  return `${winner} ${provedWords({ value: 1, distance })}`;
}

/**
 * The best moves by proof, which a headline leaves out.
 * @param {Proved} proof @param {Shown} shown
 */
export function bestWords({ best, value, moves }, shown) {
  const alike = best.length > 1 && best.length === shown.moves.length;
  if (alike && moves.length) return "all moves are equal";
  if (!best.length || alike || value === null) return "";
  return `best ${best.map((cell) => spoken(shown, cell)).join(" ")}`;
}

/** @param {number} share @param {string} how it is known @param {string} words the result */
function proved(share, how, words) {
  const [result, ...plies] = words.split(/ (?=in )/);
  return { isProved: true, share: share || 0, parts: [result, how, ...plies], short: "✓" };
}

export class EvaluationBar {
  constructor() {
    this.fill = html("div", { class: "share" });
    this.number = html("span", { class: "number" });
    this.element = html("div", { class: "evaluation-bar", role: "img" }, this.fill, this.number);
    this.draw(null);
  }

  /** @param {ReturnType<typeof standing>} known */
  draw(known) {
    const {
      isProved = false,
      share = 0,
      parts = ["nothing is known yet"],
      short = "",
    } = known ?? {};
    const text = parts.filter(Boolean).join(" · ");
    this.element.setAttribute("aria-label", text);
    this.element.title = text;
    this.element.dataset.kind = known ? (isProved ? "proved" : "estimated") : "unknown";
    this.element.dataset.ahead = share > 0 ? "x" : share < 0 ? "o" : "";
    this.element.style.setProperty("--share", `${(50 * (1 + share)).toFixed(1)}%`);
    this.number.textContent = short;
  }
}
