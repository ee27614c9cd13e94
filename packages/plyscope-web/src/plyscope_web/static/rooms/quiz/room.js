// Quiz: search a tree by hand, with hints and marks.
import {
  button,
  details,
  heading,
  help,
  html,
  iconButton,
  paragraph,
  table,
  tableRow,
  toolbar,
} from "../../shell/dom.js";
import { controls, field, isRight, numberInput } from "../../shell/forms.js";
import { browser, readKept, tab } from "../../shell/memory.js";
import { Tools } from "../../shell/tools.js";
import { counted } from "../../shell/wording.js";
import { Room } from "../room.js";
import { BoardPaper } from "./boardpaper.js";
import { Ladder, RUNGS, rungOf } from "./ladder.js";
import { pointsText, remarks } from "./marking.js";
import { Paper } from "./paper.js";
import { print } from "./printing.js";
import { RungList } from "./rungs.js";
import { BOARD, USUAL, SettingsForm, placeOf, settingsOf } from "./settings.js";

const HOW_IT_IS_MARKED =
  "Write the window as alpha and beta at the call of the node; inf stands for ∞. Nodes below a cut " +
  "need no answer. A wrong value that follows from your own values below it gets half a point. A " +
  "wrong cut costs one point. Hints are free.";
const NOTHING_MARKED = "The marks will appear here.";
const MOST_PRINTED = 20;
const KEPT = "plyscope-answer";
/** Said of points once the key stands in the fields. */
const WITHOUT_KEY = "for your answers before the key was shown";

/** @typedef {ReturnType<typeof remarks>[number]} Remark */
/** @typedef {{ settings: QuestionSettings, question: Question | null, posed: Posed | null }} Asked */

