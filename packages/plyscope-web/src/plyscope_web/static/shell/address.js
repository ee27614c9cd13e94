// The place in the model, which is the page's address or a notebook's.
import { findNode, inRoom, knownPlace, written } from "./link.js";

/** The first screen, whose address says no more. */
export const HOME = "home";

/**
 * What a place leads to.
 * @typedef {object} Found
 * @property {Place} place
 * @property {GameNode} node
 * @property {string[]} mistakes what the address says that cannot be
 */

/** A place as text, whose keys may stand in any order. @param {Place} place */
const textOf = (place) => JSON.stringify(Object.entries(place).sort());

export class Address {
  /** The last place of the model, as text. */
  known = "";
  /** The number of the newest question for a place: others are not heard any more. */
  turn = 0;
  /** Whether it is not known yet what the model's place leads to. */
  isFinding = false;
  /** The places in the rooms that have been left. @type {Record<string, Place>} */
  left = {};

  /**
   * @param {Model} model @param {Catalogues} catalogues
   * @param {string[]} rooms the first is where an address without a room leads
   * @param {string} empty the room where one leads that says nothing
   * @param {string} first the game where no other is named
   */
  constructor(model, catalogues, rooms, empty, first) {
    this.model = model;
    this.catalogues = catalogues;
    this.rooms = rooms;
    this.empty = empty;
    this.first = first;
  }

  /** Return whether the model has gone elsewhere by itself. */
  get isElsewhere() {
    return textOf(this.model.get("place")) !== this.known;
  }

  /**
   * Find what the model's place leads to; null when another one has been asked for since.
   * @param {Client} client @param {GameNode} [root] of a game in which it may be
   * @returns {Promise<Found | null>}
   */
  async find(client, root) {
    const turn = ++this.turn;
    const given = this.model.get("place");
    this.known = textOf(given);
    const { place, mistakes } = knownPlace(given, this.catalogues, this.rooms, this.empty);
    this.isFinding = true;
    const found = await findNode(client, place, this.first, root).finally(() => {
      if (turn === this.turn) this.isFinding = false;
    });
    if (turn !== this.turn) return null;
    return { place, node: found.node, mistakes: [...mistakes, ...found.mistakes] };
  }

  /** The place after news of it. @param {Place} place @param {Place} news */
  after(place, news) {
    const isOther = news.room !== undefined && news.room !== place.room;
    if (!isOther) return written({ ...place, ...news });
    this.left[place.room] = place;
    return written(inRoom(place, this.left[news.room], news));
  }

  /** @param {Place} place @param {boolean} isStep whether the way back leads to the one before */
  write(place, isStep) {
    const said = place.room !== HOME ? place : this.empty === HOME ? {} : { room: HOME };
    const text = textOf(said);
    if (text === this.known) return;
    this.known = text;
    this.model.set("place", said, { isStep });
    this.model.save_changes();
  }
}
