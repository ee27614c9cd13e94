// Positions and games for the tests of the page's scripts.

/** A position of tic-tac-toe, or of another `shape`, as the server shows it. */
export function position(cells = ".........", { side = "x", shape = [3, 3], ...others } = {}) {
  const [width, height] = shape;
  const name = (_, cell) =>
    `${"abcdefgh"[cell % width]}${height - (Math.floor(cell / width) % height)}`;
  return {
    position: cells,
    game: "tictactoe",
    shape,
    gravity: false,
    misere: false,
    cells,
    names: [...cells].map(name),
    moves: [...cells].flatMap((stone, cell) => (stone === "." ? [cell] : [])),
    side,
    upcoming: (side === "x" ? "xo" : "ox").repeat(cells.length),
    over: false,
    winner: null,
    line: null,
    kinds: ["row"],
    longest: 3,
    ...others,
  };
}

/** A game in which moves have been played, as [move, ...variations of it] where there are any. */
export function node(move = "", children = [], side = "x") {
  const shown = position(undefined, { side });
  const made = { shown, move, cell: null, parent: null, children };
  for (const child of children) child.parent = made;
  return made;
}
