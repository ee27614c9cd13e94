// One request at a time about a changing state, each for the newest state.

export class Latest {
  isBusy = false;
  isWanted = false;
  turn = 0;

  /** @param {() => Promise<unknown>} ask about the state as it is when it is called */
  constructor(ask) {
    this.ask = ask;
  }

  /** Have the state as it is now asked about. */
  async run() {
    this.isWanted = true;
    if (this.isBusy) return;
    const turn = this.turn;
    this.isBusy = true;
    while (this.isWanted && turn === this.turn) {
      this.isWanted = false;
      await this.ask();
    }
    if (turn === this.turn) this.isBusy = false;
  }

  /** Wait no longer for the question that is open: it was cancelled. */
  forget() {
    this.turn += 1;
    this.isBusy = this.isWanted = false;
  }
}
