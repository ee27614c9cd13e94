import assert from "node:assert/strict";
import { test } from "node:test";
import { captionOf } from "#page/rooms/trees/caption.js";
import { taken, withOne } from "#page/rooms/trees/conventions.js";
import { placeOf, settingsOf, usualSettings } from "#page/rooms/trees/address.js";
import { treeOfSearch } from "#page/rooms/trees/quiztree.js";
import {
  counters,
  differing,
  nextOf,
  passOf,
  previousOf,
  Replay,
  saidAt,
  Together,
} from "#page/rooms/trees/steps.js";

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
const TRACE = {
  nodes: NODES,
  steps: STEPS,
  given: true,
  minimal: 2,
  whole: true,
  cuts: true,
  idle: [],
};

test("all nodes are there from the beginning, and seen once they have been reached", () => {
  const replay = new Replay(TRACE);
  assert.ok(replay.states.every((state) => state.seen === false));
  assert.deepEqual(
    replay.to(2).map(({ seen }) => seen),
    [true, false, true, false, false],
  );
});

test("a step back takes back what it changed, and nothing else", () => {
  const replay = new Replay(TRACE);
  const before = STEPS.map((_, step) => structuredClone(replay.to(step)));
  assert.equal(replay.to(4)[0].score, "= 3");
  assert.equal(replay.states[0].window, undefined); // a change says all that is known
  for (const step of [3, 2, 1, 0]) assert.deepEqual(replay.to(step), before[step]);
  assert.deepEqual(replay.to(2), before[2]);
});

test("a node that is cut has not been seen", () => {
  const { cut, seen } = new Replay(TRACE).to(3)[3];
  assert.deepEqual([cut, seen], [true, false]);
});

test("the counters say what has been done, and what has to be done at least", () => {
  assert.equal(
    counters(TRACE, 3),
    "step 3 of 4: 2 nodes, 1 leaf, 1 cutoff; any alpha-beta needs at least 2 leaves here",
  );
  assert.equal(
    counters({ ...TRACE, minimal: null, whole: false }, 0),
    "step 0 of the first 4: 0 nodes, 0 leaves, 0 cutoffs",
  );
  assert.match(counters({ ...TRACE, idle: [3] }, 3), /1 cutoff, 1 of them idle;/);
  const uncut = counters({ ...TRACE, minimal: null, cuts: false }, 3);
  assert.equal(uncut, "step 3 of 4: 2 nodes, 1 leaf"); // an algorithm without cutoffs has no count
});

test("what is said is the step's; before the first nothing has happened", () => {
  assert.equal(saidAt(TRACE, 0), "The search has not begun: Next takes a step, Play runs it.");
  assert.equal(saidAt({ steps: [{ say: "A is called" }] }, 1), "A is called.");
  const trace = {
    steps: [{ say: "Is it at least 3?" }, { say: "A returns 3" }],
    found: "B is best",
  };
  assert.equal(saidAt(trace, 1), "Is it at least 3?");
  assert.equal(saidAt(trace, 2), "A returns 3. B is best.");
  const pruned = "In the tree: 1 cutoff";
  assert.equal(saidAt({ ...trace, pruned }, 2), "A returns 3. B is best. In the tree: 1 cutoff.");
});

test("one goes from cutoff to cutoff, on to the ends, and back the same way", () => {
  const cutoffs = [2, 4];
  const way = [0];
  while (way.at(-1) < 5) way.push(nextOf(cutoffs, way.at(-1), 5));
  assert.deepEqual(way, [0, 2, 4, 5]);
  const back = [5];
  while (back.at(-1) > 0) back.push(previousOf(cutoffs, back.at(-1)));
  assert.deepEqual(back, [5, 4, 2, 0]);
});

test("two searches in step are at the same count of nodes until one of them ends", () => {
  const search = (...nodes) => ({ steps: nodes.map((count) => ({ counts: [count, 0, 0] })) });
  const first = search(1, 2, 2, 2, 3, 4, 4);
  const other = search(1, 1, 2, 3, 3, 3, 4, 5, 6);
  const together = new Together(first, other);
  const { pairs } = together;
  const nodes = ({ steps }, step) => (step ? steps[step - 1].counts[0] : 0);
  for (const [one, two] of pairs)
    assert.ok(
      nodes(first, one) === nodes(other, two) || one === first.steps.length,
      `${one} ${two}`,
    );
  assert.deepEqual(pairs[0], [0, 0]);
  assert.deepEqual(pairs.at(-1), [7, 9]);
  for (const side of [0, 1])
    for (let at = 1; at < pairs.length; at++)
      assert.ok([0, 1].includes(pairs[at][side] - pairs[at - 1][side]), "one step at a time");
  together.places.forEach((places, side) =>
    places.forEach((place, own) => assert.equal(pairs[place][side], own)),
  );
  assert.match(together.said(3), /^Both searches are at 2 nodes/);
  assert.match(
    together.said(together.length),
    /first search ended after 4 nodes; the other one after 6/,
  );
});

