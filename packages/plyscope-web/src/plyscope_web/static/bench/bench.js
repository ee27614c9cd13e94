// The bench: choose, change, measure, save, share and play a heuristic.
import { button, details, help, html, iconButton, toolbar } from "../shell/dom.js";
import { choice, field, form, optionsOf, submit, textInput } from "../shell/forms.js";
import {
  DRAFT,
  heuristicAsked,
  heuristicName,
  heuristicOptions,
  heuristicPlace,
  isOwn,
  isSameTable,
  isWritten,
  ownValue,
  playersPlace,
  tableChosen,
} from "../shell/tables.js";
import { WRITE } from "../shell/texts.js";
import { beginText, Editor } from "../writing/editor.js";
import { Sliders } from "./sliders.js";
import { TableText } from "./text.js";
import { WrongMoves } from "./wrong.js";

const SETTLED = 250; // milliseconds without a change after which a table is searched with
const PLIES = 2; // of a table that is played against

/**
 * @typedef {object} Hooks
 * @property {(value: string) => void} choose is told of a heuristic that was chosen or has settled
 * @property {() => void} follow is told of each change of the table on the way
 */

export class Bench {
  choice = choice([], undefined, (value) => this.choose(value));
  none = help();
  /** The heuristic that the edited table started from. */
  before = "counted-lines";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  /** @type {LineTable | null} */
  table = null;

  /** @param {import("../rooms/room.js").Room} room @param {string} value @param {Hooks} hooks */
  constructor(room, value, hooks) {
    this.room = room;
    this.lab = room.lab;
    this.value = value;
    this.hooks = hooks;
    this.wrong = new WrongMoves(room, (position) => this.open(position));
    this.sliders = new Sliders((table) => this.change(table));
    this.text = new TableText(room, (name, table) => this.take(name, table));
    this.editor = new Editor(room, {
      position: () => room.game.shown.position,
      follow: () => hooks.follow(),
      settle: (name) => hooks.choose(name),
    });
    this.back = iconButton("undo", "", () => this.takeBack(), { class: "quiet", hidden: true });
    this.name = textInput("", { placeholder: "a name", "aria-label": "name of the table" });
    this.remove = button("Remove", () => this.forget(), { hidden: true });
    this.keeping = form(() => this.keep(), this.name, submit("Save"), this.remove);
    this.uses = toolbar(
      "use the table",
      button("Play against it", () => this.play()),
      button("Watch in Trees", () => this.watch()),
    );
    this.more = details(
      "More terms, save and use, as text",
      this.sliders.others,
      this.keeping,
      this.uses,
      this.text.element,
    );
    this.more.ontoggle = () => this.text.write();
    this.element = html(
      "div",
      { class: "bench" },
      html("div", { class: "form" }, field("Heuristic", this.choice), this.back),
      this.editor.element,
      this.none,
      this.wrong.element,
      this.sliders.element,
      this.more,
    );
    room.endings.push(
      this.lab.tables.on(() => this.hear()),
      this.lab.texts.on(() => this.offer()),
      () => clearTimeout(this.timer),
    );
    this.offer();
  }

  /** Offer what there is now. */
  offer() {
    this.choice.replaceChildren(...optionsOf(heuristicOptions(this.lab)));
    this.choice.value = this.value;
    this.editor.show(this.value);
  }

  /** Tables were saved or removed, here or in another window: the one that is shown may be another
   * one now, or go on without a name. */
  hear() {
    this.offer();
    if (!isOwn(this.value) || !this.table) return;
    const kept = tableChosen(this.lab, this.value);
    if (!kept) this.goOn(this.table);
    else if (!isSameTable(kept, this.table)) this.hooks.choose(this.value);
  }

  /** Go on with a table that has no name any more. @param {LineTable} table */
  goOn(table) {
    this.begin(table);
    this.before = "counted-lines";
    this.choose(DRAFT);
  }

  /** The name of the heuristic. */
  get said() {
    return heuristicName(this.value);
  }

  /** The heuristic for a request. */
  get asked() {
    return heuristicAsked(this.lab, this.value);
  }

