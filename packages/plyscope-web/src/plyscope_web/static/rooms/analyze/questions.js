// The requests about a position: evaluation, threats, search and proof.
import { paragraph, redraw } from "../../shell/dom.js";
import { spoken } from "../../shell/wording.js";
import { searchCaption } from "./lines.js";
import { bestWords, proofOfSearch, standing } from "./evaluationbar.js";

const PROOF_SECONDS = 10;
/** Describe how a search knows its value. @param {Search} search */
const searchedWords = ({ depth, settled }) =>
  `${settled ? "searched" : "estimated by the heuristic, searched"} ${depth} plies deep`;
/** @type {import("./layers.js").Known} */
export const NOTHING = { explanation: null, search: null, proof: null, threats: null };

export class Questions {
  /** The answers about the position. @type {import("./layers.js").Known} */
  known = NOTHING;
  /** The progress of the solver. */
  news = "";

  /** @param {import("./room.js").AnalyzeRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** The position and the heuristic, as questions have them. */
  get asked() {
    const { game, bench } = this.room;
    return { position: game.shown.position, heuristic: bench.asked };
  }

  forget() {
    this.room.cancel("explain", "analyze", "solve");
    this.known = { ...NOTHING, proof: this.proof };
    this.news = "";
  }

  /** The proof of the position in the store. */
  get proof() {
    return this.room.lab.proofs.of(this.room.game.node);
  }

  /** Take what others have proved of the position. @param {string} position */
  hear(position) {
    if (position === this.room.game.shown.position) this.learn({ proof: this.proof });
  }

  ask() {
    const { room } = this;
    room.attempt(() => this.explain());
    room.attempt(() => this.threaten());
    if (room.game.shown.over) return;
    room.attempt(() => this.search());
    room.attempt(() => this.prove());
  }

  /** Ask again what another heuristic may answer otherwise: what is proved stays as it is. */
  askAgain() {
    const { room } = this;
    this.known = { ...this.known, search: null };
    room.attempt(() => this.explain());
    if (!room.game.shown.over) room.attempt(() => this.search());
  }

  /** Take what has become known. @param {Partial<import("./layers.js").Known>} news */
  learn(news) {
    this.known = { ...this.known, ...news };
    this.room.draw();
    this.drawProof();
    if (news.proof) this.room.drawLines();
  }

  /** @param {number} place */
  queue = (place) => this.room.showNews(place > 1 ? `waiting, place ${place} in the queue` : "");

  async explain() {
    const explanation = await this.room.ask("explain", this.asked, { queue: this.queue });
    this.learn({ explanation });
    this.room.drawExplanation(explanation);
  }

  /** Threats are looked for where they are shown. */
  async threaten() {
    const { game, settings } = this.room;
    if (settings.layer !== "threats" || this.known.threats || game.shown.text) return;
    const { threats } = await this.room.ask("threats", { position: game.shown.position });
    this.learn({ threats });
  }

  async search() {
    const { room, queue } = this;
    const { algorithm, depth, seconds } = room.settings;
    const asked = { ...this.asked, algorithm, depth, seconds };
    /** @param {Partial<Search>} news */
    const told = (news) => this.takeSearch(news);
    const search = await room.ask("analyze", asked, { told, queue });
    this.takeSearch(search);
    if (!search.lines) return;
    const [cell] = search.lines[0]?.cells ?? [];
    const best = cell === undefined ? "" : spoken(room.game.shown, cell);
    room.lab.announce(`depth ${search.depth}: ${search.text}, best ${best}`);
  }

  /** @param {Partial<Search>} search a depth's answer, or a text alone: what comes first */
  takeSearch(search) {
    if (search.lines) {
      const whole = /** @type {Search} */ (search);
      this.learn({ search: whole });
      this.room.lab.proofs.learn(proofOfSearch(whole, this.room.game.shown));
    } else this.room.showNews(search.text && `${search.text} …`);
    this.room.drawLines();
  }

  async prove() {
    const { room, queue } = this;
    const { shown } = room.game;
    if (this.proof && this.proof.moves.length === shown.moves.length && this.proof.line)
      return this.drawProof();
    const asked = { position: shown.position, seconds: PROOF_SECONDS };
    const proof = await room.ask("solve", asked, {
      told: (news) =>
        "moves" in news
          ? room.lab.proofs.learn(/** @type {Proof} */ (news))
          : this.drawProof(`proving: ${news.text} …`),
      queue,
    });
    room.lab.proofs.learn(proof);
    this.drawProof(proof.value === null ? "no proof in time" : "");
  }

  /** Say what a proof adds to the headline, else how far the solver is. @param {string} [news] */
  drawProof(news = this.news) {
    const { proof: line, says, game } = this.room;
    const { proof, search } = this.known;
    this.news = news;
    const found = standing(game.shown, this.known);
    const best = proof ? bestWords(proof, game.shown) : found?.isProved ? "" : news;
    line.textContent = [...(found?.parts.slice(1) ?? []), best].filter(Boolean).join(" · ");
    this.room.drawPointed();
    const searched = search ? [searchCaption(search)] : [];
    const how = proof?.proof ?? (search ? searchedWords(search) : "");
    redraw(says, ...[how, ...searched].map((text) => paragraph(text)));
  }
}
