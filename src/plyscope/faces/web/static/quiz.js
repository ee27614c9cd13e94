// Quiz: alpha-beta by hand. Every node and every edge has its field; what is filled in is marked, with what may have gone wrong.
import { choice, field, h, icon, s } from "./dom.js";

const COLUMN = 126;
const PLY = 128;
const MARGIN = 62;
const SIGNS = { right: "✓", wrong: "✗", missing: "…", follows: "½" };

export function quizRoom(panel, lab) {
  const { client, announce } = lab;
  const wish = (lab.quiz ??= { seed: 1, depth: 3, branching: [2, 2], deep: 0, ties: true, agree: false, cut: "ge", bound: "soft", asked: ["values", "windows", "cuts"] });
  let asked = null;
  let inputs = new Map();
  let gone = false;
  let turns = 0;

  const task = h("p", { class: "task" });
  const sheet = h("div", { class: "sheet scroll", role: "region", tabindex: "0", "aria-label": "the tree to fill in" });
  const result = h("div", { class: "result", role: "status" });
  const wrong = h("p", { class: "error", role: "alert" });

  async function load() {
    wrong.textContent = "";
    result.replaceChildren();
    try {
      const question = { ...wish };
      const turn = ++turns;
      const found = await client.ask("question", question);
      if (gone || turn !== turns) return;
      asked = { question, found };
      task.textContent = found.task;
      draw();
    } catch (error) {
      if (!gone) wrong.textContent = error.message;
    }
  }

  const put = (element, x, y) => {
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    return element;
  };

  function draw() {
    const { nodes, asked: wanted } = asked.found;
    inputs = new Map();
    const place = new Map(nodes.map((node) => [node.path, [MARGIN + node.x * COLUMN, 40 + node.ply * PLY]]));
    const byPath = new Map(nodes.map((node) => [node.path, node]));
    const width = Math.max(...[...place.values()].map(([x]) => x)) + MARGIN;
    const height = Math.max(...[...place.values()].map(([, y]) => y)) + 50;
    const drawing = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    const fields = [];
    for (const node of nodes) {
      const [x, y] = place.get(node.path);
      const mine = {};
      const name = fullName(node, byPath);
      if (node.parent !== null) {
        const [px, py] = place.get(node.parent);
        drawing.append(s("path", { class: "edge", "data-path": node.path, d: `M${px} ${py + 17}L${x} ${y - 17}` }));
      }
      const middle = [x, y - 46];
      if (wanted.includes("windows")) {
        mine.alpha = h("input", { type: "text", inputmode: "text", class: "end", "aria-label": `alpha at ${name}`, placeholder: "α", autocomplete: "off" });
        mine.beta = h("input", { type: "text", inputmode: "text", class: "end", "aria-label": `beta at ${name}`, placeholder: "β", autocomplete: "off" });
      }
      if (wanted.includes("cuts") && node.parent !== null) {
        mine.cut = h(
          "button",
          { type: "button", class: "cutter", "aria-pressed": "false", "aria-label": `cut the edge to ${name}`, title: `cut the edge to ${name}` },
          icon("cut"),
        );
        mine.cut.onclick = () => {
          const is = mine.cut.getAttribute("aria-pressed") !== "true";
          mine.cut.setAttribute("aria-pressed", is);
          drawing.querySelector(`.edge[data-path="${node.path}"]`).classList.toggle("cut", is);
        };
      }
      if (mine.alpha || mine.cut) fields.push(put(h("div", { class: "on-edge" }, mine.alpha, mine.beta, mine.cut), ...middle));
      const shape = node.leaf
        ? s("rect", { class: "shape", x: x - 17, y: y - 14, width: 34, height: 28, rx: 3 })
        : s("path", { class: "shape", d: node.max ? `M${x} ${y - 17}l20 34h-40z` : `M${x} ${y + 17}l20 -34h-40z` });
      drawing.append(shape, s("text", { x, y: y + (node.leaf ? 5 : node.max ? 11 : 0) }, node.name));
      if (wanted.includes("values") && !node.leaf) {
        mine.value = h("input", { type: "text", class: "value", "aria-label": `value of ${name}`, placeholder: "value", autocomplete: "off" });
        fields.push(put(mine.value, x + 24, y - 13));
      }
      inputs.set(node.path, mine);
    }
    const holder = h("div", { class: "paper" }, drawing, fields);
    holder.style.width = `${width}px`;
    holder.style.height = `${height}px`;
    sheet.replaceChildren(holder);
    sheet.scrollLeft = place.get("")[0] - sheet.clientWidth / 2;
  }

  function fullName(node, byPath) {
    const names = [];
    for (let at = node; at; at = byPath.get(at.parent)) names.unshift(at.name);
    return names.length > 1 ? names.slice(1).join(" ") : names[0];
  }

  function written() {
    const answer = {};
    for (const [path, mine] of inputs) {
      const said = {};
      for (const name of ["value", "alpha", "beta"]) if (mine[name]?.value.trim()) said[name] = mine[name].value.trim();
      if (mine.cut?.getAttribute("aria-pressed") === "true") said.cut = true;
      if (Object.keys(said).length) answer[path] = said;
    }
    return answer;
  }

  async function mark(withKey) {
    wrong.textContent = "";
    if (!asked) return;
    try {
      const found = await client.ask("mark", { question: asked.question, answer: written(), with_key: withKey });
      if (gone) return;
      show(found);
    } catch (error) {
      if (!gone) wrong.textContent = error.message;
    }
  }

  function show(found) {
    for (const old of sheet.querySelectorAll(".verdict")) old.remove();
    for (const mine of inputs.values()) for (const control of Object.values(mine)) control.removeAttribute("data-mark");
    const byPath = new Map(asked.found.nodes.map((node) => [node.path, node]));
    const rows = [];
    for (const mark of found.marks) {
      const mine = inputs.get(mark.path);
      const controls = mark.item === "window" ? [mine.alpha, mine.beta] : [mine[mark.item]];
      if (mark.item === "cut" && mark.verdict === "right" && !mark.possible && mine.alpha) continue; // its window's mark says enough
      for (const control of controls) control?.setAttribute("data-mark", mark.verdict);
      const last = controls.at(-1);
      if (last) last.after(h("span", { class: `verdict ${mark.verdict} for-${mark.item}`, "aria-hidden": "true" }, SIGNS[mark.verdict]));
      if (mark.item === "value" && last) {
        const sign = last.nextSibling;
        put(sign, parseFloat(last.style.left) + 56, parseFloat(last.style.top) + 3);
      }
      if (mark.verdict !== "right") rows.push(`${fullName(byPath.get(mark.path), byPath)}: ${mark.item} ${mark.given || "left out"}, expected ${mark.expected}${mark.verdict === "follows" ? " (follows from your own values below: half a point)" : ""}`);
    }
    if (found.key)
      for (const [path, key] of Object.entries(found.key)) {
        const mine = inputs.get(path);
        if (mine.value && key.value !== null) mine.value.value = `${key.value}`.replace("-", "−");
        if (mine.alpha && key.window) [mine.alpha.value, mine.beta.value] = [key.window[0] ?? "−∞", key.window[1] ?? "∞"].map((end) => `${end}`.replace("-", "−"));
        if (mine.cut && key.cut !== (mine.cut.getAttribute("aria-pressed") === "true")) mine.cut.click();
      }
    result.replaceChildren(
      h("p", { class: "points" }, `${found.points} of ${found.possible} points${found.key ? ", before the key was filled in" : ""}`),
      found.diagnosis && h("p", { class: "diagnosis" }, `It looks as if ${found.diagnosis}.`),
      rows.length ? h("details", { open: rows.length < 12 }, h("summary", {}, `${rows.length} to look at`), h("ul", {}, rows.map((row) => h("li", {}, row)))) : h("p", {}, "all right"),
    );
    announce(`${found.points} of ${found.possible} points. ${found.diagnosis ?? ""}`);
  }

  const seed = h("input", { type: "number", min: 0, value: wish.seed });
  const tick = (name, label, is, change) => {
    const input = h("input", { type: "checkbox", checked: is });
    input.onchange = () => change(input.checked);
    return field(label, input, { class: "field tick" });
  };
  const next = (news) => {
    Object.assign(wish, news);
    seed.value = wish.seed;
    load();
  };
  panel.append(
    h(
      "section",
      { class: "stage", "aria-label": "question" },
      task,
      sheet,
      h(
        "div",
        { class: "bar", role: "toolbar", "aria-label": "answer" },
        h("button", { type: "button", class: "primary", onclick: () => mark(false) }, icon("play"), h("span", {}, "Mark")),
        h("button", { type: "button", onclick: () => mark(true) }, icon("hint"), h("span", {}, "Show the key")),
        h("button", { type: "button", onclick: () => (result.replaceChildren(), draw()) }, icon("undo"), h("span", {}, "Clear")),
        h("button", { type: "button", onclick: () => next({ seed: Number(wish.seed) + 1 }) }, icon("forward"), h("span", {}, "Next question")),
      ),
      wrong,
      result,
    ),
    h(
      "section",
      { class: "side", "aria-label": "which questions" },
      h("h2", {}, "Questions"),
      h(
        "form",
        { class: "form", onsubmit: (event) => (event.preventDefault(), next({ seed: Math.max(0, Math.trunc(Number(seed.value)) || 0) })) },
        field("Seed", seed),
        field("Plies", choice(["2", "3", "4"], `${wish.depth}`, (value) => next({ depth: Number(value), deep: value === "4" ? wish.deep : 0 }))),
        field("Children", choice([["2,2", "2"], ["2,3", "2 to 3"], ["3,3", "3"]], wish.branching.join(), (value) => next({ branching: value.split(",").map(Number) }))),
        field("Deep cutoffs", choice([["0", "any"], ["1", "1 at least (4 plies)"]], `${wish.deep}`, (value) => next({ deep: Number(value), depth: Number(value) ? 4 : wish.depth }))),
        field("Cut", choice([["ge", "at alpha ≥ beta"], ["gt", "at alpha > beta"]], wish.cut, (value) => next({ cut: value }))),
        field("Values", choice([["soft", "fail-soft"], ["hard", "fail-hard"]], wish.bound, (value) => next({ bound: value }))),
        tick("ties", "no two leaves alike", !wish.ties, (is) => next({ ties: !is })),
        tick("agree", "the same cuts under every convention", wish.agree, (is) => next({ agree: is })),
        ...["values", "windows", "cuts"].map((name) =>
          tick(name, `ask for ${name}`, wish.asked.includes(name), (is) => {
            const left = ["values", "windows", "cuts"].filter((other) => (other === name ? is : wish.asked.includes(other)));
            next({ asked: left.length ? left : ["values"] });
          }),
        ),
        h("button", { type: "submit" }, "Draw this question"),
      ),
      h("h2", {}, "How it is marked"),
      h("p", {}, "A window is written as alpha and beta, as they are when the node is called; ∞ may be written inf. Below a cut nothing is asked. A value that is wrong and follows from your own values below it is worth half a point; a cut that is none costs one."),
    ),
  );
  load();
  return () => {
    gone = true;
  };
}
