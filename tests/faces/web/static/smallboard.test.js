import assert from "node:assert/strict";
import { test } from "node:test";
import { boardSize } from "#page/board/smallboard.js";

test("a text is as wide as its longest line", () => {
  const one = boardSize({ rows: ["a: **", "b: *"], grid: false });
  const other = boardSize({ rows: ["a: **", "b: **"], grid: false });
  assert.deepEqual(one, other);
  assert.ok(boardSize({ rows: ["a: ***"], grid: false })[0] > one[0]);
});
