// The page: the widget with a socket and the address bar as its model.
import { open, PageModel } from "./shell/pagemodel.js";

const AGAIN = 1000; // milliseconds until a lost connection is tried again

/** @implements {Model} */
class SocketModel extends PageModel {
  constructor() {
    super();
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
}

open(new SocketModel());
