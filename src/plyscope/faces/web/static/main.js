// The page: the widget, on a model that is a WebSocket and the address bar instead of a notebook's kernel.
import widget from "./widget.js";

class SocketModel {
  constructor() {
    this.listeners = new Map();
    this.waiting = [];
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.onopen = () => {
      for (const text of this.waiting.splice(0)) this.socket.send(text);
      this.tell("connected", true);
    };
    this.socket.onmessage = (event) => this.tell("msg:custom", JSON.parse(event.data));
    this.socket.onclose = () => {
      this.tell("connected", false);
      setTimeout(() => this.open(), 1000);
    };
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.waiting.push(text);
  }

  on(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  tell(name, news) {
    for (const listener of this.listeners.get(name) ?? []) listener(news);
  }

  get(name) {
    return name === "place" ? Object.fromEntries(new URLSearchParams(location.hash.slice(1))) : undefined;
  }

  set(name, value) {
    if (name === "place") history.replaceState(null, "", `#${new URLSearchParams(value)}`);
  }

  save_changes() {}
}

const model = new SocketModel();
const root = document.getElementById("plyscope");
widget.render({ model, el: root });
addEventListener("hashchange", () => {
  root.replaceChildren();
  widget.render({ model, el: root });
});
