import assert from "node:assert/strict";
import { test } from "node:test";
import { newStone } from "#page/board/cells.js";
import { Plan } from "#page/board/drawing.js";
import { position } from "./games.js";

const CUBE = {
  columns: 3,
  rows: 2,
  size: [4, 3],
  origin: [1, 0.75],
  row: [0.5, 1],
  gap: 0.5,
  levels: [0, 1, 2],
};

test("levels stand side by side, and below one another where there is no room", () => {
  assert.deepEqual(new Plan(CUBE, 3).size, [13, 3]);
  assert.deepEqual(new Plan(CUBE, 2).size, [8.5, 6.5]);
  assert.deepEqual(new Plan(CUBE, 9).size, [13, 3]);
  const offsets = [0, 1, 2].map((level) => new Plan(CUBE, 2).offset(level));
  assert.deepEqual(offsets, [
    [0, 0],
    [4.5, 0],
    [0, 3.5],
  ]);
});

test("a cell stands on its level, its row as far right as the rows before it push it", () => {
  const plan = new Plan(CUBE, 2);
  assert.deepEqual(plan.centre(0), [1, 0.75]);
  assert.deepEqual(plan.centre(5), [3.5, 1.75]);
  assert.deepEqual(plan.centre(6), [5.5, 0.75]);
  assert.deepEqual(plan.centre(12 + 4), [2.5, 5.25]);
});

test("a stroke leads from level to level", () => {
  const strokes = [
    [
      [0, 1, 1],
      [2, 1, 1],
    ],
    [[1, 0.12345, 0]],
  ];
  assert.equal(new Plan(CUBE, 2).path(strokes), "M1 1L1 4.5M4.623 0");
});

test("a stone is new where one more is on the board, and not where one was taken back", () => {
  const [before, after] = [position("x........"), position("x...o....")];
  assert.equal(newStone(before, after), 4);
  assert.equal(newStone(after, before), null);
  assert.equal(newStone(before, position("x...o...x")), null);
  assert.equal(newStone(before, before), null);
});
