/** Brings what somebody else looks at into view: once (`goTo`), or continuously (`Follower`). */
import type { Person } from '../../model/words/people';
import type { PresenceState } from '../../protocol/live';
import type { EditorContext } from '../context/EditorContext';
import type { UiStore } from '../context/uiState';

type Tools = Pick<EditorContext, 'client' | 'ui'>;

/** Whether their activity is in the document. */
const isInText = ({ editing, caret, cursor, drag }: PresenceState): boolean =>
  editing === 'document' || (!editing && !drag && !cursor && !!caret);

/** Shows where somebody is now, moving the own view as little as possible. */
export function goTo(tools: Tools, { state }: Person): void {
  const needed = isInText(state) || state.view === 'document' ? 'document' : 'diagram';
  turnTo(tools.ui, needed);
  if (needed === 'document') showCaret(tools, state);
  else showPlace(tools, state);
}

/** Shows a pane unless it is shown; the stored preference is not changed. */
function turnTo(ui: UiStore, needed: 'diagram' | 'document'): void {
  const { mode } = ui.get();
  if (mode !== 'split' && mode !== needed) ui.set({ mode: needed });
}

function showCaret({ client, ui }: Tools, { caret }: PresenceState): void {
  const here = caret ? client.caretHere(caret) : null;
  if (here) ui.showText(Math.min(here.anchor, here.head), Math.max(here.anchor, here.head));
}

/** The pointer, else the dragged or selected things. */
function showPlace({ client, ui }: Tools, { cursor, drag, selection }: PresenceState): void {
  const point = cursor ?? Object.values(drag ?? {})[0];
  const nodes = (selection ?? []).filter((id) => client.view.nodes.has(id));
  if (point) ui.showPoint(point);
  else if (nodes.length > 0) ui.show(nodes, { isSelecting: false, pulse: true });
}

/** Follows one page of somebody: applies what has changed since the last call. */
export class Follower {
  private last: PresenceState = {};

  constructor(private readonly tools: Tools) {}

  follow(state: PresenceState): void {
    const { last, tools } = this;
    const { client, ui } = tools;
    this.last = state;
    if (state.view && state.view !== last.view) ui.set({ mode: state.view });
    if (!isSame(state.selection, last.selection)) {
      const ids = state.selection ?? [];
      ui.select(
        ids.filter((id) => client.view.nodes.has(id)),
        ids.filter((id) => client.view.edges.has(id)),
      );
      if (!state.cursor && !state.drag && ids.length > 0) showPlace(tools, state);
    }
    if (!isSame(state.cursor, last.cursor) || !isSame(state.drag, last.drag)) {
      const { cursor, drag } = state;
      if (cursor || drag) showPlace(tools, { cursor: cursor ?? null, drag: drag ?? null });
    }
    if (isInText(state) && !isSame(state.caret, last.caret)) showCaret(tools, state);
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
