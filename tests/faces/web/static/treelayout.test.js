import assert from "node:assert/strict";
import { test } from "node:test";
import { across, fromAfar, layout, neighbour } from "#page/tree/layout.js";
import { nodeLabel, roomFor } from "#page/tree/node.js";
import { TreeScene } from "#page/tree/scene.js";

// A has the children B and C, B the leaves 3 and 5, C the leaf 7
const NODES = [
  { name: "A", parent: null, ply: 0, max: true },
  { name: "B", parent: 0, ply: 1 },
  { name: "3", parent: 1, ply: 2, leaf: true },
  { name: "5", parent: 1, ply: 2, leaf: true },
  { name: "C", parent: 0, ply: 1 },
  { name: "7", parent: 4, ply: 2, leaf: true },
];
const ALL = () => true;
const go = (key, from, isThere = ALL) => {
  const at = NODES.findIndex(({ name }) => name === from);
  const to = neighbour(key, at, NODES, isThere);
  return NODES[to]?.name ?? to;
};

/** A tree of so many children in each of its plies, nodes before those below them. */
function uniform(children, plies) {
  const nodes = [];
  const add = (parent, ply) => {
    const number = nodes.push({ parent, ply }) - 1;
    if (ply < plies) for (let child = 0; child < children; child++) add(number, ply + 1);
  };
  add(null, 0);
  return nodes;
}

test("leaves stand side by side, parents in the middle above their children", () => {
  const { xs, plies, columns, below } = layout(NODES, new Set());
  assert.deepEqual([...xs], [1.25, 0.5, 0, 1, 2, 2]);
  assert.deepEqual(plies, [[0], [1, 4], [2, 3, 5]]);
  assert.equal(columns, 3);
  assert.deepEqual(below, [5, 2, 0, 0, 1, 0]);
});

test("what is below a folded node takes no room, and is counted", () => {
  const { xs, plies, isHidden, columns, below } = layout(NODES, new Set([1]));
  assert.deepEqual(plies, [[0], [1, 4], [5]]);
  assert.deepEqual(isHidden, [false, false, true, true, false, false]);
  assert.equal(columns, 2);
  assert.equal(xs[1], 0);
  assert.equal(below[1], 2);
  const all = layout(NODES, new Set([0, 1]));
  assert.deepEqual(all.plies, [[0]]);
});

test("in view are the nodes of a few columns, and those whose edges cross them: no others", () => {
  const nodes = uniform(6, 4);
  const found = layout(nodes, new Set());
  for (const [from, to] of [
    [0, 5],
    [300, 340],
    [700.5, 701],
    [2000, 3000],
  ]) {
    for (const ply of [0, 1, 2, 3, 4]) {
      const crossing = found.plies[ply].filter((number) => {
        const ends = [found.xs[number], found.xs[nodes[number].parent ?? number]];
        return Math.max(...ends) >= from && Math.min(...ends) <= to;
      });
      assert.deepEqual(across(found, nodes, ply, from, to), crossing);
    }
  }
  assert.ok(across(found, nodes, 4, 300, 340).length < 50);
});

test("from afar no more is drawn than there are pixels, but every look", () => {
  const nodes = uniform(10, 4); // 11,111 of them
  const found = layout(nodes, new Set());
  const last = nodes.length - 1;
  const look = (number) => (number === last ? "pv" : "");
  const place = (number) => [(found.xs[number] / found.columns) * 800, nodes[number].ply * 100];
  const { dots, edges } = fromAfar(found, nodes, look, place, (ply) => found.plies[ply]);
  assert.ok(dots.get("").split("M").length < 5 * 400 + 5);
  assert.equal(edges.get("pv").match(/L/g).length, 1);
});

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

test("nodes that are not there yet, or folded away, are passed over", () => {
  assert.equal(
    go("ArrowRight", "3", (number) => number !== 3),
    "7",
  );
});

test("a node is called first by what is written on it, then by all that its drawing shows", () => {
  const [a, , three] = NODES;
  assert.equal(nodeLabel(three, { cut: true }, {}), "3, leaf, cut");
  assert.equal(nodeLabel(three, {}, {}), "3, leaf, not searched yet");
  const state = { seen: true, window: "(3, ∞)", score: "≥ 5", hit: true, note: "pn 1, dn 2" };
  assert.equal(
    nodeLabel(a, state, { pv: true, current: true, differs: true, folded: 12 }),
    "A, ≥ 5, pn 1, dn 2, table, (3, ∞), +12, MAX, window (3, ∞), from the table, " +
      "on the principal variation, current, differs, folded, 12 below",
  );
  assert.equal(nodeLabel(three, { seen: true, score: "3" }, {}), "3, leaf");
  assert.match(nodeLabel({ ...a, name: "castle" }, { seen: true }, {}), /^cas…, castle, MAX/);
});

test("a mean is neither MAX nor MIN", () => {
  const node = { name: "a1", max: false, leaf: false, mean: true };
  assert.equal(nodeLabel(node, { seen: true, score: "≈ 0.5" }, {}), "a1, ≈ 0.5, mean");
});

test("leaves of long numbers have the room to show all their digits", () => {
  const leaves = (name) => [{ name, leaf: true, board: null }];
  assert.equal(roomFor(leaves("-1")).column, roomFor(leaves("12")).column);
  assert.ok(roomFor(leaves("−123456789")).column > 80 + roomFor(leaves("−1")).column / 4);
});

/** A tree looked at through a frame. */
function seen(nodes, width, height) {
  const scene = new TreeScene();
  scene.load(nodes.map((node) => ({ name: "a1", board: null, max: true, ...node })));
  scene.states = nodes.map(() => ({ seen: false }));
  scene.size = { width, height };
  scene.camera = scene.opened();
  return scene;
}
const there = (scene) =>
  scene.nodes.flatMap((_, number) => (scene.isThere(number) ? [number] : []));

test("a tree is opened folded as far as its nodes can be read side by side", () => {
  const small = seen(uniform(2, 3), 780, 590);
  assert.equal(small.hidden, 0);
  const scene = seen(uniform(9, 3), 780, 590);
  assert.equal(there(scene).length, 10);
  assert.ok(scene.camera.scale >= 0.54);
  assert.equal(scene.hidden, 9 * 90);
});

test("what is folded opens where the search goes, and closes behind it", () => {
  const scene = seen(uniform(9, 3), 780, 590);
  const [first, second] = [2, 93]; // in the subtrees of the root's first and second child
  assert.ok(scene.follow(first));
  assert.ok(scene.isThere(first));
  assert.equal(there(scene).length, 10 + 9 + 9);
  scene.follow(second);
  assert.ok(scene.isThere(second));
  assert.ok(!scene.isThere(first));
  scene.follow(null);
  assert.equal(there(scene).length, 10);
});

test("of a search in passes it is marked what an earlier one has found", () => {
  const scene = seen(uniform(2, 2), 780, 590);
  scene.states = scene.nodes.map((_, number) => ({ seen: true, at: number + 1 }));
  scene.shown = { ...scene.shown, pass: 4 };
  assert.deepEqual(
    scene.nodes.map((_, number) => scene.marks(number).past),
    [true, true, true, true, false, false, false],
  );
});

test("what a person has folded or unfolded stays so", () => {
  const scene = seen(uniform(9, 3), 780, 590);
  scene.fold(1);
  const before = there(scene);
  assert.ok(before.length > 10);
  assert.equal(scene.follow(93), false);
  assert.deepEqual(there(scene), before);
  scene.unfold();
  assert.equal(scene.hidden, 0);
});
