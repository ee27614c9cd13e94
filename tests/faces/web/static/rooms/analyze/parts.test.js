import assert from "node:assert/strict";
import { test } from "node:test";
import { searchCaption } from "#page/rooms/analyze/lines.js";
import { mistakes, withProofs } from "#page/rooms/analyze/review.js";
import { GROUPS, tableEntries, tableOnBoard } from "#page/bench/entries.js";

test("a search says how far it went, and its speed where it took time", () => {
  const search = {
    algorithm: "pvs",
    depth: 4,
    complete: true,
    nodes: 1500,
    cutoffs: 20,
    seconds: 1,
  };
  assert.equal(searchCaption(search), "pvs: depth 4 (to the end), 1,500 nodes, 20 cutoffs");
  const told = { ...search, complete: false, total_nodes: 9000, total_seconds: 0.5 };
  assert.equal(searchCaption(told), "pvs: depth 4, 1,500 nodes, 20 cutoffs, 18,000 nodes/s");
});

test("mistakes are numbered by the move that made them", () => {
  const verdicts = [null, null, null, "mistake"];
  const points = verdicts.map((verdict, ply) => ({ verdict, judged: ply !== 1 }));
  assert.equal(
    mistakes(points, ["b2", "a3", "c3"]),
    "3. c3: mistake; 1 move is not judged by a proof",
  );
  assert.equal(mistakes([points[0], points[0]], ["b2"]), "no mistakes");
  const open = { verdict: null, judged: false };
  assert.equal(
    mistakes([points[0], open], ["b2"]),
    "no mistake is proved; 1 move is not judged by a proof",
  );
});

test("what has been proved since takes the place of an estimate and of what was said by it", () => {
  const point = { share: 0.1, text: "5 for X", sentence: "is estimated", verdict: "mistake" };
  const points = [
    { proved: true, share: 0, text: "a draw", sentence: "" },
    { ...point, proved: false, gives: true, judged: false },
    { ...point, proved: false, gives: false, judged: false },
  ];
  const proof = { value: -1, distance: 4 };
  const [first, second, third] = withProofs(points, [null, proof, null], ["x", "o", "x"]);
  assert.equal(first, points[0]);
  assert.deepEqual(
    [second.proved, second.share, second.text, second.sentence, second.verdict],
    [true, 1, "X wins in 4 plies", "", null],
  );
  assert.deepEqual([third.proved, third.sentence, third.gives], [false, "", false]);
  assert.deepEqual(withProofs(points, [proof, null, null], ["x", "o", "x"]), points);
});

const TABLE = {
  values: { "1,0": 2, "0,1": -20, "1,1": 7 },
  weights: { row: 3, edge: 4 },
  tempo: { "2,0": 6 },
  ends: { "1,2": 5 },
  cells: { b2: 4 },
  threats: { "0,1": 9 },
  mobility: { safe: 2 },
  patterns: {},
  pattern_tempo: {},
  kinds: { "row tempo 2,0": 8 },
};
const BOARD = { longest: 2, kinds: ["diagonal", "row"] };
const SCOPE = { orbits: [], rows: true, unsafe: true, patterns: [] };

/** The label, value and greatest value of each slider of a group. */
const sliders = (scope, name) =>
  tableEntries(TABLE, BOARD, { ...SCOPE, ...scope })
    .filter(({ group }) => group === name)
    .map(({ label, value, most }) => [label, value, most]);

test("there is a slider for each number of stones of one side, and for each kind of line", () => {
  assert.deepEqual(sliders({}, "Lines"), [
    ["1 mine", 2, 10],
    ["1 theirs", -20, 60],
    ["2 mine", 0, 10],
    ["2 theirs", 0, 10],
    ["diagonals ×", 1, 5],
    ["rows ×", 3, 5],
  ]);
});

test("there are sliders for the terms that can say something on the board, in four groups", () => {
  assert.deepEqual(sliders({}, "Threats")[0], ["odd rows, X", 9, 27]);
  assert.deepEqual(sliders({}, "Threats").slice(4), [["a safe move", 2, 10]]);
  assert.equal(sliders({ unsafe: false }, "Threats").length, 4);
  assert.deepEqual(sliders({ patterns: [[3, 1]] }, "Patterns"), [["open 3", 0, 10]]);
  for (const group of ["Cells", "Patterns"]) assert.deepEqual(sliders({}, group), []);
  const scope = { ...SCOPE, orbits: [["b2"]], patterns: [[3, 1]] };
  const groups = new Set(tableEntries(TABLE, BOARD, scope).map(({ group }) => group));
  assert.deepEqual([...groups], Object.keys(GROUPS));
  assert.equal(groups.size, 4);
});

test("cells that mirror each other have one slider, and where rows do not count all threats have", () => {
  const orbits = [["b2"], ["a1", "a3", "c1", "c3", "d1"]];
  const entries = tableEntries(TABLE, BOARD, { ...SCOPE, orbits, rows: false });
  const [centre, corners] = entries.filter(({ group }) => group === "Cells");
  assert.deepEqual([centre.label, centre.value, centre.keys], ["b2", 4, ["b2"]]);
  assert.deepEqual([corners.label, corners.keys], ["a1 a3 c1 c3 …", orbits[1]]);
  const [threats] = entries.filter(({ group }) => group === "Threats");
  assert.deepEqual(threats.keys.toSorted(), ["0,0", "0,1", "1,0", "1,1"]);
});

test("a table of one's own has the board's kinds alone, and is a copy", () => {
  const own = tableOnBoard(TABLE, BOARD.kinds);
  assert.deepEqual(own, { ...TABLE, weights: { diagonal: 1, row: 3 } });
  own.values["1,0"] = 5;
  own.cells["b2"] = 5;
  assert.deepEqual([TABLE.values["1,0"], TABLE.cells["b2"]], [2, 4]);
});
