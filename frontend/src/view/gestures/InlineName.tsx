/**
 * The field for a name on the canvas: Enter or blur commits, Escape cancels. A node keeps its old name rather than
 * none; an edge may have none.
 */
import '../styles/gestures.css';
import { useStore } from '@xyflow/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useEditorContext } from '../context/EditorContext';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';

interface Props {
  kind: 'node' | 'edge';
  id: string;
  name: string;
}

const MAX = { node: 120, edge: 200 } as const;
/** The field is drawn at least at this zoom. */
const READABLE_ZOOM = 0.9;

export function InlineName({ kind, id, name }: Props) {
  const { edit, ui } = useEditorContext();
  const [draft, setDraft] = useState(name);
  // Somebody else may rename it meanwhile: without typing, nothing is committed.
  const [first] = useState(name);
  const scale = useStore(({ transform }) => Math.max(1, READABLE_ZOOM / transform[2]));
  // Removing the field makes some browsers fire blur: only the first end counts.
  const isOver = useRef(false);
  const finish = (isKept: boolean, way: 'key' | 'left') => {
    if (isOver.current) return;
    isOver.current = true;
    const label = draft.trim();
    const isMeant = isKept && draft !== first && label !== name && (label !== '' || kind === 'edge');
    if (isMeant) void edit([kind === 'node' ? { op: 'update_node', id, label } : renamed(id, label)]);
    const { renaming } = ui.get();
    if (renaming?.id === id && renaming.kind === kind) ui.set({ renaming: null });
    if (way === 'key') focusElement(kind, id);
  };
  useFlushOnLeave(() => {
    if (draft !== first) finish(true, 'left');
  });
  const onKeyDown = (event: KeyboardEvent) => {
    // During a composition Enter and Escape belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key === 'Enter') event.preventDefault();
    if (event.key === 'Enter' || event.key === 'Escape') finish(event.key === 'Enter', 'key');
  };
  return (
    <input
      ref={focusOnce}
      className={`inline-name ${kind} nodrag nopan nowheel`}
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
