// Pictures of numbers: the evaluation along a game, and the waterfall of a heuristic's lines. Signs and words beside every colour.
import { count, h, s } from "./dom.js";

// The graph of a game: points {share in ±1, text, slip, proved}. `onchoose` is called with a point's number.
export function gameGraph(points, at, names, onchoose) {
  const [width, height, left] = [Math.max(260, points.length * 16 + 40), 120, 26];
  const x = (number) => left + (points.length < 2 ? 0 : (number * (width - left - 12)) / (points.length - 1));
  const y = (share) => height / 2 - share * (height / 2 - 12);
  const path = points.map((point, number) => `${number ? "L" : "M"}${x(number).toFixed(1)} ${y(point.share).toFixed(1)}`).join("");
  const root = s("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "what each position is worth, X above, O below" });
  root.append(
    s("path", { class: "axis", d: `M${left} ${height / 2}H${width - 8}M${left} 8V${height - 8}` }),
    s("text", { x: 8, y: 18 }, "X"),
    s("text", { x: 8, y: height - 8 }, "O"),
    s("path", { class: "curve", d: path }),
  );
  points.forEach((point, number) => {
    const said = `${number ? `after ${names[number - 1]}` : "at the start"}: ${point.text}${point.slip ? `, ${point.slip}` : ""}`;
    const shape = point.slip === "mistake" ? s("path", { d: `M${x(number) - 5} ${y(point.share) - 5}l10 10m0-10l-10 10`, class: "slip" }) : s("circle", { cx: x(number), cy: y(point.share), r: point.proved ? 4 : 3 });
    const spot = s(
      "g",
      {
        class: `point ${point.slip ?? ""} ${number === at ? "at" : ""} ${point.proved ? "proved" : ""}`,
        role: "button",
        tabindex: "0",
        "aria-label": said,
        onclick: () => onchoose(number),
        onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), onchoose(number)),
      },
      s("title", {}, said),
      s("circle", { cx: x(number), cy: y(point.share), r: 8, class: "hit" }),
      shape,
      point.slip && s("text", { x: x(number), y: y(point.share) - 9, class: "flag" }, point.slip === "mistake" ? "??" : "?!"),
    );
    root.append(spot);
  });
  return root;
}

// The waterfall of an explanation: each line that counts adds its bar to the sum so far.
export function waterfall(explained) {
  const shares = explained.lines.slice(0, 24);
  const rest = explained.lines.slice(24).reduce((sum, share) => sum + share.value, 0);
  let sum = 0;
  const steps = shares.map((share) => {
    const from = sum;
    sum += share.value;
    return { name: share.cells.join("–"), from, to: sum, share };
  });
  if (rest) steps.push({ name: `${explained.lines.length - 24} more`, from: sum, to: (sum += rest) });
  const ends = [0, ...steps.flatMap((step) => [step.from, step.to])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const x = (value) => (high === low ? 50 : ((value - low) / (high - low)) * 100);
  const rows = steps.map((step) => {
    const value = step.to - step.from;
    const bar = h("span", { class: `bar ${value < 0 ? "minus" : "plus"}` });
    bar.style.marginLeft = `${Math.min(x(step.from), x(step.to))}%`;
    bar.style.width = `${Math.max(0.8, Math.abs(x(step.to) - x(step.from)))}%`;
    const said = step.share ? `${step.share.mine} mine, ${step.share.theirs} theirs${step.share.weight === 1 ? "" : `, × ${step.share.weight}`}` : "";
    return h("tr", {}, h("th", { scope: "row" }, step.name), h("td", {}, said), h("td", { class: "number" }, value > 0 ? `+${count(value)}` : count(value)), h("td", { class: "bars", "aria-hidden": "true" }, bar));
  });
  const clamped = explained.total === explained.sum ? "" : `, kept within its bounds: ${count(explained.total)}`;
  return h(
    "table",
    { class: "waterfall" },
    h("caption", {}, `${explained.heuristic} for ${explained.side.toUpperCase()}: ${count(explained.sum)}${clamped}${explained.silent ? `; ${explained.silent} lines count 0` : ""}`),
    h("thead", {}, h("tr", {}, ["line", "stones", "gives", "sum so far"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows),
  );
}
