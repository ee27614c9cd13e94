// plyscope in anywidget's form: `render({model, el})`. The model carries questions to Python and answers back, and `place`: where one is.
import { Client } from "./client.js";
import { h, announcer, icon } from "./dom.js";
import { Game } from "./game.js";
import { playRoom } from "./play.js";
import { analyzeRoom } from "./analyze.js";
import { treesRoom } from "./trees.js";
import { quizRoom } from "./quiz.js";

const ROOMS = [
  ["play", "Play", playRoom],
  ["analyze", "Analyse", analyzeRoom],
  ["trees", "Trees", treesRoom],
  ["quiz", "Quiz", quizRoom],
];
const THEMES = ["auto", "light", "dark"];

async function render({ model, el }) {
  const client = new Client(model);
  const live = announcer();
  const lab = { client, announce: live.announce, place: { room: "play", ...model.get("place") } };
  lab.go = (news) => {
    lab.place = Object.fromEntries(Object.entries({ ...lab.place, ...news }).filter(([, value]) => value !== undefined && value !== ""));
    model.set("place", lab.place);
    model.save_changes();
  };
  const offline = h("p", { class: "offline", role: "status", hidden: true }, "plyscope is out of reach; trying again …");
  model.on("connected", (is) => {
    offline.hidden = is;
    if (!is) client.lost();
  });

  const root = h("div", { class: "plyscope" });
  const theme = h("button", { class: "quiet", type: "button" });
  let chosen = localStorage.getItem("plyscope-theme") ?? "auto";
  const show = () => {
    root.dataset.theme = chosen;
    theme.replaceChildren(icon(chosen === "dark" ? "moon" : chosen === "light" ? "sun" : "halves"), h("span", {}, `Theme: ${chosen}`));
  };
  theme.onclick = () => {
    chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
    localStorage.setItem("plyscope-theme", chosen);
    show();
  };
  show();

  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "rooms" });
  const main = h("div", { class: "room", id: "room", role: "tabpanel", tabindex: "-1" });
  root.append(
    h("header", { class: "top" }, h("h1", {}, icon("logo"), "plyscope"), tabs, theme),
    offline,
    main,
    live.element,
  );
  el.replaceChildren(root);

  lab.catalogues = await client.ask("catalogues", {});
  lab.game = new Game(client);
  try {
    await lab.game.start(lab.place.position ?? "tictactoe", (lab.place.moves ?? "").split(",").filter(Boolean));
  } catch (error) {
    await lab.game.start("tictactoe");
    live.announce(error.message);
    offline.hidden = false;
    offline.textContent = error.message;
  }

  let leave = () => {};
  const enter = (name, focus = false) => {
    leave();
    const [, label, build] = ROOMS.find(([key]) => key === name) ?? ROOMS[0];
    const panel = h("div", { class: `inside ${name}` });
    main.replaceChildren(panel);
    main.setAttribute("aria-label", label);
    for (const tab of tabs.children) {
      const is = tab.dataset.room === name;
      tab.setAttribute("aria-selected", is);
      tab.tabIndex = is ? 0 : -1;
      if (is && focus) tab.focus();
    }
    lab.go({ room: name });
    leave = build(panel, lab) ?? (() => {});
  };
  for (const [name, label] of ROOMS) {
    tabs.append(
      h("button", { role: "tab", type: "button", "data-room": name, "aria-controls": "room", onclick: () => enter(name) }, label),
    );
  }
  tabs.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = ROOMS.findIndex(([name]) => name === lab.place.room);
    enter(ROOMS[(at + step + ROOMS.length) % ROOMS.length][0], true);
    event.preventDefault();
  };
  enter(ROOMS.some(([name]) => name === lab.place.room) ? lab.place.room : "play");
  return () => leave();
}

export default { render };
