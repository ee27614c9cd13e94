import assert from "node:assert/strict";
import { test } from "node:test";
import { knownPlace, movesOf, openGame } from "#page/link.js";
import { position } from "./games.js";

const ROOMS = ["play", "analyze"];
const CATALOGUES = { agents: [{ name: "level-5" }, { name: "random" }] };

/** A server that knows tic-tac-toe and the moves a1 and b2. */
const client = {
  ask: async (verb, { position: text, move }) => {
    if (verb === "show" && text !== "tictactoe") throw new Error(`game '${text}'`);
    if (verb === "play" && !["a1", "b2"].includes(move)) throw new Error(`move '${move}'`);
    return { ...position(), position: "tictactoe", move, cell: move === "a1" ? 6 : 4 };
  },
};
const opened = (place) => openGame(client, place, "tictactoe");

test("a link that is right is kept as it is", () => {
  const place = { room: "analyze", x: "random", o: "human", table: '{"values":{}}', tree: "[1,2]" };
  assert.deepEqual(knownPlace(place, CATALOGUES, ROOMS), { place, mistakes: [] });
  assert.deepEqual(knownPlace({}, CATALOGUES, ROOMS), { place: { room: "play" }, mistakes: [] });
});

test("of a room, an agent and a table that are none it is said", () => {
  const given = { room: "kitchen", x: "noagent", o: "random", table: "{", moves: "a1" };
  const { place, mistakes } = knownPlace(given, CATALOGUES, ROOMS);
  assert.deepEqual(place, { room: "play", o: "random", moves: "a1" });
  assert.deepEqual(mistakes, [
    "room 'kitchen'; expected play, analyze",
    "agent 'noagent' for X is unknown: human plays",
    "the heuristic's table cannot be read, and is left out",
  ]);
});

test("a game is opened as far as its moves are right", async () => {
  const right = await opened({ position: "tictactoe", moves: "a1,b2" });
  assert.deepEqual([right.game.moves, right.mistake], [["a1", "b2"], undefined]);
  const wrong = await opened({ position: "tictactoe", moves: "a1,d9,b2" });
  assert.deepEqual(wrong.game.moves, ["a1"]);
  assert.equal(wrong.mistake, "move 'd9'; the game is kept up to move 1");
  const none = await opened({ position: "nothing", moves: "a1" });
  assert.deepEqual(none.game.moves, []);
  assert.equal(none.mistake, "game 'nothing'; this is a new game of tictactoe");
});

test("moves may have commas, and a sign that encodes nothing is itself", () => {
  assert.deepEqual(movesOf("a%2Cb,c,%"), ["a,b", "c", "%"]);
  assert.deepEqual(movesOf(), []);
});
