// Play a proved line out on the board, also against the visitor's own replies.
import { iconButton } from "../../shell/dom.js";
import { searchProof } from "./evaluationbar.js";

/** The time between two moves, in which a visitor can play another reply. */
const PACE_MS = 1200;

/**
 * The next move of the play that is proved to win, to lose latest, or to draw by signs; undefined
 * for another draw, and where nothing is proved.
 * @param {import("./layers.js").Known} known @param {boolean} hasSigns
 * @returns {number | undefined}
 */
export function provedMove({ proof, search }, hasSigns) {
  const sure = searchProof(search);
  if (proof && !proof.value && !hasSigns) return undefined;
  const [best] = proof ? (proof.line?.length ? proof.line : proof.best) : [];
  if (best !== undefined || !sure?.value) return best;
  return search?.lines[0].cells[0];
}

export class PlayOut {
  isOn = false;
  /** The node whose move is about to be played. @type {GameNode | null} */
  node = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  /** The signs that are followed where their position has been reached. @type {SignsFound | null} */
  guide = null;
  /** Which sign asked for the move that led to a node. @type {WeakMap<GameNode, string>} */
  said = new WeakMap();

  /** @param {import("./room.js").AnalyzeRoom} room */
  constructor(room) {
    this.room = room;
    this.button = iconButton("play", "Play it out", () => this.set(!this.isOn), {
      "aria-pressed": "false",
      title: "play the proved line; reply on the board whenever you like",
    });
  }

  /** @param {boolean} isOn */
  set(isOn) {
    Object.assign(this, { isOn, node: null, guide: null });
    clearTimeout(this.timer);
    this.button.setAttribute("aria-pressed", String(isOn));
    this.follow();
  }

  /** The signs that the play follows here. */
  get signs() {
    const start = this.guide?.guide.position;
    return this.room.game.path.some(({ shown }) => shown.position === start) ? this.guide : null;
  }

  /** Play the next move, once it is known, unless the visitor moves before. */
  follow() {
    const { game, questions, lab } = this.room;
    const { node, shown } = game;
    const { known } = questions;
    const signs = this.signs ?? known.proof?.reason?.signs ?? this.guide;
    if (this.isOn) this.guide = signs;
    const cell = shown.over || shown.text ? undefined : provedMove(known, Boolean(signs));
    this.button.hidden = !this.isOn && cell === undefined;
    if (!this.isOn || this.node === node) return;
    if (shown.over) return this.set(false);
    const isAsked = this.signs?.guide.side === shown.side;
    if (cell === undefined && !isAsked) return;
    this.node = node;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const asked = { position: shown.position, signs: signs?.guide };
      const reply = isAsked ? await lab.client.ask("follow", asked).catch(() => null) : null;
      if (!this.isOn || game.node !== node || game.ahead.length) return;
      // signs that do not hold after another move of their own side are followed no more
      if (isAsked && !reply) return void Object.assign(this, { node: null, guide: null }).follow();
      await game.play(reply?.move ?? shown.names[Number(cell)]);
      if (!reply || game.node.parent !== node) return;
      this.said.set(game.node, reply.sentence);
      lab.announce(reply.sentence);
      this.room.drawPointed();
    }, PACE_MS);
  }
}
