import assert from "node:assert/strict";
import { test } from "node:test";
import { taken, withEnd } from "#page/rooms/trees/conventions.js";
import { EDITS, editedTree } from "#page/rooms/trees/editor.js";
import { counters, nextCutoff, previousCutoff, statesAt } from "#page/rooms/trees/steps.js";

// [[3,5],7]
const NODES = [
  { name: "A", parent: null, pv: true },
  { name: "B", parent: 0, pv: true },
  { name: "3", parent: 1, value: 3, leaf: true, pv: true },
  { name: "5", parent: 1, value: 5, leaf: true, pv: false },
  { name: "7", parent: 0, value: 7, leaf: true, pv: false },
];
const STEPS = [
  { kind: "enter", node: 0, changes: [[0, { window: "(−∞, ∞)", visits: 1 }]], counts: [1, 0, 0] },
  { kind: "leaf", node: 2, changes: [[2, { score: "3", visits: 1 }]], counts: [2, 1, 0] },
  { kind: "cutoff", node: 1, changes: [[3, { cut: true, visits: 0 }]], counts: [2, 1, 1] },
  { kind: "exit", node: 0, changes: [[0, { score: "= 3", visits: 1 }]], counts: [2, 1, 1] },
];
const TRACE = { nodes: NODES, steps: STEPS, given: true, minimal: 2 };

test("of a given tree all is there from the beginning, of another what has been reached", () => {
  assert.ok(statesAt(TRACE, 0).every((state) => state && !state.seen));
  const searched = statesAt({ ...TRACE, given: false }, 2);
  assert.deepEqual(
    searched.map((state) => state?.seen ?? null),
    [true, null, true, null, null],
  );
});

test("changes add up, and a step back takes them back", () => {
  const [root] = statesAt(TRACE, 4);
  assert.equal(root.window, "(−∞, ∞)");
  assert.equal(root.score, "= 3");
  assert.equal(statesAt(TRACE, 3)[0].score, "");
});

test("a node that is cut has not been seen", () => {
  const { cut, seen } = statesAt(TRACE, 3)[3];
  assert.deepEqual([cut, seen], [true, false]);
});

test("the last step's node is marked on the way, the principal variation at the end", () => {
  const marked = (step, name) =>
    statesAt(TRACE, step).flatMap((state, number) => (state[name] ? [number] : []));
  assert.deepEqual(marked(2, "current"), [2]);
  assert.deepEqual(marked(0, "current"), []);
  assert.deepEqual(marked(4, "current"), []);
  assert.deepEqual(marked(4, "pv"), [0, 1, 2]);
  assert.deepEqual(marked(3, "pv"), []);
});

test("the counters say what has been done, and what has to be done at least", () => {
  assert.equal(
    counters(TRACE, 3),
    "step 3 of 4: 2 nodes, 1 leaf, 1 cutoff; any alpha-beta needs 2 leaves here at least",
  );
  assert.equal(
    counters({ ...TRACE, minimal: null }, 0),
    "step 0 of 4: 0 nodes, 0 leaves, 0 cutoffs",
  );
});

test("one goes from cutoff to cutoff, on to the ends, and back the same way", () => {
  const kinds = ["enter", "cutoff", "enter", "cutoff", "exit"].map((kind) => ({ kind }));
  const way = [0];
  while (way.at(-1) < kinds.length) way.push(nextCutoff(kinds, way.at(-1)));
  assert.deepEqual(way, [0, 2, 4, 5]);
  const back = [kinds.length];
  while (back.at(-1) > 0) back.push(previousCutoff(kinds, back.at(-1)));
  assert.deepEqual(back, [5, 4, 2, 0]);
  assert.deepEqual([nextCutoff(kinds, 1), previousCutoff(kinds, 3)], [2, 2]);
});

test("the chosen node changes, and no other", () => {
  assert.equal(editedTree(NODES, 3, EDITS.setValue(-1)), "[[3,-1],7]");
  assert.equal(editedTree(NODES, 4, EDITS.addChild), "[[3,5],[7,0]]");
  assert.equal(editedTree(NODES, 1, EDITS.addChild), "[[3,5,0],7]");
  assert.equal(editedTree(NODES, 0, EDITS.addChild), "[[3,5],7,0]");
  assert.equal(editedTree(NODES, 1, EDITS.remove), "[7]");
});

test("the last child becomes a leaf: a node without children would be no tree", () => {
  assert.equal(editedTree([NODES[0], { ...NODES[4], parent: 0 }], 1, EDITS.remove), "[0]");
});

test("an algorithm keeps the conventions it takes; a window has two ends", () => {
  const conventions = { cut: "gt", order: "best", alpha: -3, beta: 3 };
  assert.deepEqual(taken(conventions, ["cut", "window"]), { cut: "gt", alpha: -3, beta: 3 });
  assert.deepEqual(taken(conventions, ["order"]), { order: "best" });
});

test("an end of the window can be set, and opened again", () => {
  assert.deepEqual(withEnd({ cut: "gt" }, "alpha", "-2.5"), { cut: "gt", alpha: -2 });
  assert.deepEqual(withEnd({ cut: "gt", alpha: -2 }, "alpha", ""), { cut: "gt" });
});
