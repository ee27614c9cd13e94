import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { foundText, blunders } from "#page/rooms/play/learning.js";
import { ELO, playerText, seatName } from "#page/rooms/play/players.js";
import { depthText, scored, scoreOf, taskText, dailyText } from "#page/rooms/play/puzzles.js";
import { node } from "../../games.js";

test("mistakes are those of whoever learns from them", () => {
  const root = node("", [node("a", [node("b", [node("c")])], "o")]);
  const a = root.children[0];
  const b = a.children[0];
  const nodes = [root, a, b, b.children[0]];
  const points = [false, true, true, false].map((gives) => ({ gives }));
  const plies = (sides) => blunders(points, nodes, sides).map(({ ply }) => ply);
  assert.deepEqual(plies(["x"]), [1]);
  assert.deepEqual(plies(["o"]), [2]);
  assert.deepEqual(plies(["x", "o"]), [1, 2]);
  assert.deepEqual(blunders(points.slice(0, 2), nodes, ["x", "o"]).length, 1);
});

const NO_SCORE = { streak: 0, best: 0, solved: 0, day: 0, days: 0 };

test("a streak ends with a puzzle that was missed, and the best one stays", () => {
  const kept = (text) => scoreOf({ getItem: () => text });
  let score = kept(null);
  for (const isSolved of [true, true, false, true]) score = scored(score, isSolved);
  assert.deepEqual(score, { streak: 1, best: 2, solved: 3, day: 0, days: 0 });
  assert.deepEqual(kept(JSON.stringify(score)), score);
  assert.deepEqual(kept("not JSON"), NO_SCORE);
  assert.deepEqual(kept('{"streak":"x"}'), NO_SCORE);
});

test("days with a solved puzzle of the day count in a row, each once", () => {
  const days = [];
  let score = NO_SCORE;
  for (const [isSolved, day] of [
    [true, 7],
    [false, 7], // tried again on the same day
    [true, undefined], // another puzzle
    [true, 8],
    [true, 10],
    [true, 11],
    [false, 12],
  ]) {
    score = scored(score, isSolved, day);
    days.push(score.days);
  }
  assert.deepEqual(days, [1, 1, 1, 2, 1, 2, 0]);
  const daily = { goal: "win", depth: 5 };
  const text = (day) => dailyText(daily, { ...NO_SCORE, day: 10, days: 3 }, `1970-01-${day}`);
  assert.match(
    text("12"),
    /^Connect Four: only one move wins · .*5 plies.* · solved 3 days in a row$/,
  );
  assert.doesNotMatch(text("13"), /in a row/);
});

test("a puzzle says what is looked for, and how deep", () => {
  const puzzle = { goal: "win", depth: 9, fooled: ["open-lines"] };
  assert.equal(taskText(puzzle, "o"), "Puzzle: O to move, only one move wins");
  assert.match(depthText(puzzle), /^Look 9 plies ahead\. At a glance open-lines/);
});

test("a level is said in words, with the strength that was measured", () => {
  const agents = [{ name: "random", summary: "any legal move" }];
  const say = (name, game, text = null) => playerText({ agents }, name, { game, text });
  assert.equal(
    say("level-3", "connect4"),
    "looks 1 ply ahead, 20 % random moves; about 576 Elo above random play",
  );
  assert.equal(say("level-8", "qubic"), "looks 6 plies ahead, no random moves");
  assert.equal(say("level-10", "qubic"), "thinks for 3 seconds, no random moves");
  assert.equal(say("random", "qubic"), "any legal move");
  assert.equal(say("human", "qubic"), "a person");
  const seats = (x, o) => ["x", "o"].map((side) => seatName({ x, o }, side));
  assert.deepEqual(seats("human", "level-5"), ["You", "Level 5"]);
  assert.deepEqual(seats("human", "human"), ["Person", "Person"]);
  assert.deepEqual(seats("perfect", "own:mine@2"), ["perfect", "mine, 2 plies"]);
});

test("the strengths are those of the documents", () => {
  const url = new URL("../../../../../../docs/reference/commands/play.md", import.meta.url);
  const rows = [...readFileSync(url, "utf8").matchAll(/^\| (\d+) \| [^|]* \| \d+ \| (.*) \|$/gm)];
  const told = rows.map(([, , cells]) => cells.split(" | ").map((cell) => cell.split(" (")[0]));
  const numbers = told.map((cells) => cells.map((cell) => Number(cell.replace(",", ""))));
  assert.equal(numbers.length, 10);
  assert.deepEqual(
    numbers,
    ELO.tictactoe.map((elo, at) => [elo, ELO.connect4[at], ELO.gomoku15[at]]),
  );
});

test("moves that no proof judges are counted, and said to be on their way while it proves", () => {
  const judged = { judged: true, gives: true };
  const open = { judged: false, gives: false };
  const fine = { judged: true, gives: false };
  const say = (...points) =>
    foundText(
      points.filter(({ gives }) => gives).map((point) => ({ point })),
      [fine, ...points],
    );
  assert.equal(say(fine), "no move gave anything away");
  assert.equal(say(judged, fine), "1 move gave something away");
  assert.equal(say(judged, open), "1 move gave something away; 1 move is not judged by a proof");
  assert.match(say(open), /^no move is proved to give anything away; 1 /);
  assert.equal(
    foundText([], [fine, open], true),
    "no move is proved to give anything away; 1 move is not judged yet, proving …",
  );
});
