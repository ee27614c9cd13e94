import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { askRoot, Game } from "#page/shell/game.js";
import {
  KEYS,
  findNode,
  formatPlace,
  inRoom,
  knownPlace,
  parsePlace,
  shared,
  written,
} from "#page/shell/link.js";
import { position } from "./games.js";

const ROOMS = ["play", "analyze", "home"];
const CHOICES = { cut: ["ge", "gt"], bound: ["soft", "hard"] };
const CATALOGUES = {
  agents: [{ name: "level-5" }, { name: "random" }],
  own_heuristics: ["rows"],
  heuristics: [{ name: "counted-lines" }],
  algorithms: [{ name: "alphabeta", choices: CHOICES }],
};
const known = (place) => knownPlace(place, CATALOGUES, ROOMS, "home");

/** A server that knows tic-tac-toe and some moves. */
const client = {
  ask: async (verb, { position: text, move }) => {
    if (verb === "show" && text !== "tictactoe") throw new Error(`game '${text}'`);
    const cell = ["a1", "b2", "c3", "a,b"].indexOf(move);
    if (verb === "play" && cell < 0) throw new Error(`move '${move}'`);
    return { ...position(), position: "tictactoe", move, cell };
  },
};
const opened = (place, root) => findNode(client, place, "tictactoe", root);
const gameOf = async (place) => new Game(client, (await opened(place)).node);

test("a link that is right is kept as it is", () => {
  const place = {
    ...{ room: "analyze", x: "random", o: "rows@2", table: '{"values":{}}', tree: "[1,2]" },
    ...{ heuristic: "counted-lines", algorithm: "alphabeta", depth: "4" },
    ...{ step: "0", cut: "gt", bound2: "hard", seed: "12", branching: "2,3", ask: "values,cuts" },
    ...{ ties: "no", agree: "yes" },
  };
  assert.deepEqual(known(place), { place, mistakes: [] });
});

test("an empty address leads to the first screen, one without a room to the first room", () => {
  assert.deepEqual(known({}), { place: { room: "home" }, mistakes: [] });
  assert.deepEqual(known({ position: "qubic" }).place, { position: "qubic", room: "play" });
});

test("of each value that cannot be it is said what was expected, and the rest is kept", () => {
  const wrong = {
    ...{ room: "kitchen", x: "noagent", heuristic: "guess", table: "{", algorithm: "gamma" },
    ...{ depth: "61", step: "1.5", cut2: "eq", seed: "-1", branching: "9" },
    ...{ deep: "2", ask: "values,all", clock: "3+2", layer: "none" },
  };
  const { place, mistakes } = known({ ...wrong, o: "random", moves: "a1" });
  assert.deepEqual(place, { room: "play", o: "random", moves: "a1" });
  assert.deepEqual(mistakes, [
    "room 'kitchen'; expected play, analyze, home",
    "x 'noagent'; expected human, level-5 or another agent",
    "heuristic 'guess'; expected counted-lines, or own: and the name of a table",
    `table '{'; expected a line table such as {"values":{"1,0":1}}`,
    "algorithm 'gamma'; expected alphabeta",
    "depth '61'; expected a whole number 1 to 60",
    "step '1.5'; expected a whole number from 0",
    "cut2 'eq'; expected ge, gt",
    "seed '-1'; expected a whole number 0 to 9007199254740992",
    "branching '9'; expected such as 2 or 2,3",
    "deep '2'; expected 0, 1",
    "ask 'values,all'; expected values, windows, cuts",
    "unknown key 'clock' in the address; ignored",
    "layer 'none'; expected all, heuristic, wrong, threats",
  ]);
});

test("an address can be read, by people and again", () => {
  const place = {
    room: "play",
    position: "X.O/.X./..O",
    moves: "a1,a%2Cb",
    tree: "[[3,-1],[a b]]",
  };
  assert.equal(
    formatPlace(place),
    "room=play&position=X.O/.X./..O&moves=a1,a%252Cb&tree=[[3,-1],[a%20b]]",
  );
  assert.deepEqual(parsePlace(formatPlace(place)), place);
});

