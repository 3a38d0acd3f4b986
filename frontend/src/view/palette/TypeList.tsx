/** Node types in sections; not here: what a press on one does (`TypeButton`). */
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { type Face, TypeButton } from './TypeButton';

export interface Section {
  name: string;
  /** Built-in types, and ids of custom ones. */
  types: readonly string[];
}

export interface ListProps {
  sections: readonly Section[];
  hasNames: boolean;
  /** Whether each section begins with its name; needs `hasNames`. */
  hasHeads?: boolean;
  /** How custom types are shown. */
  faceOf?: (type: string) => Face | undefined;
  /** What is to be said beside a type. */
  besides?: (type: string) => string | null;
  children?: ReactNode;
}

/** All types are one tab stop; arrow keys, Home and End move between them. */
export function TypeList({ sections, hasNames, hasHeads = hasNames, faceOf, besides, children }: ListProps) {
  const all = sections.flatMap(({ types }) => types);
  const [current, setCurrent] = useState<string | null>(null);
  const stop = current !== null && all.includes(current) ? current : all[0];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = all.indexOf(stop ?? '');
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    }[event.key];
    const next = to === undefined ? undefined : all.at(to % all.length);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setCurrent(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-type="${next}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are operated; here arrows go between them
    <div className="palette-list" onKeyDown={onKeyDown}>
      {sections.map(({ name, types }) => (
        <div key={name} role="group" aria-label={name} className="palette-group" hidden={types.length === 0}>
          {hasHeads && <h2>{name}</h2>}
          {types.map((type) => (
            <TypeButton
              key={type}
              type={type}
              face={faceOf?.(type)}
              beside={besides?.(type) ?? null}
              hasName={hasNames}
              isStop={type === stop}
              onFocus={() => setCurrent(type)}
            />
          ))}
        </div>
      ))}
      {children}
    </div>
  );
}
