// The theme: light, dark, or that of the notebook or the system.
import { html, labelled } from "./dom.js";
import { browser } from "./memory.js";

const KEY = "plyscope-theme";
/** @type {Record<string, IconName>} */
const ICONS = { auto: "halves", light: "sun", dark: "moon" };
const THEMES = Object.keys(ICONS);

/** The attributes with which notebooks name their theme. */
const HOST_KEYS = ["data-jp-theme-light", "data-vscode-theme-kind"];

/** The theme of the notebook around the page, which may differ from the system's; else auto. */
function hostTheme() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false" ? "dark" : "light";
  if (vscodeThemeKind) return vscodeThemeKind.endsWith("light") ? "light" : "dark";
  return "auto";
}

/** A button that leads from theme to theme. */
export class ThemeButton {
  element = html("button", { class: "quiet", type: "button" });
  watch = new MutationObserver(() => this.show());

  /** @param {HTMLElement} root what has the theme */
  constructor(root) {
    this.root = root;
    const kept = browser.getItem(KEY) ?? "";
    this.theme = THEMES.includes(kept) ? kept : THEMES[0];
    this.element.onclick = () => {
      this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
      browser.setItem(KEY, this.theme);
      this.show();
    };
    this.watch.observe(document.body, { attributeFilter: HOST_KEYS });
    this.show();
  }

  show() {
    const { theme } = this;
    this.root.dataset.theme = theme === "auto" ? hostTheme() : theme;
    this.element.replaceChildren(...labelled(ICONS[theme], `Theme: ${theme}`));
  }

  end() {
    this.watch.disconnect();
  }
}
