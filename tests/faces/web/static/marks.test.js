import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowPoints } from "#page/board/arrows.js";
import { isStraight, threatsLegend } from "#page/board/threats.js";
import { depthOf, outcomeOf } from "#page/board/valuemarks.js";

test("a mark is for whom a move is good, and the deeper the surer the win", () => {
  assert.deepEqual([1, 0.01, -0.01, -0.5].map(outcomeOf), ["win", "draw", "draw", "loss"]);
  assert.ok(depthOf(0) < depthOf(-0.5));
  assert.ok(depthOf(-0.5) === depthOf(0.5) && depthOf(0.5) < depthOf(1));
  assert.ok(depthOf(1) <= 0.5, "words stay readable on it");
});

test("an arrow ends before the words on its cell, however near the stone is", () => {
  for (const to of [
    [1, 0],
    [1, 1],
    [-4, 7],
  ]) {
    const { tail, neck, tip, across } = arrowPoints([0, 0], to);
    const far = ([x, y]) => Math.hypot(x, y);
    assert.ok(far(tail) < far(neck) && far(neck) < far(tip));
    assert.ok(Math.abs(far(to) - far(tip) - 0.36) < 1e-9);
    assert.ok(Math.abs(across[0] * to[0] + across[1] * to[1]) < 1e-9);
  }
});

test("a line that goes round an edge is not drawn across the board", () => {
  assert.ok(
    isStraight([
      [0, 0],
      [1, 1],
      [2, 2],
    ]),
  );
  assert.ok(
    !isStraight([
      [0, 0],
      [1, 0],
      [6, 0],
    ]),
  );
});

test("the legend of threats names the kinds that are there", () => {
  assert.equal(threatsLegend([]), "neither side threatens anything");
  const text = threatsLegend([{ kind: "odd", side: "x", cells: [1] }]);
  assert.match(text, /odd row/);
  assert.doesNotMatch(text, /fork/);
});
