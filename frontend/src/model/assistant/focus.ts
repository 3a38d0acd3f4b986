/**
 * The selection at the time of a request, as chips and as the `focus` of the request. Pure. A hint to the assistant,
 * never a limit.
 */
import type { Diagram, NewRun } from '../../protocol/types';
import { headingAt, outlineOf } from '../text/outline';

export interface FocusChip {
  kind: 'nodes' | 'edges' | 'text' | 'section';
  /** The name. */
  words: string;
  /** Stable while the same is selected. */
  key: string;
  focus: Partial<Focus>;
}

type Focus = NonNullable<NewRun['focus']>;

/** The selected text of the document, as it read then. */
export interface Passage {
  from: number;
  to: number;
  text: string;
}

/** The limits of the server. */
const MAX_IDS = 200;
const NAMED = 2;
const QUOTED = 32;

export interface Selected {
  diagram: Diagram;
  document: string;
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
  /** Null where the document did not have the focus last. */
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

/** The selected text, or the section of the caret. */
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

/** The current position of a passage: where it was, else its first occurrence. */
function placeOf(document: string, { from, to, text }: Passage): { from: number; to: number } | null {
  if (document.slice(from, to) === text) return { from, to };
  const at = document.indexOf(text);
  return at < 0 ? null : { from: at, to: at + text.length };
}

/** The `focus` of a request from the remaining chips; null for nothing. */
export function focusOf(chips: readonly FocusChip[]): Focus | null {
  return chips.length > 0 ? Object.assign({}, ...chips.map(({ focus }) => focus)) : null;
}

function counted(count: number, noun: string, names: readonly string[]): string {
  if (count === 1) return names[0] || `1 ${noun}`;
  return `${count} ${noun}s: ${names.slice(0, NAMED).join(', ')}${count > NAMED ? ', …' : ''}`;
}
