/**
 * What is selected while somebody asks the assistant, as chips and as the request tells it. Pure. A hint to whoever
 * answers, never a limit.
 */
import type { Diagram, NewRun } from '../../protocol/types';
import { headingAt, outlineOf } from '../text/outline';

export interface FocusChip {
  kind: 'nodes' | 'edges' | 'text' | 'section';
  /** What it names, in words. */
  words: string;
  /** The same as long as the same is selected. */
  key: string;
  focus: Partial<Focus>;
}

type Focus = NonNullable<NewRun['focus']>;

/** What was selected in the document, as it read then. */
export interface Passage {
  from: number;
  to: number;
  text: string;
}

/** What the server takes. */
const MAX_IDS = 200;
const NAMED = 2;
const QUOTED = 32;

export interface Selected {
  diagram: Diagram;
  document: string;
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
  /** Null where the document is not what the keyboard was in last. */
  passage: Passage | null;
}

export function focusChips({ diagram, document, nodes, edges, passage }: Selected): FocusChip[] {
  const chips: FocusChip[] = [];
  const labels = new Map(diagram.nodes.map((node) => [node.id, node.label]));
  const chosen = diagram.nodes.filter(({ id }) => nodes.has(id));
  if (chosen.length > 0) {
    const ids = chosen.map(({ id }) => id);
    const words = counted(
      chosen.length,
      'node',
      chosen.map(({ label }) => label),
    );
    chips.push({
      kind: 'nodes',
      words,
      key: `nodes ${ids.join()}`,
      focus: { nodes: ids.slice(0, MAX_IDS) },
    });
  }
  const lines = diagram.edges.filter(({ id }) => edges.has(id));
  if (lines.length > 0) {
    const ids = lines.map(({ id }) => id);
    const names = lines.map(({ source, target }) => `${labels.get(source)} → ${labels.get(target)}`);
    const words = counted(lines.length, 'connection', names);
    chips.push({
      kind: 'edges',
      words,
      key: `edges ${ids.join()}`,
      focus: { edges: ids.slice(0, MAX_IDS) },
    });
  }
  const text = passage && textChip(document, passage);
  return text ? [...chips, text] : chips;
}

/** The selected text, or the section in which the caret stands. */
function textChip(document: string, passage: Passage): FocusChip | null {
  if (passage.text.trim() !== '') {
    const range = placeOf(document, passage);
    if (!range) return null;
    const line = passage.text.trim().split('\n', 1)[0] ?? '';
    const quoted = line.length > QUOTED ? `${line.slice(0, QUOTED).trimEnd()}…` : line;
    return { kind: 'text', words: `Text: “${quoted}”`, key: `text ${passage.text}`, focus: { range } };
  }
  const headings = outlineOf(document);
  const heading = headings[headingAt(headings, passage.from)];
  if (!heading) return null;
  return {
    kind: 'section',
    words: `Section: ${heading.title}`,
    key: `section ${heading.title}`,
    focus: { section: heading.title },
  };
}

/** Where a passage stands now: where it was, else where it reads so first. */
function placeOf(document: string, { from, to, text }: Passage): { from: number; to: number } | null {
  if (document.slice(from, to) === text) return { from, to };
  const at = document.indexOf(text);
  return at < 0 ? null : { from: at, to: at + text.length };
}

/** What a request says of the chips that were left; null for nothing. */
export function focusOf(chips: readonly FocusChip[]): Focus | null {
  return chips.length > 0 ? Object.assign({}, ...chips.map(({ focus }) => focus)) : null;
}

function counted(count: number, noun: string, names: readonly string[]): string {
  if (count === 1) return names[0] || `1 ${noun}`;
  return `${count} ${noun}s: ${names.slice(0, NAMED).join(', ')}${count > NAMED ? ', …' : ''}`;
}
