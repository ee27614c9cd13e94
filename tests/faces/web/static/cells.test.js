import assert from "node:assert/strict";
import { test } from "node:test";
import { geometry, landing, step, stepOver } from "#page/board/cells.js";
import { position } from "./games.js";

const CUBE = position(".".repeat(8), { shape: [2, 2] });

test("a cube has levels", () => {
  assert.deepEqual(geometry(CUBE), { width: 2, height: 2, levels: 2 });
  assert.deepEqual(geometry(position("...", { shape: [3] })), { width: 3, height: 1, levels: 1 });
});

test("without gravity a stone lands where it is put, if nobody is there", () => {
  const shown = position("x........");
  assert.equal(landing(shown, 4), 4);
  assert.equal(landing(shown, 0), null);
});

test("under gravity a stone falls in its own column, on its own level", () => {
  const fallen = position("....x...", { shape: [2, 2], gravity: true, moves: [2, 3, 5, 6] });
  assert.equal(landing(fallen, 0), 2);
  assert.equal(landing(fallen, 1), 3);
  assert.equal(landing(fallen, 4), 6);
  const wide = position("......", { shape: [3, 2], gravity: true, moves: [3, 4, 5] });
  assert.deepEqual(
    [0, 1, 2].map((cell) => landing(wide, cell)),
    [3, 4, 5],
  );
  const full = position("x.x.", { shape: [2, 2], gravity: true, moves: [3] });
  assert.equal(landing(full, 0), null);
});

test("a column that a hole parts is two columns", () => {
  const parted = position("....##....", { shape: [2, 5], gravity: true, moves: [8, 2, 9, 3] });
  assert.deepEqual(
    [0, 2, 6, 8, 1, 9].map((cell) => landing(parted, cell)),
    [2, 2, 8, 8, 3, 9],
  );
});

test("keys lead over holes, and not into one at the end of a row", () => {
  const holed = position(".##.#....", { shape: [3, 3] });
  assert.equal(stepOver(holed, "ArrowDown", 1), 7);
  assert.equal(stepOver(holed, "ArrowRight", 0), null);
  assert.equal(stepOver(holed, "ArrowRight", 3), 5);
  assert.equal(stepOver(holed, "End", 0), null);
  assert.equal(stepOver(holed, "ArrowUp", 0), null);
  assert.equal(stepOver(holed, "F1", 0), undefined);
});

test("arrows walk over a level and from side to side on to the next one", () => {
  const size = geometry(CUBE);
  assert.equal(step("ArrowRight", 0, size), 1);
  assert.equal(step("ArrowRight", 1, size), 4);
  assert.equal(step("ArrowLeft", 4, size), 1);
  assert.equal(step("ArrowDown", 1, size), 3);
  assert.equal(step("PageDown", 3, size), 7);
  assert.equal(step("End", 6, size), 7);
});

test("no key leads over the edge, and other keys lead nowhere", () => {
  const size = geometry(CUBE);
  const edges = { ArrowLeft: 0, ArrowUp: 5, ArrowRight: 7, ArrowDown: 2, PageUp: 3, PageDown: 4 };
  for (const [key, cell] of Object.entries(edges)) assert.equal(step(key, cell, size), null, key);
  assert.equal(step("x", 0, size), undefined);
});

test("whatever key is pressed, one stays on the board", () => {
  const size = { width: 3, height: 2, levels: 2 };
  const keys = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "PageUp",
    "PageDown",
  ];
  for (let cell = 0; cell < 12; cell++) {
    for (const key of keys) {
      const target = step(key, cell, size);
      assert.ok(target === null || (target >= 0 && target < 12), `${key} from ${cell}`);
    }
  }
});
