// Exercises: find a move in a position. A proof marks each try, else a search.
import { spoken } from "../../shell/wording.js";

/**
 * @typedef {object} Exercise
 * @property {GameNode} node
 * @property {string} text what is asked, or what came of it
 * @property {boolean} isDone
 * @property {(move: string) => Promise<void>} play
 * @property {() => void} left
 */

export class Exercises {
  /** @type {Exercise | null} */
  current = null;

  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** @param {Exercise} exercise */
  set(exercise) {
    const { room } = this;
    room.thinking.stop();
    room.hint = null;
    this.current = exercise;
    room.game.turnTo(exercise.node);
  }

  /** Somebody who goes elsewhere before it is done has left it. @param {GameNode} node */
  follow(node) {
    const { current } = this;
    if (current && current.node !== node && !current.isDone) this.end(false);
  }

  /**
   * What came of a move; nothing where the exercise was left meanwhile. A wrong one is said to be.
   * @param {string} move @returns {Promise<Attempted | null>}
   */
  async try(move) {
    const { current, room } = this;
    if (!current) return null;
    const { shown } = current.node;
    room.drawStatus(`looking at ${spoken(shown, shown.names.indexOf(move))} …`);
    const known = room.lab.proofs.carried([current.node]);
    const judged = room.ask("attempt", { position: shown.position, move, known });
    const found = await judged.finally(() => room.drawStatus());
    if (this.current !== current) return null;
    if (!found.right) this.mark(`Not ${spoken(shown, found.cell)}: try another move`);
    return found;
  }

  /** Say what came of a try. @param {string} text */
  mark(text) {
    if (this.current) this.current.text = text;
    this.room.update();
  }

  /** Nothing is looked for any more. @param {string} text @param {string[]} [better] is shown */
  finish(text, better = []) {
    const { current, room } = this;
    if (!current) return;
    current.isDone = true;
    const { names } = room.game.shown;
    const cells = better.map((move) => names.indexOf(move));
    room.hint = better.length ? { cells, text: "" } : null;
    this.mark(text);
  }

  /** The game goes on. @param {boolean} [withUpdate] */
  end(withUpdate = true) {
    const { current, room } = this;
    if (!current) return;
    this.current = room.hint = null;
    current.left();
    if (withUpdate) room.update();
  }
}
