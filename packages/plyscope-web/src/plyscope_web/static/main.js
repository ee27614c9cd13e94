// The page: the widget with a socket and the address bar as its model.
import { formatPlace, parsePlace } from "./shell/link.js";
import widget from "./widget.js";

const AGAIN = 1000; // milliseconds until a lost connection is tried again

/** @implements {Model} */
class SocketModel {
  /** @type {Map<string, ((message: any) => void)[]>} */
  listeners = new Map();

  constructor() {
    this.socket = this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    socket.onopen = () => this.tell("connected", true);
    socket.onmessage = (event) => this.tell("msg:custom", JSON.parse(event.data));
    socket.onclose = () => {
      this.tell("connected", false);
      setTimeout(() => (this.socket = this.connect()), AGAIN);
    };
    return socket;
  }

  /** Without a connection nothing is sent: the client asks again. @param {object} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {string} name @param {(message: any) => void} listener */
  on(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  /** @param {string} name @param {(message: any) => void} listener */
  off(name, listener) {
    this.listeners.set(
      name,
      (this.listeners.get(name) ?? []).filter((other) => other !== listener),
    );
  }

  /** @param {string} name @param {unknown} message */
  tell(name, message) {
    for (const listener of this.listeners.get(name) ?? []) listener(message);
  }

  /** Only the place is kept, in the address. @param {"place"} _name */
  get(_name) {
    return parsePlace(location.hash.slice(1));
  }

  /** @param {"place"} _name @param {Place} place @param {{ isStep?: boolean }} [how] */
  set(_name, place, { isStep = false } = {}) {
    const text = formatPlace(place);
    const address = text ? `#${text}` : location.pathname + location.search;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  save_changes() {}

  /** @param {string} title */
  entitle(title) {
    document.title = title;
  }
}

const model = new SocketModel();
const root = /** @type {HTMLElement} */ (document.getElementById("plyscope"));
widget.render({ model, el: root });
for (const kind of ["popstate", "hashchange"])
  addEventListener(kind, () => model.tell("change:place", undefined));
// The whole page is the widget's: it hears keys that nothing else has.
addEventListener("keydown", (event) => {
  if (event.target !== document.body) return;
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const same = { key, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
  if (!root.firstElementChild?.dispatchEvent(new KeyboardEvent("keydown", same)))
    event.preventDefault();
});
