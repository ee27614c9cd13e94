// Analyse: on every move what the heuristic thinks, what the search says, and what is proved; and where they disagree.
import { Board } from "./board.js";
import { gameGraph, waterfall } from "./charts.js";
import { choice, count, field, h, icon, iconButton, scroller, table } from "./dom.js";

const LAYERS = [
  ["all", "all three"],
  ["opinion", "heuristic: its opinion of the position after the move"],
  ["score", "search: the score, with its bound"],
  ["proof", "proof: the value, with its distance"],
  ["wrong", "where the heuristic is wrong"],
];
const PROOF_SECONDS = 10;

export function analyzeRoom(panel, lab) {
  const { client, game, announce, catalogues } = lab;
  const settings = (lab.analysis ??= { algorithm: "engine", heuristic: "counted-lines", depth: 60, seconds: 5, layer: "all", table: null });
  let jobs = [];
  let now = { explained: null, found: null, verdict: null };
  let preview = null;
  let gone = false;

  const board = new Board({ onplay: play });
  const status = h("p", { class: "status", role: "status" });
  const legend = h("p", { class: "help" });
  const lines = h("div", { class: "lines" });
  const proof = h("p", { class: "verdict-line", role: "status" });
  const fall = h("div");
  const graph = h("div", { class: "graphs" });
  const why = h("div", { class: "why", role: "status" });
  const wrong = h("p", { class: "error", role: "alert" });
  const sliders = h("div", { class: "sliders" });
  const moves = h("div", { class: "bar", role: "toolbar", "aria-label": "moves" });

  function play(move) {
    game.play(move).catch((error) => (wrong.textContent = error.message));
  }

  const heuristic = () => settings.table ?? settings.heuristic;

  function begin() {
    stop();
    now = { explained: null, found: null, verdict: null };
    preview = null;
    wrong.textContent = "";
    why.replaceChildren();
    lab.go({ position: game.root.shown.position, moves: game.moves.join(",") });
    const { position, over } = game.shown;
    const mine = game.node;
    const still = (job) => !gone && game.node === mine && jobs.includes(job);
    const watch = (verb, asked, told, found) => {
      const job = client.stream(verb, asked, { told: (news) => still(job) && told(news), queue: (place) => still(job) && (status.textContent = place > 1 ? `waiting, place ${place} in line` : "") });
      jobs.push(job);
      job.promise.then(
        (news) => still(job) && found(news),
        (error) => still(job) && error.message !== "stopped" && (wrong.textContent = error.message),
      );
    };
    watch("explain", { position, heuristic: heuristic() }, () => {}, (explained) => {
      now.explained = explained;
      fall.replaceChildren(explained.lines.length ? scroller("why this number", waterfall(explained)) : h("p", {}, `${explained.heuristic}: ${count(explained.total)}, no line counts`));
      drawSliders(explained);
      draw();
    });
    if (!over) {
      const take = (found) => {
        if (found.text && !found.lines) status.textContent = found.text;
        else if (found.lines) now.found = found;
        drawLines();
        draw();
      };
      watch("analyze", { position, algorithm: settings.algorithm, heuristic: heuristic(), depth: settings.depth, seconds: settings.seconds }, take, (found) => {
        take(found);
        if (found.lines) announce(`depth ${found.depth}: ${found.text}, best ${found.lines[0]?.pv[0]}`);
      });
      watch("solve", { position, seconds: PROOF_SECONDS }, (told) => (proof.textContent = `proving: ${told.text}`), (verdict) => {
        now.verdict = verdict.value === null ? null : verdict;
        proof.textContent = verdict.value === null ? "no proof in time" : `proved: ${verdict.text} (${verdict.proof})`;
        draw();
      });
    }
    proof.textContent = over ? "the game is over" : "";
    status.textContent = "";
    draw();
    drawLines();
    drawMoves();
  }

  function stop() {
    for (const job of jobs) job.cancel();
    jobs = [];
  }

  // What each layer says of each move. The truth is the proof where there is one, else the search.
  function layers() {
    const { explained, found, verdict } = now;
    const opinions = new Map((explained?.after ?? []).map((item) => [item.cell, item.value]));
    const scores = new Map((found?.moves ?? []).map((item) => [item.cell, item]));
    const proofs = new Map((verdict?.moves ?? []).map((item) => [item.move, item]));
    if (verdict && !proofs.size) for (const cell of verdict.best) proofs.set(cell, { value: verdict.value, distance: verdict.distance });
    const truth = new Map();
    if (proofs.size === game.shown.moves.length) for (const [cell, item] of proofs) truth.set(cell, item.value * 10000 - (item.distance ?? 0) * item.value);
    else for (const [cell, item] of scores) if (item.sign === "=") truth.set(cell, item.value);
    return { opinions, scores, proofs, truth };
  }

  // How many other moves the heuristic puts on the wrong side of this one: [overrated, underrated].
  function misjudged(cell, { opinions, truth }) {
    let [over, under] = [0, 0];
    if (!truth.has(cell)) return null;
    for (const [other, value] of truth) {
      if (truth.get(cell) < value && opinions.get(cell) >= opinions.get(other)) over++;
      if (truth.get(cell) > value && opinions.get(cell) <= opinions.get(other)) under++;
    }
    return [over, under];
  }

  const proofText = (item) => `${{ 1: "win", 0: "draw", "-1": "loss" }[item.value]}${item.distance ? ` ${item.distance}` : ""}`;

  function draw() {
    if (gone) return;
    const { shown, node } = game;
    const all = layers();
    const notes = new Map();
    const large = shown.cells.length > 49 && settings.layer === "all" ? "score" : settings.layer;
    const wants = (name) => large === "all" || large === name;
    for (const cell of shown.moves) {
      const list = [];
      if (wants("opinion") && all.opinions.has(cell)) list.push({ kind: "opinion", text: `h ${count(all.opinions.get(cell))}`, title: `heuristic ${all.opinions.get(cell)}` });
      const score = all.scores.get(cell);
      if (wants("score") && score) list.push({ kind: score.sign === "=" ? "score" : "score bound", text: `${score.sign} ${short(score.text)}`, title: `search ${score.sign} ${score.text}` });
      const proved = all.proofs.get(cell);
      if (wants("proof") && proved) list.push({ kind: `proof v${proved.value}`, text: `✓ ${proofText(proved)}`, title: `proved ${proofText(proved)}` });
      if (large === "wrong") {
        const [over, under] = misjudged(cell, all) ?? [];
        if (over) list.push({ kind: "over", text: `▼ ${over}`, title: `overrated against ${over} moves` });
        if (under) list.push({ kind: "under", text: `▲ ${under}`, title: `underrated against ${under} moves` });
        if (!over && !under && all.truth.has(cell)) list.push({ kind: "right", text: "·", title: "judged right" });
      }
      if (list.length) notes.set(cell, list);
    }
    const ghosts = new Map();
    preview?.forEach((cell, index) => ghosts.set(cell, { side: (index % 2 === 0) === (shown.side === "x") ? "X" : "O", number: index + 1 }));
    const best = now.verdict?.best ?? now.found?.best ?? [];
    board.draw(shown, { last: node.cell, notes, ghosts, best: best.length < shown.moves.length ? best : [] });
    legend.textContent = {
      all: shown.cells.length > 49 ? "on a board of this size the search's layer is shown; choose another above" : "h the heuristic's opinion after the move · = ≥ ≤ the search's score · ✓ proved, with plies to the end; all for the side to move",
      opinion: "h: the heuristic's opinion of the position after the move, for the side to move",
      score: "= exact, ≥ at least, ≤ at most: the search's score for the side to move",
      proof: "✓ proved, with plies to the end",
      wrong: "▼ n: rated too high against n other moves · ▲ n: too low · judged by the proof, or by the search where there is none",
    }[settings.layer];
  }

  const short = (text) => text.replace(" plies", "").replace(" ply", "").replace(" in ", " ");

  function drawLines() {
    const { found } = now;
    const { shown } = game;
    if (shown.over) return lines.replaceChildren(h("p", {}, "the game is over"));
    if (!found) return lines.replaceChildren(h("p", {}, "searching …"));
    const speed = found.total_seconds > 0.001 ? `${count(Math.round((found.total_nodes ?? found.nodes) / (found.total_seconds ?? found.seconds)))} nodes/s` : "";
    const rows = (found.lines ?? []).map((line) => [
      line.text,
      h(
        "button",
        {
          type: "button",
          class: "line",
          onclick: () => play(line.pv[0]),
          onmouseenter: () => ((preview = line.cells), draw()),
          onmouseleave: () => ((preview = null), draw()),
          onfocus: () => showLine(line),
        },
        line.pv.join(" ") || "–",
      ),
    ]);
    const caption = `${found.algorithm}: depth ${found.depth}${found.complete ? " (to the end)" : ""}, ${count(found.nodes)} nodes, ${count(found.cutoffs)} cutoffs ${speed}`;
    const before = [...lines.querySelectorAll("button")].indexOf(document.activeElement);
    lines.replaceChildren(scroller("best lines", table(["score", "line: hover shows it, click plays its first move"], rows, caption)));
    if (before >= 0) lines.querySelectorAll("button")[before]?.focus();
  }

  function showLine(line) {
    if (preview === line.cells) return;
    preview = line.cells;
    draw();
  }

  // Why not this move?

  const asked = choice([], undefined);
  async function refute() {
    if (!asked.value) return;
    why.replaceChildren(h("p", {}, "looking for the answer …"));
    try {
      const found = await client.ask("refute", { position: game.shown.position, move: asked.value });
      why.replaceChildren(
        h("p", {}, found.text),
        h("button", { type: "button", onmouseenter: () => ((preview = found.cells), draw()), onmouseleave: () => ((preview = null), draw()), onclick: () => ((preview = preview ? null : found.cells), draw()) }, `show ${found.line.join(" ")}`),
      );
    } catch (error) {
      why.replaceChildren(h("p", { class: "error" }, error.message));
    }
  }

  // The table's values as sliders: what is moved makes a table of one's own.

  let sliding = null;
  const back = h("button", { type: "button", hidden: true, onclick: () => ((settings.table = null), sliders.replaceChildren(), begin()) });
  function drawSliders(explained) {
    back.hidden = !settings.table;
    back.textContent = `back to ${settings.heuristic}`;
    if (!explained.table || sliders.contains(document.activeElement)) return;
    const chosen = structuredClone(explained.table);
    for (const kind of game.shown.kinds) chosen.weights[kind] ??= 1;
    const length = game.shown.longest;
    const change = () => {
      settings.table = { values: chosen.values, weights: Object.fromEntries(Object.entries(chosen.weights).filter(([kind]) => game.shown.kinds.includes(kind))) };
      clearTimeout(sliding);
      sliding = setTimeout(begin, 150);
    };
    const slider = (label, value, most, set) => {
      const output = h("output", {}, count(value));
      const input = h("input", { type: "range", min: -most, max: most, step: most > 200 ? Math.ceil(most / 200) : 1 });
      input.value = value;
      input.oninput = () => {
        set(Number(input.value));
        output.textContent = count(Number(input.value));
        change();
      };
      return h("div", { class: "slider" }, field(label, input), output);
    };
    const parts = [];
    for (let stones = 1; stones <= length; stones++) {
      for (const [pair, label] of [[`${stones},0`, `${stones} mine`], [`0,${stones}`, `${stones} theirs`]]) {
        const value = chosen.values[pair] ?? 0;
        parts.push(slider(label, value, Math.max(10, 3 * Math.abs(value)), (number) => (chosen.values[pair] = number)));
      }
    }
    for (const kind of game.shown.kinds) parts.push(slider(`× ${kind}`, chosen.weights[kind], 5, (number) => (chosen.weights[kind] = number)));
    sliders.replaceChildren(...parts);
  }

  // The game as a graph

  let reviewing = null;
  function review() {
    reviewing?.cancel();
    const line = game.line;
    const names = line.slice(1).map((node) => node.move);
    const show = (found) => {
      if (gone || !found.points) return;
      const at = line.indexOf(game.node);
      graph.replaceChildren(scroller("graph of the game", gameGraph(found.points, at, names, (number) => game.go(line[number]))));
      const slips = found.points.map((point, number) => [point.slip, names[number - 1], number]).filter(([slip]) => slip);
      graph.append(h("p", {}, slips.length ? slips.map(([slip, name, number]) => `${number}. ${name}: ${slip}`).join("; ") : "no mistakes found so far"));
    };
    const job = client.stream("review", { position: game.root.shown.position, moves: names }, { told: show });
    reviewing = job;
    graph.replaceChildren(h("p", {}, "looking at every position …"));
    job.promise.then(show, (error) => !gone && reviewing === job && graph.replaceChildren(h("p", { class: "error" }, error.message)));
  }

  function drawMoves() {
    const line = game.line;
    moves.replaceChildren(
      ...line.map((node, number) =>
        h(
          "button",
          { type: "button", class: "move", "aria-current": node === game.node ? "step" : false, onclick: () => game.go(node) },
          number ? `${number}. ${node.move}` : "start",
        ),
      ),
    );
    asked.replaceChildren(...game.shown.moves.map((cell) => h("option", {}, game.shown.names[cell])));
    forWhy.hidden = game.shown.over;
  }

  const settle = (name, read = (value) => value) => (value) => {
    settings[name] = read(value);
    if (name === "heuristic") settings.table = null;
    begin();
  };
  const number = (name, least, most, step) => {
    const input = h("input", { type: "number", min: least, max: most, step });
    input.value = settings[name];
    input.onchange = () => settle(name, Number)(Math.min(most, Math.max(least, Number(input.value) || least)));
    return input;
  };
  const forWhy = h("div", { class: "form" }, field("Why not", asked), h("button", { type: "button", onclick: refute }, icon("hint"), h("span", {}, "Answer")));
  const where = h("input", { type: "text", value: game.root.shown.game, spellcheck: "false", autocomplete: "off" });

  panel.append(
    h(
      "section",
      { class: "stage", "aria-label": "board" },
      h(
        "form",
        { class: "form", onsubmit: (event) => (event.preventDefault(), game.start(where.value).catch((error) => (wrong.textContent = error.message))) },
        field("Position", where),
        h("button", { type: "submit" }, "Set up"),
        field("Shown on the moves", choice(LAYERS, settings.layer, (layer) => ((settings.layer = layer), draw()))),
      ),
      status,
      board.element,
      legend,
      proof,
      moves,
      wrong,
    ),
    h(
      "section",
      { class: "side", "aria-label": "analysis" },
      h(
        "div",
        { class: "form" },
        field("Algorithm", choice(catalogues.algorithms.map((item) => [item.name, item.name, item.summary]), settings.algorithm, settle("algorithm"))),
        field("Heuristic", choice(catalogues.heuristics.map((item) => [item.name, item.name, item.summary]), settings.heuristic, settle("heuristic"))),
        field("Depth", number("depth", 1, 60, 1)),
        field("Seconds", number("seconds", 0.5, 30, 0.5)),
      ),
      h("h2", {}, "Best lines"),
      lines,
      h("h2", {}, "Why not this move?"),
      forWhy,
      why,
      h("h2", {}, "The game"),
      iconButton("play", "Look at every position", review),
      graph,
      h("h2", {}, "Why this number"),
      fall,
      h("details", {}, h("summary", {}, "Change the table"), sliders, back),
    ),
  );
  panel.onkeydown = (event) => {
    if (event.target.matches("input, select, textarea, [role=gridcell], [role=button]")) return;
    const to = { ArrowLeft: game.node.parent, ArrowRight: game.node.children[0] }[event.key];
    if (to) {
      game.go(to);
      event.preventDefault();
    }
  };
  const forget = game.on(begin);
  begin();
  return () => {
    gone = true;
    forget();
    stop();
    reviewing?.cancel();
    clearTimeout(sliding);
  };
}
