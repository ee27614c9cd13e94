// Descriptions of the players, and their names and clocks at the board.
import { html } from "../../shell/dom.js";
import { optionsOf } from "../../shell/forms.js";
import { agentName, agentOptions, isOwnAgent } from "../../shell/tables.js";

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
 * The options of a seat, in groups; whoever sits there is among them.
 * @param {Lab} lab @param {Shown} shown @param {string} seated
 */
export function seatOptions(lab, shown, seated) {
  const offered = agentOptions(lab, shown);
  if (seated !== "human" && !offered.some(([value]) => value === seated))
    offered.push([seated, agentName(seated)]);
  /** @param {string} value */
  const groupOf = (value) =>
    levelOf(value) ? "Levels" : isOwnAgent(value) ? "Your heuristics" : "Other agents";
  /** @param {string} label */
  const group = (label) => {
    const own = offered.filter(([value]) => groupOf(value) === label);
    const named = own.map(
      ([value, text]) =>
        /** @type {[string, string, string]} */ ([
          value,
          text,
          playerText(lab.catalogues, value, shown),
        ]),
    );
    return own.length ? html("optgroup", { label }, ...optionsOf(named)) : null;
  };
  const groups = ["Levels", "Other agents", "Your heuristics"].map(group);
  const person = optionsOf([["human", "a person"]]);
  return [...person, ...groups.filter((found) => found !== null)];
}

/** Name the player of a side. @param {Record<Side, string>} players @param {Side} side */
export function seatName(players, side) {
  const name = players[side];
  if (name !== "human") return levelOf(name) ? `Level ${levelOf(name)}` : agentName(name);
  return players[side === "x" ? "o" : "x"] === "human" ? "Person" : "You";
}

/** A time on a clock: `1:05`. @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Seats {
  element = html("div", { class: "seats", role: "group", "aria-label": "players" });
  /** Milliseconds. @type {Record<Side, number>} */
  used = { x: 0, o: 0 };
  since = performance.now();
  /** @type {GameNode | null} */
  node = null;

  /** @param {Lab} lab @param {Record<Side, string>} players */
  constructor({ catalogues, game }, players) {
    this.draw = () => {
      const { node, root, shown } = game;
      const now = performance.now();
      if (this.node && !this.node.shown.over) this.used[this.node.shown.side] += now - this.since;
      if (this.node !== node && node === root) this.used = { x: 0, o: 0 };
      this.since = now;
      this.node = node;
      const seats = /** @type {Side[]} */ (["x", "o"]).map((side) => {
        const isTurn = !shown.over && shown.side === side;
        const names = { class: `seat ${side}${isTurn ? " turn" : ""}` };
        const title = playerText(catalogues, players[side], shown);
        const time = html("small", { title: "time used" }, clockText(this.used[side]));
        const label = `${side.toUpperCase()} ${seatName(players, side)}`;
        return html("span", names, html("b", { title }, label), " ", time);
      });
      this.element.replaceChildren(...seats);
    };
    this.timer = setInterval(this.draw, 1000);
  }
}