test("nodes in which searches differ are found by their paths", () => {
  const nodes = ["", "0", "0.1", "1"].map((path) => ({ path }));
  assert.deepEqual([...differing(nodes, [{ path: "0.1" }, { path: "7" }, { path: "" }])], [0, 2]);
});

const ALGORITHMS = [
  { name: "alphabeta", takes: ["cut", "window"], choices: { cut: ["ge", "gt"] } },
  { name: "minimax", takes: [], choices: {} },
];
const USUAL = usualSettings("[1,2]");

test("an address has what is not usual, and means the settings it was made of", () => {
  const place = placeOf({ ...USUAL, text: "tictactoe", depth: 3, step: 7, algorithm: "minimax" });
  const written = Object.fromEntries(Object.entries(place).filter(([, value]) => value));
  assert.deepEqual(written, { tree: "tictactoe", depth: "3", step: "7", algorithm: "minimax" });
  const second = { algorithm: "alphabeta", conventions: { cut: "gt", alpha: -3 } };
  const settings = { ...USUAL, conventions: { cut: "gt" }, second, heuristic: "null" };
  assert.deepEqual(settingsOf(placeOf(settings), USUAL, ALGORITHMS, "null"), settings);
});

test("what an address says of another algorithm is left out", () => {
  const place = { algorithm: "engine", cut: "sideways", alpha: "x", depth: "99", step: "-1" };
  const { algorithm, conventions, depth, step, second } = settingsOf(place, USUAL, ALGORITHMS, "");
  assert.deepEqual([algorithm, conventions, depth, step, second], ["alphabeta", {}, 8, 0, null]);
  const plain = settingsOf({ algorithm: "minimax", cut: "gt" }, USUAL, ALGORITHMS, "");
  assert.deepEqual(plain.conventions, {});
});

test("an algorithm keeps the conventions it takes; a window has two ends", () => {
  const conventions = { cut: "gt", order: "best", alpha: -3, beta: 3 };
  assert.deepEqual(taken(conventions, ["cut", "window"]), { cut: "gt", alpha: -3, beta: 3 });
  assert.deepEqual(taken(conventions, ["order"]), { order: "best" });
});

test("an end of the window can be set, and opened again", () => {
  assert.deepEqual(withOne({ cut: "gt" }, "alpha", -2), { cut: "gt", alpha: -2 });
  assert.deepEqual(withOne({ cut: "gt", alpha: -2 }, "alpha"), { cut: "gt" });
});

test("a caption names the search in words, and only what is unusual about it", () => {
  const subject = { depth: 3, heuristic: "own:mine" };
  const caption = (algorithm, conventions, given, mean = false) =>
    captionOf({ algorithm, conventions }, subject, { nodes: [{ mean }], given });
  assert.equal(caption("alphabeta", {}, true), "alpha-beta, with the usual conventions");
  assert.equal(
    caption("minimax", { order: "best" }, false),
    "minimax, 3 plies deep, judged by mine, order of the moves: best first",
  );
  assert.match(caption("uct", {}, false, true), /, games played at random, judged by mine, /);
  assert.equal(
    caption("pvs", { bound: "hard", alpha: -3 }, true),
    "principal variation search (pvs), returned score: clipped (fail-hard), first window (−3, ∞)",
  );
});

test("the tree of a searched position is written out for a quiz", () => {
  const nodes = [
    { parent: null, max: true },
    { parent: 0, max: false },
    { parent: 1, max: true, leaf: true },
    { parent: 1, max: true, leaf: true },
    { parent: 0, max: true }, // MAX moves twice
    { parent: 4, max: false, leaf: true },
  ];
  const leaf = (node, score) => ({ changes: [[node, { score, visits: 1 }]] });
  const steps = [leaf(2, "−3"), leaf(3, "0"), leaf(5, "12")];
  assert.equal(treeOfSearch({ nodes, steps, whole: true }), "[[-3,0],max[12]]");
  assert.throws(() => treeOfSearch({ nodes, steps, whole: false }), /more than 60 nodes/);
  const won = [...steps, leaf(5, "win")];
  assert.throws(() => treeOfSearch({ nodes, steps: won, whole: true }), /value 'win'/);
});

test("what was found in a pass before is told from what this pass has found", () => {
  const passes = [
    [1, "first"],
    [3, "second"],
  ];
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((step) => passOf({ passes }, step)),
    [-1, 1, 1, 3, 3],
  );
  const replay = new Replay(TRACE);
  assert.equal(replay.to(2)[2].at, 2);
  assert.equal(replay.to(4)[0].at, 4);
  assert.equal(replay.to(3)[0].at, 1);
});
