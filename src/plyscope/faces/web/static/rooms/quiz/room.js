// Quiz: alpha-beta by hand. What is filled in is marked, with what may have gone wrong.
import { details, heading, html, iconButton, paragraph, toolbar } from "../../dom.js";
import { Room } from "../room.js";
import { remarks } from "./marking.js";
import { Paper } from "./paper.js";
import { USUAL, WishesForm } from "./wishes.js";

const HOW_IT_IS_MARKED =
  "A window is written as alpha and beta, as they are when the node is called; ∞ may be written " +
  "inf. Below a cut nothing is asked. A value that is wrong and follows from your own values " +
  "below it is worth half a point; a cut that is none costs one.";
/** Remarks beyond which their list is closed at first. */
const OPEN_REMARKS = 12;

export class QuizRoom extends Room {
  task = html("p", { class: "task" });
  paper = new Paper();
  result = html("div", { class: "result", role: "status" });
  /** What was asked for, as it was then, and the question that came. */
  asked = /** @type {{ wishes: QuestionWishes, question: Question } | null} */ (null);

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.wishes = lab.quiz ??= { ...USUAL, tree: lab.asked };
    this.form = new WishesForm(this.wishes, () => this.load());
    this.arrange();
    this.load();
  }

  arrange() {
    const { task, paper, alert, result, form } = this;
    const buttons = toolbar(
      "answer",
      iconButton("play", "Mark", () => this.mark(false), { class: "primary", title: "m" }),
      iconButton("hint", "Show the key", () => this.mark(true), { title: "k" }),
      iconButton("undo", "Clear", () => this.clear()),
      iconButton("forward", "Next question", () => this.next(), { title: "n" }),
    );
    const how = [heading("How it is marked"), paragraph(HOW_IT_IS_MARKED)];
    this.mount({
      stage: ["question", task, paper.element, buttons, alert, result],
      side: ["which questions", heading("Questions"), form.element, ...how],
    });
  }

  get keys() {
    return [
      { keys: ["m"], text: "mark", act: () => this.mark(false) },
      { keys: ["k"], text: "show the key", act: () => this.mark(true) },
      { keys: ["n"], text: "next question", act: () => this.next() },
    ];
  }

  next() {
    this.form.draw({ seed: this.wishes.seed + (this.wishes.tree ? 0 : 1) });
  }

  load() {
    this.cancel("mark"); // of the question before
    this.result.replaceChildren();
    return this.attempt(async () => {
      const wishes = { ...this.wishes };
      const question = await this.ask("question", wishes);
      this.asked = { wishes, question };
      this.task.textContent = question.task;
      this.paper.draw(question);
    });
  }

  clear() {
    this.result.replaceChildren();
    if (this.asked) this.paper.draw(this.asked.question);
  }

  /** @param {boolean} withKey */
  mark(withKey) {
    return this.attempt(async () => {
      if (!this.asked) return;
      const { wishes: question } = this.asked;
      const { answer } = this.paper;
      this.show(await this.ask("mark", { question, answer, with_key: withKey }));
    });
  }

  /** @param {Marking} marking */
  show({ points, possible, marks, diagnosis, key }) {
    const { nodes } = this.asked?.question ?? { nodes: [] };
    this.paper.showMarks(marks);
    if (key) this.paper.fillIn(key);
    const total = `${points} of ${possible} points`;
    const list = remarks(nodes, marks).map((text) => html("li", {}, text));
    const look = details(`${list.length} to look at`, html("ul", {}, list));
    look.open = list.length < OPEN_REMARKS;
    this.result.replaceChildren(
      html("p", { class: "points" }, `${total}${key ? ", before the key was filled in" : ""}`),
      diagnosis ? html("p", { class: "diagnosis" }, `It looks as if ${diagnosis}.`) : "",
      list.length ? look : paragraph("all right"),
    );
    this.lab.announce(`${total}. ${diagnosis ?? ""}`);
  }
}
