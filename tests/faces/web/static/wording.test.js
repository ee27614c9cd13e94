import assert from "node:assert/strict";
import { test } from "node:test";
import * as wording from "#page/shell/wording.js";

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

test("a number that a field does not take is refused with what was expected", () => {
  const plies = { min: 1, max: 8 };
  for (const text of ["1", "8", "007"]) assert.equal(wording.numberFault(text, plies), "");
  for (const text of ["0", "9", "2.5", "-3", "1e9", "nonsense"])
    assert.equal(wording.numberFault(text, plies), `${text}; expected a whole number from 1 to 8`);
  assert.equal(wording.numberFault("", plies), "expected a whole number from 1 to 8");
  assert.equal(wording.numberFault("", { ...plies, isOptional: true }), "");
  assert.equal(wording.numberFault("2.5", { min: 0.5, max: 30, step: 0.5 }), "");
  assert.match(wording.numberFault("0.4", { min: 0.5, step: 0.5 }), /a number, 0.5 or more$/);
  assert.match(wording.numberFault("-1", { min: 0 }), /a whole number, 0 or more$/);
  assert.match(wording.numberFault("1e300", {}), /expected a whole number$/);
});
