// What the page takes of CodeMirror: `npm run editor` joins it into static/vendor/codemirror.mjs.
// The page talks to `open` alone, and has a plain text field with the same methods.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The line that is marked, null for none. */
const setMark = StateEffect.define();
const mark = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    for (const effect of effects)
      if (effect.is(setMark)) {
        const { value } = effect;
        if (!value || value.line > state.doc.lines) return Decoration.none;
        const { from, to } = state.doc.line(value.line);
        const at = Math.min(from + value.column - 1, to);
        const whole = Decoration.line({ class: "fault" }).range(from);
        const place = Decoration.mark({ class: "place" }).range(at, Math.min(at + 1, to));
        return Decoration.set(at < to ? [whole, place] : [whole]);
      }
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// In the page's colours, for light and for dark.
const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--page)", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--raised)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--mark)" },
  ".cm-matchingBracket": { backgroundColor: "var(--mark)" },
  ".fault": { backgroundColor: "var(--mark)", boxShadow: "inset 3px 0 var(--bad)" },
  ".place": { textDecoration: "underline wavy var(--bad)" },
});
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--accent)", fontWeight: "bold" },
  { tag: [tags.comment, tags.docString], color: "var(--faint)" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--x)" },
]);

/**
 * Open an editor in an element. Its styles are in a shadow root, where the page's policy allows them.
 * @param {HTMLElement} holder @param {string} text @param {string} label
 * @param {(text: string) => void} onchange is told of what a person types
 */
export function open(holder, text, label, onchange) {
  const root = holder.attachShadow({ mode: "open" });
  let isSetting = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        EditorView.lineWrapping,
        bracketMatching(),
        indentUnit.of("    "),
        pythonLanguage,
        syntaxHighlighting(colours),
        keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
        mark,
        theme,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isSetting) onchange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    /** @param {string} insert */
    set text(insert) {
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
      isSetting = false;
    },
    /** Mark a line and a column, both from 1; null marks none. */
    mark(line, column) {
      view.dispatch({ effects: setMark.of(line === null ? null : { line, column }) });
    },
    focus: () => view.focus(),
    end: () => view.destroy(),
  };
}
