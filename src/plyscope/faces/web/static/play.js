// Play: against an agent or each other, on any board, with every variation kept.
import { Board, boardSvg } from "./board.js";
import { choice, download, field, h, icon, iconButton, idle } from "./dom.js";

const HINT_SECONDS = 1;
const CLOCKS = [["0", "no clock"], ["1", "1 minute"], ["3", "3 minutes"], ["10", "10 minutes"]];

export function playRoom(panel, lab) {
  const { client, game, announce, catalogues } = lab;
  const known = (name) => name === "human" || catalogues.agents.some((agent) => agent.name === name);
  lab.players ??= { x: known(lab.place.x) ? lab.place.x : "human", o: known(lab.place.o) ? lab.place.o : "level-5" };
  const clock = { minutes: 0, left: { x: 0, o: 0 }, out: null };
  let thinking = null;
  let hint = null;
  let gone = false;

  const board = new Board({ onplay: (move) => played(move) });
  const status = h("p", { class: "status", role: "status" });
  const clocks = h("p", { class: "clocks" });
  const variations = h("div", { class: "variations", role: "group", "aria-label": "moves and variations" });
  const note = h("p", { class: "error", role: "alert" });

  const problem = (error) => {
    if (!gone) note.textContent = error.message;
  };

  async function played(move) {
    note.textContent = "";
    hint = null;
    try {
      await game.play(move);
    } catch (error) {
      problem(error);
    }
  }

  const isHuman = (side) => lab.players[side] === "human";

  function update() {
    const { shown, node } = game;
    const over = shown.over || clock.out;
    board.draw(shown, { last: node.cell, best: hint ? hint.cells : [], locked: Boolean(over) || !isHuman(shown.side) });
    const side = shown.side.toUpperCase();
    let text;
    if (clock.out) text = `${clock.out.toUpperCase()} has run out of time`;
    else if (shown.over) text = shown.winner ? `${shown.winner.toUpperCase()} wins${shown.line && !shown.misere ? ` with ${shown.line.map((cell) => shown.names[cell]).join(" ")}` : ""}` : "a draw";
    else text = isHuman(shown.side) ? `${side} to move` : `${side} (${lab.players[shown.side]}) is thinking …`;
    if (node.move) text = `${node.parent.shown.side.toUpperCase()} played ${node.move}. ${text}`;
    if (hint) text += `. Hint: ${hint.text}`;
    status.textContent = text;
    idle(buttons.undo, !node.parent);
    idle(buttons.redo, !node.children.length);
    idle(buttons.hint, Boolean(over));
    variations.replaceChildren(...written(game.root));
    clocks.textContent = clock.minutes ? `X ${time(clock.left.x)}   O ${time(clock.left.o)}` : "";
    lab.go({ position: game.root.shown.position, moves: game.moves.join(","), ...lab.players });
    if (!over && !isHuman(shown.side)) think();
    else stop();
  }

  const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  function stop() {
    thinking?.job.cancel();
    thinking = null;
  }

  function think() {
    const { node, shown } = game;
    if (thinking?.node === node) return;
    stop();
    const job = client.stream(
      "move",
      { position: shown.position, agent: lab.players[shown.side], seed: Math.floor(Math.random() * 1e9) },
      { queue: (place) => place > 1 && (status.textContent = `waiting, place ${place} in line`) },
    );
    thinking = { job, node };
    job.promise.then(
      async (found) => {
        if (gone || game.node !== node) return;
        thinking = null;
        await played(found.move);
      },
      (error) => game.node === node && problem(error),
    );
  }

  // Moves as a list of buttons: the first child goes on, the others stand in brackets.
  function written(node, number = 0) {
    const parts = [];
    while (node.children.length) {
      const [first, ...others] = node.children;
      parts.push(button(first, number + 1));
      for (const other of others) parts.push(h("span", { class: "aside" }, "(", button(other, number + 1), ...written(other, number + 1), ")"));
      node = first;
      number++;
    }
    return parts;
  }

  function button(node, number) {
    const side = node.parent.shown.side.toUpperCase();
    return h(
      "button",
      {
        type: "button",
        class: `move ${side.toLowerCase()}`,
        "aria-current": node === game.node ? "step" : false,
        "aria-label": `move ${number}, ${side} ${node.move}`,
        onclick: () => ((hint = null), game.go(node)),
      },
      `${number}. ${side} ${node.move}`,
    );
  }

  function undo() {
    hint = null;
    let node = game.node.parent;
    while (node?.parent && !isHuman(node.shown.side) && (isHuman("x") || isHuman("o"))) node = node.parent;
    if (node) game.go(node);
  }

  const buttons = {
    undo: iconButton("undo", "Undo", undo, { title: "Left arrow" }),
    redo: iconButton("redo", "Redo", () => game.go(game.node.children[0]), { title: "Right arrow" }),
    hint: iconButton("hint", "Hint", async () => {
      const node = game.node;
      try {
        const found = await client.ask("analyze", { position: node.shown.position, seconds: HINT_SECONDS });
        if (gone || game.node !== node) return;
        const best = found.lines[0];
        hint = { cells: best.cells.slice(0, 1), text: `${best.pv[0]} (${best.text}, ${found.depth} plies deep)` };
        update();
      } catch (error) {
        problem(error);
      }
    }),
    share: iconButton("link", "Copy link", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        announce("the link is copied");
      } catch {
        announce(`the address of this page is the link: ${location.href}`);
      }
    }),
    svg: iconButton("down", "SVG", () => download("plyscope.svg", "image/svg+xml", new XMLSerializer().serializeToString(boardSvg(game.shown, game.node.cell)))),
    png: iconButton("down", "PNG", savePng),
  };

  function savePng() {
    const drawing = boardSvg(game.shown, game.node.cell);
    const image = new Image();
    image.onload = () => {
      const canvas = h("canvas", { width: image.width * 2, height: image.height * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => download("plyscope.png", "image/png", blob));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
  }

  // A new game

  const agents = [["human", "a person"], ...catalogues.agents.map((agent) => [agent.name, agent.name, agent.summary])];
  const what = h("input", { type: "text", value: game.root.shown.game, list: "games", autocomplete: "off", spellcheck: "false" });
  const names = h("datalist", { id: "games" }, catalogues.games.map((item) => h("option", { value: item.name }, item.summary)));
  const players = {
    x: choice(agents, lab.players.x, (name) => ((lab.players.x = name), update())),
    o: choice(agents, lab.players.o, (name) => ((lab.players.o = name), update())),
  };
  const minutes = choice(CLOCKS, "0");
  const form = h(
    "form",
    {
      class: "form",
      onsubmit: async (event) => {
        event.preventDefault();
        note.textContent = "";
        stop();
        hint = null;
        Object.assign(clock, { minutes: Number(minutes.value), out: null, left: { x: 60 * minutes.value, o: 60 * minutes.value } });
        try {
          await game.start(what.value);
        } catch (error) {
          problem(error);
        }
      },
    },
    field("Game or position", what),
    names,
    h("p", { class: "help" }, "a name, m,n,k such as 7,7,5, or moves such as connect4 444"),
    field("X", players.x),
    field("O", players.o),
    field("Clock", minutes),
    h("button", { type: "submit", class: "primary" }, icon("play"), h("span", {}, "New game")),
  );

  const ticking = setInterval(() => {
    const { shown, node } = game;
    if (!clock.minutes || clock.out || shown.over || !(node.parent || node.children.length)) return;
    clock.left[shown.side] = Math.max(0, clock.left[shown.side] - 0.25);
    if (!clock.left[shown.side]) {
      clock.out = shown.side;
      update();
    } else clocks.textContent = `X ${time(clock.left.x)}   O ${time(clock.left.o)}`;
  }, 250);

  panel.onkeydown = (event) => {
    if (event.target.matches("input, select, textarea, [role=gridcell]")) return;
    if (event.key === "ArrowLeft") undo();
    else if (event.key === "ArrowRight" && game.node.children.length) game.go(game.node.children[0]);
    else return;
    event.preventDefault();
  };

  panel.append(
    h("section", { class: "stage", "aria-label": "board" }, status, clocks, board.element, h("div", { class: "bar", role: "toolbar", "aria-label": "game" }, Object.values(buttons)), note),
    h("section", { class: "side", "aria-label": "game and moves" }, h("h2", {}, "Moves"), variations, h("h2", {}, "New game"), form),
  );
  const forget = game.on(update);
  update();
  return () => {
    gone = true;
    forget();
    stop();
    clearInterval(ticking);
  };
}
