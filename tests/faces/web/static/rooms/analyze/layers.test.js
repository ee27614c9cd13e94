import assert from "node:assert/strict";
import { test } from "node:test";
import { Judgement, legend, notes, worths } from "#page/rooms/analyze/layers.js";
import { position } from "../../games.js";

const NOTHING = { explanation: null, search: null, proof: null };
const MOVES = [0, 1, 2];
const SHOWN = position("...xoxoxo");
const evaluated = (...values) => ({ after: values.map((value, cell) => ({ cell, value })) });
const proved = (...pairs) => ({
  moves: pairs.map(([value, distance], move) => ({ move, value, distance })),
  best: [0],
});
const searched = (...scores) => ({
  moves: scores.map(([sign, value], cell) => ({
    cell,
    value,
    sign,
    text: `win in ${value} plies`,
  })),
});
const texts = (known, layer) =>
  [...notes(SHOWN, known, layer).values()].map((list) => list.map(({ text }) => text));

test("nothing is said before anything is known", () => {
  assert.deepEqual(texts(NOTHING, "all"), [[], [], []]);
});

test("what is known best of a move stands on it beside the opinion, and each layer can stand alone", () => {
  const known = {
    explanation: evaluated(-1200, 0, 4),
    search: searched(["=", 3], ["≤", 5]),
    proof: proved([1, 3], [0, null], [-1, 8]),
  };
  assert.deepEqual(texts(known, "all"), [
    ["h −1,200", "✓ win 3"], // where a proof stands, the search's number does not
    ["h 0", "✓ draw"],
    ["h 4", "✓ loss 8"],
  ]);
  assert.deepEqual(texts({ ...known, proof: null }, "all"), [
    ["h −1,200", "= win 3"],
    ["h 0", "≤ win 5"],
    ["h 4"],
  ]);
  assert.deepEqual(texts(known, "search"), [["= win 3"], ["≤ win 5"], []]);
  assert.deepEqual(texts(known, "proof"), [["✓ win 3"], ["✓ draw"], ["✓ loss 8"]]);
  assert.deepEqual(texts(known, "heuristic"), [["h −1,200"], ["h 0"], ["h 4"]]);
});

test("in short a result is its letter and a large number has its unit", () => {
  const scores = { moves: [{ cell: 0, sign: "≤", value: 0, text: "loss in 12 plies" }] };
  scores.moves.push({ cell: 1, sign: "=", value: 0, text: "−12345" });
  const known = { ...NOTHING, search: scores, proof: proved([1, 3], [0, null], [-1, 32]) };
  const shorts = [...notes(SHOWN, known, "all").values()].map((list) =>
    list.map(({ short }) => short),
  );
  assert.deepEqual(shorts, [["✓W3"], ["✓D"], ["✓L32"]]);
  const bounds = notes(SHOWN, { ...known, proof: null }, "all");
  assert.deepEqual([bounds.get(0)[0].short, bounds.get(1)[0].short], ["≤L12", "=−12k"]);
});

test("a quick win stands above a slow one, and a slow loss above a quick one", () => {
  const known = { ...NOTHING, proof: proved([1, 3], [1, 5], [-1, 2], [-1, 8], [0, null]) };
  const { truth } = new Judgement(known, [0, 1, 2, 3, 4]);
  const order = [...truth].sort(([, one], [, other]) => other - one).map(([cell]) => cell);
  assert.deepEqual(order, [0, 1, 4, 3, 2]);
});

test("a proof that names the best moves alone says what these are worth", () => {
  const proof = { value: 1, distance: 5, moves: [], best: [2] };
  assert.deepEqual(texts({ ...NOTHING, proof }, "proof"), [[], [], ["✓ win 5"]]);
});

test("the heuristic is judged by the proof, else by exact scores, never by bounds", () => {
  const explanation = evaluated(9, 5, 1);
  const search = searched(["=", 1], ["=", 2], ["≤", 7]);
  const bySearch = new Judgement({ ...NOTHING, explanation, search }, MOVES);
  assert.deepEqual([...bySearch.truth.keys()], [0, 1]);
  assert.deepEqual(bySearch.misjudged(0), { over: 1, under: 0 });
  assert.deepEqual(bySearch.misjudged(1), { over: 0, under: 1 });
  assert.equal(bySearch.misjudged(2), null);
  const proof = proved([1, 1], [0, null], [-1, 2]);
  const byProof = new Judgement({ explanation, search, proof }, MOVES);
  assert.deepEqual(
    MOVES.map((cell) => byProof.misjudged(cell)),
    MOVES.map(() => ({ over: 0, under: 0 })),
  );
});

test("a tie with a better move is a misjudgement of both", () => {
  const known = {
    ...NOTHING,
    explanation: evaluated(4, 4, 0),
    proof: proved([1, 1], [0, null], [-1, 2]),
  };
  assert.deepEqual(texts(known, "wrong"), [["▲ 1"], ["▼ 1"], ["·"]]);
});

test("whatever is overrated against a move, that move is underrated against it", () => {
  const known = {
    ...NOTHING,
    explanation: evaluated(3, 3, 7, 1),
    proof: proved([-1, 4], [1, 3], [0, null], [0, null]),
  };
  const judgement = new Judgement(known, [0, 1, 2, 3]);
  const counts = [0, 1, 2, 3].map((cell) => judgement.misjudged(cell));
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  assert.equal(sum("over"), sum("under"));
  assert.ok(sum("over") > 0);
});

