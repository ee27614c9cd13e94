// An object that notifies listeners.

/** @template {unknown[]} News what listeners are told */
export class Listened {
  /** @type {Set<(...news: News) => void>} */
  listeners = new Set();

  /** Listen; what is returned stops that. @param {(...news: News) => void} listener */
  on(listener) {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** @param {News} news */
  tell(...news) {
    for (const listener of this.listeners) listener(...news);
  }
}
