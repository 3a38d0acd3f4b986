/**
 * Find, completion and levels of lists are loaded once the editor is open, since a text can be written without them, or
 * when they are asked for. What is pressed before is kept: the panel opens with what was typed for it, and a sign gets
 * its list.
 */
import { Compartment, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { untilLoaded } from '../../ui/loading/later';
import { whenIdle } from '../../ui/loading/whenIdle';

type Tools = typeof import('./findAndComplete');

/** So long what is typed after Ctrl+F is held for the panel; then it goes into the text again. */
const HELD_MS = 3000;

const place = new Compartment();
let known: Tools | null = null;

export const laterTools = (): Extension => place.of(known ? known.findAndComplete() : standIn);

/** What was typed for a panel that is being loaded, and until when it is held. */
const held = new WeakMap<EditorView, { typed: string; until: number }>();

/** Opens the search panel; where it has yet to be loaded, only if the focus is still in the text then. */
export function find(view: EditorView): void {
  const isWaited = !known;
  if (isWaited && !held.has(view)) held.set(view, { typed: '', until: Date.now() + HELD_MS });
  withTools(view, ({ openFind }) => {
    const waiting = held.get(view);
    held.delete(view);
    // Not where Escape was pressed meanwhile, or another press has opened it.
    if (!isWaited || (waiting && view.hasFocus)) openFind(view, waiting?.typed ?? '');
  });
}

/** Offers what the sign at the caret is for. */
export const completeSign = (view: EditorView): void => withTools(view, (tools) => tools.completeSign(view));

const complete = (view: EditorView): void => withTools(view, (tools) => tools.startCompletion(view));

/** At once if they are loaded; never where they cannot be. */
function withTools(view: EditorView, use: (tools: Tools) => void): void {
  if (known && place.get(view.state) !== standIn) {
    use(known);
    return;
  }
  void untilLoaded(() => import('./findAndComplete')).then(
    (tools) => {
      known = tools;
      if (place.get(view.state) === standIn)
        view.dispatch({ effects: place.reconfigure(tools.findAndComplete()) });
      use(tools);
    },
    () => held.delete(view),
  );
}

const run = (what: (view: EditorView) => void) => (view: EditorView) => {
  what(view);
  return true;
};

const ITEM = /^[\s>]*(?:[-*+]|\d+[.)])\s/;

const indent = (way: 'in' | 'out') => (view: EditorView) => {
  const isInList = ITEM.test(view.state.doc.lineAt(view.state.selection.main.head).text);
  if (isInList) withTools(view, ({ indentItems }) => indentItems(view, way));
  return isInList;
};

const standIn: Extension = [
  ViewPlugin.define((view) => ({ destroy: whenIdle(() => withTools(view, () => undefined)) })),
  EditorView.updateListener.of(({ transactions, state, view }) => {
    const { head } = state.selection.main;
    const isTyped = transactions.some((one) => one.isUserEvent('input.type'));
    if (isTyped && /^[@/[]$/.test(state.sliceDoc(Math.max(0, head - 1), head))) completeSign(view);
  }),
  Prec.highest(EditorView.domEventHandlers({ keydown: hold })),
  keymap.of([
    ...['Mod-f', 'F3', 'Mod-g'].map((key) => ({ key, run: run(find), shift: run(find) })),
    ...[{ key: 'Ctrl-Space' }, { mac: 'Alt-`' }, { mac: 'Alt-i' }].map((key) => ({
      ...key,
      run: run(complete),
    })),
    { key: 'Tab', run: indent('in'), shift: indent('out') },
  ]),
];

/** Keeps what is typed while the panel is loaded. Returns whether it was for the panel. */
function hold(event: KeyboardEvent, view: EditorView): boolean {
  const waiting = held.get(view);
  if (!waiting || Date.now() > waiting.until || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1) waiting.typed += event.key;
  else if (event.key === 'Backspace') waiting.typed = waiting.typed.slice(0, -1);
  else if (event.key === 'Escape') held.delete(view);
  else return false;
  return true;
}
