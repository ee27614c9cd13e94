import assert from "node:assert/strict";
import { test } from "node:test";
import * as wording from "#page/wording.js";

test("numbers have commas and a real minus", () => {
  assert.equal(wording.count(-1234567), "−1,234,567");
  assert.equal(wording.signed(3), "+3");
  assert.equal(wording.signed(0), "0");
  assert.equal(wording.signed(-3), "−3");
});

test("a compact number has few digits and is never larger than it is", () => {
  assert.deepEqual([0, -999, 1000, 1299, 12_999, -123_456, 1_500_000].map(wording.compact), [
    "0",
    "−999",
    "1k",
    "1.2k",
    "12k",
    "−123k",
    "1.5M",
  ]);
});

test("one of a thing is not many", () => {
  assert.equal(wording.counted(1, "node"), "1 node");
  assert.equal(wording.counted(0, "node"), "0 nodes");
  assert.equal(wording.counted(2000, "leaf", "leaves"), "2,000 leaves");
});

test("columns go on after z as in a spreadsheet", () => {
  assert.deepEqual([0, 25, 26, 27, 51, 52, 701, 702].map(wording.letters), [
    ..."az",
    "aa",
    "ab",
    "az",
    "ba",
    "zz",
    "aaa",
  ]);
});

test("a clock shows whole seconds, and all of them", () => {
  assert.equal(wording.clockTime(180), "3:00");
  assert.equal(wording.clockTime(59.75), "0:59");
  assert.equal(wording.clockTime(600), "10:00");
});

test("what is typed becomes a whole number within bounds", () => {
  assert.equal(wording.wholeNumber("-3.7"), -3);
  assert.equal(wording.wholeNumber("nonsense"), 0);
  assert.equal(wording.wholeNumber("-5", 0), 0);
  assert.equal(wording.wholeNumber("12", 1, 8), 8);
});
