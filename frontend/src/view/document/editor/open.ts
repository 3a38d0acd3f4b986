/**
 * Opens the text editor of the document: CodeMirror with the live text, and the handle for the page. Not here: styles
 * (`styles/editor.css`), links to nodes, completion, keys.
 */
import '../../styles/editor.css';
import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { foldAll, foldCode, unfoldAll, unfoldCode } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { type BlockInfo, EditorView } from '@codemirror/view';
import type { LiveClient } from '../../../sync/client/client';
import { mountHistory } from '../../context/typingHistory';
import { untilLoaded } from '../../ui/loading/later';
import type { EditorHandle } from '../editorHandle';
import { broughtFiles } from './broughtFiles';
import { extensionsFor } from './extensions';
import { flash } from './flash';
import { format } from './formatting';
import { completeSign, find } from './laterTools';
import { livePreview, previewFor } from './livePreview';
import { setLook } from './looks';
import { linkAt } from './nodeLinks';
import type { EditorOptions } from './options';
import { editorClosing, setLinkTargets } from './partState';
import { TypingTimes } from './typingTimes';

export { defaultKeymap } from '@codemirror/commands';
/** What the diagram as text needs as well stays in the file of this editor. */
export { history, livePreview, redo, undo };

interface Kept {
  state: EditorState;
  times: TypingTimes;
}

/** The state of closed editors: caret, folds, undo history. */
const kept = new WeakMap<LiveClient, Kept>();

export function openEditor(options: EditorOptions): EditorHandle {
  const { client, parent } = options;
  const { times, state } = kept.get(client) ?? fresh(options);
  const view = new EditorView({ parent, state });
  setLook(view, previewFor(options.look));
  const unmount = mountHistory({
    undo: () => undo(view),
    redo: () => redo(view),
    depth: () => ({ undo: undoDepth(view.state), redo: redoDepth(view.state), typed: times.count }),
    lastTypedAt: () => times.newest(),
  });
  return {
    ...handleOf(view, options),
    lastTypedAt: () => times.newest(),
    close() {
      unmount();
      view.dispatch({ effects: editorClosing.of(null) });
      kept.set(client, { state: view.state, times });
      view.destroy();
    },
  };
}

function fresh(options: EditorOptions): Kept {
  const times = new TypingTimes();
  const extensions = extensionsFor(options, times);
  return { times, state: EditorState.create({ doc: options.text.view.text, extensions }) };
}

function handleOf(view: EditorView, options: EditorOptions): Omit<EditorHandle, 'close' | 'lastTypedAt'> {
  const { scrollDOM: scroller } = view;
  let wanted = options.look;
  const topLine = (): number => {
    const height = scroller.scrollTop - view.documentPadding.top;
    const block = view.lineBlockAtHeight(height);
    const { first, count } = linesOf(view, block);
    const past = (height - block.top) / Math.max(1, block.height);
    return first + count * Math.min(1, Math.max(0, past));
  };
  const scrollToLine = (line: number): void => {
    const { doc } = view.state;
    const block = view.lineBlockAt(doc.line(Math.min(doc.lines, Math.floor(line) + 1)).from);
    const { first, count } = linesOf(view, block);
    scroller.scrollTop = block.top + view.documentPadding.top + ((line - first) / count) * block.height;
  };
  return {
    scroller,
    view,
    focus: () => view.focus(),
    format(kind) {
      format(view, kind);
      // Not away from a cell of a table.
      if (!view.contentDOM.contains(document.activeElement)) view.focus();
    },
    show(look) {
      wanted = look;
      if (look === 'live' && !livePreview.known) {
        void untilLoaded(livePreview.load).then(
          () => this.show(wanted),
          () => undefined,
        );
        return;
      }
      const line = topLine();
      const isAtTop = scroller.scrollTop <= view.documentPadding.top;
      if (!setLook(view, previewFor(look)) || isAtTop) return;
      view.requestMeasure({ read: () => undefined, write: () => scrollToLine(line) });
    },
    mention() {
      const { from, to } = view.state.selection.main;
      const isInWord = /[\p{L}\p{N}]$/u.test(view.state.sliceDoc(Math.max(0, from - 2), from));
      const insert = isInWord ? ' @' : '@';
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      });
      view.focus();
      completeSign(view);
    },
    find() {
      view.focus();
      find(view);
    },
    fold(what) {
      ({ here: foldCode, 'not-here': unfoldCode, all: foldAll, none: unfoldAll })[what](view);
    },
    openLink() {
      const link = linkAt(view.state, view.state.selection.main.head);
      if (link) options.onOpenNode(link.id);
      return link !== null;
    },
    goTo(place, { isCaretMoved = false } = {}) {
      const end = view.state.doc.length;
      const from = Math.min(place.from, end);
      view.dispatch({
        ...(isCaretMoved && { selection: { anchor: from } }),
        effects: [
          EditorView.scrollIntoView(from, { y: 'start', yMargin: 48 }),
          flash.of({ from, to: Math.max(from, Math.min(place.to, end)) }),
        ],
      });
    },
    change(change) {
      view.dispatch({ changes: change, userEvent: 'input' });
    },
    step: (spec) => view.dispatch({ ...spec, annotations: isolateHistory.of('full') }),
    insertFiles: (files) => view.plugin(broughtFiles)?.offer(files),
    surround: (linkTargets) => view.dispatch({ effects: setLinkTargets.of(linkTargets) }),
    caret: () => view.state.selection.main.head,
    caretLine() {
      const { head } = view.state.selection.main;
      const { top, bottom } = view.lineBlockAt(head);
      const seen = scroller.scrollTop - view.documentPadding.top;
      const isSeen = bottom > seen && top < seen + scroller.clientHeight;
      return isSeen ? view.state.doc.lineAt(head).number - 1 : null;
    },
    topLine,
    showLine(line, { isCaretTaken = false } = {}) {
      const { doc, selection } = view.state;
      const { from } = doc.line(Math.min(doc.lines, line + 1));
      const caret = doc.lineAt(selection.main.head).number - 1;
      const last = line + scroller.clientHeight / view.defaultLineHeight;
      const isTaken = isCaretTaken && selection.main.empty && (caret < line || caret > last);
      view.dispatch({
        ...(isTaken && { selection: { anchor: from } }),
        effects: EditorView.scrollIntoView(from, { y: 'start' }),
      });
    },
    scrollToLine,
  };
}

/** The lines of a block, which are several where a widget stands in their place; the first is 0. */
function linesOf({ state: { doc } }: EditorView, { from, to }: BlockInfo): { first: number; count: number } {
  const first = doc.lineAt(from).number - 1;
  return { first, count: doc.lineAt(to).number - first };
}
