// Light, dark, or as the system has it; kept for the next visit.
import { html, labelled } from "./dom.js";

const KEY = "plyscope-theme";
/** @type {Record<string, IconName>} */
const ICONS = { auto: "halves", light: "sun", dark: "moon" };
const THEMES = Object.keys(ICONS);

/** A button that leads from theme to theme. @param {HTMLElement} root what has the theme */
export function themeButton(root) {
  const button = html("button", { class: "quiet", type: "button" });
  let theme = localStorage.getItem(KEY) ?? "auto";
  const show = () => {
    root.dataset.theme = theme;
    button.replaceChildren(...labelled(ICONS[theme] ?? "halves", `Theme: ${theme}`));
  };
  button.onclick = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(KEY, theme);
    show();
  };
  show();
  return button;
}
