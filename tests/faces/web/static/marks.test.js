import assert from "node:assert/strict";
import { test } from "node:test";
import { isStraight, threatsLegend } from "#page/board/threats.js";
import { depthOf, outcomeOf } from "#page/board/valuemarks.js";

test("a mark is for whom a move is good, and the deeper the surer the win", () => {
  assert.deepEqual([1, 0.01, -0.01, -0.5].map(outcomeOf), ["win", "draw", "draw", "loss"]);
  assert.ok(depthOf(0) < depthOf(-0.5));
  assert.ok(depthOf(-0.5) === depthOf(0.5) && depthOf(0.5) < depthOf(1));
  assert.ok(depthOf(1) <= 0.5, "words stay readable on it");
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
