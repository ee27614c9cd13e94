// Who is ahead, at a glance: X's share of the game from below. What is proved fills the bar in full
// colour, with a tick; what is estimated is hatched.
import { html } from "../../dom.js";
import { compact, EVEN, isSureScore, scoreWords, shareOf, signed } from "../../wording.js";

/** An estimate never looks like a win. */
const MOST = 0.94;

/**
 * What is known of a position, as X sees it.
 * @param {Shown} shown @param {import("./layers.js").Known} known
 * @returns {{ isProved: boolean, share: number, text: string, short: string } | null}
 */
export function standing({ side, over, winner, doubt }, { proof, search }) {
  if (over && doubt) return null; // nobody has won a game that cannot have been played
  const sign = side === "x" ? 1 : -1;
  const name = side.toUpperCase();
  if (over) {
    const share = winner ? (winner === "x" ? 1 : -1) : 0;
    return proved(share, winner ? `${winner.toUpperCase()} has won` : "the game is drawn");
  }
  if (proof?.value != null) return proved(sign * proof.value, `proved: ${proofParts(proof)[0]}`);
  const best = search?.lines[0];
  if (!search || !best) return null;
  const score = { value: best.value, sign: best.text[0], text: best.text };
  if (isSureScore(score) || (search.settled && score.sign === "=")) {
    const words = scoreWords(score, search.settled);
    return proved(sign * Math.sign(best.value), `proved by search: ${name} ${words}`);
  }
  const value = sign * best.value || 0; // and not −0
  const share = MOST * shareOf(value);
  const words = scoreWords({ value: Math.abs(value), sign: "=", text: "" });
  const who = words === EVEN ? "" : `${value > 0 ? "X" : "O"} is `;
  const text = `estimated: ${who}${words} (${signed(value)} for X)`;
  return { isProved: false, share, text, short: `${value > 0 ? "+" : ""}${compact(value)}` };
}

/**
 * A verdict: what the position is worth, and what else there is to say.
 * @param {Proof} proof @returns {[worth: string, others: string]}
 */
export function proofParts({ text, proof }) {
  const [, worth = text, others = ""] = /^(.*?)[,;] (.*)$/.exec(text) ?? [];
  return [worth, others ? `${others} (${proof})` : proof];
}

/** @param {number} share @param {string} text */
const proved = (share, text) => ({ isProved: true, share: share || 0, text, short: "✓" });

export class EvaluationBar {
  constructor() {
    this.fill = html("div", { class: "share" });
    this.number = html("span", { class: "number" });
    this.element = html("div", { class: "evaluation-bar", role: "img" }, this.fill, this.number);
    this.draw(null);
  }

  /** @param {ReturnType<typeof standing>} known */
  draw(known) {
    const { isProved = false, share = 0, text = "nothing is known yet", short = "" } = known ?? {};
    this.element.setAttribute("aria-label", text);
    this.element.title = text;
    this.element.dataset.kind = known ? (isProved ? "proved" : "estimated") : "unknown";
    this.element.dataset.ahead = share > 0 ? "x" : share < 0 ? "o" : "";
    this.element.style.setProperty("--share", `${(50 * (1 + share)).toFixed(1)}%`);
    this.number.textContent = short;
  }
}