export class QuizRoom extends Room {
  task = html("p", { class: "status task" });
  rules = html("ul", { class: "rules" });
  convention = html("p", { class: "help" });
  result = html("div", { class: "result", role: "status" });
  marks = html("div", { class: "marks" }, help(NOTHING_MARKED));
  /** The settings of the request, and its question: on a tree or on a board. */
  asked = /** @type {Asked | null} */ (null);
  ofTrees = html("div");
  printing = this.makePrinting();
  hintButton = iconButton("hint", "Hint", () => this.hint(), { title: "h" });
  marker = iconButton("play", "Mark", () => this.mark(false), { class: "primary", title: "m" });
  boardPaper = new BoardPaper(() => this.marker.focus());
  /** @type {CluePlace | null} */
  hinted = null;
  hints = 0;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.ladder = lab.ladder ??= new Ladder(browser);
    const { algorithm, asked } = this.ladder.highest;
    this.settings = lab.quiz = settingsOf(lab.place, lab.quiz ?? { ...USUAL, algorithm, asked });
    this.form = new SettingsForm(this.settings, () => this.load());
    this.rungs = new RungList(this.ladder, (name) => this.climb(name));
    this.paper = new Paper(
      (answer) => this.keep(answer),
      () => this.marker.focus(),
    );
    this.endings.push(() => this.paper.end());
    this.arrange();
    this.load();
  }

  arrange() {
    const { task, paper, alert, result, form, rungs, marks } = this;
    this.ofTrees.append(this.convention, form.rules);
    this.tools = new Tools("the question and its marks", [
      {
        name: "question",
        label: "Question",
        parts: [
          rungs.element,
          heading("The rules here"),
          this.rules,
          details(
            "Other questions and conventions",
            iconButton("undo", "Clear", () => this.clear()),
            this.ofTrees,
            form.tree,
            help("Share copies a link to this question."),
            this.printing,
            paragraph(HOW_IT_IS_MARKED),
          ),
        ],
      },
      { name: "marks", label: "Marks", parts: [marks] },
    ]);
    const bar = toolbar(
      "answer",
      this.marker,
      this.hintButton,
      iconButton("last", "Show the key", () => this.mark(true), { title: "k" }),
      iconButton("forward", "Next question", () => this.next(), { title: "n" }),
    );
    this.mount({
      stage: ["question", task, paper.element, this.boardPaper.element, bar, alert, result],
      side: ["which questions", this.tools.element],
    });
  }

  makePrinting() {
    const number = numberInput(1, { min: 1, max: MOST_PRINTED });
    return controls(
      help("The key is on its own page."),
      field("Questions on the sheet", number),
      iconButton(
        "down",
        "Print with the key",
        () => isRight(number) && this.print(Number(number.value)),
      ),
    );
  }

  get title() {
    const { tree, seed } = this.settings;
    return tree ?? `question ${seed}`;
  }

  get keys() {
    return [
      { keys: ["m"], text: "mark", act: () => this.mark(false) },
      { keys: ["h"], text: "a hint", act: () => this.hint() },
      { keys: ["k"], text: "show the key", act: () => this.mark(true) },
      { keys: ["n"], text: "next question", act: () => this.next() },
    ];
  }

  /** The question by its name: the same answer would be right. */
  get name() {
    const { settings = null, posed = null } = this.asked ?? {};
    return JSON.stringify(posed ? [settings?.asked[0], settings?.seed] : (settings ?? {}));
  }

  get rung() {
    return rungOf(this.asked?.settings ?? this.settings);
  }

  next() {
    this.form.draw({ seed: this.settings.seed + (this.settings.tree ? 0 : 1) });
  }

  /** @param {string} name */
  climb(name) {
    const { algorithm, asked } = RUNGS.find((rung) => rung.name === name) ?? RUNGS[0];
    this.form.set({ algorithm, asked });
  }

  load() {
    this.cancel("mark", "clue", "question", "pose", "grade"); // of the question before
    this.lab.go(placeOf(this.settings));
    this.rungs.draw(rungOf(this.settings).name);
    const settings = { ...this.settings };
    this.asked = null; // nothing is marked until the question is there
    const isBoard = settings.algorithm === BOARD;
    this.paper.element.hidden = isBoard;
    this.boardPaper.element.hidden = !isBoard;
    for (const part of [this.ofTrees, this.printing, this.hintButton]) part.hidden = isBoard;
    return this.attempt(async () => {
      const question = isBoard ? null : await this.ask("question", settings);
      const { seed, asked } = settings;
      const posed = question ? null : await this.ask("pose", { seed, ask: asked[0] });
      this.asked = { settings, question, posed };
      const { task, rules } = /** @type {Question | Posed} */ (question ?? posed);
      const kept = readKept(tab, KEPT);
      this.begin((question && kept?.question === this.name && kept.answer) || {});
      this.task.textContent = task;
      const said = rules.length ? rules : ["Every node is searched."];
      this.rules.replaceChildren(...said.map((text) => html("li", {}, text)));
      this.convention.textContent = question?.convention ?? "";
    });
  }

  /** @param {Record<string, NodeAnswer>} answer */
  begin(answer) {
    const { question = null, posed = null } = this.asked ?? {};
    Object.assign(this, { hinted: null, hints: 0 });
    this.result.replaceChildren();
    this.marks.replaceChildren(help(NOTHING_MARKED));
    this.tools?.show("question");
    if (posed) this.boardPaper.draw(posed);
    if (question) this.paper.draw(question, answer);
  }

  /** Keep the unfinished answer while this tab is open. @param {Record<string, NodeAnswer>} answer */
  keep(answer) {
    if (this.asked) tab.setItem(KEPT, JSON.stringify({ question: this.name, answer }));
  }

  clear() {
    this.keep({});
    this.begin({});
  }

  /** @param {boolean} withKey */
  mark(withKey) {
    return this.attempt(async () => {
      if (!this.asked) return;
      const { settings, question, posed } = this.asked;
      /** @type {Marking | Grading} */
      let marking;
      /** The marks that are not right. @type {Remark[]} */
      let list = [];
      if (posed) {
        const { seed, asked } = settings;
        const { answer } = this.boardPaper;
        const question = { seed, ask: asked[0] };
        const grading = await this.ask("grade", { question, answer, with_key: withKey });
        this.boardPaper.showMarks((marking = grading));
      } else {
        const asked = { question: settings, answer: this.paper.answer, with_key: withKey };
        const found = await this.ask("mark", asked);
        list = remarks(question?.nodes ?? [], found.marks);
        this.paper.showMarks(found.marks);
        if (found.key) this.paper.fillIn(found.key);
        marking = found;
      }
      this.show(marking, list);
    });
  }

  /** @param {Marking | Grading} marking @param {Remark[]} list what there is to look at */
  show({ points, possible, marks, diagnosis, key, refuted }, list) {
    const isRight = points === possible && marks.every(({ verdict }) => verdict === "right");
    const rung = this.rung.name;
    if (key) this.ladder.give(rung, this.name);
    const opened = key ? undefined : this.ladder.note(rung, this.name, isRight);
    this.rungs.draw(rung);
    const total = `${pointsText(points)} of ${possible} points`;
    const hints = this.hints && `with ${counted(this.hints, "hint")}`;
    const said = [total, hints, key && WITHOUT_KEY].filter(Boolean).join(", ");
    const open = this.asked?.posed ? marks.filter(({ verdict }) => verdict !== "right") : [];
    const wrong = open.map(({ item, verdict }) => `${item}: ${verdict}`).join(", ");
    const isDone = !wrong && !list.length;
    this.result.replaceChildren(
      html("p", { class: "points" }, said),
      diagnosis ? html("p", { class: "diagnosis" }, `It looks as if ${diagnosis}.`) : "",
      wrong && paragraph(wrong),
      refuted ? paragraph(refuted.sentence) : "",
      isDone ? this.praise(opened) : "",
    );
    this.marks.replaceChildren(
      paragraph(`${said}.`),
      list.length ? this.remarkTable(list) : paragraph(wrong || "All is right."),
    );
    if (list.length) this.tools?.show("marks");
    this.lab.announce(`${total}. ${diagnosis ?? ""}`);
  }

  /** @param {import("./ladder.js").Rung} [opened] */
  praise(opened) {
    const { streak } = this.ladder.of(this.rung.name);
    const words = ["all right", streak > 1 && `${streak} in a row`].filter(Boolean).join(", ");
    return html(
      "p",
      { class: "praise" },
      html("span", {}, words),
      opened
        ? button(`Go on to ${opened.label}`, () => this.climb(opened.name), { class: "primary" })
        : button("Another one", () => this.next()),
    );
  }

  /** @param {Remark[]} list */
  remarkTable(list) {
    /** @param {Remark} remark */
    const row = ({ path, item, where, what, given, expected, verdict }) => {
      const point = button(where, () => this.paper.point(path, item), { class: "quiet" });
      const yours = verdict === "follows" ? `${given} ½` : given;
      return tableRow([point, what, yours, expected], { class: verdict });
    };
    const head = ["where", "item", "yours", "expected"];
    const caption = `${list.length} to look at; ½ follows from your own values below`;
    return table(head, list.map(row), caption, { class: "remarks" });
  }

  hint() {
    return this.attempt(async () => {
      if (!this.asked?.question) return;
      const { settings: question } = this.asked;
      const asked = { question, answer: this.paper.answer, after: this.hinted };
      const { place, text } = await this.ask("clue", asked);
      this.hinted = place;
      if (place) {
        this.hints += 1;
        this.paper.point(place.node, place.item);
      }
      this.result.replaceChildren(
        html("p", { class: "hint" }, html("b", {}, "Hint "), text),
        place && place.step !== "answer" ? button("Tell me more", () => this.hint()) : "",
      );
    });
  }

  /** @param {number} number */
  print(number) {
    return this.attempt(async () => {
      if (!this.asked?.question) return;
      const sheets = await this.ask("sheet", { question: this.asked.settings, number });
      const root = /** @type {HTMLElement} */ (this.panel.closest(".plyscope"));
      await print(root, sheets);
    });
  }
}
