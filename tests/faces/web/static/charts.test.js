import assert from "node:assert/strict";
import { test } from "node:test";
import { runs, waterfallSteps } from "#page/shell/charts.js";

const line = (value, number = 0) => ({ line: `a${number}–b${number}`, value });

test("no line leads from what is proved to what is estimated", () => {
  const points = [true, true, false, true].map((proved) => ({ proved, share: 0 }));
  assert.deepEqual(runs(points), [
    { strip: "proved", from: 0, to: 1 },
    { strip: "estimated", from: 2, to: 2 },
    { strip: "proved", from: 3, to: 3 },
  ]);
  assert.deepEqual(runs([]), []);
});

test("each step begins where the one before has ended", () => {
  const steps = waterfallSteps([line(5), line(-8), line(1)]);
  assert.deepEqual(
    steps.map(({ from, to }) => [from, to]),
    [
      [0, 5],
      [5, -3],
      [-3, -2],
    ],
  );
  assert.equal(steps[0].name, "a0–b0");
});

test("what is too much to show is one step together, and the sum is kept", () => {
  const lines = Array.from({ length: 30 }, (_, number) => line(30 - number, number));
  const steps = waterfallSteps(lines);
  assert.equal(steps.length, 11);
  assert.equal(steps.at(-1).name, "and 20 more");
  assert.equal(steps.at(-1).to, (30 * 31) / 2);
});

test("terms that are not of lines follow the lines", () => {
  const line = { line: "a1", mine: 1, theirs: 0, weight: 1, value: 5 };
  const terms = [
    { term: "lines", value: 3 },
    { term: "tempo", value: 2 },
    { term: "cells", value: -4 },
    { term: "threats", value: 0 },
    { term: "mobility", value: 6 },
  ];
  const steps = waterfallSteps([line], terms).map(({ name, from, to }) => [name, from, to]);
  assert.deepEqual(steps, [
    ["a1", 0, 5],
    ["cells", 5, 1],
    ["mobility", 1, 7],
  ]);
});
