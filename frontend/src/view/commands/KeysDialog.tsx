/** The sheet of keyboard shortcuts and mouse gestures, by group; searchable. */
import '../styles/commands.css';
import { useMemo, useState } from 'react';
import { rankByWords } from '../../model/words/search';
import { Dialog } from '../ui/overlay/Dialog';
import { COMMAND_GROUPS, type Command } from './commands';
import { type Keys, written } from './keys';

interface Props {
  commands: readonly Command[];
  /** Whether to include the gestures of the canvas. */
  hasCanvas: boolean;
  onClose: () => void;
}

interface Line {
  title: string;
  group: string;
  words: string;
  /** The ways to do it. */
  ways: string[];
}

/** Mouse and touch gestures; `Mod` as in keys. */
const GESTURES: readonly { title: string; way: string; mod?: Keys }[] = [
  { title: 'Add a node', way: 'Drag a type from the palette, or click it and then the canvas' },
  { title: 'Connect two nodes', way: 'Drag from a node’s edge to another node' },
  { title: 'Add a connected node', way: 'Drag from a dot and let go over nothing' },
  { title: 'Rename a node or a connection', way: 'Double-click' },
  { title: 'Select several', way: 'Drag over nothing, or Shift-click' },
  { title: 'Put into a group, or take out', way: 'Drag the node in or out' },
  { title: 'Move without snapping', way: 'Alt-drag' },
  { title: 'Move the view', way: 'Space-drag, middle button, or two fingers' },
  { title: 'Zoom', way: '-wheel, or pinch', mod: 'Mod' },
  { title: 'What can be done here', way: 'Right-click, or a finger that rests' },
];

const MOUSE = 'Mouse and touch';

/** Keys of the text editor, which are no commands. */
const WRITING: readonly { title: string; keys: readonly Keys[] }[] = [
  { title: 'Insert a heading, a table, a diagram…', keys: ['/'] },
  { title: 'Link to a node or section', keys: ['@', '[['] },
  { title: 'Move a list item in or out', keys: ['Tab', 'Shift+Tab'] },
  { title: 'Next item; in an empty one, end the list', keys: ['Enter'] },
  { title: 'Paste as plain text', keys: ['Mod+Shift+V'] },
];
const TEXT = 'In the text';

export function KeysDialog({ commands, hasCanvas, onClose }: Props) {
  const [query, setQuery] = useState('');
  const lines = useMemo(
    () => [...commands.map(lineOf), ...(hasCanvas ? [...WRITING_LINES, ...GESTURE_LINES] : [])],
    [commands, hasCanvas],
  );
  const fitting = rankByWords(lines, query);
  const groups = [...COMMAND_GROUPS, TEXT, MOUSE].flatMap((name) => {
    const found = fitting.filter(({ group }) => group === name);
    return found.length > 0 ? [{ name, found }] : [];
  });
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} size="wide" className="keys-dialog">
      <div className="keys-search">
        <input
          type="search"
          aria-label="Search shortcuts"
          placeholder="Search shortcuts"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there */}
      <section className="keys-groups" tabIndex={0} aria-label="Shortcuts">
        {groups.length === 0 && <p className="finder-empty">Nothing is called “{query.trim()}”.</p>}
        <div className="keys-columns">
          {groups.map(({ name, found }) => (
            <section key={name} className="keys-group" aria-label={name}>
              <h3>{name}</h3>
              <dl>
                {found.map(({ title, ways }) => (
                  <div key={title} className="keys-line">
                    <dt>{title}</dt>
                    <dd>{name === MOUSE ? ways[0] : ways.map((way) => <kbd key={way}>{way}</kbd>)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
    </Dialog>
  );
}

/** At most two ways are shown. */
const MAX_WAYS = 2;

const lineOf = ({ title, group, words = '', keys = [] }: Command): Line => {
  const ways = [...new Set(keys.map(written))].slice(0, MAX_WAYS);
  return { title, group, words: `${words} ${ways.join(' ')}`, ways };
};

const WRITING_LINES: readonly Line[] = WRITING.map(({ title, keys }) => {
  const ways = keys.map(written);
  return { title, group: TEXT, words: ways.join(' '), ways };
});

const GESTURE_LINES: readonly Line[] = GESTURES.map(({ title, way, mod }) => ({
  title,
  group: MOUSE,
  words: `${way} mouse`,
  ways: [`${mod ? written(mod) : ''}${way}`],
}));
