/** A node type in the palette, to be pressed, dragged, or placed from the keyboard. */
import type { DragEvent, ReactNode } from 'react';
import { TYPE_NAMES } from '../../model/words/kinds';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { TypeTile } from '../drawing/TypeTile';
import { placeInView } from '../gestures/actions';
import { useToasts } from '../ui/overlay/Toasts';

/** The data type of a dragged node type. */
const DRAGGED = 'application/x-draftsmith-type';

/** How a custom type is shown. */
export interface Face {
  name: string;
  tile: ReactNode;
}

interface Props {
  /** A built-in type, or the id of a custom one. */
  type: string;
  face: Face | undefined;
  /** What is said beside its name. */
  beside: string | null;
  hasName: boolean;
  /** Whether it is the tab stop. */
  isStop: boolean;
  onFocus: () => void;
}

export function TypeButton({ type, face, beside, hasName, isStop, onFocus }: Props) {
  const context = useEditorContext();
  const toasts = useToasts();
  const isArmed = useUiState(({ tool }) => tool.kind === 'place' && tool.type === type);
  const name = face?.name ?? TYPE_NAMES[type] ?? type;
  const arm = () => context.ui.set({ tool: isArmed ? { kind: 'select' } : { kind: 'place', type, name } });
  return (
    <button
      type="button"
      className="palette-type"
      data-type={type}
      aria-label={name}
      aria-pressed={isArmed}
      tabIndex={isStop ? 0 : -1}
      draggable
      {...(!hasName && { 'data-tip': name })}
      onFocus={onFocus}
      // Without a pointer there is no next click: place it at once.
      onClick={(event) => (event.detail === 0 ? placeInView(context, toasts, type) : arm())}
      onDragStart={(event) => {
        context.ui.set({ tool: { kind: 'select' } });
        startDrag(event, type);
      }}
    >
      {face?.tile ?? <TypeTile type={type} />}
      {hasName && <span className="palette-name">{name}</span>}
      {beside && <span className="palette-word">{beside}</span>}
    </button>
  );
}

function startDrag(event: DragEvent<HTMLElement>, type: string): void {
  event.dataTransfer.setData(DRAGGED, type);
  event.dataTransfer.effectAllowed = 'copy';
  const tile = event.currentTarget.querySelector<HTMLElement>('.type-tile, .image-tile');
  if (tile) event.dataTransfer.setDragImage(tile, tile.clientWidth / 2, tile.clientHeight / 2);
}
