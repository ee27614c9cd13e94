// What an address says: all that is right is kept, and of the rest it is told what is wrong.
import { Game } from "./game.js";

/** Who plays where nobody is named. @type {Record<Side, string>} */
export const USUAL_PLAYERS = { x: "human", o: "level-5" };

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The moves of an address, whose names may have commas. @param {string} [text] */
export const movesOf = (text = "") => text.split(",").filter(Boolean).map(decoded);

/** @param {string} text */
function isTable(text) {
  try {
    return typeof JSON.parse(text)?.values === "object";
  } catch {
    return false;
  }
}

/**
 * The place without what is unknown, and what that was.
 * @param {Place} given @param {Catalogues} catalogues @param {string[]} rooms
 * @returns {{ place: Place, mistakes: string[] }}
 */
export function knownPlace(given, { agents }, rooms) {
  const place = { ...given };
  /** @type {string[]} */
  const mistakes = [];
  if (!rooms.includes(place.room)) {
    if (place.room) mistakes.push(`room '${place.room}'; expected ${rooms.join(", ")}`);
    place.room = rooms[0];
  }
  const names = ["human", ...agents.map(({ name }) => name)];
  for (const [side, usual] of Object.entries(USUAL_PLAYERS)) {
    if (place[side] === undefined || names.includes(place[side])) continue;
    mistakes.push(`agent '${place[side]}' for ${side.toUpperCase()} is unknown: ${usual} plays`);
    delete place[side];
  }
  if (place.table && !isTable(place.table)) {
    mistakes.push("the heuristic's table cannot be read, and is left out");
    delete place.table;
  }
  return { place, mistakes };
}

/**
 * The game of an address as far as its moves are right; without a position that can be read, one
 * at its beginning.
 * @param {Client} client @param {Place} place @param {string} first
 * @returns {Promise<{ game: Game, mistake?: string }>}
 */
export async function openGame(client, place, first) {
  const start = place.position ?? first;
  let game;
  try {
    game = await Game.open(client, start);
  } catch (error) {
    const mistake = `${/** @type {Error} */ (error).message}; this is a new game of ${first}`;
    return { game: await Game.open(client, first), mistake };
  }
  for (const [number, move] of movesOf(place.moves).entries()) {
    try {
      await game.play(move);
    } catch (error) {
      const kept = number ? `the game is kept up to move ${number}` : "the position is kept";
      return { game, mistake: `${/** @type {Error} */ (error).message}; ${kept}` };
    }
  }
  return { game };
}
