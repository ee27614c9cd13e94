import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbour, nodeLabel } from "#page/treeview.js";

// A has the children B and C, B the leaves 3 and 5, C the leaf 7
const NODES = [
  { name: "A", parent: null, ply: 0, max: true },
  { name: "B", parent: 0, ply: 1 },
  { name: "3", parent: 1, ply: 2, leaf: true },
  { name: "5", parent: 1, ply: 2, leaf: true },
  { name: "C", parent: 0, ply: 1 },
  { name: "7", parent: 4, ply: 2, leaf: true },
];
const SEEN = NODES.map(() => ({ seen: true }));
const go = (key, from, states = SEEN) => {
  const to = neighbour(
    key,
    NODES.findIndex(({ name }) => name === from),
    NODES,
    states,
  );
  return NODES[to]?.name ?? to;
};

test("arrows lead to the parent, the first child, and along the ply", () => {
  assert.equal(go("ArrowUp", "5"), "B");
  assert.equal(go("ArrowDown", "A"), "B");
  assert.equal(go("ArrowRight", "5"), "7");
  assert.equal(go("ArrowLeft", "C"), "B");
  assert.equal(go("ArrowLeft", "7"), "5");
  assert.equal(go("Home", "7"), "A");
});

test("where there is nobody they lead nowhere; other keys are not the tree's", () => {
  assert.equal(go("ArrowUp", "A"), null);
  assert.equal(go("ArrowDown", "3"), null);
  assert.equal(go("ArrowRight", "7"), null);
  assert.equal(go("x", "A"), undefined);
});

test("nodes that are not there yet are passed over", () => {
  const states = SEEN.map((state, number) => (number === 3 ? null : state));
  assert.equal(go("ArrowRight", "3", states), "7");
});

test("a node is named with all that its drawing shows", () => {
  const [a, , three] = NODES;
  assert.equal(nodeLabel(three, { cut: true }), "3, leaf, cut");
  assert.equal(nodeLabel(three, {}), "3, leaf, not searched yet");
  assert.equal(
    nodeLabel(a, {
      seen: true,
      window: "(3, ∞)",
      score: "≥ 5",
      pv: true,
      current: true,
      hit: true,
    }),
    "A, MAX, window (3, ∞), score ≥ 5, from the table, on the principal variation, current",
  );
});
