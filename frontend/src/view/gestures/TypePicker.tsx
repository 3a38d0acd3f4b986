/** The picker of a node type to add at a point, perhaps connected to another node. */
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { TYPE_NAMES } from '../../model/words/kinds';
import { searchCustomTypes } from '../../model/words/searchCustomTypes';
import { searchTypes, wordFound } from '../../model/words/typeSynonyms';
import type { CustomTypes, Point } from '../../protocol/types';
import { useEditorContext, useLive } from '../context/EditorContext';
import { type Choice, ChoiceList } from './ChoiceList';

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
  const { ui } = useEditorContext();
  const types = useLive(({ diagram }) => diagram.types);
  const choose = (id: string) => {
    const action = ACTIONS.find((one) => one.id === id);
    if (!action) return onChoose(id);
    onClose();
    ui.set({ dialog: { kind: 'types', isNew: action.isNew } });
  };
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
        choices={choicesFor(query, fitting, types)}
        none={`No node type is called “${query}”.`}
        onQuery={setQuery}
        onChoose={choose}
      />
    </div>,
    document.body,
  );
}

/** No id of a type has a blank. */
const ACTIONS = [
  { id: 'new type', type: 'other', name: 'New type…', isNew: true },
  { id: 'edit types', type: 'other', name: 'Edit types…', isNew: false },
] as const;

/** Custom types come before built-in ones; without a query, what defines them comes last. */
function choicesFor(query: string, fitting: string | null, types: CustomTypes | undefined): Choice[] {
  const own = searchCustomTypes(types, query).map(({ id, custom }) => {
    return { id, type: custom.base, custom, name: custom.name };
  });
  const builtIn = searchTypes(query, fitting).map((type) => ({
    id: type,
    type,
    name: TYPE_NAMES[type] ?? type,
    note: wordFound(type, query) ?? undefined,
  }));
  const actions = query.trim() ? [] : ACTIONS.slice(0, types ? 2 : 1);
  return [...own, ...builtIn, ...actions];
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
