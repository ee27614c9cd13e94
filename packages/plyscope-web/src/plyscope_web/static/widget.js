// plyscope as an anywidget: `render({ model, el })`; the model carries requests and `place`.
import { Address, HOME } from "./shell/address.js";
import { Client } from "./shell/client.js";
import { button, html, labelled, status, uniqueId } from "./shell/dom.js";
import { Game } from "./shell/game.js";
import { HELP, KeysDialog, press } from "./shell/keys.js";
import { formatPlace, mistake, shared } from "./shell/link.js";
import { browser } from "./shell/memory.js";
import { Pictures } from "./board/picture.js";
import { Proofs } from "./shell/proofs.js";
import { AnalyzeRoom } from "./rooms/analyze/room.js";
import { HomeRoom } from "./rooms/home/room.js";
import { LabRoom } from "./rooms/lab/room.js";
import { PlayRoom } from "./rooms/play/room.js";
import { QuizRoom } from "./rooms/quiz/room.js";
import { Sharing } from "./rooms/sharing.js";
import { TreesRoom } from "./rooms/trees/room.js";
import { Tables } from "./shell/tables.js";
import { Texts } from "./shell/texts.js";
import { ThemeButton } from "./shell/theme.js";
import { tabList } from "./shell/tools.js";
import { admit, Consent } from "./writing/consent.js";

const NAME = "plyscope";
/** Each room stands in the folder of its name: Python finds them there. */
const ROOMS = [
  { name: "play", label: "Play", Room: PlayRoom },
  { name: "analyze", label: "Analyse", Room: AnalyzeRoom },
  { name: "trees", label: "Trees", Room: TreesRoom },
  { name: "quiz", label: "Quiz", Room: QuizRoom },
  { name: "lab", label: "Lab", Room: LabRoom },
  { name: "home", label: "Home", Room: HomeRoom },
];
const FIRST_GAME = "tictactoe";
/** The keys of a game; rooms listen to the game for them. */
const OF_GAMES = ["position", "moves", "variations"];
/** Milliseconds after which it is said that there is nothing yet. */
const DELAY_MS = 400;
/** Milliseconds after which the first questions are asked again, and how often they are asked. */
const AGAIN = 10_000;
const MOST_TRIES = 6;
const STARTING = "plyscope is starting …";
/** Milliseconds that a message stands. */
const SEEN = 4000;
/** The attribute that keeps JupyterLab before 4.1, which captures keys, from its shortcuts. */
const NO_SHORTCUTS = "data-lm-suppress-shortcuts";
const FORGETFUL = "this browser does not save data: it is lost when you close the page";
/** Signs of a window's title that tell what is looked at. */
const MOST_TITLE = 40;

class Rooms {
  dialog = new KeysDialog();
  help = button(HELP, () => this.showKeys(), { class: "quiet", "aria-label": "keys", title: "?" });
  name = button("", () => this.lab?.go({ room: HOME }, true), {
    class: "name",
    title: "the first screen",
  });
  tabs = tabList("rooms", { class: "tabs" });
  id = uniqueId("room");
  main = html("div", { class: "room", id: this.id, role: "tabpanel", tabindex: "-1" });
  /** @type {import("./rooms/room.js").Room | null} */
  room = null;
  /** @type {Lab | null} */
  lab = null;

  constructor() {
    this.name.append(...labelled("logo", NAME));
  }

  /** @param {Lab} lab */
  open(lab) {
    this.lab = lab;
    for (const { name, label } of ROOMS) {
      if (name === HOME) continue; // the page's own name leads there
      const names = { role: "tab", "data-room": name, "aria-controls": this.id };
      this.tabs.append(button(label, () => lab.go({ room: name }, true), names));
    }
  }

