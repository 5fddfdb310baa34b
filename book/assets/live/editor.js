// The editor of a cell: CodeMirror, with the page's own colours for code, which are those of Pygments' classes.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

const colours = tagHighlighter([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], class: "k" },
  { tag: tags.moduleKeyword, class: "kn" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: tags.operator, class: "o" },
  { tag: tags.string, class: "s2" },
  { tag: tags.number, class: "mi" },
  { tag: tags.comment, class: "c1" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nd" },
]);

// The page's css variables, so that dark mode is the page's. Text on a phone has 16 px: below that, Safari zooms in.
const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit" },
  ".cm-content": { caretColor: "var(--pla-ink)", padding: "0" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--pla-ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--pla-positive) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket, .cm-selectionMatch, .cm-searchMatch": {
    backgroundColor: "color-mix(in srgb, var(--pla-positive) 22%, transparent)",
  },
  ".cm-panels": { backgroundColor: "var(--pst-color-surface)", color: "var(--pla-ink)", border: "0" },
  ".cm-textfield, .cm-button": {
    backgroundColor: "var(--pla-paper)",
    backgroundImage: "none",
    color: "var(--pla-ink)",
    border: "1px solid var(--pla-faint)",
    borderRadius: "4px",
  },
  "@media (pointer: coarse)": {
    ".cm-content, .cm-textfield": { fontSize: "16px" },
    ".cm-scroller": { lineHeight: "1.5" },
  },
});

// Puts an editor into `parent`. Shift+Enter and Ctrl+Enter run; Tab indents, and after Escape it leaves the editor.
export function edit(parent, doc, { label, onRun = () => {}, onChange = () => {} }) {
  const runCell = {
    run: () => {
      onRun();
      return true;
    },
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        history(),
        drawSelection(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        highlightSelectionMatches(),
        search({ top: true }),
        python(),
        syntaxHighlighting(colours),
        look,
        EditorState.tabSize.of(4),
        Prec.highest(
          keymap.of([
            { key: "Shift-Enter", ...runCell },
            { key: "Mod-Enter", ...runCell },
          ]),
        ),
        keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          tabindex: "0",
          "aria-label": `${label}. Tab indents; press Escape, then Tab, to leave.`,
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
        }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus(at) {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
