// The status of a game in one or two sentences.
import { spokenMove } from "../../shell/wording.js";
import { moverOf } from "./variations.js";

/**
 * @param {GameNode} node @param {Record<Side, string>} players
 * @param {string} [why] an agent gave no move
 */
export function statusText(node, players, why) {
  const { doubt, over } = node.shown;
  const before = node.parent ? [`${moverOf(node)} played ${spokenMove(node)}`] : [];
  // nobody has won a game that cannot have been played
  const state = doubt && over ? [] : [stateText(node.shown, players, why)];
  return [...before, ...state, ...(doubt ? [doubt] : [])].join(". ");
}

/** @param {Shown} shown @param {Record<Side, string>} players @param {string} [why] */
function stateText(shown, players, why) {
  const side = shown.side.toUpperCase();
  if (shown.over)
    return shown.winner
      ? `${shown.winner.toUpperCase()} wins${byMargin(shown)}${byLine(shown)}`
      : "a draw";
  const player = players[shown.side];
  if (player === "human") return `${side} to move`;
  if (why === "stopped") return `Stopped: ${side} (${player}) is to move`;
  return why ? `${side} (${player}) does not move: ${why}` : `${side} (${player}) is thinking …`;
}

/** Of games of points. @param {Shown} shown */
const byMargin = ({ margin }) => (margin ? ` by ${margin}` : "");

/**
 * The cells of the line, where moves are called by them; in misère games the line has lost.
 * @param {Shown} shown
 */
function byLine({ line, misere, winner, names, spoken }) {
  if (!line || (spoken && !misere)) return "";
  const cells = spoken ? "a line" : line.map((cell) => names[cell]).join(" ");
  return misere ? `: ${winner === "x" ? "O" : "X"} has completed ${cells}` : ` with ${cells}`;
}