test("on a large board what is known best of a move is written, and all of it is heard", () => {
  const large = position(".".repeat(64), { shape: [8, 8] });
  const known = {
    ...NOTHING,
    explanation: evaluated(1, 2, 5),
    search: searched(["=", 3], ["≤", -9]),
  };
  const found = notes(large, known, "all");
  const written = [0, 1, 2].map((cell) => found.get(cell).map(({ text }) => text));
  assert.deepEqual(written, [["= win 3"], [""], ["h 5"]]);
  assert.match(found.get(1)[0].title, /^heuristic 2, search ≤ win in -9 plies$/);
  assert.match(legend(large, known, "all"), /large boards/);
  assert.match(legend(large, known, "heuristic"), /heuristic's opinion/);
  assert.deepEqual(
    [...worths(large, known, "all")].slice(0, 3).map(([, { isSmall }]) => Boolean(isSmall)),
    [false, true, false],
  );
});

test("moves are filled by what is known best of them, for the side to move", () => {
  const known = {
    explanation: evaluated(40, -3, 0, 7),
    search: searched(["=", 999_999_990], ["=", -12], ["≤", 999_999_990]),
    proof: { ...proved([1, 3]), best: [0] },
  };
  const shown = position("....", { shape: [4, 1] });
  const all = worths(shown, known, "all");
  assert.deepEqual(
    [...all.values()].map(({ knowledge }) => knowledge),
    ["proved", "searched", "searched", "opinion"],
  );
  assert.ok(all.get(0).share > 0.9 && all.get(0).share < 1, "a win that takes a while");
  assert.ok(all.get(1).share < -0.4);
  assert.deepEqual(
    [...worths(shown, known, "heuristic").values()].map(({ knowledge, share }) => [
      knowledge,
      Math.sign(share),
    ]),
    [
      ["opinion", 1],
      ["opinion", -1],
      ["opinion", 0],
      ["opinion", 1],
    ],
  );
  assert.equal(worths(shown, known, "search").get(0).knowledge, "proved", "a win to the end");
  assert.equal(worths(shown, known, "threats").size, 0);
});

test("the legend of what is wrong has its sum", () => {
  const known = { ...NOTHING, explanation: evaluated(1, 9), proof: proved([1, 3], [-1, 4]) };
  const shown = position("..", { shape: [2, 1] });
  assert.match(legend(shown, known, "wrong"), /2 of 2 moves misjudged, by the proof$/);
});

/** A large board on which four moves are left, whose scores are `[sign, value, text]`. */
const LEFT = position("...." + "x".repeat(60), { shape: [8, 8] });
const scored = (...scores) => ({
  ...NOTHING,
  search: { moves: scores.map(([sign, value, text], cell) => ({ cell, sign, value, text })) },
});
const LOST = (sign, plies) => [sign, -1_000_000_000 + plies, `loss in ${plies} plies`];
const small = (known, layer = "all") =>
  [...worths(LEFT, known, layer)].flatMap(([cell, { isSmall }]) => (isSmall ? [cell] : []));

test("on a large board moves that are proved to lose are small, without words, and counted", () => {
  const known = scored(["=", -17, "−17"], LOST("≤", 6), LOST("=", 4), LOST("≤", 2));
  assert.deepEqual(small(known), [1, 2, 3]);
  const found = worths(LEFT, known, "all");
  assert.deepEqual(
    [0, 1].map((cell) => found.get(cell).knowledge),
    ["searched", "proved"],
  );
  const said = notes(LEFT, known, "search");
  assert.deepEqual(
    [0, 1, 2].map((cell) => said.get(cell)[0].text),
    ["= −17", "", ""],
  );
  assert.match(said.get(1)[0].title, /loss in 6 plies/);
  assert.match(legend(LEFT, known, "all"), /3 other moves lose in at most 6 plies/);
  assert.doesNotMatch(legend(LEFT, known, "heuristic"), /lose/);
});

test("where every move loses, those alone are not small that hold out longest", () => {
  const known = scored(LOST("=", 6), LOST("≤", 6), LOST("=", 4), LOST("≤", 2));
  assert.deepEqual(small(known), [1, 2, 3]);
  const alike = scored(...[2, 2, 2, 2].map((plies) => LOST("=", plies)));
  assert.deepEqual(small(alike), [0, 1, 2, 3]);
  assert.match(legend(LEFT, alike, "all"), /4 moves lose in at most 2 plies/);
});

test("a bound that proves no loss is a small dot, and on a small board nothing is small", () => {
  const known = scored(["≤", -30, "−30"], ["=", 4, "4"], LOST("≥", 6), LOST("≤", 6));
  assert.deepEqual(small(known), [0, 2, 3]);
  const found = worths(LEFT, known, "all");
  assert.deepEqual(
    [0, 2, 3].map((cell) => found.get(cell).knowledge),
    ["searched", "searched", "proved"],
  );
  const few = position("....", { shape: [4, 1] });
  assert.ok([...worths(few, known, "all").values()].every(({ isSmall }) => !isSmall));
});
