// The question whether a heuristic from a link may run.
import { button, heading, html, paragraph, toolbar } from "../shell/dom.js";
import { withoutDepth } from "../shell/tables.js";
import { decodeText, TEXTS } from "../shell/texts.js";

export class Consent {
  body = html("div");
  element = html("dialog", { class: "keys consent", "aria-label": "a heuristic from a link" });
  /** @type {(is: boolean) => void} */
  answer = () => {};

  constructor() {
    const run = button("Run it", () => this.close(true), { class: "primary" });
    const refuse = button("Do not run it", () => this.close(false));
    this.element.append(
      heading("This link brings a heuristic"),
      this.body,
      toolbar("answer", run, refuse),
    );
    this.element.oncancel = () => this.answer(false); // Escape
  }

  /** @param {boolean} is */
  close(is) {
    this.element.close();
    this.answer(is);
  }

  /**
   * Show a text, and return whether it may run.
   * @param {string} text @param {boolean} replaces whether the user has another text
   * @returns {Promise<boolean>}
   */
  ask = (text, replaces) => {
    const kept = replaces ? " Your own text is kept, and can be brought back." : "";
    this.body.replaceChildren(
      paragraph(
        "Somebody else may have written it. It would run in a worker of this browser, which can be " +
          `stopped, and reaches no file of yours.${kept}`,
      ),
      html("pre", { class: "brought", tabindex: "0" }, text),
    );
    this.element.showModal();
    return new Promise((resolve) => (this.answer = resolve));
  };
}

/**
 * Take the texts of a place that may run; the others are left out of it.
 * @param {Place} place @param {import("../shell/texts.js").Texts} texts
 * @param {(text: string, replaces: boolean) => Promise<boolean>} ask whether a text may run
 * @returns {Promise<Place>}
 */
export async function admit(place, texts, ask) {
  const kept = { ...place };
  for (const name of TEXTS) {
    const text = decodeText(place[name] ?? "");
    if (!text) continue;
    const own = texts.get(name);
    if (text === own || (await ask(text, Boolean(own)))) {
      texts.bring(name, text);
      texts.linked.add(name);
    } else {
      delete kept[name];
      for (const key of ["heuristic", "x", "o"])
        if (!own && withoutDepth(kept[key] ?? "") === name) delete kept[key];
    }
  }
  return kept;
}
