import { autocompletion, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Failure } from './messages.ts';

export interface Editor {
  text(): string;
  replace(text: string): void;
  /** Marks where a program failed; without an argument the mark goes. */
  mark(failure?: Failure): void;
  focus(): void;
}

/** Colours come from the page, so that its themes hold here too. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--tf-code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--tf-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--tf-code-number)' },
  { tag: tags.comment, color: 'var(--tf-code-comment)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--tf-code-type)' },
  { tag: tags.function(tags.variableName), color: 'var(--tf-code-function)' },
]);

export function createEditor(parent: HTMLElement, text: string, onRun: () => void): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(),
        autocompletion({ override: [completeAnyWord] }), syntaxHighlighting(colours), javascript({ typescript: true }),
        keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
        // Escape, then Tab leaves the editor (CodeMirror's own rule for keyboard users).
        EditorView.contentAttributes.of({ 'aria-label': 'TypeScript program; Escape, then Tab leaves the editor' }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark(failure) {
      const lines = view.state.doc.lines;
      if (failure?.line === undefined || failure.line < 1 || failure.line > lines) return view.dispatch(setDiagnostics(view.state, []));
      const line = view.state.doc.line(failure.line);
      const from = Math.min(line.to, line.from + Math.max(0, (failure.column ?? 1) - 1));
      view.dispatch(setDiagnostics(view.state, [{ from, to: line.to, severity: 'error', message: failure.message }]));
      view.dispatch({ effects: EditorView.scrollIntoView(from) });
    },
    focus: () => view.focus(),
  };
}
