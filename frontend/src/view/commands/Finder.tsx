/**
 * A dialog with a search field over commands and places. List and keys are cmdk's, matching is ours.
 *
 * Without a query it lists recent commands, then all. Places appear only with a query.
 */
import '../styles/commands.css';
import { Command as List } from 'cmdk';
import { CornerDownLeft, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { rankByWords } from '../../model/words/search';
import { recallCommands, rememberCommand } from '../../sync/preferences';
import { Dialog } from '../ui/overlay/Dialog';
import type { Entry } from './entries';

/** The maximum for each group. */
const MAX_IN_GROUP = 12;

interface Props {
  /** What the field is for. */
  label: string;
  commands: readonly Entry[];
  places: readonly Entry[];
  /** What a query finds as a whole: the only thing that is offered then. */
  severalOf?: (query: string) => Entry | null;
  /** What was typed before it was loaded. */
  typed: string;
  onClose: () => void;
}

export function Finder({ label, commands, places, severalOf, typed, onClose }: Props) {
  const [query, setQuery] = useState(typed);
  const [chosen, setChosen] = useState('');
  const groups = useMemo(
    () => (query.trim() ? found([...commands, ...places], query) : offered(commands)),
    [commands, places, query],
  );
  const several = severalOf?.(query);
  const shown = several ? grouped([several]) : groups;
  const values = shown.flatMap(({ name, entries }) => entries.map((entry) => valueIn(name, entry)));
  const first = values[0] ?? '';
  // What is found also changes with what others do; cmdk chooses anew for another query alone.
  if (chosen !== first && !values.includes(chosen)) setChosen(first);
  const choose = (entry: Entry) => {
    if (commands.includes(entry)) rememberCommand(entry.id);
    // Restore the focus first, so that the command can move it.
    flushSync(onClose);
    entry.run();
  };
  return (
    <Dialog title="Commands" onClose={onClose} isTitleHidden className="finder">
      <List label="Commands" shouldFilter={false} loop value={chosen} onValueChange={setChosen}>
        <div className="finder-field">
          <Search size={17} strokeWidth={1.9} aria-hidden="true" />
          <List.Input value={query} onValueChange={setQuery} placeholder={label} aria-label={label} />
          <kbd className="finder-key">Esc</kbd>
        </div>
        <List.List className="finder-list" label="What was found">
          {shown.length === 0 && (
            <List.Empty className="finder-empty">
              Nothing is called “{query.trim()}”. Try other words.
            </List.Empty>
          )}
          {shown.map(({ name, entries }) => (
            <List.Group key={name} heading={name}>
              {entries.map((entry) => (
                <Found
                  key={entry.id}
                  entry={entry}
                  value={valueIn(name, entry)}
                  onChoose={() => choose(entry)}
                />
              ))}
            </List.Group>
          ))}
        </List.List>
      </List>
      <p className="finder-foot" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to choose
        <CornerDownLeft size={13} strokeWidth={2} />
        to do it
      </p>
    </Dialog>
  );
}

function Found({ entry, value, onChoose }: { entry: Entry; value: string; onChoose: () => void }) {
  const { title, icon: Icon, detail, keys } = entry;
  return (
    <List.Item value={value} onSelect={onChoose} className="finder-item">
      <span className="finder-icon">{Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}</span>
      <span className="finder-title">{title}</span>
      {detail && <span className="finder-detail">{detail}</span>}
      {keys && <kbd>{keys}</kbd>}
    </List.Item>
  );
}

/** What cmdk knows an entry of a group by. */
const valueIn = (group: string, { id }: Entry): string => `${group} ${id}`;

interface Group {
  name: string;
  entries: Entry[];
}

function grouped(entries: readonly Entry[], most = Number.POSITIVE_INFINITY): Group[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.group) ?? [];
    if (group.length < most) group.push(entry);
    groups.set(entry.group, group);
  }
  return [...groups].map(([name, list]) => ({ name, entries: list }));
}

/** Groups in the order of their best match. */
const found = (entries: readonly Entry[], query: string): Group[] =>
  grouped(rankByWords(entries, query), MAX_IN_GROUP);

function offered(commands: readonly Entry[]): Group[] {
  const recent = recallCommands().flatMap((id) => commands.find((entry) => entry.id === id) ?? []);
  const others = grouped(commands.filter((entry) => !recent.includes(entry)));
  return recent.length > 0 ? [{ name: 'Recent', entries: recent }, ...others] : others;
}