  /** Show the room of the place anew. */
  enter() {
    if (!this.lab) return;
    this.leave();
    const { name, label, Room } = this.at;
    const panel = html("div", { class: `inside ${name}` });
    this.main.replaceChildren(panel);
    this.main.setAttribute("aria-label", label);
    const tabs = [...this.tabs.querySelectorAll("button")];
    tabs.forEach((tab, number) => {
      const isSelected = tab.dataset.room === name;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected || (name === HOME && !number) ? 0 : -1;
    });
    this.name.setAttribute("aria-current", String(name === HOME));
    this.room = new Room(panel, this.lab);
  }

  /** The room where we are. */
  get at() {
    return ROOMS.find(({ name }) => name === this.lab?.place.room) ?? ROOMS[0];
  }

  /** The title of the window: position, room, page. */
  get title() {
    const { name, label } = this.at;
    const title = this.room?.title ?? "";
    const short = title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE)}…` : title;
    const parts = name === HOME ? [] : [short, label];
    return [...parts, NAME].filter(Boolean).join(" · ");
  }

  /** Take the focus that a control lost because it was hidden or removed. @param {Element} control */
  keepFocus(control) {
    if (document.activeElement === document.body && !control.checkVisibility())
      this.main.focus({ preventScroll: true });
  }

  leave() {
    this.room?.stop();
    this.room = null;
  }

  /** Handle a key that no part of the page has handled. @param {KeyboardEvent} event */
  hearKey(event) {
    if (this.dialog.element.open) return;
    const help = { keys: [HELP], text: "", act: () => this.showKeys() };
    press(event, [help, ...(this.room?.keys ?? [])]);
  }

  showKeys() {
    this.dialog.show(this.at.label, this.room?.keys ?? []);
  }
}

/** A line above the room, which stays until it is answered. @param {string} text */
const note = (text = "") => html("p", { class: "offline", role: "status", hidden: !text }, text);

/** Return functions that announce a text to screen readers, or show it too. */
function teller() {
  const spoken = html("div", { class: "spoken", role: "status", "aria-live": "polite" });
  const element = html("div", { class: "told", "aria-hidden": "true", hidden: true });
  const announce = (/** @type {string} */ text) => {
    spoken.textContent = text;
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {string} text */
  const tell = (text) => {
    element.textContent = text;
    element.hidden = false;
    announce(text);
    clearTimeout(timer);
    timer = setTimeout(() => (element.hidden = true), SEEN);
  };
  return { elements: [spoken, element], announce, tell };
}

/** One page: its frame, and what the rooms share. */
class Page {
  rooms = new Rooms();
  told = teller();
  texts = new Texts();
  consent = new Consent();
  sharing = new Sharing();
  offline = note("no connection to plyscope; trying again …");
  gone = note("the kernel was restarted or has ended: run this cell again");
  wrong = note();
  isLeft = false;
  /** Whether a room is being shown, or a place followed. */
  isGoing = false;
  /** @type {Lab | null} */
  lab = null;
  /** @type {Address | null} */
  address = null;

  /** @param {Model} model @param {Element} holder */
  constructor(model, holder) {
    this.model = model;
    this.client = new Client(model, this.lose);
    const { rooms, offline, gone, wrong } = this;
    this.root = html("div", { class: "plyscope", [NO_SHORTCUTS]: "true" });
    const title = html("h1", {}, rooms.name);
    this.theme = new ThemeButton(this.root);
    rooms.dialog.element.append(this.theme.element);
    const top = [title, rooms.tabs, this.sharing.element, rooms.help];
    const spoken = [...this.told.elements, rooms.dialog.element, this.consent.element];
    this.root.append(html("header", { class: "top" }, ...top));
    this.root.append(offline, gone, wrong, rooms.main, ...spoken);
    this.root.addEventListener("keydown", (event) => {
      rooms.hearKey(event);
      keepInside(event, this.root);
    });
    this.root.addEventListener("focusout", ({ target, relatedTarget }) => {
      if (!relatedTarget) queueMicrotask(() => rooms.keepFocus(/** @type {Element} */ (target)));
    });
    holder.replaceChildren(this.root);
    offline.hidden = gone.hidden = true;
    this.unhear = browser.on(() => this.told.tell(FORGETFUL));
    model.on("connected", this.showConnection);
    model.on("change:place", this.follow);
    model.on("fault", this.fail);
    model.on("comm_live_update", this.lose); // Jupyter tells it once, as the kernel is restarted
    this.open().catch(this.fail);
  }

  /** The kernel that answered has gone: nothing here leads anywhere any more. */
  lose = () => {
    this.gone.hidden = false;
    this.rooms.main.inert = this.rooms.tabs.inert = true;
    this.rooms.room?.quiet(); // the last result stays, without progress that has ended
  };

  /** @param {boolean} isConnected */
  showConnection = (isConnected) => {
    this.offline.hidden = isConnected;
  };

  /** @param {Error} error */
  fail = ({ message }) => {
    this.wrong.textContent = message;
    this.wrong.hidden = false;
  };

  /**
   * Send a request until it is answered, with a note meanwhile: plyscope takes seconds to start.
   * @template T @param {() => Promise<T>} ask @returns {Promise<T>}
   */
  async insist(ask) {
    const said = status();
    this.rooms.main.replaceChildren(said);
    const starting = () =>
      this.model.isStarting ? "loading Python, some megabytes at the first visit …" : STARTING;
    const timer = setTimeout(() => (said.textContent = starting()), DELAY_MS);
    let tries = 0;
    let again = 0;
    try {
      return await new Promise((resolve, reject) => {
        const attempt = () => {
          if (!this.isLeft && tries++ < MOST_TRIES) ask().then(resolve, reject);
        };
        attempt();
        again = window.setInterval(() => {
          if (this.model.isStarting) return;
          said.textContent = "plyscope does not answer; trying again …";
          attempt();
        }, AGAIN);
      });
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      said.remove();
    }
  }

  async open() {
    const { client, model } = this;
    const catalogues = await this.insist(() => client.ask("catalogues", {}));
    const { own } = catalogues;
    const rooms = ROOMS.map(({ name }) => name);
    // A page that was opened with a game of one's own begins with it.
    const empty = own ? rooms[0] : HOME;
    this.address = new Address(model, catalogues, rooms, empty, own ?? FIRST_GAME);
    const { address } = this;
    const found = await this.insist(
      async () => (await address.find(client)) ?? new Promise(() => {}), // the newest one answers
    );
    if (this.isLeft) return;
    const { mistakes, node } = found;
    const place = await admit(found.place, this.texts, this.consent.ask);
    if (this.isLeft) return;
    /** @type {Lab} */
    const lab = {
      client,
      game: new Game(client, node),
      catalogues,
      proofs: new Proofs(),
      tables: new Tables(),
      texts: this.texts,
      editor: model.editor,
      pictures: new Pictures(client),
      place,
      mistakes,
      isFree: !mistakes.length,
      announce: this.told.announce,
      doubt: (key, expected) => this.doubt(key, expected),
      tell: this.told.tell,
      go: (news, isStep = false) => this.go(news, isStep),
    };
    this.lab = lab;
    this.rooms.open(lab);
    this.enter();
    this.follow(); // where the model has gone meanwhile
  }

  /** Show the room of the place: what it says of itself meanwhile is no step. */
  enter() {
    this.isGoing = true;
    this.rooms.enter();
    this.isGoing = false;
    // a notebook's address is not the page's, and the first screen has nothing to share
    this.sharing.follow(this.rooms.room, this.isShared ? this.link : null);
    this.entitle();
    this.tellMistakes();
  }

  /** Whether the address of the window is that of the place. */
  get isShared() {
    return Boolean(this.model.entitle) && this.rooms.at.name !== HOME;
  }

  link = () => `${location.href.split("#")[0]}#${formatPlace(shared(this.lab?.place ?? {}))}`;

  /** @param {Place} news @param {boolean} isStep */
  go(news, isStep) {
    const { lab, address } = this;
    if (!lab || !address) return;
    const { room } = lab.place;
    lab.place = address.after(lab.place, news);
    // what a room says of itself while it is being left would stand in the place of the next one
    if (lab.isFree && !address.isFinding) address.write(lab.place, isStep && !this.isGoing);
    if (lab.place.room !== room) this.enter();
    this.entitle();
  }

  /** Go where the model has gone: back, on, or to a link. */
  follow = () => {
    if (this.address?.isElsewhere) this.followIt().catch(this.fail);
  };

  async followIt() {
    const { lab, address } = this;
    if (!lab || !address) return;
    const found = await address.find(this.client, lab.game.root);
    if (this.isLeft || !found) return;
    const { node, mistakes } = found;
    const place = await admit(found.place, this.texts, this.consent.ask);
    const keys = Object.keys({ ...lab.place, ...place });
    const changed = keys.filter((key) => lab.place[key] !== place[key]);
    const isSameRoom = place.room === lab.place.room;
    Object.assign(lab, { place, mistakes, isFree: !mistakes.length });
    const isGameAlone = isSameRoom && changed.every((key) => OF_GAMES.includes(key));
    if (!isGameAlone) this.rooms.leave();
    this.isGoing = true;
    if (place.room !== HOME) lab.game.turnTo(node);
    this.isGoing = false;
    if (!isGameAlone) {
      lab.players = lab.analysis = lab.tree = lab.quiz = undefined; // a link says them anew
      this.enter();
      return;
    }
    this.tellMistakes();
    this.entitle();
  }

  entitle() {
    this.model.entitle?.(this.rooms.title);
  }

  /** Note a wrong value in the address. @param {string} key @param {string} expected */
  doubt(key, expected) {
    const { lab } = this;
    if (!lab) return;
    lab.mistakes.push(mistake(key, lab.place[key], expected));
    lab.isFree = false;
    if (!this.isGoing) this.tellMistakes();
  }

  /** Say what is wrong with the link until something else is done. */
  tellMistakes() {
    const { lab, root, wrong } = this;
    wrong.hidden = true;
    if (!lab || lab.isFree) return;
    wrong.textContent = lab.mistakes.join("; ");
    wrong.hidden = false;
    lab.announce(wrong.textContent);
    const ending = new AbortController();
    /** @param {Event} event */
    const act = (event) => {
      if (event instanceof KeyboardEvent && !isAction(event)) return;
      lab.isFree = wrong.hidden = true;
      lab.mistakes = [];
      ending.abort();
    };
    for (const kind of ["click", "keydown"])
      root.addEventListener(kind, act, { capture: true, signal: ending.signal });
  }

  end() {
    this.isLeft = true;
    this.rooms.leave();
    this.client.end();
    this.theme.end();
    this.unhear();
    this.model.off("connected", this.showConnection);
    this.model.off("change:place", this.follow);
    this.model.off("fault", this.fail);
    this.model.off("comm_live_update", this.lose);
  }
}

/**
 * Keep a key from the notebook around the page, except saving and printing. JupyterLab hears keys
 * on the document; its attribute covers only shortcuts of outer elements.
 * @param {KeyboardEvent} event @param {HTMLElement} root
 */
function keepInside(event, root) {
  const { key, ctrlKey, metaKey } = event;
  if (!((ctrlKey || metaKey) && /^[sp]$/i.test(key))) {
    event.stopPropagation();
    return;
  }
  root.removeAttribute(NO_SHORTCUTS);
  setTimeout(() => root.setAttribute(NO_SHORTCUTS, "true"));
}

/** Keys that lead elsewhere change nothing here. @param {KeyboardEvent} event */
const isAction = ({ key, ctrlKey, metaKey, altKey }) =>
  !(ctrlKey || metaKey || altKey || ["Tab", "Shift", "Control", "Meta", "Alt"].includes(key));

/** @param {{ model: Model, el: Element }} context */
function render({ model, el }) {
  const page = new Page(model, el);
  return () => page.end();
}

export default { render };
