import assert from "node:assert/strict";
import { test } from "node:test";
import { waterfallSteps } from "#page/charts.js";

const line = (value, number = 0) => ({ cells: [`a${number}`, `b${number}`], value });

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
  assert.equal(steps.length, 25);
  assert.equal(steps.at(-1).name, "6 more");
  assert.equal(steps.at(-1).to, (30 * 31) / 2);
});
