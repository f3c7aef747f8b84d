// The theme of the editor. Every color is a custom property of the page (web/styles/tokens.css), which defines light,
// dark and forced colors. Only the selected completion has system colors of its own.
import { EditorView } from "@codemirror/view";

const popup = {
  backgroundColor: "var(--ground-raised)",
  color: "var(--text)",
  border: "1px solid var(--line-strong)",
  borderRadius: "var(--radius-panel)",
  boxShadow: "var(--shadow-float)",
};

const underline = (name) => ({
  textDecoration: `underline wavy var(--${name})`,
  textDecorationSkipInk: "none",
  textDecorationThickness: "1.5px",
  textUnderlineOffset: "4px",
});

export const theme = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--text)",
    backgroundColor: "var(--ground-code)",
    fontSize: "var(--code-size)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-code)",
    lineHeight: "var(--code-line)",
    overflow: "auto",
  },
  ".cm-content": { padding: "var(--code-pad)", caretColor: "var(--text)", minHeight: "100%" },
  ".cm-line": { padding: "0" },
  ".cm-placeholder": { color: "var(--text-quiet)" },
  ".cm-content ::selection, .cm-line::selection": { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--match)",
    outline: "1px solid var(--line-strong)",
    color: "inherit",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--error-ground)", color: "inherit" },
  ".cm-specialChar": { color: "var(--error)", fontWeight: "600" },

  ".zw-field, .zw-key": { color: "var(--code-field)" },
  ".zw-function": { color: "var(--code-function)" },
  ".zw-operator": { color: "var(--code-operator)", fontWeight: "600" },
  ".zw-string": { color: "var(--code-string)" },
  ".zw-number": { color: "var(--code-number)" },
  ".zw-list, .zw-literal": { color: "var(--code-list)" },
  ".zw-member": { color: "var(--text-quiet)" },

  ".zw-linked-selection": { backgroundColor: "var(--accent-ground)" },
  ".zw-error": underline("error"),
  ".zw-warning": underline("warning"),
  ".zw-hint": { ...underline("hint"), textDecorationStyle: "dotted" },

  ".cm-tooltip": popup,
  ".zw-tooltip": {
    font: "13px/18px var(--font-text)",
    maxWidth: "420px",
    padding: "8px 12px",
  },
  ".zw-tooltip p": { margin: "0" },
  ".zw-tooltip strong": { fontWeight: "600", textTransform: "capitalize" },
  ".zw-tooltip code": { fontFamily: "var(--font-code)", fontSize: "12px" },
  ".zw-tooltip .zw-help": { color: "var(--text-quiet)", marginTop: "4px" },
  ".zw-docs": { maxWidth: "min(480px, 92vw)", maxHeight: "40vh", overflow: "auto" },
  ".zw-docs .zw-head": { display: "flex", gap: "12px", alignItems: "baseline", marginBottom: "4px" },
  ".zw-docs .zw-head code": { fontSize: "13px", fontWeight: "600", overflowWrap: "anywhere" },
  ".zw-docs .zw-head > span": { marginLeft: "auto", color: "var(--text-quiet)", flex: "none", maxWidth: "50%" },
  ".zw-docs .zw-head .zw-active": { color: "var(--accent)", textDecoration: "underline", textUnderlineOffset: "3px" },
  ".zw-docs .zw-example": {
    marginTop: "8px",
    padding: "4px 8px",
    borderRadius: "var(--radius-control)",
    backgroundColor: "var(--ground-sunken)",
    overflowWrap: "anywhere",
  },
  ".zw-word-error": { color: "var(--error)" },
  ".zw-word-warning": { color: "var(--warning)" },
  ".zw-word-hint": { color: "var(--hint)" },

  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-code)",
    fontSize: "13px",
    lineHeight: "18px",
    maxHeight: "240px",
    minWidth: "min(320px, 90vw)",
    maxWidth: "min(560px, 92vw)",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "12px",
    alignItems: "center",
    minHeight: "24px",
    padding: "3px 8px",
    borderRadius: "var(--radius-control)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  // Names identify the rows: in a narrow list the detail shrinks first, and then the name wraps.
  ".cm-completionLabel": {
    flex: "none",
    maxWidth: "calc(100% - 5ch - 12px)",
    whiteSpace: "normal",
    overflowWrap: "anywhere",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    flex: "0 1 auto",
    minWidth: "5ch",
    overflow: "hidden",
    textAlign: "right",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    fontStyle: "normal",
    color: "var(--text-quiet)",
  },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-tooltip.cm-completionInfo": {
    font: "13px/18px var(--font-text)",
    padding: "8px 12px",
    maxWidth: "min(300px, 80vw)",
    overflowWrap: "anywhere",
  },
  "@media (forced-colors: active)": {
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
      forcedColorAdjust: "none",
      backgroundColor: "Highlight",
      color: "HighlightText",
    },
  },
});
