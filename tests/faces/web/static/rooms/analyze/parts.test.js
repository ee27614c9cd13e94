import assert from "node:assert/strict";
import { test } from "node:test";
import { searchCaption } from "#page/rooms/analyze/lines.js";
import { mistakes } from "#page/rooms/analyze/review.js";
import { tableEntries, tableOnBoard } from "#page/rooms/analyze/sliders.js";

test("a search says how far it went, and its speed where it took time", () => {
  const search = {
    algorithm: "pvs",
    depth: 4,
    complete: true,
    nodes: 1500,
    cutoffs: 20,
    seconds: 1,
  };
  assert.equal(searchCaption(search), "pvs: depth 4 (to the end), 1,500 nodes, 20 cutoffs ");
  const told = { ...search, complete: false, total_nodes: 9000, total_seconds: 0.5 };
  assert.equal(searchCaption(told), "pvs: depth 4, 1,500 nodes, 20 cutoffs 18,000 nodes/s");
});

test("mistakes are numbered by the move that made them", () => {
  const points = [{ slip: null }, { slip: "doubtful" }, { slip: null }, { slip: "mistake" }];
  assert.equal(mistakes(points, ["b2", "a3", "c3"]), "1. b2: doubtful; 3. c3: mistake");
  assert.equal(mistakes([{ slip: null }], []), "no mistakes found so far");
});

const TABLE = { values: { "1,0": 2, "0,1": -20, "1,1": 7 }, weights: { row: 3, edge: 4 } };
const BOARD = { longest: 2, kinds: ["diagonal", "row"] };

test("there is a slider for each number of stones of one side, and for each kind of line", () => {
  const entries = tableEntries(TABLE, BOARD).map(({ label, value, most }) => [label, value, most]);
  assert.deepEqual(entries, [
    ["1 mine", 2, 10],
    ["1 theirs", -20, 60],
    ["2 mine", 0, 10],
    ["2 theirs", 0, 10],
    ["× diagonal", 1, 5],
    ["× row", 3, 5],
  ]);
});

test("a table of one's own has the board's kinds alone, and is a copy", () => {
  const own = tableOnBoard(TABLE, BOARD.kinds);
  assert.deepEqual(own, { values: TABLE.values, weights: { diagonal: 1, row: 3 } });
  own.values["1,0"] = 5;
  assert.equal(TABLE.values["1,0"], 2);
});
