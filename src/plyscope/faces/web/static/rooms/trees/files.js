// The drawing as a file: the server writes SVG and TikZ; a PNG is the SVG at twice its size.
import { button, download, toolbar } from "../../shell/dom.js";

const TYPES = { svg: "image/svg+xml", tikz: "application/x-tex" };

/** @param {import("./room.js").TreesRoom} room */
export function fileButtons(room) {
  /** @param {"svg" | "tikz"} form */
  const drawn = (form) =>
    room.ask("draw", { ...room.asked, form, step: room.ownStep(room.first, room.stepper.step) });
  /** @param {"svg" | "tikz"} form */
  const save = async (form) => {
    const { name, text } = await drawn(form);
    download(name, TYPES[form], text);
  };
  const savePng = async () =>
    download("tree.png", "image/png", await png((await drawn("svg")).text));
  return toolbar(
    "save the drawing",
    button("SVG", () => room.attempt(() => save("svg")), { title: "a drawing for documents" }),
    button("PNG", () => room.attempt(savePng), { title: "a picture" }),
    button("TikZ", () => room.attempt(() => save("tikz")), { title: "for LaTeX" }),
  );
}

/** @param {string} text of an SVG @returns {Promise<Blob>} */
function png(text) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("this browser cannot draw so large a picture; try SVG"));
    const image = new Image();
    image.onerror = fail;
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : fail()));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}
