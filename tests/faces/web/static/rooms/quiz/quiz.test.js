import assert from "node:assert/strict";
import { test } from "node:test";
import { fullNames, keyTexts, pointsText, remarks } from "#page/rooms/quiz/marking.js";
import { USUAL, placeOf, settingsOf, withItem } from "#page/rooms/quiz/settings.js";

const NODES = [
  { path: "", name: "A", parent: null },
  { path: "0", name: "B", parent: "" },
  { path: "0.1", name: "E", parent: "0" },
];

test("a node is named by its way from the root, the root by itself", () => {
  assert.deepEqual([...fullNames(NODES).values()], ["A", "B", "B E"]);
});

test("no two nodes have the same name, leaves of equal value neither", () => {
  const leaf = (path, name) => ({ path, name, parent: "0.1" });
  const leaves = [leaf("0.1.0", "20"), leaf("0.1.1", "-3"), leaf("0.1.2", "20")];
  const nodes = [...NODES, ...leaves];
  const names = ["A", "B", "B E", "B E 20 (1 of 2)", "B E −3", "B E 20 (2 of 2)"];
  assert.deepEqual([...fullNames(nodes).values()], names);
  const mark = { item: "window", given: "", expected: "(−∞, ∞)", verdict: "missing" };
  const rows = remarks(nodes, [
    { ...mark, path: "0.1.0" },
    { ...mark, path: "0.1.2" },
  ]);
  assert.deepEqual(
    rows.map(({ where }) => where),
    ["B E 20 (1 of 2)", "B E 20 (2 of 2)"],
  );
});

test("what is not right is told with what was expected, what was left out at the end", () => {
  const mark = { path: "0.1", item: "value", given: "3", expected: "5" };
  const marks = [
    { ...mark, verdict: "right" },
    { ...mark, verdict: "missing", given: "" },
    { ...mark, verdict: "wrong" },
    { ...mark, path: "0", verdict: "follows" },
  ];
  assert.deepEqual(
    remarks(NODES, marks).map(({ where, what, given, expected }) => [where, what, given, expected]),
    [
      ["B E", "value", "3", "5"],
      ["B", "value", "3", "5"],
      ["B E", "value", "left out", "5"],
    ],
  );
});

test("of a cut it is said whose edge it is", () => {
  const mark = { path: "0.1", item: "cut", given: "searched", expected: "cut", verdict: "wrong" };
  const [{ where, what, given, expected }] = remarks(NODES, [mark]);
  assert.deepEqual([where, what, given, expected], ["edge to B E", "", "searched", "cut"]);
});

test("halves of points have their sign", () => {
  assert.deepEqual([0, 0.5, 1, 6.5].map(pointsText), ["0", "½", "1", "6½"]);
});

test("the key is written with real minus signs, and open ends as infinite", () => {
  assert.deepEqual(keyTexts({ value: -4, window: [null, 5], cut: false }), {
    cut: false,
    value: "−4",
    alpha: "−∞",
    beta: "5",
  });
  assert.deepEqual(keyTexts({ value: 0, window: [-2, null], cut: true }), {
    cut: true,
    value: "0",
    alpha: "−2",
    beta: "∞",
  });
});

test("below a cut the key says nothing", () => {
  assert.ok(
    Object.values(keyTexts({ value: null, window: null })).every((text) => text === undefined),
  );
});

test("something is always asked", () => {
  assert.deepEqual(withItem(["values", "cuts"], "windows", true), ["values", "windows", "cuts"]);
  assert.deepEqual(withItem(["values", "cuts"], "values", false), ["cuts"]);
  assert.deepEqual(withItem(["cuts"], "cuts", false), ["values"]);
});

test("an address is the question, and says nothing that is usual", () => {
  const settings = {
    ...USUAL,
    algorithm: "alphabeta",
    asked: ["values", "cuts"],
    seed: 12,
    depth: 4,
    branching: [2, 3],
    deep: 1,
    ties: false,
    agree: true,
    cut: "gt",
    bound: "hard",
    tree: undefined,
  };
  assert.deepEqual(settingsOf(placeOf(settings)), settings);
  const said = Object.entries(placeOf(USUAL)).filter(([, value]) => value);
  assert.deepEqual(said, [["ask", "minimax"]]);
  const own = { ...settings, ...USUAL, tree: "[[3,17],[2,9]]" };
  assert.deepEqual(settingsOf(placeOf(own)), own);
});

test("what an address says wrongly is as it was before", () => {
  const wrong = { ask: "riddles", seed: "-1", depth: "60", branching: "9", cut: "no", deep: "x" };
  assert.deepEqual(settingsOf(wrong), { ...USUAL, tree: undefined });
  assert.equal(settingsOf({ tree: ".X./O../X.O" }).tree, undefined); // a position is no such tree
});
