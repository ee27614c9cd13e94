// The graph of a game, and the waterfall of a heuristic's terms.
import { classes, html, numberCell, svg, table } from "./dom.js";
import { count, signed } from "./wording.js";

/** What is proved and what is estimated have a strip of their own each: their heights are of two
 * kinds. */
const STRIPS = {
  proved: { middle: 46, half: 26, scale: ["X wins", "draw", "O wins"] },
  estimated: { middle: 130, half: 34, scale: ["X", "even", "O"] },
};
const TOP = 26; // above a strip, for its name
const BOTTOM = 10;
const LEFT = 62;
/** Lines of a waterfall; the others are one step together. */
const SHOWN_LINES = 10;
/** Terms that lines give together. */
const OF_LINES = ["lines", "tempo", "ends"];

/** @typedef {keyof typeof STRIPS} Strip */

/** @param {ReviewPoint} point @returns {Strip} */
const stripOf = ({ proved }) => (proved ? "proved" : "estimated");

/**
 * Runs of neighbouring points of one kind: no line leads from what is proved to what is estimated.
 * @param {ReviewPoint[]} points
 * @returns {{ strip: Strip, from: number, to: number }[]}
 */
export function runs(points) {
  /** @type {{ strip: Strip, from: number, to: number }[]} */
  const found = [];
  points.forEach((point, number) => {
    const strip = stripOf(point);
    const last = found.at(-1);
    if (last?.strip === strip) last.to = number;
    else found.push({ strip, from: number, to: number });
  });
  return found;
}

/**
 * Return the graph of a game; `choose` is called with the number of a point.
 * @param {ReviewPoint[]} points @param {number} at @param {string[]} moves
 * @param {(number: number) => void} choose
 */
export function gameGraph(points, at, moves, choose) {
  const width = Math.max(300, points.length * 16 + LEFT + 20);
  const gaps = Math.max(1, points.length - 1);
  const places = points.map((point, number) => {
    const { middle, half } = STRIPS[stripOf(point)];
    return { x: LEFT + (number * (width - LEFT - 12)) / gaps, y: middle - point.share * half };
  });
  const curves = runs(points).map(({ strip, from, to }) => {
    const line = places.slice(from, to + 1).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    return svg("path", { class: `curve ${strip}`, d: `M${line.join("L")}` });
  });
  const spots = points.map((point, number) => {
    const when = number ? `after ${moves[number - 1]}` : "at the start";
    const { verdict, proved } = point;
    const name = classes(verdict ? `point ${verdict}` : "point", { at: number === at, proved });
    return spot(point, places[number], when, name, () => choose(number));
  });
  const used = Object.entries(STRIPS).filter(([name]) => points.some((at) => stripOf(at) === name));
  const top = Math.min(...used.map(([, { middle, half }]) => middle - half)) - TOP;
  const bottom = Math.max(...used.map(([, { middle, half }]) => middle + half)) + BOTTOM;
  return svg(
    "svg",
    {
      class: "graph",
      viewBox: `0 ${top} ${width} ${bottom - top}`,
      role: "group",
      "aria-label": "the value of each position, X above, O below: proved, and estimated",
    },
    ...used.flatMap(([name, strip]) => stripParts(name, strip, width)),
    ...curves,
    ...spots,
  );
}

/** @param {string} name @param {typeof STRIPS.proved} strip @param {number} width */
function stripParts(name, { middle, half, scale }, width) {
  const left = LEFT - 10;
  const axis = `M${left} ${middle}H${width - 4}M${left} ${middle - half}V${middle + half}`;
  return [
    svg("path", { class: "axis", d: axis }),
    svg("text", { x: (left + width) / 2, y: middle - half - 13 }, name),
    ...scale.map((text, number) =>
      svg("text", { class: "scale", x: left - 5, y: middle + (number - 1) * half + 4 }, text),
    ),
  ];
}

/**
 * @param {ReviewPoint} point @param {{ x: number, y: number }} place
 * @param {string} when @param {string} name @param {() => void} choose
 */
function spot({ text, verdict, proved }, { x, y }, when, name, choose) {
  const label = `${when}, ${proved ? "proved" : "estimated"}: ${text}${verdict ? `, ${verdict}` : ""}`;
  const isMistake = verdict === "mistake";
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  };
  return svg(
    "g",
    { class: name, role: "button", tabindex: "0", "aria-label": label, onclick: choose, onkeydown },
    svg("title", {}, label),
    svg("circle", { cx: x, cy: y, r: 8, class: "hit" }),
    isMistake
      ? svg("path", { d: `M${x - 5} ${y - 5}l10 10m0-10l-10 10`, class: "cross" })
      : svg("circle", { cx: x, cy: y, r: proved ? 4 : 3 }),
    verdict && svg("text", { x, y: y - 9, class: "flag" }, isMistake ? "??" : "?!"),
  );
}

/**
 * The steps of a sum, from nothing to the whole.
 * @param {LineShare[]} lines @param {TermShare[]} terms those of lines are in the lines
 * @returns {{ name: string, from: number, to: number, share?: LineShare }[]}
 */
export function waterfallSteps(lines, terms = []) {
  let sum = 0;
  /** @type {{ name: string, from: number, to: number, share?: LineShare }[]} */
  const steps = lines.slice(0, SHOWN_LINES).map((share) => {
    const from = sum;
    sum += share.value;
    return { name: share.line, from, to: sum, share };
  });
  const rest = lines.slice(SHOWN_LINES).reduce((total, { value }) => total + value, 0);
  const others = terms.filter(({ term, value }) => value && !OF_LINES.includes(term));
  if (rest) others.unshift({ term: `and ${lines.length - SHOWN_LINES} more`, value: rest });
  for (const { term, value } of others) steps.push({ name: term, from: sum, to: (sum += value) });
  return steps;
}

/** Return the value of a heuristic in words. @param {Explanation} explanation */
export function evaluationText({ heuristic, side, sum, total }) {
  const clamped = total === sum ? "" : `, clamped to ${count(total)}`;
  return `${heuristic} for ${side.toUpperCase()}: ${count(sum)}${clamped}`;
}

/** Each line that counts adds its bar to the sum so far. @param {Explanation} explanation */
export function waterfall(explanation) {
  const { silent, lines, terms } = explanation;
  const steps = waterfallSteps(lines, terms);
  const ends = [0, ...steps.flatMap(({ from, to }) => [from, to])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  /** @param {number} value */
  const percent = (value) => (high === low ? 50 : ((value - low) / (high - low)) * 100);
  const rows = steps.map(({ name, from, to, share }) => [
    html("th", { scope: "row" }, name),
    share && stonesText(share),
    numberCell(signed(to - from)),
    html("td", { class: "bars", "aria-hidden": "true" }, bar(percent(from), percent(to))),
  ]);
  const caption = `${evaluationText(explanation)}${silent ? `; ${silent} lines count 0` : ""}`;
  const head = ["line", "stones", "gives", "sum so far"];
  return table(head, rows, caption, { class: "waterfall" });
}

/** @param {LineShare} share */
function stonesText({ mine, theirs, weight }) {
  return `${mine} mine, ${theirs} theirs${weight === 1 ? "" : `, × ${weight}`}`;
}

/** @param {number} from @param {number} to in percent of the width */
function bar(from, to) {
  const element = html("span", { class: `bar ${to < from ? "minus" : "plus"}` });
  element.style.marginLeft = `${Math.min(from, to)}%`;
  element.style.width = `${Math.max(0.8, Math.abs(to - from))}%`;
  return element;
}
