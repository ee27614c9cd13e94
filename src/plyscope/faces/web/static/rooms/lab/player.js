// Who plays: the heuristic of the bench with a number of plies, another table, or an agent.
import { choice, field, optionsOf } from "../../shell/forms.js";
import { agentAsked, agentOptions } from "../../shell/tables.js";

const BENCH = "bench";
const PLIES = { 1: "1 ply", 2: "2 plies", 3: "3 plies", 4: "4 plies", 6: "6 plies" };

export class Player {
  /** @param {import("./room.js").LabRoom} room @param {string} label @param {string} [usual] */
  constructor(room, label, usual = BENCH) {
    this.room = room;
    this.name = choice([], undefined, () => this.showPlies());
    this.plies = choice(PLIES, "2");
    this.depth = field("looks ahead", this.plies);
    this.fields = [field(label, this.name), this.depth];
    this.chosen = usual;
    this.offer();
  }

  /** Offer who plays this game. */
  offer() {
    const { lab, game } = this.room;
    const value = this.name.value || this.chosen;
    const others = agentOptions(lab, game.shown);
    this.name.replaceChildren(...optionsOf([[BENCH, "the heuristic here"], ...others]));
    this.name.value = value;
    if (!this.name.value) this.name.value = BENCH;
    this.showPlies();
  }

  showPlies() {
    this.depth.hidden = this.name.value !== BENCH;
  }

  /** What a request's agent is. */
  get asked() {
    if (this.name.value !== BENCH) return agentAsked(this.room.lab, this.name.value);
    const { table } = this.room.bench;
    if (!table) throw new Error(`${this.room.bench.said} is no table; expected one that can play`);
    const name = this.room.bench.said;
    return { table: { ...table, name }, depth: Number(this.plies.value) };
  }
}
