// editor.js - the editor: CodeMirror, with colours, and with mistakes, completion and hover from the
// language server in a worker.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const URI = "file:///fight.fray";
const PATIENCE = 250; // ms without typing before the script is checked

function language(keywords) {
  const words = new Set(keywords);
  return StreamLanguage.define({
    name: "fray",
    token(stream) {
      if (stream.match(/^--.*/)) return "comment";
      if (stream.match(/^"[^"]*"?/)) return "string";
      if (stream.match(/^\d*d\d+(k[hl]?\d+)?/) || stream.match(/^\d+/)) return "number";
      const word = stream.match(/^[A-Za-z][\w'-]*/);
      if (word) return words.has(word[0]) ? "keyword" : null;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "--" } },
  });
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--die)" },
  { tag: tags.keyword, color: "var(--accent)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "14px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--panel) 60%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip pre": { margin: "0", border: "none", whiteSpace: "pre-wrap" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
});

const place = (doc, at) => {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};
const offset = (doc, { line, character }) => {
  if (line >= doc.lines) return doc.length;
  const at = doc.line(line + 1);
  return Math.min(at.to, at.from + character);
};
const SEVERITY = [null, "error", "warning", "info", "hint"];

export function open_editor({ parent, text, keywords, server, changed, checked }) {
  let version = 1, timer = 0;
  const about = { uri: URI };

  const take = (view, messages) => {
    for (const m of messages || [])
      if (m.method === "textDocument/publishDiagnostics" && m.params.uri === URI) {
        const doc = view.state.doc;
        const found = m.params.diagnostics.map((d) => ({
          from: offset(doc, d.range.start), to: offset(doc, d.range.end),
          severity: SEVERITY[d.severity] || "error", message: d.message + (d.code ? ` [${d.code}]` : ""),
        }));
        view.dispatch(setDiagnostics(view.state, found));
        checked(found.map((d) => ({ ...d, line: doc.lineAt(d.from).number })));
      }
  };
  const tell = async (view) => {
    clearTimeout(timer);
    timer = 0;
    const messages = await server.lsp({ method: "textDocument/didChange", params: { textDocument: { ...about, version: ++version }, contentChanges: [{ text: view.state.doc.toString() }] } });
    if (!timer) take(view, messages);
  };
  const ask = async (method, view, at) => {
    if (timer) await tell(view);
    const messages = await server.lsp({ id: 1, method, params: { textDocument: about, position: place(view.state.doc, at) } });
    return (messages.find((m) => m.id === 1) || {}).result;
  };

  const complete = async (context) => {
    const word = context.matchBefore(/[\w'#-]*/);
    if (!context.explicit && !/[\w#]$/.test(context.state.doc.sliceString(Math.max(0, context.pos - 1), context.pos))) return null;
    const result = await ask("textDocument/completion", view, context.pos);
    const items = Array.isArray(result) ? result : (result && result.items) || [];
    const first = items[0] && items[0].textEdit && items[0].textEdit.range;
    return { from: first ? offset(context.state.doc, first.start) : word.from, options: items.map((i) => ({ label: i.label, detail: i.detail, apply: (i.textEdit && i.textEdit.newText) || i.insertText || i.label })), validFor: /^[\w'#-]*$/ };
  };
  const hover = hoverTooltip(async (view, at) => {
    const result = await ask("textDocument/hover", view, at);
    if (!result || !result.contents) return null;
    const doc = view.state.doc, value = result.contents.value || String(result.contents);
    return {
      pos: result.range ? offset(doc, result.range.start) : at, end: result.range ? offset(doc, result.range.end) : at,
      create() {
        const dom = document.createElement("div"), pre = document.createElement("pre");
        pre.textContent = value.replace(/^```\w*\n|^```$/gm, "").replace(/\*\*/g, "");
        dom.append(pre);
        return { dom };
      },
    };
  });

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
        autocompletion({ override: [complete] }), hover, language(keywords), syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Script" }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          changed();
          clearTimeout(timer);
          timer = setTimeout(() => tell(view), PATIENCE);
        }),
      ],
    }),
  });

  server.lsp({ id: 0, method: "initialize", params: { capabilities: {} } })
    .then(() => server.lsp({ method: "initialized", params: {} }))
    .then(() => server.lsp({ method: "textDocument/didOpen", params: { textDocument: { ...about, languageId: "fray", version, text: view.state.doc.toString() } } }))
    .then((messages) => take(view, messages));

  return {
    view,
    text: () => view.state.doc.toString(),
    set: (script) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: script } }),
    go: (line) => {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
      view.focus();
    },
  };
}
