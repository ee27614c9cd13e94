// An agent's turn: it thinks, can be stopped, times out, and plays at a steady pace.
import { agentAsked, isOwnAgent } from "../../shell/tables.js";

const MOVE_SECONDS = 30;
/** The time of a move between agents. */
const PACE_MS = 1000;

export class Thinking {
  /** The node at which an agent thinks. @type {GameNode | null} */
  node = null;
  /** The node at which an agent gave no move, and why. @type {{ node: GameNode, why: string } | null} */
  halted = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  limit = undefined;
  /** The pause before a move that was found. @type {ReturnType<typeof setTimeout> | undefined} */
  pause = undefined;
  /** When a move was played last, in milliseconds. */
  last = 0;

  /** @param {import("./room.js").PlayRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** Why the agent to move gives no move here. */
  get why() {
    return this.halted?.node === this.room.game.node ? this.halted.why : undefined;
  }

  /** Have the agent to move think, where it does not yet; nobody where it is no agent's turn. */
  follow(isTurn = true) {
    const { node } = this.room.game;
    if (!isTurn) this.stop();
    else if (this.node !== node && this.halted?.node !== node) this.begin();
  }

  async begin() {
    const { room } = this;
    const { node, shown } = room.game;
    const agent = room.players[shown.side];
    this.stop();
    if (!shown.agents.includes(agent) && !isOwnAgent(agent))
      return void (this.halted = { node, why: "it does not play this game; choose another agent" });
    this.node = node;
    this.wait();
    try {
      const asked = {
        position: shown.position,
        agent: agentAsked(room.lab, agent),
        seed: Math.floor(Math.random() * 1e9),
      };
      const { move } = await room.ask("move", asked, {
        queue: (place) => {
          room.drawStatus(place > 1 ? `waiting, place ${place} in the queue` : "");
          this.wait();
        },
        told: ({ text }) => {
          room.drawStatus(text && `${text} …`);
          this.wait(!text);
        },
      });
      this.wait(false);
      const rest = this.last + PACE_MS - performance.now();
      if (room.isWatched && rest > 0)
        await new Promise((go) => (this.pause = setTimeout(go, rest)));
      await this.answer(move);
    } catch (error) {
      this.halt(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} move */
  async answer(move) {
    const { room } = this;
    this.stop();
    room.hint = null;
    this.last = performance.now();
    try {
      await room.game.play(move);
    } catch (error) {
      this.halt(/** @type {Error} */ (error).message);
    }
  }

  /** Give an agent its time from now on, or as much as it needs. */
  wait(isLimited = true) {
    clearTimeout(this.limit);
    const stop = () => this.halt(`no move in ${MOVE_SECONDS} seconds`);
    if (isLimited) this.limit = setTimeout(stop, 1000 * MOVE_SECONDS);
  }

  /** Think no more at this position, and say why. @param {string} why */
  halt(why) {
    this.stop();
    this.halted = { node: this.room.game.node, why };
    this.room.update();
  }

  /** Whoever looks at a game again is not answered anew. @param {GameNode} node */
  rest(node) {
    this.stop();
    this.halted = { node, why: "it has moved here before" };
  }

  stopOrGo() {
    if (this.node) return this.halt("stopped");
    this.halted = null;
    this.room.update();
  }

  stop() {
    clearTimeout(this.limit);
    this.room.cancel("move");
    clearTimeout(this.pause);
    this.node = this.halted = null;
  }
}
