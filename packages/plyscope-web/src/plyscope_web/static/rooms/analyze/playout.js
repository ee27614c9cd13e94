// Play a proved line out on the board, also against the visitor's own replies.
import { iconButton } from "../../shell/dom.js";
import { searchProof } from "./evaluationbar.js";

/** The time between two moves, in which a visitor can play another reply. */
const PACE_MS = 1200;

/**
 * The next move of the play that is proved to win or to lose latest; undefined for a draw, and
 * where nothing is proved.
 * @param {import("./layers.js").Known} known @returns {number | undefined}
 */
export function provedMove({ proof, search }) {
  const sure = searchProof(search);
  if (proof && !proof.value) return undefined;
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
    this.isOn = isOn;
    this.node = null;
    clearTimeout(this.timer);
    this.button.setAttribute("aria-pressed", String(isOn));
    this.follow();
  }

  /** Play the next move, once it is known, unless the visitor moves before. */
  follow() {
    const { game, questions } = this.room;
    const { node, shown } = game;
    const cell = shown.over || shown.text ? undefined : provedMove(questions.known);
    this.button.hidden = !this.isOn && cell === undefined;
    if (!this.isOn || this.node === node) return;
    if (shown.over) return this.set(false);
    if (cell === undefined) return;
    this.node = node;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isOn && game.node === node && !game.ahead.length) game.play(shown.names[cell]);
    }, PACE_MS);
  }
}
