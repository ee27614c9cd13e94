import assert from "node:assert/strict";
import { test } from "node:test";
import { fullName, keyTexts, remarks } from "#page/rooms/quiz/marking.js";
import { withItem } from "#page/rooms/quiz/wishes.js";

const NODES = [
  { path: "", name: "A", parent: null },
  { path: "0", name: "B", parent: "" },
  { path: "0.1", name: "E", parent: "0" },
];

test("a node is named by its way from the root, the root by itself", () => {
  assert.deepEqual(
    NODES.map(({ path }) => fullName(NODES, path)),
    ["A", "B", "B E"],
  );
});

test("what is not right is said with what was expected", () => {
  const mark = { path: "0.1", item: "value", given: "3", expected: "5" };
  const marks = [
    { ...mark, verdict: "right" },
    { ...mark, verdict: "wrong" },
    { ...mark, verdict: "missing", given: "" },
    { ...mark, verdict: "follows" },
  ];
  assert.deepEqual(remarks(NODES, marks), [
    "B E: value 3, expected 5",
    "B E: value left out, expected 5",
    "B E: value 3, expected 5 (follows from your own values below: half a point)",
  ]);
});

test("of a cut it is said whose edge it is", () => {
  const mark = { path: "0.1", item: "cut", given: "searched", expected: "cut", verdict: "wrong" };
  assert.deepEqual(remarks(NODES, [mark]), ["edge to B E: searched, expected cut"]);
});

test("the key is written with real minus signs, and open ends as infinite", () => {
  assert.deepEqual(keyTexts({ value: -4, window: [null, 5] }), {
    value: "−4",
    alpha: "−∞",
    beta: "5",
  });
  assert.deepEqual(keyTexts({ value: 0, window: [-2, null] }), {
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
