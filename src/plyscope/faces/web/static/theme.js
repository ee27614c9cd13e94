// Light, dark, or as the system has it; kept for the next visit.
import { html, labelled } from "./dom.js";
import { browser } from "./memory.js";

const KEY = "plyscope-theme";
/** @type {Record<string, IconName>} */
const ICONS = { auto: "halves", light: "sun", dark: "moon" };
const THEMES = Object.keys(ICONS);

/** A button that leads from theme to theme. @param {HTMLElement} root what has the theme */
export function themeButton(root) {
  const button = html("button", { class: "quiet", type: "button" });
  const kept = browser.getItem(KEY) ?? "";
  let theme = THEMES.includes(kept) ? kept : THEMES[0];
  const show = () => {
    root.dataset.theme = theme;
    button.replaceChildren(...labelled(ICONS[theme], `Theme: ${theme}`));
  };
  button.onclick = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    browser.setItem(KEY, theme);
    show();
  };
  show();
  return button;
}
