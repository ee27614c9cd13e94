// A board as an ARIA grid: arrows move, Enter or Space plays, under gravity the column's number too. Levels of a cube stand side by side.
import { h, s } from "./dom.js";

export const letters = (number) => (number < 26 ? "" : letters(Math.floor(number / 26) - 1)) + String.fromCharCode(97 + (number % 26));

export class Board {
  constructor({ onplay = () => {}, onhover = () => {} } = {}) {
    this.onplay = onplay;
    this.onhover = onhover;
    this.element = h("div", { class: "board" });
    this.focused = null;
  }

  // Draw what the server showed. `last` is the cell played last; `notes` maps cells to lists of {kind, text, title}; `ghosts` maps cells to
  // a side and a number, for a line of play that is previewed; `best` lists cells to mark.
  draw(shown, { last = null, notes = new Map(), ghosts = new Map(), best = [], locked = false } = {}) {
    const [width, height = 1] = shown.shape;
    const levels = shown.cells.length / (width * height);
    const hadFocus = this.element.contains(this.element.ownerDocument.activeElement);
    this.shown = shown;
    this.locked = locked || shown.over;
    this.cells = [];
    const won = new Set(shown.line ?? []);
    const size = Math.max(width, height * 0.8) * (levels > 1 ? 2 : 1);
    this.element.className = `board ${shown.gravity ? "gravity" : ""} ${size > 9 ? "dense" : ""} ${size > 16 ? "tiny" : ""} ${levels > 1 ? "levels" : ""}`;
    this.element.style.setProperty("--columns", width);
    const parts = [];
    for (let level = 0; level < levels; level++) {
      const grid = h("div", {
        class: "level",
        role: "grid",
        "aria-label": levels > 1 ? `level ${letters(level)} of ${shown.game}` : `${shown.game}, ${width} columns, ${height} rows`,
      });
      for (let row = 0; row < height; row++) {
        const line = h("div", { class: "row", role: "row" });
        for (let column = 0; column < width; column++) {
          const cell = (level * height + row) * width + column;
          line.append(this.cell(cell, { last, notes, ghosts, best, won }));
        }
        grid.append(line);
      }
      const names = h("div", { class: "names", "aria-hidden": "true" });
      for (let column = 0; column < width; column++) names.append(h("span", {}, shown.gravity ? column + 1 : letters(column)));
      const rows = h("div", { class: "rows", "aria-hidden": "true" });
      for (let row = 0; row < height; row++) rows.append(h("span", {}, height - row));
      const title = levels > 1 && h("div", { class: "title", "aria-hidden": "true" }, `level ${letters(level)}`);
      parts.push(h("div", { class: "plane" }, title, rows, grid, names));
    }
    this.element.replaceChildren(...parts);
    const target = this.cells[this.focused] ?? this.cells[shown.moves[0] ?? 0];
    target.tabIndex = 0;
    if (hadFocus && this.focused !== null) target.focus({ preventScroll: true });
    this.element.onkeydown = (event) => this.key(event, width, height, levels);
  }

  cell(cell, { last, notes, ghosts, best, won }) {
    const { shown } = this;
    const stone = { x: "X", o: "O" }[shown.cells[cell]];
    const said = [shown.names[cell], stone ?? "empty"];
    if (cell === last) said.push("last move");
    if (won.has(cell)) said.push("in the winning line");
    const noted = notes.get(cell) ?? [];
    if (best.includes(cell)) said.push("best");
    for (const note of noted) said.push(note.title ?? note.text);
    const ghost = ghosts.get(cell);
    if (ghost) said.push(`move ${ghost.number} of the line, ${ghost.side}`);
    const element = h("div", {
      class: ["cell", stone && "taken", cell === last && "last", won.has(cell) && "won", best.includes(cell) && "best", ghost && "ghosted"]
        .filter(Boolean)
        .join(" "),
      role: "gridcell",
      tabindex: "-1",
      "data-cell": cell,
      "aria-label": said.join(", "),
      onclick: () => this.play(cell),
      onfocus: () => {
        this.focused = cell;
        for (const other of this.cells) other.tabIndex = other === element ? 0 : -1;
      },
      onmouseenter: () => this.onhover(cell),
      onmouseleave: () => this.onhover(null),
    });
    if (this.locked || this.landing(cell) === null) element.setAttribute("aria-disabled", "true");
    if (stone) element.append(mark(stone, shown.gravity));
    else if (ghost) element.append(mark(ghost.side, shown.gravity), h("span", { class: "number" }, ghost.number));
    else if (noted.length)
      element.append(h("span", { class: "notes" }, noted.map((note) => h("span", { class: `note ${note.kind}` }, note.text))));
    this.cells[cell] = element;
    return element;
  }

