// Descriptions of the players, and their names at the board.
import { classes, html } from "../../shell/dom.js";
import { optionsOf } from "../../shell/forms.js";
import { agentName, agentOptions, isOwnAgent } from "../../shell/tables.js";

/** @type {Side[]} */
export const SIDES = ["x", "o"];
/**
 * Of levels 1 to 10: the plies that they look ahead, or their time, and the random moves in 100.
 * @type {[reach: string, randomMoves: number][]}
 */
const LEVELS = [
  ["1 ply", 70],
  ["1 ply", 40],
  ["1 ply", 20],
  ["2 plies", 15],
  ["2 plies", 5],
  ["3 plies", 0],
  ["4 plies", 0],
  ["6 plies", 0],
  ["8 plies", 0],
  ["3 seconds", 0],
];
/**
 * Elo above the random player, as `bench/levels.py` measured it.
 * @type {Record<string, number[]>}
 */
export const ELO = {
  tictactoe: [290, 516, 673, 698, 745, 856, 852, 893, 891, 877],
  connect4: [287, 463, 576, 675, 727, 838, 921, 1065, 1100, 1604],
  gomoku15: [556, 953, 1211, 1291, 1475, 1656, 2093, 2199, 2424, 2515],
};
const LEVEL = /^level-(\d+)$/;

/** The number of a level, 0 for any other player. @param {string} name */
export const levelOf = (name) => Number(LEVEL.exec(name)?.[1] ?? 0);

/** Describe a level. @param {number} number */
export function levelText(number) {
  const [reach, randomMoves] = LEVELS[number - 1];
  const search = reach.endsWith("seconds") ? `thinks for ${reach}` : `looks ${reach} ahead`;
  return `${search}, ${randomMoves ? `${randomMoves} % random moves` : "no random moves"}`;
}

/**
 * A player in a few words.
 * @param {Lab["catalogues"]} catalogues @param {string} name @param {Shown} shown
 */
export function playerText({ agents }, name, { game, text }) {
  if (name === "human") return "a person";
  if (isOwnAgent(name)) return `alpha-beta with your heuristic: ${agentName(name)}`;
  const number = levelOf(name);
  if (!number || text) return agents.find((agent) => agent.name === name)?.summary ?? name;
  const elo = ELO[game]?.[number - 1];
  const strength = elo === undefined ? "" : `; about ${elo} Elo above random play`;
  return levelText(number) + strength;
}

/**
 * The options of a seat; whoever sits there is among them.
 * @param {Lab} lab @param {Shown} shown @param {string} seated
 */
export function seatOptions(lab, shown, seated) {
  const offered = agentOptions(lab, shown);
  if (seated !== "human" && !offered.some(([value]) => value === seated))
    offered.push([seated, agentName(seated)]);
  /** @type {[string, string, string][]} */
  const titled = offered.map(([value, text]) => {
    return [value, text, playerText(lab.catalogues, value, shown)];
  });
  return optionsOf([["human", "a person"], ...titled]);
}

/** Name the player of a side. @param {Record<Side, string>} players @param {Side} side */
export function seatName(players, side) {
  const name = players[side];
  if (name !== "human") return levelOf(name) ? `Level ${levelOf(name)}` : agentName(name);
  return players[side === "x" ? "o" : "x"] === "human" ? "Person" : "You";
}

/** The players at the board. @param {Lab} lab @param {Record<Side, string>} players */
export const seatsOf = ({ catalogues, game: { shown } }, players) =>
  SIDES.map((side) => {
    const name = classes(`seat ${side}`, { turn: !shown.over && shown.side === side });
    const title = playerText(catalogues, players[side], shown);
    const label = `${side.toUpperCase()} ${seatName(players, side)}`;
    return html("span", { class: name, title }, html("b", {}, label));
  });
