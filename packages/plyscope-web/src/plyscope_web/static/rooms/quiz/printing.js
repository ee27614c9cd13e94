// The printed question sheet, with its key on a separate page.
import { html, table } from "../../shell/dom.js";

/** @param {Printed} drawn */
function printedPart({ title, sheets }) {
  const parts = sheets.map(({ words, head, rows, svg }, number) =>
    html(
      "div",
      { class: "question" },
      sheets.length > 1 && html("h2", {}, `Question ${number + 1}`),
      ...words.map((text) => html("p", {}, text)),
      html("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: "" }),
      rows.length > 0 && table(head, rows),
    ),
  );
  return html("section", {}, html("h1", {}, title), ...parts);
}

/**
 * Print a sheet and its key; all else on the page stays off the paper.
 * @param {HTMLElement} root the page, or the widget @param {PrintedSheets} printed
 */
export async function print(root, { questions, keys }) {
  root.querySelector(".printed")?.remove();
  const element = html("div", { class: "printed" }, printedPart(questions), printedPart(keys));
  root.append(element);
  await Promise.all([...element.querySelectorAll("img")].map((image) => image.decode()));
  addEventListener("afterprint", () => element.remove(), { once: true });
  window.print();
}