  // The cell that is taken when `cell` is chosen: under gravity the one where a stone falls in its column; null where none is.
  landing(cell) {
    const { shown } = this;
    if (shown.moves.includes(cell)) return cell;
    if (!shown.gravity) return null;
    const [width, height] = shown.shape;
    const same = (other) => other % width === cell % width && Math.floor(other / (width * height)) === Math.floor(cell / (width * height));
    return shown.moves.find(same) ?? null;
  }

  play(cell) {
    const target = this.landing(cell);
    if (this.locked || target === null) return;
    this.focused = cell;
    this.onplay(this.shown.names[target], target);
  }

  key(event, width, height, levels) {
    const at = this.cells.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const [column, row, level] = [at % width, Math.floor(at / width) % height, Math.floor(at / (width * height))];
    const to = (c, r, l) => this.cells[(l * height + r) * width + c]?.focus();
    const steps = {
      ArrowLeft: () => (column ? to(column - 1, row, level) : level && to(width - 1, row, level - 1)),
      ArrowRight: () => (column < width - 1 ? to(column + 1, row, level) : level < levels - 1 && to(0, row, level + 1)),
      ArrowUp: () => row && to(column, row - 1, level),
      ArrowDown: () => row < height - 1 && to(column, row + 1, level),
      Home: () => to(0, row, level),
      End: () => to(width - 1, row, level),
      PageUp: () => level && to(column, row, level - 1),
      PageDown: () => level < levels - 1 && to(column, row, level + 1),
      Enter: () => this.play(at),
      " ": () => this.play(at),
    };
    const column_key = /^[1-9]$/.test(event.key) && this.shown.gravity && Number(event.key) <= width;
    if (column_key) this.play(Number(event.key) - 1 + level * width * height);
    else if (steps[event.key]) steps[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function mark(stone, gravity) {
  const shape =
    stone === "X"
      ? gravity
        ? [s("circle", { cx: 20, cy: 20, r: 16, class: "disc x" }), s("path", { d: "M15 15l10 10M25 15l-10 10", class: "sign" })]
        : [s("path", { d: "M10 10l20 20M30 10l-20 20", class: "x" })]
      : gravity
        ? [s("circle", { cx: 20, cy: 20, r: 16, class: "disc o" }), s("circle", { cx: 20, cy: 20, r: 6, class: "sign" })]
        : [s("circle", { cx: 20, cy: 20, r: 11, class: "o" })];
  return s("svg", { class: "stone", viewBox: "0 0 40 40", "aria-hidden": "true" }, shape);
}

// The board as a drawing of its own, for files.
export function boardSvg(shown, last) {
  const [width, height = 1] = shown.shape;
  const levels = shown.cells.length / (width * height);
  const size = 40;
  const wide = levels * (width * size + 24) + 16;
  const root = s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${wide} ${height * size + 40}`, width: wide, height: height * size + 40 });
  root.append(s("title", {}, `${shown.game}: ${shown.position}`), s("rect", { width: "100%", height: "100%", fill: "#fff" }));
  const centre = (cell) => {
    const level = Math.floor(cell / (width * height));
    return [20 + level * (width * size + 24) + (cell % width) * size + 20, 12 + (Math.floor(cell / width) % height) * size + 20];
  };
  shown.cells.split("").forEach((stone, cell) => {
    const [x, y] = centre(cell);
    root.append(s("rect", { x: x - 20, y: y - 20, width: size, height: size, fill: "none", stroke: "#8c959f" }));
    if (stone === "x") root.append(s("path", { d: `M${x - 10} ${y - 10}l20 20M${x + 10} ${y - 10}l-20 20`, stroke: "#0550ae", "stroke-width": 5, fill: "none" }));
    if (stone === "o") root.append(s("circle", { cx: x, cy: y, r: 11, stroke: "#9a4a00", "stroke-width": 5, fill: "none" }));
    if (cell === last) root.append(s("circle", { cx: x, cy: y, r: 4, fill: "#1a7f37" }));
  });
  if (shown.line) root.append(s("polyline", { points: shown.line.map((cell) => centre(cell).join()).join(" "), stroke: "#1a7f37", "stroke-width": 4, fill: "none" }));
  for (let column = 0; column < width; column++)
    root.append(s("text", { x: 20 + column * size + 20, y: height * size + 30, "font-family": "sans-serif", "font-size": 12, "text-anchor": "middle" }, shown.gravity ? `${column + 1}` : letters(column)));
  for (let row = 0; row < height; row++)
    root.append(s("text", { x: 10, y: 12 + row * size + 24, "font-family": "sans-serif", "font-size": 12, "text-anchor": "middle" }, `${height - row}`));
  return root;
}
