import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bestWords,
  proofOfSearch,
  resultWords,
  standing,
} from "#page/rooms/analyze/evaluationbar.js";
import { provedMove } from "#page/rooms/analyze/playout.js";
import { bestLines, lineStanding } from "#page/rooms/analyze/lines.js";
import { provedWords, scoreWords, shareOf } from "#page/shell/wording.js";
import { position } from "../../games.js";

const WIN = 1_000_000_000;
const line = (value, text, ...cells) => ({ value, text, cells, pv: cells.map(String) });

test("scores are said in the words of the game, and an estimate is never a win", () => {
  assert.equal(
    scoreWords({ value: WIN - 13, sign: "=", text: "= win in 13 plies" }),
    "wins in 13 plies",
  );
  assert.equal(
    scoreWords({ value: 6 - WIN, sign: "=", text: "= loss in 6 plies" }),
    "loses in 6 plies",
  );
  assert.equal(scoreWords({ value: 0, sign: "=", text: "= 0" }, true), "holds a draw");
  assert.equal(scoreWords({ value: 0, sign: "=", text: "= 0" }), "about even");
  assert.equal(scoreWords({ value: -500, sign: "≤", text: "≤ −500" }), "at most much worse");
  // at most a win says nothing
  assert.equal(
    scoreWords({ value: WIN - 13, sign: "≤", text: "≤ win in 13" }),
    "at most much better",
  );
  assert.equal(provedWords({ value: 0, distance: null }), "holds a draw");
  assert.equal(provedWords({ value: -1, distance: 34 }), "loses in 34 plies");
  assert.ok(Math.abs(shareOf(WIN - 3)) === 1 && Math.abs(shareOf(100_000)) < 1);
});

test("the bar is X's, and says whether it is proved", () => {
  const o = position("x........", { side: "o" });
  const nothing = { explanation: null, search: null, proof: null };
  assert.equal(standing(o, nothing), null);
  const proof = { value: -1, distance: 4, proof: "by looking", best: [3], moves: [] };
  assert.equal(bestWords(proof, o), "best a2");
  const alike = o.moves.map((move) => ({ move, value: -1, distance: 4 }));
  assert.equal(bestWords({ ...proof, moves: alike, best: o.moves }, o), "all moves are equal");
  assert.equal(bestWords({ ...proof, best: o.moves }, o), ""); // of each move nothing is known
  assert.equal(resultWords("x", { value: 0, distance: null }), "a draw");
  const lost = standing(o, { ...nothing, proof });
  assert.deepEqual(
    [lost.isProved, lost.share, lost.parts],
    [true, 1, ["X wins", "proved", "in 4 plies"]],
  );
  const search = { complete: false, lines: [line(60, "= 60", 1)] };
  const guess = standing(o, { ...nothing, search });
  assert.ok(!guess.isProved && guess.share < -0.4 && guess.share > -0.5);
  assert.deepEqual(guess.parts, ["O is better", "estimated", "−60 for X"]);
  const solved = standing({ ...o, known: "Allis 1994" }, { ...nothing, search });
  assert.deepEqual(solved.parts, ["O wins", "Allis 1994; not proved here"]);
  assert.ok(!solved.isProved && solved.share > -1);
  assert.equal(standing({ ...o, known: "Allis 1994" }, { ...nothing, proof }).isProved, true);
  const x = position(".........");
  const even = { ...nothing, search: { complete: false, lines: [line(-1, "= −1", 1)] } };
  assert.deepEqual(standing(x, even).parts, ["about even", "estimated", "−1 for X"]);
  const found = { complete: false, lines: [line(WIN - 5, "= win in 5 plies", 1)] };
  assert.equal(standing(o, { ...nothing, search: found }).isProved, true);
  // what a search has seen of a win may take longer than it does
  const told = proofOfSearch({ ...found, best: [1], depth: 5 }, o);
  assert.deepEqual([told.value, told.distance, told.best], [1, null, [1]]);
  const both = { ...nothing, search: found, proof: told };
  assert.deepEqual(standing(o, both).parts, ["O wins", "proved", "in 5 plies"]);
  const nil = { complete: false, lines: [line(0, "= 0", 1)] };
  assert.equal(standing(o, { ...nothing, search: nil }).parts[2], "0 for X");
  // a search to the end proves nothing where the heuristic says what a finished game counts
  const ended = { complete: true, settled: false, lines: [line(-2, "= −2", 1)] };
  assert.equal(standing(x, { ...nothing, search: ended }).isProved, false);
  assert.equal(standing(x, { ...nothing, search: { ...ended, settled: true } }).isProved, true);
  const huge = { complete: false, lines: [line(WIN, "= 1000000000", 1)] };
  assert.equal(standing(x, { ...nothing, search: huge }).isProved, false);
  assert.equal(standing({ ...o, over: true, winner: null }, nothing).parts[0], "the game is drawn");
});

