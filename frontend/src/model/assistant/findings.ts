/**
 * Findings of the assistant and where they lead in the workspace as it is now. Pure. Not here: showing these places
 * (`view/assistant/cards/useReveal.ts`), checking what a model reported, which the server does.
 */
import type { Finding, NewRun } from '../../protocol/types';
import { type Heading, outlineOf } from '../text/outline';

/** Whether a finding still leads somewhere; `changed`: its place is there, and reads differently. */
export type FindingState = 'there' | 'changed' | 'gone';

export interface FindingView {
  text: string;
  nodes: { has: (id: string) => boolean };
  edges: { has: (id: string) => boolean };
}

/** What a finding is about, in words for those who cannot see its icon. */
export const KIND_WORDS: Readonly<Record<Finding['kind'], string>> = {
  node: 'Node',
  edge: 'Connection',
  section: 'Section',
  commit: 'Change',
};

/** The name of a finding; commits are named by their revision. */
export function findingName({ kind, id, name }: Finding): string {
  if (kind === 'commit') return `r${id}: ${name}`;
  return name || (kind === 'section' ? 'Before the first heading' : id);
}

/** The state of what a finding is about. */
export function findingState(finding: Finding, view: FindingView): FindingState {
  const { kind, id } = finding;
  if (kind === 'node') return view.nodes.has(id) ? 'there' : 'gone';
  if (kind === 'edge') return view.edges.has(id) ? 'there' : 'gone';
  return kind === 'commit' ? 'there' : passageState(finding, view.text);
}

/** The state of the passage that a finding quotes from the document. */
export function passageState(finding: Finding, text: string): FindingState {
  // Without the outline, since this is asked while people type.
  if (text.includes(finding.evidence)) return 'there';
  return passageOf(finding, text) ? 'changed' : 'gone';
}

/**
 * The passage that a finding quotes: the quote in its section, else the heading of the section, else the quote where it
 * stands once in the document; null where neither is there.
 */
export function passageOf({ section, evidence }: Finding, text: string): { from: number; to: number } | null {
  const headings = outlineOf(text);
  const range = rangeOf(section, headings, text.length);
  const at = range ? text.slice(range.from, range.to).indexOf(evidence) : -1;
  if (range && at >= 0) return { from: range.from + at, to: range.from + at + evidence.length };
  if (range) return { from: range.from, to: range.headingTo };
  const first = text.indexOf(evidence);
  if (first < 0 || text.indexOf(evidence, first + 1) >= 0) return null;
  return { from: first, to: first + evidence.length };
}

function rangeOf(path: string, headings: readonly Heading[], end: number) {
  if (path === '') return { from: 0, to: headings[0]?.from ?? end, headingTo: 0 };
  const open: Heading[] = [];
  const found = headings.filter((heading) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
    return plain(open.map(({ level, title }) => `${'#'.repeat(level)} ${title}`).join(' ')) === plain(path);
  });
  const [heading] = found;
  if (!heading || found.length > 1) return null;
  const next = headings.find(({ from, level }) => from > heading.from && level <= heading.level);
  return { from: heading.from, to: next?.from ?? end, headingTo: heading.to };
}

/** Paths of the server have titles as they are written, those of the page have them without marks. */
const plain = (path: string): string => path.replace(/[*_`]/g, '').trim();

/** What a request for a change of it is about, as far as that is there. */
export function findingFocus(finding: Finding, view: FindingView): NewRun['focus'] {
  const { kind, id, section } = finding;
  const isThere = findingState(finding, view) !== 'gone';
  return {
    ...(kind === 'node' && isThere && { nodes: [id] }),
    ...(kind === 'edge' && isThere && { edges: [id] }),
    ...(section !== '' && { section }),
  };
}
