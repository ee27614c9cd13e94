// plyscope in anywidget's form: `render({ model, el })`. The model carries questions to Python and
// answers back, and `place`: where one is.
import { Client } from "./client.js";
import { announcer, button, html, icon } from "./dom.js";
import { HELP, KeysDialog, press } from "./keys.js";
import { knownPlace, openGame } from "./link.js";
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
  dialog = new KeysDialog();
  help = button(HELP, () => this.showKeys(), { class: "quiet", "aria-label": "keys", title: "?" });
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
    this.tabs.onkeydown = (event) => this.walk(event);
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

  /** What no part of the page has heard. @param {KeyboardEvent} event */
  hearKey(event) {
    if (this.dialog.element.open) return;
    const help = { keys: [HELP], text: "", act: () => this.showKeys() };
    press(event, [help, ...(this.room?.keys ?? [])]);
  }

  showKeys() {
    const room = this.main.getAttribute("aria-label") ?? "";
    this.dialog.show(room, this.room?.keys ?? []);
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = ROOMS.findIndex(({ name }) => name === this.lab?.place.room);
    this.enter(ROOMS[(at + step + ROOMS.length) % ROOMS.length].name, true);
    event.preventDefault();
  }
}

/** A line above the room, which stays until it is answered. @param {string} text */
const note = (text = "") => html("p", { class: "offline", role: "status", hidden: !text }, text);

/**
 * What the rooms share, at the place where one is. What is wrong there is told in `mistakes`, and
 * the place is not written anew before `isFree` is set: its link can be mended.
 * @param {Model} model @param {Client} client @param {(text: string) => void} announce
 */
async function openLab(model, client, announce) {
  const catalogues = await client.ask("catalogues", {});
  const names = ROOMS.map(({ name }) => name);
  const { place, mistakes } = knownPlace(model.get("place"), catalogues, names);
  const { game, mistake } = await openGame(client, place, catalogues.own ?? FIRST_GAME);
  if (mistake) mistakes.push(mistake);
  /** @type {Lab} */
  const lab = {
    client,
    game,
    catalogues,
    place,
    mistakes,
    asked: place.room === "quiz" ? place.tree : undefined,
    isFree: !mistakes.length,
    announce,
    go(news) {
      const known = Object.entries({ ...lab.place, ...news }).filter(([, value]) => value);
      lab.place = Object.fromEntries(known);
      if (!lab.isFree) return;
      model.set("place", lab.place);
      model.save_changes();
    },
  };
  return lab;
}

/**
 * Say what is wrong with the link until something else is done.
 * @param {Lab} lab @param {HTMLElement} root @param {HTMLElement} said
 */
function tellMistakes(lab, root, said) {
  if (lab.isFree) return;
  said.textContent = lab.mistakes.join("; ");
  said.hidden = false;
  lab.announce(said.textContent);
  const ending = new AbortController();
  /** @param {Event} event */
  const act = (event) => {
    if (event instanceof KeyboardEvent && !isAction(event)) return;
    lab.isFree = said.hidden = true;
    ending.abort();
  };
  for (const kind of ["click", "keydown"])
    root.addEventListener(kind, act, { capture: true, signal: ending.signal });
}

/** Keys that lead elsewhere change nothing here. @param {KeyboardEvent} event */
const isAction = ({ key, ctrlKey, metaKey, altKey }) =>
  !(ctrlKey || metaKey || altKey || ["Tab", "Shift", "Control", "Meta", "Alt"].includes(key));

/** @param {{ model: Model, el: Element }} context */
function render({ model, el: holder }) {
  const client = new Client(model);
  const { element: voice, announce } = announcer();
  const offline = note("plyscope is out of reach; trying again …");
  const wrong = note();
  const rooms = new Rooms();
  const root = html("div", { class: "plyscope" });
  const title = html("h1", {}, icon("logo"), "plyscope");
  const top = html("header", { class: "top" }, title, rooms.tabs, rooms.help, themeButton(root));
  root.append(top, offline, wrong, rooms.main, voice, rooms.dialog.element);
  root.addEventListener("keydown", (event) => rooms.hearKey(event));
  holder.replaceChildren(root);
  /** @param {boolean} isConnected */
  const showConnection = (isConnected) => (offline.hidden = isConnected);
  offline.hidden = true;
  model.on("connected", showConnection);
  let isLeft = false;
  openLab(model, client, announce).then(
    (lab) => {
      if (isLeft) return;
      rooms.open(lab);
      tellMistakes(lab, root, wrong);
    },
    ({ message }) => {
      wrong.textContent = message;
      wrong.hidden = false;
    },
  );
  return () => {
    isLeft = true;
    rooms.leave();
    client.end();
    model.off("connected", showConnection);
  };
}

export default { render };