test("a line's words are those of the proof of its first move where there is one", () => {
  const search = { complete: false };
  const proofs = new Map([[4, { value: -1, distance: 34 }]]);
  assert.equal(
    lineStanding(line(-9, "= −9", 4, 5), search, proofs.get(4)).words,
    "✓ loses in 34 plies",
  );
  assert.equal(lineStanding(line(-9, "= −9", 3, 5), search).words, "slightly worse");
});

test("lines stand by what is proved: the quickest win first, then draws, searches, the slowest loss", () => {
  const lines = [
    line(WIN - 9, "= win in 9 plies", 0),
    line(80, "= 80", 1),
    line(30, "= 30", 2),
    line(20, "≤ 20", 3),
    line(0, "= 0", 4),
    line(-9, "= −9", 5),
    line(-(WIN - 4), "= loss in 4 plies", 6),
    line(-(WIN - 8), "= loss in 8 plies", 7),
  ];
  const moves = [
    { move: 1, value: -1, distance: 6 },
    { move: 3, value: 1, distance: 5 },
    { move: 4, value: 0, distance: null },
  ];
  const proof = {
    value: 1,
    distance: 3,
    best: [8],
    moves: [...moves, { move: 8, value: 1, distance: 3 }],
  };
  const names = [..."abcdefghi"];
  const order = (known) => bestLines(known, names).map(({ line: { cells } }) => cells[0]);
  assert.deepEqual(order({ search: { lines }, proof }), [8, 3, 0, 4, 2, 5, 7, 1, 6]);
  assert.deepEqual(order({ search: { lines }, proof: null }), [0, 1, 2, 3, 4, 5, 7, 6]);
  const whole = { settled: true, lines: [lines[6], lines[4], lines[0]] };
  assert.deepEqual(order({ search: whole, proof: null }), [0, 4, 6]);
  assert.deepEqual(order({ search: null, proof }), [8]);
  assert.deepEqual(order({ search: null, proof: { ...proof, best: [1, 2, 3, 4] } }), []); // all alike
  const [alone] = bestLines({ search: null, proof }, names);
  assert.deepEqual([alone.words, alone.line.pv], ["✓ wins in 3 plies", ["i"]]);
  const [full, second] = bestLines(
    { search: { lines }, proof: { ...proof, line: [8, 0, 2] } },
    names,
  );
  assert.deepEqual([full.line.pv, full.line.text], [["i", "a", "c"], ""]); // to the end
  assert.equal(second.line.text, ""); // proved: without the search's number
});

test("each winning line has its end, or an ellipsis where it is not known", () => {
  const moves = [
    { move: 0, value: 1, distance: 3 },
    { move: 1, value: 1, distance: 5 },
    { move: 2, value: 1, distance: 5 },
  ];
  const proof = { value: 1, distance: 3, best: [0], moves, line: [0, 3, 4] };
  const lines = [...proof.moves].map(({ move }) => line(WIN - 5, "= win in 5 plies", move));
  const known = { search: { lines }, proof: { ...proof, lines: [proof.line, [1, 3, 4, 5, 6]] } };
  const found = bestLines(known, [..."abcdefghi"]).map(({ line }) => [line.pv.length, line.isPart]);
  assert.deepEqual(found, [
    [3, false],
    [5, false],
    [1, true],
  ]);
});

test("a proved line is played out by the winner and the loser, and none in a draw", () => {
  const search = { settled: false, lines: [line(WIN - 3, "= win in 3 plies", 7)] };
  assert.equal(provedMove({ proof: null, search }), 7);
  assert.equal(provedMove({ proof: { value: -1, best: [2], line: [1] }, search }), 1);
  assert.equal(provedMove({ proof: { value: 1, best: [2] }, search: null }), 2);
  assert.equal(provedMove({ proof: { value: 0, best: [2] }, search }), undefined);
  assert.equal(provedMove({ proof: null, search: { lines: [line(30, "= 30", 7)] } }), undefined);
});
