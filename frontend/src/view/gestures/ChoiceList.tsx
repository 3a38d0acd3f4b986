/** A search field over a list to choose from, by keyboard or pointer; the field keeps the focus. */
import '../styles/choices.css';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { CustomType } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { TechnologyTile } from '../images/TechnologyTile';

export interface Choice {
  id: string;
  /** The node type whose icon is shown, with the definition of a custom one. */
  type: string;
  custom?: CustomType | undefined;
  name: string;
  note?: string | undefined;
}

interface Props {
  /** The accessible name and placeholder. */
  label: string;
  /** The choices. */
  listLabel: string;
  query: string;
  choices: readonly Choice[];
  /** Shown where nothing is found. */
  none: string;
  onQuery: (query: string) => void;
  onChoose: (id: string) => void;
  /** Told which choice Enter would take; undefined for none. */
  onActive?: (id: string | undefined) => void;
}

export function ChoiceList({ label, listLabel, query, choices, none, onQuery, onChoose, onActive }: Props) {
  const [index, setIndex] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = choices[Math.min(index, choices.length - 1)];
  const activeId = active && `${listId}-${active.id}`;
  useEffect(() => onActive?.(active?.id), [active?.id, onActive]);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active) onChoose(active.id);
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : choices.length - 1;
    if (choices.length > 0) setIndex((now) => (Math.min(now, choices.length - 1) + step) % choices.length);
  };
  return (
    <div className="choices">
      <div className="search">
        <Search size={16} strokeWidth={1.9} aria-hidden="true" />
        <input
          type="search"
          role="combobox"
          aria-label={label}
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={label}
          value={query}
          autoComplete="off"
          data-autofocus
          onChange={(event) => {
            setIndex(0);
            onQuery(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        id={listId}
        className="choice-list"
        role="listbox"
        aria-label={listLabel}
        hidden={choices.length === 0}
      >
        {choices.map((choice) => (
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the option in hand
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles Enter for the option in hand
          <div
            key={choice.id}
            id={`${listId}-${choice.id}`}
            role="option"
            aria-selected={choice === active}
            className="choice"
            data-choice={choice.id}
            // A press on an option must not move the focus, which would close the popover.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice.id)}
          >
            {choice.custom?.icon ? (
              <TechnologyTile type={choice.type} custom={choice.custom} color="" technology="" />
            ) : (
              <TypeTile type={choice.type} custom={choice.custom} />
            )}
            <span className="choice-name">{choice.name}</span>
            {choice.note && (
              <span className="choice-note" title={choice.note}>
                {choice.note}
              </span>
            )}
          </div>
        ))}
      </div>
      <p className="choice-none" role="status">
        {choices.length === 0 ? none : ''}
      </p>
    </div>
  );
}
