// Cells by number, row by row from the top left, level by level.

/** @param {Shown} shown */
export function geometry({ shape, cells }) {
  const [width, height = 1] = shape;
  return { width, height, levels: cells.length / (width * height) };
}

/** @param {Shown} shown @param {number} cell */
export const isHole = (shown, cell) => shown.cells[cell] === "#";

/**
 * Return the cell that choosing `cell` takes, under gravity the lowest free one of its column, or
 * null.
 * @param {Shown} shown @param {number} cell
 */
export function landing(shown, cell) {
  if (shown.moves.includes(cell)) return cell;
  if (!shown.gravity) return null;
  const { width, height } = geometry(shown);
  /** @param {number} at */
  const columnOf = (at) => Math.floor(at / (width * height)) * width + (at % width);
  const inColumn = shown.moves.filter((move) => columnOf(move) === columnOf(cell));
  // a column that a hole parts is several, the lowest first
  return inColumn.filter((move) => move >= cell).at(-1) ?? inColumn[0] ?? null;
}

/**
 * Return the position after a move, as far as it is known before the server answers.
 * @param {Shown} shown @param {string} move
 */
export function foreseen(shown, move) {
  const cell = shown.names.indexOf(move);
  if (shown.text || !shown.moves.includes(cell)) return shown;
  const { width, height } = geometry(shown);
  const cells = `${shown.cells.slice(0, cell)}${shown.side}${shown.cells.slice(cell + 1)}`;
  const above = Math.floor(cell / width) % height ? cell - width : -1;
  const opened = shown.gravity && cells[above] === "." ? [above] : [];
  const moves = [...shown.moves.filter((other) => other !== cell), ...opened];
  const side = /** @type {Side} */ (shown.upcoming[1] ?? shown.side);
  return { ...shown, cells, moves, side, upcoming: shown.upcoming.slice(1) };
}

/** Return for each cell the one that a stone put there would take. @param {Shown} shown */
export function landingsOf(shown) {
  const moves = new Set(shown.moves);
  const known = (/** @type {number} */ cell) =>
    moves.has(cell) ? cell : shown.gravity ? landing(shown, cell) : null;
  return shown.names.map((_, cell) => known(cell));
}

/**
 * Where a key leads from a cell; null where it leads nowhere.
 * @param {string} key @param {number} cell
 * @param {{ width: number, height: number, levels: number }} geometry
 */
export function step(key, cell, { width, height, levels }) {
  const level = Math.floor(cell / (width * height));
  const row = Math.floor(cell / width) % height;
  const column = cell % width;
  /** @type {Record<string, [column: number, row: number, level: number]>} */
  const steps = {
    ArrowLeft: column ? [column - 1, row, level] : [width - 1, row, level - 1],
    ArrowRight: column < width - 1 ? [column + 1, row, level] : [0, row, level + 1],
    ArrowUp: [column, row - 1, level],
    ArrowDown: [column, row + 1, level],
    Home: [0, row, level],
    End: [width - 1, row, level],
    PageUp: [column, row, level - 1],
    PageDown: [column, row, level + 1],
  };
  if (!(key in steps)) return undefined;
  const [toColumn, toRow, toLevel] = steps[key];
  const isThere = toRow >= 0 && toRow < height && toLevel >= 0 && toLevel < levels;
  return isThere ? (toLevel * height + toRow) * width + toColumn : null;
}

/**
 * Where a key leads on a board: over its holes.
 * @param {Shown} shown @param {string} key @param {number} cell
 */
export function stepOver(shown, key, cell) {
  let [from, at] = [cell, step(key, cell, geometry(shown))];
  while (typeof at === "number" && isHole(shown, at) && at !== from)
    [from, at] = [at, step(key, at, geometry(shown))];
  return typeof at === "number" && isHole(shown, at) ? null : at;
}

/** The cell of the one stone by which two positions differ. @param {Shown} before @param {Shown} after */
export function newStone(before, after) {
  const changed = [...after.cells].flatMap((sign, cell) =>
    sign === before.cells[cell] ? [] : [cell],
  );
  return changed.length === 1 && before.cells[changed[0]] === "." ? changed[0] : null;
}
