// plyscope in anywidget's form: `render({ model, el })`. The model carries questions to Python and
// answers back, and `place`: where one is.
import { Client } from "./client.js";
import { announcer, button, html, icon } from "./dom.js";
import { Game } from "./game.js";
import { AnalyzeRoom } from "./rooms/analyze/room.js";
import { PlayRoom } from "./rooms/play/room.js";
import { QuizRoom } from "./rooms/quiz/room.js";
import { TreesRoom } from "./rooms/trees/room.js";
import { themeButton } from "./theme.js";

/** Each room stands in the folder of its name: Python finds them there. */
const ROOMS = [
  { name: "play", label: "Play", Room: PlayRoom },
  { name: "analyze", label: "Analyse", Room: AnalyzeRoom },
  { name: "trees", label: "Trees", Room: TreesRoom },
  { name: "quiz", label: "Quiz", Room: QuizRoom },
];
const FIRST_GAME = "tictactoe";

class Rooms {
  tabs = html("div", { class: "tabs", role: "tablist", "aria-label": "rooms" });
  main = html("div", { class: "room", id: "room", role: "tabpanel", tabindex: "-1" });
  /** @type {import("./rooms/room.js").Room | null} */
  room = null;

  /** @param {Lab} lab */
  open(lab) {
    this.lab = lab;
    for (const { name, label } of ROOMS) {
      const names = { role: "tab", "data-room": name, "aria-controls": "room" };
      this.tabs.append(button(label, () => this.enter(name), names));
    }
    this.tabs.onkeydown = (event) => this.hearKey(event);
    this.enter(lab.place.room);
  }

  /** @param {string} wanted @param {boolean} withFocus */
  enter(wanted, withFocus = false) {
    if (!this.lab) return;
    this.leave();
    const { name, label, Room } = ROOMS.find(({ name }) => name === wanted) ?? ROOMS[0];
    const panel = html("div", { class: `inside ${name}` });
    this.main.replaceChildren(panel);
    this.main.setAttribute("aria-label", label);
    for (const tab of this.tabs.querySelectorAll("button")) {
      const isSelected = tab.dataset.room === name;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      if (isSelected && withFocus) tab.focus();
    }
    this.lab.go({ room: name });
    this.room = new Room(panel, this.lab);
  }

  leave() {
    this.room?.stop();
    this.room = null;
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = ROOMS.findIndex(({ name }) => name === this.lab?.place.room);
    this.enter(ROOMS[(at + step + ROOMS.length) % ROOMS.length].name, true);
    event.preventDefault();
  }
}

/** Shown while the server is out of reach. @param {Model} model @param {Client} client */
function offlineNote(model, client) {
  const text = "plyscope is out of reach; trying again …";
  const note = html("p", { class: "offline", role: "status", hidden: true }, text);
  model.on("connected", (isConnected) => {
    note.hidden = isConnected;
    if (!isConnected) client.lost();
  });
  return note;
}

/**
 * What the rooms share, at the place where one is; where that is no position, at a new game.
 * @param {Model} model @param {Client} client
 * @param {(text: string) => void} announce @param {(error: Error) => void} complain
 */
async function openLab(model, client, announce, complain) {
  /** @type {Place} */
  const place = { room: ROOMS[0].name, ...model.get("place") };
  const catalogues = await client.ask("catalogues", {});
  const moves = (place.moves ?? "").split(",").filter(Boolean).map(decodeURIComponent);
  const first = catalogues.own ?? FIRST_GAME;
  let game;
  try {
    game = await Game.open(client, place.position ?? first, moves);
  } catch (error) {
    game = await Game.open(client, first);
    complain(/** @type {Error} */ (error));
  }
  /** @type {Lab} */
  const lab = {
    client,
    game,
    catalogues,
    place,
    announce,
    go(news) {
      const known = Object.entries({ ...lab.place, ...news }).filter(([, value]) => value);
      lab.place = Object.fromEntries(known);
      model.set("place", lab.place);
      model.save_changes();
    },
  };
  return lab;
}

/** @param {{ model: Model, el: Element }} context */
async function render({ model, el: holder }) {
  const client = new Client(model);
  const { element: voice, announce } = announcer();
  const offline = offlineNote(model, client);
  const rooms = new Rooms();
  const root = html("div", { class: "plyscope" });
  const title = html("h1", {}, icon("logo"), "plyscope");
  const top = html("header", { class: "top" }, title, rooms.tabs, themeButton(root));
  root.append(top, offline, rooms.main, voice);
  holder.replaceChildren(root);
  const lab = await openLab(model, client, announce, ({ message }) => {
    announce(message);
    offline.hidden = false;
    offline.textContent = message;
  });
  rooms.open(lab);
  return () => rooms.leave();
}

export default { render };
