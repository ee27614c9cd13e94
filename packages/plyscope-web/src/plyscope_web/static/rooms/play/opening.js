// Start a game: a new one, a rematch, or one from a text or a file.
import { askChild, rootText } from "../../shell/game.js";

export class Opening {
  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** Begin a new game. @param {string} text @param {() => void} [seat] */
  begin(text, seat) {
    const { room } = this;
    return room.attempt(async () => {
      await this.open(text, seat);
      room.hasChosen = false;
    });
  }

  /** The same game once more; whoever was second begins. */
  rematch() {
    const { room } = this;
    const { players } = room;
    [players.x, players.o] = [players.o, players.x];
    return this.begin(rootText(room.game.root.shown));
  }

  /**
   * Open a copied game, with its players if it names them, else with two people.
   * @param {string} text
   */
  paste(text) {
    const { room } = this;
    return room.attempt(async () => {
      const { x, o } = await this.open(text, () => room.seatPeople());
      const isKnown = (/** @type {string} */ name) =>
        name === "human" || room.game.shown.agents.includes(name);
      if (isKnown(x) && isKnown(o)) {
        room.players.x = x;
        room.players.o = o;
        room.update();
      }
    });
  }

  /**
   * Open a position or a game in any notation, and say what it was read as.
   * @param {string} text @param {() => void} seat what is done once it has been read
   */
  async open(text, seat = () => {}) {
    const { room } = this;
    const { game, thinking } = room;
    const read = await room.ask("read", { text });
    room.exercises.end(false);
    seat();
    thinking.stop();
    room.hint = null;
    await game.start(read.position);
    let { node } = game;
    if (read.moves.length) {
      thinking.stop();
      for (const move of read.moves) node = await askChild(game.client, node, move);
      if (game.root === game.node) game.turnTo(node);
    }
    if (read.said) room.lab.tell(`read as ${read.said}`);
    return read;
  }
}
