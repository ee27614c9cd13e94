import assert from "node:assert/strict";
import { test } from "node:test";
import { Judgement, legend, values } from "#page/rooms/analyze/layers.js";
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
const texts = (known, layer) => [...values(SHOWN, known, layer).values()].map(({ text }) => text);

test("nothing is said before anything is known", () => {
  assert.deepEqual(texts(NOTHING, "all"), []);
});

test("one value stands on a move: a proof before a search before the heuristic's value", () => {
  const known = {
    explanation: evaluated(-1200, 0, 4),
    search: searched(["=", 3], ["≤", 5]),
    proof: proved([1, 3], [0, null], [-1, 8]),
  };
  assert.deepEqual(texts(known, "all"), ["win 3", "draw", "loss 8"]);
  assert.deepEqual(texts({ ...known, proof: null }, "all"), ["win 3", "≤ win 5", "4"]);
  assert.deepEqual(texts(known, "heuristic"), ["−1,200", "0", "4"]);
  const [first] = values(SHOWN, known, "all").values();
  assert.equal(first.title, "proved win 3, search = win in 3 plies, heuristic −1,200");
});

test("in short a result is its letter and a large number has its unit", () => {
  const scores = { moves: [{ cell: 0, sign: "≤", value: 0, text: "loss in 12 plies" }] };
  scores.moves.push({ cell: 1, sign: "=", value: 0, text: "−12345" });
  const known = { ...NOTHING, search: scores, proof: proved([1, 3], [0, null], [-1, 32]) };
  const shorts = (known) => [...values(SHOWN, known, "all").values()].map(({ short }) => short);
  assert.deepEqual(shorts(known), ["W3", "D", "L32"]);
  assert.deepEqual(shorts({ ...known, proof: null }), ["≤L12", "−12k"]);
});

test("a quick win stands above a slow one, and a slow loss above a quick one", () => {
  const known = { ...NOTHING, proof: proved([1, 3], [1, 5], [-1, 2], [-1, 8], [0, null]) };
  const { exact } = new Judgement(known, [0, 1, 2, 3, 4]);
  const order = [...exact].sort(([, one], [, other]) => other - one).map(([cell]) => cell);
  assert.deepEqual(order, [0, 1, 4, 3, 2]);
});

test("a proof that names the best moves alone says what these are worth", () => {
  const proof = { value: 1, distance: 5, moves: [], best: [2] };
  assert.deepEqual([...values(SHOWN, { ...NOTHING, proof }, "all").keys()], [2]);
  assert.deepEqual(texts({ ...NOTHING, proof }, "all"), ["win 5"]);
});

