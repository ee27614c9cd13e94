import assert from "node:assert/strict";
import { test } from "node:test";
import { statusText } from "#page/rooms/play/status.js";
import { written } from "#page/rooms/play/variations.js";
import { node, position } from "../../games.js";

const PLAYERS = { x: "human", o: "level-5" };
const at = (shown, parent = null) => ({ shown, move: "b2", parent });
const text = (parts) =>
  parts
    .map((part) => (Array.isArray(part) ? `(${text(part)})` : `${part.number}.${part.node.move}`))
    .join(" ");

test("what was tried besides a move stands in brackets before the game goes on", () => {
  const game = node("", [node("a", [node("b", [node("c")]), node("d", [node("e")])]), node("f")]);
  assert.equal(text(written(game)), "1.a (1.f) 2.b (2.d 3.e) 3.c");
});

test("variations may have variations", () => {
  const game = node("", [node("a"), node("b", [node("c"), node("d")])]);
  assert.equal(text(written(game)), "1.a (1.b 2.c (2.d))");
});

test("it is said who is to move, and after what", () => {
  const start = position();
  assert.equal(statusText(at(start), PLAYERS), "X to move");
  const reply = at(position("....x....", { side: "o" }), at(start));
  assert.equal(statusText(reply, PLAYERS), "X played b2. O (level-5) is thinking …");
});

test("the winner's line is named, and the loser's where a line loses", () => {
  const won = { over: true, winner: "x", line: [0, 1, 2], side: "o" };
  assert.equal(statusText(at(position("xxxoo....", won)), PLAYERS), "X wins with a3 b3 c3");
  const columns = position("xxxoo....", { ...won, spoken: ["1", "2", "3", "1", "2"] });
  assert.equal(statusText(at(columns), PLAYERS), "X wins"); // no cell has a name of its own there
  const misere = position("oooxx....", { ...won, misere: true });
  assert.equal(statusText(at(misere), PLAYERS), "X wins: O has completed a3 b3 c3");
  assert.equal(statusText(at(position("xxxoo....", { over: true })), PLAYERS), "a draw");
});

test("a position to which no game leads is said to be one", () => {
  const odd = at(position("xxx......", { doubt: "No game leads here: X has 3 stones, O has 0" }));
  assert.match(statusText(odd, PLAYERS), /^X to move. No game leads here/);
});

test("a win in a position to which no game leads is nobody's", () => {
  const doubt = "No game leads here: X has 5 stones, O has 0";
  const odd = at(position("xxxxx....", { doubt, over: true, winner: "x", line: [0, 1, 2] }));
  assert.equal(statusText(odd, PLAYERS), doubt);
});

test("it is said why an agent does not move, but of a stop that was asked for", () => {
  const reply = at(position("....x....", { side: "o" }), at(position()));
  const said = (why) => statusText(reply, PLAYERS, why);
  assert.match(said("it has moved here before"), /O \(level-5\) does not move: it has moved/);
  assert.doesNotMatch(said("stopped"), /does not move/);
  assert.match(said("stopped"), /Stopped: O \(level-5\) is to move/);
});
