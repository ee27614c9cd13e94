import assert from "node:assert/strict";
import { test } from "node:test";
import { movesIn, toggled } from "#page/rooms/quiz/boardpaper.js";

test("moves are typed with spaces or commas between them", () => {
  assert.deepEqual(movesIn(" a1, b2  c3,"), ["a1", "b2", "c3"]);
  assert.deepEqual(movesIn(""), []);
});

test("a move that is chosen again is taken out of the order", () => {
  assert.deepEqual(toggled(["a1"], "b2"), ["a1", "b2"]);
  assert.deepEqual(toggled(["a1", "b2"], "a1"), ["b2"]);
});
