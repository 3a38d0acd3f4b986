/** The picker of a node type to add at a point, perhaps connected to another node. */
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { TYPE_NAMES } from '../../model/words/kinds';
import { searchTypes, wordFound } from '../../model/words/typeSynonyms';
import type { Point } from '../../protocol/types';
import { ChoiceList } from './ChoiceList';

interface Props {
  /** Its accessible name. */
  title: string;
  /** Where it opens, in pixels of the window. */
  screen: Point;
  /** What was typed before it was loaded. */
  typed: string;
  /** The type that is offered first. */
  fitting: string | null;
  onChoose: (type: string) => void;
  onClose: () => void;
}

const MARGIN = 8;

export function TypePicker({ title, screen, typed, fitting, onChoose, onClose }: Props) {
  const [query, setQuery] = useState(typed);
  const panel = useRef<HTMLDivElement>(null);
  useInWindow(panel, screen);
  // As soon as it is seen: it was read just before, and what is typed first is meant for it.
  useLayoutEffect(() => {
    panel.current?.querySelector('input')?.focus();
    const press = (event: PointerEvent) => {
      if (event.target instanceof Node && !panel.current?.contains(event.target)) onClose();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [onClose]);
  const choices = searchTypes(query, fitting).map((type) => ({
    id: type,
    type,
    name: TYPE_NAMES[type] ?? type,
    note: wordFound(type, query) ?? undefined,
  }));
  return createPortal(
    <div
      ref={panel}
      className="type-picker"
      role="dialog"
      aria-label={title}
      data-modal
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        // There is nothing else to focus in it.
        event.preventDefault();
        onClose();
      }}
    >
      <p className="type-picker-title" aria-hidden="true">
        {title}
      </p>
      <ChoiceList
        label="Search node types"
        listLabel="Node types"
        query={query}
        choices={choices}
        none={`No node type is called “${query}”.`}
        onQuery={setQuery}
        onChoose={onChoose}
      />
    </div>,
    document.body,
  );
}

/** At the requested point, moved so that all of it is in the window. */
function useInWindow(panel: React.RefObject<HTMLDivElement | null>, { x, y }: Point): void {
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(MARGIN, Math.min(x, window.innerWidth - offsetWidth - MARGIN))}px`;
    element.style.top = `${Math.max(MARGIN, Math.min(y, window.innerHeight - offsetHeight - MARGIN))}px`;
  }, [panel, x, y]);
}
