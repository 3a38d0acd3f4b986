/** Filters of the history: by person, node and section. */
import { X } from 'lucide-react';
import { useMemo } from 'react';
import type { HistoryFilter } from '../../protocol/history';
import type { CommitItem } from '../../protocol/types';
import { useLive, useUiState } from '../context/EditorContext';
import { Select } from '../ui/field/Select';
import { IconButton } from '../ui/IconButton';
import { useSections } from './queries';

interface Props {
  filter: HistoryFilter;
  onFilter: (filter: HistoryFilter) => void;
  /** Loaded rows, whose people can be chosen. */
  items: readonly CommitItem[];
}

const ANYBODY = 'anybody';
const MACHINES = [
  { value: 'assistant', text: 'Assistant' },
  { value: 'agent', text: 'Agents' },
] as const;
const EVERYWHERE = 'everywhere';

export function HistoryFilters({ filter, onFilter, items }: Props) {
  const people = usePeople(items, filter.actor);
  const places = usePlaces(filter);
  const who = filter.by ?? (filter.actor ? `actor:${filter.actor}` : ANYBODY);
  const where = filter.node
    ? `node:${filter.node}`
    : filter.section
      ? `section:${filter.section}`
      : EVERYWHERE;
  const isFiltered = who !== ANYBODY || where !== EVERYWHERE;
  return (
    <div className="history-filters" role="group" aria-label="Which changes">
      <Select
        aria-label="By whom"
        value={who}
        choices={people}
        onChoose={(value) =>
          onFilter({
            ...filter,
            by: MACHINES.find((machine) => machine.value === value)?.value,
            actor: after(value, 'actor:'),
          })
        }
      />
      <Select
        aria-label="Where"
        value={where}
        choices={places}
        onChoose={(value) =>
          onFilter({ ...filter, node: after(value, 'node:'), section: after(value, 'section:') })
        }
      />
      {isFiltered && (
        <IconButton icon={X} label="Show all changes" className="small" onClick={() => onFilter({})} />
      )}
    </div>
  );
}

const after = (value: string, start: string): string | undefined =>
  value.startsWith(start) ? value.slice(start.length) : undefined;

/** Oneself, the assistant, all agents, and everybody present or in the list. */
function usePeople(items: readonly CommitItem[], chosen: string | undefined) {
  const me = useLive((live) => live.me);
  const members = useLive((live) => live.members);
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { id, name, kind } of [...items.map(({ actor }) => actor), ...members])
      if (kind !== 'assistant' && id !== me?.id && !names.has(id)) names.set(id, name);
    if (chosen && chosen !== me?.id && !names.has(chosen)) names.set(chosen, 'One person');
    return [
      { value: ANYBODY, text: 'Everybody' },
      ...(me ? [{ value: `actor:${me.id}`, text: 'Me' }] : []),
      ...MACHINES,
      ...[...names].map(([id, text]) => ({ value: `actor:${id}`, text })),
    ];
  }, [items, members, me, chosen]);
}

/** The selected node, all sections, and the current choice. */
function usePlaces({ node, section }: HistoryFilter) {
  const nodes = useLive((live) => live.diagram.nodes);
  const selection = useUiState((state) => state.selection);
  const sections = useSections(true).data;
  return useMemo(() => {
    const labels = new Map(nodes.map(({ id, label }) => [id, label]));
    const ids = new Set([...(node ? [node] : []), ...[...selection.nodes].slice(0, 8)]);
    const paths = (sections ?? []).map(({ path, title, level }) => ({
      value: `section:${path}`,
      text: `${' '.repeat(2 * (level - 1))}§ ${title}`,
    }));
    const isGone = section && !paths.some(({ value }) => value === `section:${section}`);
    return [
      { value: EVERYWHERE, text: 'Everywhere' },
      ...[...ids].map((id) => ({ value: `node:${id}`, text: `At “${labels.get(id) ?? id}”` })),
      ...paths,
      ...(isGone ? [{ value: `section:${section}`, text: `§ ${section}` }] : []),
    ];
  }, [nodes, selection, sections, node, section]);
}
