import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, Proofs } from "#page/shell/proofs.js";
import { position } from "./games.js";

const proof = (name, value, more = {}) => ({
  position: name,
  value,
  distance: null,
  proof: "by looking",
  moves: [],
  best: [],
  ...more,
});
const node = (name, parent = null, cell = null, side = "x") => ({
  shown: { ...position("x........", { side }), position: name },
  move: "",
  cell,
  parent,
  children: [],
});

test("what is proved of a position is told to all, and only what is new", () => {
  const [proofs, heard] = [new Proofs(), []];
  const leave = proofs.on((name) => heard.push(name));
  proofs.learn(proof("p", null)); // no proof
  proofs.learn(proof("p", 1));
  proofs.learn(proof("p", 1));
  proofs.learn(proof("p", 1, { distance: 5, best: [2] }));
  assert.deepEqual(heard, ["p", "p"]);
  leave();
  proofs.learn(proof("q", 0));
  assert.deepEqual([heard.length, proofs.get("q").value, proofs.get("r")], [2, 0, null]);
});

test("two proofs of a position tell together what each knows", () => {
  const moves = [{ move: 1, value: 1, distance: null }];
  const whole = proof("p", 1, { moves, best: [1] });
  const timed = proof("p", 1, { distance: 3, best: [2] });
  for (const both of [merged(whole, timed), merged(timed, whole)])
    assert.deepEqual([both.moves, both.distance, both.best], [moves, 3, [2]]);
  const line = merged(proof("p", 1, { line: [1, 2], distance: 3 }), { ...whole, distance: 3 });
  assert.deepEqual([line.moves, line.line], [moves, [1, 2]]);
});

test("the proof of a position tells of those after its moves", () => {
  const proofs = new Proofs();
  const parent = node("p");
  const child = node("c", parent, 4, "o");
  assert.equal(proofs.of(child), null);
  proofs.learn(proof("p", 1, { distance: 3, moves: [{ move: 4, value: 1, distance: 3 }] }));
  const found = proofs.of(child);
  assert.deepEqual([found.position, found.value, found.distance], ["c", -1, 2]);
  const lines = [[4, 2, 3]];
  proofs.learn(proof("p", 1, { distance: 3, line: [1], lines, moves: [{ move: 4, value: 1 }] }));
  assert.deepEqual([proofs.of(child).line, proofs.of(child).best], [[2, 3], [2]]);
  const carried = proofs.carried([parent, child]);
  assert.deepEqual(
    carried.map(({ position, value, moves }) => [position, value, moves.length]),
    [
      ["p", 1, 1],
      ["c", -1, 0],
    ],
  );
});

test("only so many positions are kept", () => {
  const proofs = new Proofs();
  for (let number = 0; number < 2100; number++) proofs.learn(proof(`p${number}`, 1));
  assert.equal(proofs.known.size, 2000);
  assert.deepEqual([proofs.get("p0"), proofs.get("p2099")?.value], [null, 1]);
});
