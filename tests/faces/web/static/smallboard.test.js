import assert from "node:assert/strict";
import { test } from "node:test";
import { boardSize } from "#page/board/smallboard.js";

const grid = (width, height, levels = 1) => ({
  rows: Array(height).fill(Array(levels).fill(".".repeat(width)).join(" ")),
  grid: true,
  drawing: { levels: Array(levels), box: [0.2, 0.1, width, height] },
});

test("cells of large boards are smaller, so that no board is much wider than another", () => {
  assert.deepEqual(boardSize(grid(3, 3)), [32, 32]);
  assert.deepEqual(boardSize(grid(7, 6)), [72, 62]);
  assert.deepEqual(boardSize(grid(15, 15)), [62, 62]);
  assert.deepEqual(boardSize(grid(4, 4, 4)), [78, 18]); // levels a cell apart
});

test("a text is as wide as its longest line", () => {
  const one = boardSize({ rows: ["a: **", "b: *"], grid: false });
  const other = boardSize({ rows: ["a: **", "b: **"], grid: false });
  assert.deepEqual(one, other);
  assert.ok(boardSize({ rows: ["a: ***"], grid: false })[0] > one[0]);
});