  /**
   * What is known of the heuristic.
   * @param {Pick<Explanation, "heuristic" | "table" | "scope">} explanation @param {Shown} shown
   */
  draw({ heuristic, table, scope }, shown) {
    const isDraft = this.value === DRAFT;
    this.table = table;
    this.none.textContent = table ? "" : `${heuristic} is not a table: it has no numbers to change`;
    this.none.hidden = Boolean(table);
    this.back.hidden = !isDraft;
    this.back.querySelector("span")?.replaceChildren(`back to ${heuristicName(this.before)}`);
    this.remove.hidden = !isOwn(this.value);
    const named = isDraft ? this.before : this.value;
    if (document.activeElement !== this.name)
      this.name.value = isOwn(named) ? heuristicName(named) : "";
    this.more.hidden = !table;
    this.sliders.draw(table, shown, scope);
    this.text.draw(table, isOwn(named) ? heuristicName(named) : "mine");
    this.count(shown);
  }

  /** @param {Shown} shown */
  count(shown) {
    this.shown = shown;
    const { before, lab } = this;
    const baseline = isOwn(before) ? tableChosen(lab, before) : before; // which may be removed
    if (isWritten(lab, this.value) && !lab.texts.get(this.value)) return;
    this.wrong.draw(shown, this.asked, (this.value === DRAFT && baseline) || undefined);
  }

  /** Now that one looks at it, what is seen is asked for. */
  show() {
    if (this.shown) this.count(this.shown);
  }

  /** @param {string} value */
  choose(value) {
    clearTimeout(this.timer);
    if (value === WRITE) {
      this.room.attempt(async () => this.choose(await beginText(this.lab)));
      return;
    }
    this.value = value;
    this.offer();
    this.hooks.choose(value);
  }

  /** The table was changed by hand: all that is quick follows at once. @param {LineTable} table */
  change(table) {
    this.begin(table);
    this.hooks.follow();
    this.timer = setTimeout(() => this.hooks.choose(DRAFT), SETTLED);
  }

  /** @param {LineTable} table */
  begin(table) {
    clearTimeout(this.timer);
    if (this.value !== DRAFT) this.before = this.value;
    this.value = DRAFT;
    this.lab.tables.setDraft(table);
  }

  /** A table was pasted. @param {string} name @param {LineTable} table */
  take(name, table) {
    this.begin(table);
    this.name.value = name;
    this.choose(DRAFT);
  }

  takeBack() {
    const value = this.before;
    this.choose(value);
    this.lab.tables.setDraft(null);
  }

  /** Keep the table under the name. */
  keep() {
    const { table } = this;
    if (!table) return;
    this.room.attempt(() => {
      const name = this.lab.tables.save(this.name.value, table);
      this.choose(ownValue(name));
      this.lab.tables.setDraft(null);
      this.lab.announce(`saved ${name}`);
    });
  }

  forget() {
    const { value } = this;
    if (!isOwn(value)) return;
    const table = tableChosen(this.lab, value);
    if (table) this.goOn(table);
    this.room.attempt(() => this.lab.tables.remove(heuristicName(value)));
  }

  /** The value of the table as a player or in another room: one of one's own. */
  get ownValue() {
    if (!this.value.startsWith(DRAFT) && this.table) this.lab.tables.setDraft(this.table);
    return this.value.startsWith(DRAFT) ? this.value : DRAFT;
  }

  play() {
    const o = `${this.ownValue}@${PLIES}`;
    this.lab.players = { x: "human", o };
    const table = playersPlace(this.lab, this.lab.players);
    this.lab.go({ room: "play", x: "", o, moves: "", variations: "", ...table }, true);
  }

  watch() {
    const heuristic = this.ownValue;
    const place = heuristicPlace(this.lab, heuristic);
    const tree = this.room.game.shown.position;
    this.lab.go({ room: "trees", tree, ...place }, true);
  }

  /** @param {string} position */
  open(position) {
    this.room.attempt(async () => {
      await this.room.game.start(position);
      if (this.lab.place.room !== "analyze")
        this.lab.go(
          { room: "analyze", ...heuristicPlace(this.lab, this.value, "counted-lines") },
          true,
        );
    });
  }
}
