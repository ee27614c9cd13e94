import assert from "node:assert/strict";
import { test } from "node:test";

import { missed, readGames, withGame } from "#page/rooms/play/mistakes.js";

const mistake = (move, asked, isFound) => ({ position: `before ${move}`, move, asked, isFound });
const game = (moves, ...mistakes) => ({ start: "tictactoe", moves: moves.split(" "), mistakes });
const BLOCK = "forced block";

test("a game that goes on takes the place of its beginning, and what was found stays found", () => {
  const first = withGame([], game("a1 b2", mistake("b2", BLOCK, true)));
  const other = withGame(first, game("c3", mistake("c3", BLOCK)));
  const games = withGame(other, game("a1 b2 c1", mistake("b2", BLOCK), mistake("c1", BLOCK)));
  assert.deepEqual(
    games.map(({ moves }) => moves.join(" ")),
    ["c3", "a1 b2 c1"],
  );
  assert.deepEqual(
    games[1].mistakes.map(({ isFound }) => Boolean(isFound)),
    [true, false],
  );
});

test("a hundred games are kept, the newest", () => {
  let games = [];
  for (let number = 0; number < 120; number++) games = withGame(games, game(`a${number}`));
  assert.equal(games.length, 100);
  assert.deepEqual([games[0].moves[0], games[99].moves[0]], ["a20", "a119"]);
});

test("mistakes are counted by what the position asked for, the most frequent first", () => {
  const games = [
    game("a1", mistake("a1", "zugzwang")),
    game("b1", mistake("b1", BLOCK, true), mistake("b2", BLOCK)),
  ];
  assert.deepEqual(missed(games), [
    ["a block", 2, 1],
    ["an odd or even threat (zugzwang)", 1, 0],
  ]);
  assert.deepEqual(missed([]), []);
});

test("what is no reviewed game is left out", () => {
  const good = game("a1", mistake("a1", BLOCK));
  const bad = [null, 3, "x", {}, { ...good, moves: "a1" }, { ...good, mistakes: [{ move: 1 }] }];
  assert.deepEqual(readGames([good, ...bad]), [good]);
  for (const text of [null, 3, {}, "x"]) assert.deepEqual(readGames(text), []);
});
