import assert from "node:assert/strict";
import { test } from "node:test";
import { foreseen } from "#page/board/cells.js";
import { Game } from "#page/shell/game.js";
import { position } from "./games.js";

async function gameAfter(moves) {
  const game = await Game.open(client, "tictactoe");
  for (const move of moves) await game.play(move);
  return game;
}

/** A server on which every move leads to a position, and its cell is its number. */
const client = {
  ask: async (verb, { move }) => {
    if (verb === "show") return position();
    if (move.endsWith("x")) throw new Error(`'${move}' is no cell`);
    return { ...position(), move, cell: Number(move.slice(1)) };
  },
};

test("a game is opened after its moves", async () => {
  const game = await gameAfter(["a1", "b2"]);
  assert.deepEqual(game.moves, ["a1", "b2"]);
});

test("a move that is played again leads where it led, and another is a variation", async () => {
  const game = await gameAfter(["a1", "b2"]);
  const end = game.node;
  game.go(end.parent);
  await game.play("b2");
  assert.equal(game.node, end);
  game.go(end.parent);
  await game.play("c3");
  assert.deepEqual(
    end.parent.children.map(({ move }) => move),
    ["b2", "c3"],
  );
});

test("the variation goes on to the end by first moves, whatever was tried last", async () => {
  const game = await gameAfter(["a1", "b2", "c3"]);
  game.go(game.root);
  assert.deepEqual(game.moves, []);
  assert.deepEqual(
    game.variation.map(({ move }) => move),
    ["", "a1", "b2", "c3"],
  );
});

test("an answer that comes after one has gone on changes nothing", async () => {
  const game = await gameAfter(["a1"]);
  const late = game.play("b2");
  game.go(game.root);
  await late;
  assert.equal(game.node, game.root);
});

test("listeners hear of every change until they stop", async () => {
  const game = await Game.open(client, "tictactoe");
  let heard = 0;
  const stop = game.on(() => heard++);
  await game.play("a1");
  game.go(game.root);
  await game.start("qubic");
  stop();
  await game.play("a1");
  assert.equal(heard, 4); // a move is heard of when it is made, and when it is answered
});

test("moves that come faster than their answers are one line, and are foreseen", async () => {
  const game = await gameAfter([]);
  const played = ["a3", "b2", "c1"].map((move) => game.play(move));
  assert.equal(game.node, game.root);
  assert.deepEqual(
    [game.foreseen.cells, game.foreseen.side, game.last],
    ["x...o...x", "o", 8], // the corners and the centre, from the top left
  );
  await Promise.all(played);
  assert.deepEqual(game.moves, ["a3", "b2", "c1"]);
  assert.deepEqual(
    [game.root, ...game.path].map(({ children }) => children.length),
    [1, 1, 1, 1, 0],
  );
});

test("what waits for an answer is dropped when somebody goes elsewhere or a move is refused", async () => {
  const game = await gameAfter(["a1"]);
  const late = Promise.all(["b2", "a2"].map((move) => game.play(move)));
  game.go(game.root);
  assert.equal(game.foreseen.cells, game.root.shown.cells);
  await game.play("c3");
  await late;
  assert.deepEqual(game.moves, ["c3"]);
  const refused = ["b2", "b2x", "a1"].map((move) => game.play(move));
  await assert.rejects(Promise.all(refused), /b2x/);
  assert.deepEqual([game.moves, game.ahead], [["c3", "b2"], []]);
});

test("under gravity a stone that is foreseen opens the cell above it", () => {
  const column = position(".".repeat(4), { shape: [2, 2], gravity: true, moves: [2, 3] });
  const once = foreseen(column, "a1");
  assert.deepEqual([once.cells, once.moves, once.side], ["..x.", [3, 0], "o"]);
  assert.deepEqual(foreseen(once, "a2").moves, [3]);
  assert.equal(foreseen(once, "a1"), once, "it is taken");
});
