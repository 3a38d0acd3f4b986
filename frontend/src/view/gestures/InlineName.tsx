/**
 * The field for a name on the canvas: Enter or blur commits, Escape cancels. A node keeps its old name rather than
 * none; an edge may have none.
 */
import '../styles/gestures.css';
import { useStore } from '@xyflow/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { edgeOf, labelled } from '../../model/gestures/making';
import { matches } from '../commands/keys';
import { useEditorContext } from '../context/EditorContext';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';
import { sendMade } from './sendMade';

interface Props {
  kind: 'node' | 'edge';
  id: string;
  name: string;
}

const MAX = { node: 120, edge: 200 } as const;
/** The field is drawn at least at this zoom. */
const READABLE_ZOOM = 0.9;

export function InlineName({ kind, id, name }: Props) {
  const context = useEditorContext();
  const { edit, ui, commands } = context;
  const [draft, setDraft] = useState(name);
  // Somebody else may rename it meanwhile: without typing, nothing is committed.
  const [first] = useState(name);
  const scale = useStore(({ transform }) => Math.max(1, READABLE_ZOOM / transform[2]));
  // What is named for the first time is sent with its name, whatever that is.
  const [making] = useState(() => ui.get().making);
  // Removing the field makes some browsers fire blur: only the first end counts.
  const isOver = useRef(false);
  const finish = (isKept: boolean, way: 'key' | 'left' | 'gone') => {
    if (isOver.current) return;
    isOver.current = true;
    const label = draft.trim();
    const isMeant = isKept && draft !== first && label !== name && (label !== '' || kind === 'edge');
    if (making) {
      const operations = labelled(making.operations, id, (isKept && label) || name);
      sendMade(context, making, operations, way === 'gone');
    } else if (isMeant) void edit([kind === 'node' ? { op: 'update_node', id, label } : renamed(id, label)]);
    const { renaming } = ui.get();
    if (renaming?.id === id && renaming.kind === kind) ui.set({ renaming: null });
    // From a node that was added with its connection one goes on to the next.
    if (way === 'key') focusElement(making ? 'node' : kind, making?.id ?? id);
  };
  useFlushOnLeave(() => {
    if (draft !== first || making) finish(true, 'gone');
  });
  /** On to the label of the connection that comes with a new node. */
  const nameEdge = (): boolean => {
    const edge = making && kind === 'node' ? edgeOf(making) : null;
    if (!making || edge === null) return false;
    isOver.current = true;
    const operations = labelled(making.operations, id, draft.trim() || name);
    ui.set({ making: { ...making, operations }, renaming: { kind: 'edge', id: edge } });
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && nameEdge()))
      event.preventDefault();
    if (matches('Mod+Z', event.nativeEvent) && draft === first && !making) {
      // Nothing was written: what is to be taken back is the change before.
      event.preventDefault();
      finish(false, 'key');
      commands.run('edit.undo');
    }
    if (event.key === 'Enter' || event.key === 'Escape') finish(event.key === 'Enter', 'key');
  };
  return (
    <input
      ref={focusOnce}
      className={`inline-name ${kind} nodrag nowheel`}
      aria-label={
        kind === 'node' ? `Name of ${name}` : name ? `Label of ${name}` : 'Label of this connection'
      }
      style={scale > 1 ? { transform: `scale(${scale})` } : undefined}
      value={draft}
      maxLength={MAX[kind]}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true, 'left')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}

const renamed = (id: string, label: string) => ({ op: 'update_edge', id, label: label || null }) as const;

/** Focuses the field and selects its text. */
function focusOnce(field: HTMLInputElement | null): void {
  if (!field || document.activeElement === field) return;
  field.focus({ preventScroll: true });
  field.select();
}

/** Focuses the renamed element again. */
export function focusElement(kind: 'node' | 'edge', id: string): void {
  const element = document.querySelector<HTMLElement>(`.react-flow__${kind}[data-id="${CSS.escape(id)}"]`);
  (element ?? document.getElementById('diagram'))?.focus({ preventScroll: true });
}
