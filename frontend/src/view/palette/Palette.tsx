/**
 * The palette of node types: a rail of icons that expands to a list with search.
 *
 * A press selects a type for the next click on the canvas, a drag places it there; from the keyboard (or a screen
 * reader) it is placed where there is space. Not here: placing (`view/gestures`).
 */
import '../styles/palette.css';
import { Blocks, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { typeAfter } from '../../model/gestures/connect';
import { TYPE_CATEGORIES } from '../../model/words/kinds';
import type { NodeType } from '../../protocol/types';
import { written } from '../commands/keys';
import { useCommands, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { laterInBackground, laterPart } from '../ui/loading/later';
import { type Section, TypeList } from './TypeList';

// With the synonyms, which the first view has no use for.
const FoundTypes = laterInBackground(async () => (await import('./FoundTypes')).FoundTypes);
const ownTypes = laterPart(async () => (await import('./FoundTypes')).withOwnTypes);

/** The most used types come first in the rail. */
const MAX_USED: readonly NodeType[] = [
  'service',
  'database',
  'cache',
  'queue',
  'gateway',
  'web',
  'user',
  'external',
  'group',
];

const RAIL: readonly Section[] = [
  { name: 'Used most', types: MAX_USED },
  ...TYPE_CATEGORIES.map(({ name, types }) => ({
    name,
    types: types.filter((type) => !MAX_USED.includes(type)),
  })).filter(({ types }) => types.length > 0),
];

/** In the rail a button is its icon. */
const FOOT_TIP = { 'aria-label': 'Patterns', 'data-tip': 'Patterns', 'data-tip-keys': written('Shift+P') };

export function Palette() {
  const { ui } = useEditorContext();
  const isOpen = useUiState((state) => state.isPaletteOpen);
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [searches, setSearches] = useState(0);
  const search = () => {
    ui.set({ isPaletteOpen: true });
    setSearches((times) => times + 1);
  };
  // The field is mounted only once the palette is expanded.
  useEffect(() => {
    if (searches > 0) field.current?.select();
  }, [searches]);
  useCommands([
    {
      id: 'add.node',
      title: 'Add a node…',
      group: 'Add',
      icon: Search,
      keys: ['/'],
      words: 'palette shape insert new type search',
      run: search,
    },
  ]);
  const fitting = useFitting();
  const types = useLive(({ diagram }) => diagram.types);
  const addOwn = ownTypes.usePart(isOpen || types !== undefined);
  const list = { sections: isOpen ? fittingFirst(fitting) : RAIL, hasNames: isOpen };
  const isSearching = isOpen && query.trim() !== '';
  const close = () => {
    setQuery('');
    ui.set({ isPaletteOpen: false });
  };
  return (
    <nav
      className={`palette ${isOpen ? 'open' : 'rail'}`}
      aria-label="Node types"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && ui.get().tool.kind === 'place') ui.set({ tool: { kind: 'select' } });
      }}
    >
      <header className="palette-head">
        {isOpen ? (
          <SearchTypes
            field={field}
            query={query}
            onQuery={setQuery}
            hasFitting={fitting !== null}
            onLeave={close}
          />
        ) : (
          <IconButton icon={Search} label="Search node types" keys="/" onClick={search} />
        )}
        <IconButton
          icon={isOpen ? PanelLeftClose : PanelLeftOpen}
          label={isOpen ? 'Show icons alone' : 'Show names'}
          keys="["
          aria-expanded={isOpen}
          onClick={() => (isOpen ? close() : ui.set({ isPaletteOpen: true }))}
        />
      </header>
      {isSearching ? (
        <FoundTypes query={query} fitting={fitting} />
      ) : (
        <TypeList {...(addOwn?.(list, types) ?? list)} />
      )}
      <button
        type="button"
        className="palette-foot"
        aria-haspopup="dialog"
        {...(!isOpen && FOOT_TIP)}
        onClick={() => ui.set({ dialog: { kind: 'pattern' } })}
      >
        <Blocks size={18} strokeWidth={1.9} aria-hidden="true" />
        {isOpen && 'Patterns'}
      </button>
    </nav>
  );
}

/** The type that what is selected most likely leads to; null where that is not one node. */
function useFitting(): NodeType | null {
  const id = useUiState(({ selection: { nodes } }) => (nodes.size === 1 ? [...nodes][0] : undefined));
  const type = useLive(({ diagram }) => diagram.nodes.find((node) => node.id === id)?.type);
  return type === undefined ? null : typeAfter(type);
}

const fittingFirst = (fitting: NodeType | null): readonly Section[] =>
  fitting === null
    ? TYPE_CATEGORIES
    : [
        { name: 'Fits what is selected', types: [fitting] },
        ...TYPE_CATEGORIES.map(({ name, types }) => ({
          name,
          types: types.filter((type) => type !== fitting),
        })),
      ];

interface SearchProps {
  field: React.RefObject<HTMLInputElement | null>;
  query: string;
  hasFitting: boolean;
  onQuery: (query: string) => void;
  onLeave: () => void;
}

/**
 * Enter places the first match, without a query the type that fits what is selected; arrow down goes to the first;
 * Escape clears the field, then collapses the palette.
 */
function SearchTypes({ field, query, hasFitting, onQuery, onLeave }: SearchProps) {
  const first = () =>
    field.current?.closest('.palette')?.querySelector<HTMLElement>('.palette-list [data-type]');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (query.trim() || hasFitting)) {
      event.preventDefault();
      const found = first();
      if (!found) return;
      found.click();
      onQuery('');
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      first()?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (query) onQuery('');
      else {
        onLeave();
        document.getElementById('diagram')?.focus({ preventScroll: true });
      }
    }
  };
  return (
    <div className="search">
      <Search size={16} strokeWidth={1.9} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Search node types"
        placeholder="Search types"
        value={query}
        autoComplete="off"
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </div>
  );
}
