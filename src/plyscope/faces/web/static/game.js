// A game as a tree of variations. Nodes: {shown: what the server says of the position, move, cell, parent, children}.

export class Game {
  constructor(client) {
    this.client = client;
    this.listeners = new Set();
  }

  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  async start(text, moves = []) {
    const shown = await this.client.ask("show", { position: text });
    this.root = { shown, move: null, cell: null, parent: null, children: [], marks: {} };
    this.node = this.root;
    for (const move of moves) await this.play(move, false);
    this.tell();
  }

  get shown() {
    return this.node.shown;
  }

  // Play a move by its name, in the tree if it is new there.
  async play(move, tells = true) {
    const from = this.node;
    const known = from.children.find((child) => child.move === move);
    if (known) {
      this.node = known;
    } else {
      const found = await this.client.ask("play", { position: from.shown.position, move });
      if (this.node !== from) return;
      const again = from.children.find((child) => child.cell === found.cell);
      const child = again ?? { shown: found, move: found.move, cell: found.cell, parent: from, children: [], marks: {} };
      if (!again) from.children.push(child);
      this.node = child;
    }
    if (tells) this.tell();
  }

  go(node) {
    this.node = node;
    this.tell();
  }

  // Nodes from the root to the one we are at.
  get path() {
    const path = [];
    for (let node = this.node; node; node = node.parent) path.unshift(node);
    return path;
  }

  // The line through the node we are at, on to its end by first children.
  get line() {
    const line = this.path;
    while (line.at(-1).children.length) line.push(line.at(-1).children[0]);
    return line;
  }

  get moves() {
    return this.path.slice(1).map((node) => node.move);
  }
}
