// A drawing as an SVG or PNG file, with its title, in light colours.
import { download, html, svg } from "./dom.js";

const LETTER = 0.58; // a letter's width, as a part of its height
/** The style properties that a file keeps. */
const INHERITED = [
  ...["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity"],
  ...["stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order"],
  ...["text-anchor", "font-family", "font-size", "font-style", "font-weight"],
];

/**
 * Save a drawing in a form; raise an error where the browser cannot make it.
 * @param {"svg" | "png"} form a PNG has twice the size, for sharp prints
 * @param {string} name of the file, without its ending
 * @param {Element} home whose style the drawing has
 * @param {Element[]} parts @param {Point} size in the units of the parts
 * @param {number} scale pixels of a unit
 * @param {string} title @param {number} type the height of its letters at most, in units
 */
export async function saveDrawing(form, name, home, parts, [wide, high], scale, title, type) {
  const height = Math.min(type, (0.96 * wide) / (title.length * LETTER));
  const full = high + 2 * height;
  const drawing = svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "drawing",
      viewBox: `0 0 ${wide} ${full}`,
      width: Math.round(wide * scale),
      height: Math.round(full * scale),
    },
    svg("title", {}, title),
    svg("rect", { class: "paper", width: "100%", height: "100%" }),
    ...parts,
    svg("text", { class: "caption", x: wide / 2, y: high + height, "font-size": height }, title),
  );
  const page = html("div", { class: "exported" }, drawing);
  home.append(page);
  for (const element of [drawing, ...drawing.querySelectorAll("*")]) takeStyle(element);
  page.remove();
  for (const element of [drawing, ...drawing.querySelectorAll("[class]")])
    element.removeAttribute("class");
  const text = new XMLSerializer().serializeToString(drawing);
  if (form === "svg") download(`${name}.svg`, "image/svg+xml", text);
  else download(`${name}.png`, "image/png", await png(text));
}

/** @param {Element} element */
function takeStyle(element) {
  const [own, outer] = [element, element.parentElement ?? element].map((each) =>
    getComputedStyle(each),
  );
  for (const name of INHERITED) {
    const value = own.getPropertyValue(name);
    if (value !== outer.getPropertyValue(name)) element.setAttribute(name, value);
  }
  if (own.opacity !== "1") element.setAttribute("opacity", own.opacity);
}

/** @param {string} text of an SVG @returns {Promise<Blob>} */
async function png(text) {
  const image = html("img", {
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
  });
  await image.decode();
  const canvas = html("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob
        ? resolve(blob)
        : reject(new Error("this browser cannot draw so large a picture; try SVG")),
    ),
  );
}