test("the heuristic is judged by the proof, else by exact scores, never by bounds", () => {
  const explanation = evaluated(9, 5, 1);
  const search = searched(["=", 1], ["=", 2], ["≤", 7]);
  const bySearch = new Judgement({ ...NOTHING, explanation, search }, MOVES);
  assert.deepEqual([...bySearch.exact.keys()], [0, 1]);
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
  assert.deepEqual(texts(known, "wrong"), ["▲ 1", "▼ 1", "·"]);
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

test("on a large board bounds and what is not searched are small marks with a title", () => {
  const large = position(".".repeat(64), { shape: [8, 8] });
  const known = {
    ...NOTHING,
    explanation: evaluated(1, 2, 5),
    search: searched(["=", 3], ["≤", -9]),
  };
  const found = values(large, known, "all");
  assert.deepEqual(
    [0, 1, 2].map((cell) => found.get(cell).text),
    ["win 3", "", ""],
  );
  assert.equal(found.get(1).title, "search ≤ win in -9 plies, heuristic 2");
  assert.deepEqual(
    [0, 1, 2].map((cell) => Boolean(found.get(cell).isSmall)),
    [false, true, true],
  );
  const unsearched = values(large, { ...known, search: null }, "all");
  assert.equal(unsearched.get(2).text, "5");
});

test("moves are filled by what is known best of them, for the side to move", () => {
  const known = {
    explanation: evaluated(40, -3, 0, 7),
    search: searched(["=", 999_999_990], ["=", -12], ["≤", 999_999_990]),
    proof: { ...proved([1, 3]), best: [0] },
  };
  const shown = position("....", { shape: [4, 1] });
  const all = values(shown, known, "all");
  assert.deepEqual(
    [...all.values()].map(({ knowledge }) => knowledge),
    ["proved", "searched", "searched", "heuristic"],
  );
  assert.ok(all.get(0).share > 0.9 && all.get(0).share < 1, "a win that takes a while");
  assert.ok(all.get(1).share < -0.4);
  assert.deepEqual(
    [...values(shown, known, "heuristic").values()].map(({ share }) => Math.sign(share)),
    [1, -1, 0, 1],
  );
  const searchedAlone = values(shown, { ...known, proof: null }, "all");
  assert.equal(searchedAlone.get(0).knowledge, "proved", "a win to the end");
  assert.equal(values(shown, known, "threats").size, 0);
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
const which = (known, name, shown = LEFT) =>
  [...values(shown, known, "all")].flatMap(([cell, value]) => (value[name] ? [cell] : []));

test("moves that are proved to lose fade and are counted, on a large board without words", () => {
  const known = scored(["=", -17, "−17"], LOST("≤", 6), LOST("=", 4), LOST("≤", 2));
  assert.deepEqual(which(known, "isSmall"), [1, 2, 3]);
  assert.deepEqual(which(known, "isFaded"), [1, 2, 3]);
  const found = values(LEFT, known, "all");
  assert.deepEqual(
    [0, 1].map((cell) => found.get(cell).knowledge),
    ["searched", "proved"],
  );
  assert.deepEqual(
    [0, 1, 2].map((cell) => found.get(cell).text),
    ["−17", "", ""],
  );
  assert.match(found.get(1).title, /loss in 6 plies/);
  assert.match(legend(LEFT, known, "all"), /^3 other moves lose in at most 6 plies/);
  assert.doesNotMatch(legend(LEFT, known, "heuristic"), /lose/);
  const few = position("....", { shape: [4, 1] });
  assert.deepEqual(which(known, "isFaded", few), [1, 2, 3]);
  assert.deepEqual(which(known, "isSmall", few), []);
  assert.equal(values(few, known, "all").get(2).text, "loss 4");
  const one = scored(["=", 3, "3"], ["=", 3, "3"], ["=", 3, "3"], LOST("=", 6));
  assert.match(legend(few, one, "all"), /^1 other move loses in 6 plies/);
});

test("where every move loses, none fades and those are the palest that hold out longest", () => {
  const known = scored(LOST("=", 6), LOST("≤", 6), LOST("=", 4), LOST("≤", 2));
  assert.deepEqual(which(known, "isFaded"), []);
  assert.deepEqual(which(known, "isSmall"), [1, 2, 3]);
  const few = position("....", { shape: [4, 1] });
  const shares = [...values(few, known, "all").values()].map(({ share }) => share);
  assert.ok(
    shares.every((share) => share < -0.04),
    "each is drawn as a loss",
  );
  assert.ok(shares[0] === shares[1] && shares[1] > shares[2] && shares[2] > shares[3]);
  assert.equal(shares[3], -1);
  assert.match(legend(few, known, "all"), /^every move loses in at most 6 plies; the palest/);
  const reason = { sentence: "a line", cells: [] };
  assert.equal(legend(few, { ...known, proof: { moves: [], best: [], reason } }, "all"), "");
  const alike = scored(...[2, 2, 2, 2].map((plies) => LOST("=", plies)));
  assert.deepEqual(which(alike, "isSmall"), [0, 1, 2, 3]);
  assert.match(legend(LEFT, alike, "all"), /^every move loses in 2 plies$/);
});

test("a bound that proves no loss is a small dot", () => {
  const known = scored(["≤", -30, "−30"], ["=", 4, "4"], LOST("≥", 6), LOST("≤", 6));
  assert.deepEqual(which(known, "isSmall"), [0, 2, 3]);
  assert.deepEqual(which(known, "isFaded"), [3]);
  const found = values(LEFT, known, "all");
  assert.deepEqual(
    [0, 2, 3].map((cell) => found.get(cell).knowledge),
    ["searched", "searched", "proved"],
  );
});
