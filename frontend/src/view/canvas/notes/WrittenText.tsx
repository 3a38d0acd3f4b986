/** What is written on a note or as a text, and the field in which it is written. */

import { useStore } from '@xyflow/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Box } from '../../../model/drawing/boxes';
import type { DrawnNode } from '../../../model/drawing/drawing';
import { LEGIBLE } from '../../../model/drawing/legible';
import { LETTERS, ROOM_AROUND, splitText, writtenOn } from '../../../model/words/annotations';
import type { Operation } from '../../../protocol/live';
import type { DiagramNode, Size } from '../../../protocol/types';
import { matches } from '../../commands/keys';
import { useEditorContext, useUiState } from '../../context/EditorContext';
import { focusElement } from '../../gestures/InlineName';
import { sendMade } from '../../gestures/sendMade';
import { useFlushOnLeave } from '../../ui/useFlushOnLeave';
import { useCanvas, useCanvasState } from '../canvasState';

const CORNERS = ['nw', 'ne', 'se', 'sw'];

interface Props {
  /** Of a ghost, which is never changed where it is drawn, as if it were locked. */
  drawn: Pick<DrawnNode, 'node' | 'box' | 'isLocked'>;
  isRenaming: boolean;
}

/** In letters that can be read at each zoom; as much of it as there is room for. */
export function WrittenText({ drawn, isRenaming }: Props) {
  const { node, box, isLocked } = drawn;
  const { isWritable } = useCanvas();
  const lines = useCanvasState(({ step }) => linesIn(box.height, step));
  const isOnly = useUiState(({ selection: { nodes } }) => nodes.size === 1 && nodes.has(node.id));
  if (isRenaming) return <WritingField node={node} box={box} />;
  return (
    <>
      <span className="node-label written" style={{ WebkitLineClamp: lines }}>
        {writtenOn(node)}
      </span>
      {isWritable &&
        isOnly &&
        !isLocked &&
        CORNERS.map((one) => <i key={one} data-handle={one} className={`pull ${one}`} />)}
    </>
  );
}

/** How many lines have room at a step of the zoom; from afar letters are larger than those around them. */
function linesIn(height: number, step: number): number {
  const size = Math.max(LETTERS.size, LEGIBLE / step);
  const lineHeight = (size * LETTERS.lineHeight) / LETTERS.size;
  return Math.max(1, Math.floor((height - 2 * ROOM_AROUND.y + 0.5) / lineHeight));
}

const MAX_LENGTH = 10_000;
/** The field is drawn at least at this zoom. */
const READABLE_ZOOM = 0.9;
const GRID = 8;
/** Around the field, which has the padding of the text itself. */
const BORDERS = 2;

/**
 * The field in which one writes on a note, or a text: who leaves it or presses Ctrl+Enter keeps what was written, Escape does
 * not. It keeps its old text rather than none. A note or text that its text has no room in gets higher in the same step.
 */
function WritingField({ node, box }: { node: DiagramNode; box: Box }) {
  const context = useEditorContext();
  const { edit, ui, commands } = context;
  const { id } = node;
  // Somebody else may write on it meanwhile: without typing, nothing is committed.
  const [first] = useState(() => writtenOn(node));
  const [draft, setDraft] = useState(first);
  const [making] = useState(() => ui.get().making);
  const scale = useStore(({ transform }) => Math.max(1, READABLE_ZOOM / transform[2]));
  const field = useRef<HTMLTextAreaElement>(null);
  // Removing the field makes some browsers fire blur: only the first end counts.
  const isOver = useRef(false);
  const finish = (isKept: boolean, way: 'key' | 'left' | 'gone') => {
    if (isOver.current) return;
    isOver.current = true;
    const text = draft.trim();
    const old = splitText(first);
    const isMeant = isKept && text !== '' && writtenOn(splitText(text)) !== writtenOn(old);
    const parts = isMeant ? splitText(text) : old;
    const size = isMeant ? sizeFor(field.current, box) : null;
    if (making) sendMade(context, making, withText(making.operations, id, parts, size), way === 'gone');
    else if (isMeant) {
      const operation: Operation = {
        op: 'update_node',
        id,
        ...(parts.label !== old.label && { label: parts.label }),
        ...(parts.description !== old.description && { description: parts.description || null }),
        ...(size && { size }),
      };
      void edit([operation]);
    }
    const { renaming } = ui.get();
    if (renaming?.id === id && renaming.kind === 'node') ui.set({ renaming: null });
    if (way === 'key') focusElement('node', id);
  };
  useFlushOnLeave(() => {
    if (draft !== first || making) finish(true, 'gone');
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnd = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (isEnd || !(event.ctrlKey || event.metaKey)) event.stopPropagation();
    if (matches('Mod+Z', event.nativeEvent) && draft === first && !making) {
      // Nothing was written: what is to be taken back is the change before.
      event.preventDefault();
      finish(false, 'key');
      commands.run('edit.undo');
    }
    if (isEnd) event.preventDefault();
    if (isEnd || event.key === 'Escape') finish(isEnd, 'key');
  };
  return (
    <textarea
      ref={(shown) => {
        field.current = shown;
        focusOnce(shown);
      }}
      className="writing-field nodrag nowheel"
      aria-label={`Text of ${node.label}`}
      aria-description="Control and Enter keeps it, Escape does not"
      style={scale > 1 ? { transform: `scale(${scale})` } : undefined}
      value={draft}
      maxLength={MAX_LENGTH}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true, 'left')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}

/** Focuses the field and selects its text. */
function focusOnce(field: HTMLTextAreaElement | null): void {
  if (!field || document.activeElement === field) return;
  field.focus({ preventScroll: true });
  field.select();
}

/** A higher one where the text has no room; null where it has. */
function sizeFor(field: HTMLTextAreaElement | null, { width, height }: Box): Size | null {
  const wanted = (field?.scrollHeight ?? 0) + BORDERS;
  return wanted > height + 1 ? { width, height: Math.ceil(wanted / GRID) * GRID } : null;
}

const withText = (
  operations: readonly Operation[],
  id: string,
  { label, description }: ReturnType<typeof splitText>,
  size: Size | null,
): Operation[] =>
  operations.map((operation) =>
    operation.op === 'add_node' && operation.id === id
      ? { ...operation, label, ...(description !== '' && { description }), ...(size && { size }) }
      : operation,
  );