test("the game goes along into another room, and there is what was there before", () => {
  const from = { room: "trees", position: "qubic", tree: "[1,2]", depth: "3" };
  const before = { room: "analyze", position: "tictactoe", layer: "proof", depth: "9" };
  assert.deepEqual(inRoom(from, before, { room: "analyze", depth: "5" }), {
    ...{ room: "analyze", position: "qubic", layer: "proof", depth: "5" },
  });
  const usual = { x: "human", o: "level-5", layer: "", position: "qubic" };
  assert.deepEqual(written(usual), { position: "qubic" });
});

test("a game is opened as far as its moves are right", async () => {
  const movesOf = ({ node }) => new Game(client, node).path.slice(1).map(({ move }) => move);
  const right = await opened({ position: "tictactoe", moves: "a1,b2" });
  assert.deepEqual([movesOf(right), right.mistakes], [["a1", "b2"], []]);
  const wrong = await opened({ position: "tictactoe", moves: "a1,d9,b2" });
  assert.deepEqual(movesOf(wrong), ["a1"]);
  assert.deepEqual(wrong.mistakes, ["move 'd9'; the game is kept up to move 1"]);
  const none = await opened({ position: "nothing", moves: "a1" });
  assert.deepEqual(movesOf(none), []);
  assert.deepEqual(none.mistakes, ["game 'nothing'; this is a new game of tictactoe"]);
});

test("variations come back as they were, wherever one is in them", async () => {
  const variations = "a1,(b2,c3),b2,(a%2Cb,(c3)),c3";
  const { place } = await gameOf({ variations, moves: "a1,a%2Cb" });
  const game = await gameOf({ variations, moves: "a1,a%2Cb" });
  assert.deepEqual(game.moves, ["a1", "a,b"]);
  assert.deepEqual(
    game.root.children.map(({ move }) => move),
    ["a1", "b2"],
  );
  const again = await gameOf(place);
  assert.deepEqual(again.place, place);
});

test("variations with a mistake are kept up to it", async () => {
  const { node, mistakes } = await opened({ variations: "a1,(b2,d9,c3),b2", moves: "a1" });
  assert.deepEqual(mistakes, ["move 'd9'; the variations after it are ignored"]);
  assert.equal(node.parent.children[1].move, "b2");
  assert.deepEqual((await opened({ variations: "a1,(b2" })).mistakes, [
    "'(' without ')' in the variations 'a1,(b2'; the variations after it are ignored",
  ]);
});

test("in the game that is open a place is found without asking for it again", async () => {
  const root = await askRoot(client, "tictactoe");
  const { node } = await opened({ position: "tictactoe", moves: "a1" }, root);
  assert.equal(node.parent, root);
});

test("the documents tell every key, and no other", async () => {
  const text = await readFile(new URL("../../../../docs/page.md", import.meta.url), "utf8");
  const [, section] = text.split("## The address");
  const rows = section.split("## ")[0].matchAll(/^\| (`.*?) \|/gm);
  const told = [...rows].flatMap(([, keys]) =>
    [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key),
  );
  const known = Object.keys(KEYS).filter((key) => !key.endsWith("2"));
  assert.deepEqual(told.sort(), known.sort());
});

test("a shared link says the keys of its own room", () => {
  const game = { position: "gomoku15", moves: "h8,i9", o: "human" };
  assert.deepEqual(shared({ room: "trees", tree: "[1,2]", ...game }), {
    room: "trees",
    tree: "[1,2]",
  });
  assert.deepEqual(shared({ room: "quiz", seed: "5", ...game }), { room: "quiz", seed: "5" });
  const { position, moves } = game;
  assert.deepEqual(shared({ room: "analyze", ...game }), { room: "analyze", position, moves });
  assert.deepEqual(shared({ room: "play", ...game }), { room: "play", ...game });
});
