// Trees: a search stepped forward and back, with its windows, bounds, cuts, code and counters; and where two searches differ.
import { choice, count, field, h, icon, iconButton, idle, scroller, table } from "./dom.js";
import { TreeView } from "./treeview.js";

const EXAMPLE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]";
const CONVENTIONS = {
  scoring: ["heuristic", "result", "distance"],
  order: ["generated", "best", "worst", "random"],
  root: ["shared", "open"],
  bound: [["soft", "fail-soft"], ["hard", "fail-hard"]],
  cut: [["ge", "at alpha ≥ beta"], ["gt", "at alpha > beta"]],
  cutoffs: [["deep", "deep and shallow"], ["shallow", "shallow alone"]],
};

export function treesRoom(panel, lab) {
  const { client, announce, catalogues } = lab;
  const settings = (lab.tree ??= { text: lab.place.tree ?? EXAMPLE, algorithm: "alphabeta", depth: 2, conventions: {}, second: { algorithm: "alphabeta", conventions: { cut: "gt" } } });
  let traced = null;
  let step = 0;
  let timer = null;
  let gone = false;
  let turns = 0;
  let chosen = null;

  const view = new TreeView("the searched tree");
  const said = h("p", { class: "status", role: "status" });
  const counters = h("p", { class: "help" });
  const caption = h("p", { class: "help" });
  const sentences = h("ol", { class: "sentences" });
  const code = h("div", { class: "code", role: "region", tabindex: "0", "aria-label": "the algorithm's code, its current line marked" });
  const wrong = h("p", { class: "error", role: "alert" });
  const differences = h("div");
  const editor = h("div", { class: "form" });
  const slider = h("input", { type: "range", min: 0, value: 0, "aria-label": "step" });

  const asked = () => ({ position: settings.text, algorithm: settings.algorithm, depth: settings.text.includes("[") ? undefined : settings.depth, conventions: settings.conventions });

  async function load(atEnd = true) {
    wrong.textContent = "";
    pause();
    const turn = ++turns;
    try {
      const found = await client.ask("trace", JSON.parse(JSON.stringify(asked())));
      if (gone || turn !== turns) return;
      traced = found;
      step = atEnd ? found.steps.length : 0;
      slider.max = found.steps.length;
      caption.textContent = found.caption;
      sentences.replaceChildren(...found.sentences.map((text) => h("li", {}, text)));
      drawCode();
      draw();
      lab.go({ tree: settings.text });
    } catch (error) {
      if (!gone && turn === turns) wrong.textContent = error.message;
    }
  }

  function draw() {
    if (!traced) return;
    const states = traced.nodes.map((node) => (traced.given ? { score: node.leaf ? node.name : "", seen: false } : null));
    let counted = [0, 0, 0];
    for (const done of traced.steps.slice(0, step)) {
      for (const [number, news] of done.changes) states[number] = { ...states[number], ...news, seen: news.visits > 0 };
      counted = done.counts;
    }
    if (!states[0]) states[0] = { seen: false };
    const last = step === traced.steps.length;
    const at = step ? traced.steps[step - 1] : null;
    traced.nodes.forEach((node, number) => {
      if (!states[number]) return;
      if (last) states[number].pv = node.pv;
      else if (at?.node === number) states[number].current = true;
      states[number].selected = chosen === number;
    });
    view.draw(traced.nodes, states);
    said.textContent = at ? `${at.say}.` : "Nothing has happened yet.";
    const minimal = traced.minimal ? `; any alpha-beta needs ${count(traced.minimal)} leaves here at least` : "";
    counters.textContent = `step ${step} of ${traced.steps.length}: ${["node", "leaf", "cutoff"].map((name, kind) => `${count(counted[kind])} ${counted[kind] === 1 ? name : { leaf: "leaves" }[name] ?? `${name}s`}`).join(", ")}${minimal}`;
    slider.value = step;
    slider.setAttribute("aria-valuetext", said.textContent);
    for (const line of code.querySelectorAll(".now")) line.classList.remove("now");
    if (at) {
      const line = code.querySelector(`[data-line="${CSS.escape(at.at.join(":"))}"]`);
      line?.classList.add("now");
      if (line) code.scrollTop = line.offsetTop - code.clientHeight / 2;
    }
    for (const name of ["back", "first", "previous"]) idle(buttons[name], !step);
    for (const name of ["forward", "last", "next"]) idle(buttons[name], last);
    drawEditor();
  }

  function drawCode() {
    code.replaceChildren(
      ...Object.entries(traced.code).flatMap(([module, lines]) =>
        lines.map(([number, text], index) => h("div", { class: "line", "data-line": `${module}:${number}` }, index && lines[index - 1][0] + 1 < number && text.startsWith("def") ? "\n" : "", text || " ")),
      ),
    );
  }

  const moveTo = (target) => {
    step = Math.max(0, Math.min(traced?.steps.length ?? 0, target));
    draw();
  };
  const cutoff = (forward) => {
    const numbers = traced.steps.flatMap((item, index) => (item.kind === "cutoff" ? [index + 1] : []));
    moveTo(forward ? numbers.find((number) => number > step) ?? traced.steps.length : numbers.findLast((number) => number < step) ?? 0);
  };
  const speed = h("input", { type: "range", min: 1, max: 20, value: 4 });
  const pause = () => {
    clearInterval(timer);
    timer = null;
    buttons.play.replaceChildren(icon("play"), h("span", {}, "Play"));
  };
  const run = () => {
    if (timer) return pause();
    if (step === traced?.steps.length) step = 0;
    buttons.play.replaceChildren(icon("pause"), h("span", {}, "Pause"));
    const tick = () => (step < traced.steps.length ? moveTo(step + 1) : pause());
    timer = setInterval(tick, 1000 / Number(speed.value));
  };
  const buttons = {
    first: iconButton("first", "Start", () => moveTo(0), { title: "g" }),
    previous: iconButton("cut", "Previous cutoff", () => cutoff(false), { title: "C" }),
    back: iconButton("back", "Back", () => moveTo(step - 1), { title: "p" }),
    play: iconButton("play", "Play", run, { title: "space" }),
    forward: iconButton("forward", "Next", () => moveTo(step + 1), { title: "n" }),
    next: iconButton("cut", "Next cutoff", () => cutoff(true), { title: "c" }),
    last: iconButton("last", "End", () => moveTo(traced?.steps.length ?? 0), { title: "G" }),
  };
  speed.onchange = () => timer && (pause(), run());
  slider.oninput = () => moveTo(Number(slider.value));
  panel.onkeydown = (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey) return;
    const action = { n: () => moveTo(step + 1), p: () => moveTo(step - 1), c: () => cutoff(true), C: () => cutoff(false), g: () => moveTo(0), G: () => moveTo(traced.steps.length) }[event.key];
    if (!action || !traced) return;
    action();
    event.preventDefault();
  };

  // Drawing a tree: the chosen node gets children, loses them, or changes its value.

  function read() {
    const parse = (number) => {
      const node = traced.nodes[number];
      const children = traced.nodes.flatMap((other, index) => (other.parent === number ? [index] : []));
      return children.length ? children.map(parse) : node.value;
    };
    return parse(0);
  }

  function pathOf(number) {
    const path = [];
    for (let at = number; traced.nodes[at].parent !== null; at = traced.nodes[at].parent) {
      const { parent } = traced.nodes[at];
      path.unshift(traced.nodes.flatMap((node, index) => (node.parent === parent ? [index] : [])).indexOf(at));
    }
    return path;
  }

  function change(edit) {
    const holder = [read()];
    const path = [0, ...pathOf(chosen)];
    let list = holder;
    for (const index of path.slice(0, -1)) list = list[index];
    edit(list, path.at(-1));
    chosen = null;
    settings.text = JSON.stringify(holder[0]);
    text.value = settings.text;
    load();
  }

  function drawEditor() {
    if (!traced?.given) return editor.replaceChildren(h("p", { class: "help" }, "explicit trees can be drawn here: choose a node"));
    if (chosen === null || editor.contains(document.activeElement)) {
      if (chosen === null) editor.replaceChildren(h("p", { class: "help" }, "choose a node in the tree to change it"));
      return;
    }
    const node = traced.nodes[chosen];
    const value = h("input", { type: "number", value: node.value });
    editor.replaceChildren(
      h("p", {}, `${node.name} (${node.leaf ? "leaf" : node.max ? "MAX" : "MIN"})`),
      node.leaf && h("div", { class: "form" }, field("Value", value), h("button", { type: "button", onclick: () => change((list, index) => (list[index] = Math.trunc(Number(value.value)) || 0)) }, "Set")),
      h("button", { type: "button", onclick: () => change((list, index) => (list[index] = Array.isArray(list[index]) ? [...list[index], 0] : [list[index], 0])) }, "Add a child"),
      node.parent !== null && h("button", { type: "button", onclick: () => change((list, index) => (list.length > 1 ? list.splice(index, 1) : (list[index] = 0))) }, "Remove"),
    );
  }
  view.onchoose = (number) => {
    chosen = number;
    draw();
  };

  // Settings

  const text = h("textarea", { rows: 3, spellcheck: "false" });
  text.value = settings.text;
  const told = catalogues.algorithms.filter((item) => item.told);
  const conventions = (of, changed) => {
    const box = h("div", { class: "form" });
    const show = () => {
      const takes = told.find((item) => item.name === of.algorithm).takes;
      const controls = Object.entries(CONVENTIONS)
        .filter(([name]) => takes.includes(name))
        .map(([name, options]) => field(name, choice(options, of.conventions[name] ?? (Array.isArray(options[0]) ? options[0][0] : options[0]), (value) => ((of.conventions = { ...of.conventions, [name]: value }), changed()))));
      const ends = ["alpha", "beta"].filter(() => takes.includes("window")).map((name) => {
        const input = h("input", { type: "number", placeholder: name === "alpha" ? "−∞" : "∞", value: of.conventions[name] ?? "" });
        input.onchange = () => {
          const { [name]: _, ...others } = of.conventions;
          of.conventions = input.value === "" ? others : { ...others, [name]: Math.trunc(Number(input.value)) };
          changed();
        };
        return field(`initial ${name}`, input);
      });
      box.replaceChildren(
        field("Algorithm", choice(told.map((item) => [item.name, item.name, `${item.summary} (${item.source})`]), of.algorithm, (name) => {
          of.algorithm = name;
          const allowed = told.find((item) => item.name === name).takes;
          of.conventions = Object.fromEntries(Object.entries(of.conventions).filter(([key]) => allowed.includes(key) || (allowed.includes("window") && ["alpha", "beta"].includes(key))));
          show();
          changed();
        })),
        ...controls,
        ...ends,
      );
    };
    show();
    return box;
  };

  async function differ() {
    try {
      const found = await client.ask("differ", JSON.parse(JSON.stringify({ ...asked(), second: settings.second })));
      if (gone) return;
      const counts = Object.entries(found.counts).map(([name, pair]) => [name, ...pair.map(count)]);
      differences.replaceChildren(
        h("p", {}, `first: ${found.first}`),
        h("p", {}, `second: ${found.second}`),
        table(["of the search", "first", "second"], [...counts, ["value", ...found.values.map(String)]]),
        found.differences.length ? scroller("nodes that differ", table(["node", "first", "second"], found.differences.map((item) => [item.name, item.first, item.second]))) : h("p", {}, "no node differs"),
      );
    } catch (error) {
      differences.replaceChildren(h("p", { class: "error" }, error.message));
    }
  }

  const depth = h("input", { type: "number", min: 1, max: 8, value: settings.depth });
  depth.onchange = () => ((settings.depth = Math.min(8, Math.max(1, Number(depth.value) || 1))), load());
  const seed = h("input", { type: "number", min: 0, value: 1 });
  const plies = choice([["2"], ["3"], ["4"]].map(([value]) => [value, value]), "3");
  const wide = choice([["2", "2"], ["3", "3"]], "2");

  panel.append(
    h(
      "section",
      { class: "stage", "aria-label": "tree" },
      said,
      view.element,
      counters,
      h("div", { class: "bar", role: "toolbar", "aria-label": "steps" }, Object.values(buttons)),
      h("div", { class: "form" }, h("div", { class: "field wide" }, slider), field("Steps a second", speed)),
      caption,
      h("h2", {}, "Why the cuts"),
      sentences,
      wrong,
    ),
    h(
      "section",
      { class: "side", "aria-label": "what is searched, and how" },
      h(
        "form",
        { class: "form", onsubmit: (event) => (event.preventDefault(), (settings.text = text.value.trim()), (chosen = null), load(false)) },
        field("Tree or position", text, { class: "field wide" }),
        field("Depth, of a position", depth),
        h("button", { type: "submit", class: "primary" }, icon("play"), h("span", {}, "Search")),
      ),
      h(
        "form",
        {
          class: "form",
          onsubmit: async (event) => {
            event.preventDefault();
            try {
              const found = await client.ask("question", { seed: Number(seed.value) || 0, depth: Number(plies.value), branching: [Math.min(2, Number(wide.value)), Number(wide.value)] });
              settings.text = text.value = found.tree;
              chosen = null;
              load(false);
            } catch (error) {
              wrong.textContent = error.message;
            }
          },
        },
        field("Seed", seed),
        field("Plies", plies),
        field("Children up to", wide),
        h("button", { type: "submit" }, "Generate"),
      ),
      h("h2", {}, "Draw"),
      editor,
      h("h2", {}, "How it is searched"),
      conventions(settings, load),
      h("h2", {}, "The algorithm"),
      code,
      h("details", {}, h("summary", {}, "Where do these two differ?"), conventions(settings.second, () => {}), h("button", { type: "button", onclick: differ }, "Compare"), differences),
    ),
  );
  load();
  return () => {
    gone = true;
    pause();
  };
}
