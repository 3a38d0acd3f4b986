/** Class diagrams: classes and notes as boxes, namespaces as groups, relations as lines. */
import { type Box, filled, type Line, looksOf, type Parts, textOf } from './chart';

interface Member {
  getDisplayDetails(): { displayText: string };
}

interface ClassNode {
  id: string;
  type?: string;
  label?: unknown;
  members: Member[];
  methods: Member[];
  annotations: string[];
  parent?: string;
  styles?: string[];
  link?: string;
}

interface Relation {
  id1: string;
  id2: string;
  title?: unknown;
  relationTitle1?: unknown;
  relationTitle2?: unknown;
  relation: { type1: number | string; type2: number | string; lineType: number };
}

export interface ClassDb {
  getClasses(): Map<string, ClassNode>;
  getRelations(): Relation[];
  getNotes(): Map<string, { id: string; class?: string; text?: unknown; parent?: string }>;
  getNamespaces(): Map<string, { id: string; label?: string; parent?: string }>;
  getDirection(): string;
  getDiagramTitle(): string | undefined;
  interfaces: { id: string; label?: unknown }[];
}

/** By the numbers of the ends of a relation. */
const ENDS = ['aggregation', 'extension', 'composition', 'dependency', 'lollipop'] as const;
type End = (typeof ENDS)[number];
/** Ends that stand at the whole, from which a line leads to its parts; all others stand where a line leads to. */
const AT_THE_WHOLE: ReadonlySet<End> = new Set(['aggregation', 'composition']);
const DOTTED = 1;

export function classParts(db: ClassDb): Parts {
  const notes = [...db.getNotes().values()];
  return {
    boxes: [
      ...[...db.getNamespaces().values()].map(
        ({ id, label, parent }): Box => ({
          name: `namespace ${id}`,
          text: label || id,
          word: 'group',
          is_group: true,
          inside: namespaceOf(parent),
        }),
      ),
      ...[...db.getClasses().values()].map(classBox),
      ...db.interfaces.map(
        ({ id, label }): Box => ({ name: id, text: textOf(label), word: 'interface', is_nameless: true }),
      ),
      ...notes.map(
        ({ id, text, parent }): Box => ({
          name: id,
          text: textOf(text),
          word: 'note',
          is_nameless: true,
          inside: namespaceOf(parent),
        }),
      ),
    ],
    lines: [
      ...db.getRelations().map(lineOf),
      ...notes.flatMap((note) => (note.class ? [noteLine(note.id, note.class)] : [])),
    ],
    left_out: [],
    direction: db.getDirection(),
    title: db.getDiagramTitle() ?? '',
  };
}

/** Namespaces and classes may be called alike. */
const namespaceOf = (id: string | undefined): string => (id ? `namespace ${id}` : '');

export const noteLine = (note: string, about: string): Line => ({
  source: note,
  target: about,
  text: '',
  kind: 'sync',
  direction: 'none',
});

function classBox(one: ClassNode): Box {
  const said = [...one.members, ...one.methods].map((member) => member.getDisplayDetails().displayText);
  return {
    name: one.id,
    text: `${textOf(one.label) || one.id}${one.type ? `&lt;${one.type}&gt;` : ''}`,
    word: 'class',
    inside: namespaceOf(one.parent),
    description: [...one.annotations.map((annotation) => `«${annotation}»`), ...said].join('\n'),
    properties: filled({ stereotype: one.annotations.join(', '), url: one.link }),
    ...looksOf(one.styles ?? []),
  };
}

function lineOf({ id1, id2, title, relationTitle1, relationTitle2, relation }: Relation): Line {
  const ends = [ENDS[relation.type1 as number], ENDS[relation.type2 as number]] as const;
  const end = ends[1] ?? ends[0];
  const isDotted = relation.lineType === DOTTED;
  // A line leads from the first to the second but where only the first has an end that lines lead to, or only the second is a whole.
  const isBack =
    ends[1] === undefined
      ? end !== undefined && !AT_THE_WHOLE.has(end)
      : !ends[0] && AT_THE_WHOLE.has(ends[1]);
  const [source, target] = isBack ? [id2, id1] : [id1, id2];
  const counts = [cardinality(relationTitle1), cardinality(relationTitle2)];
  if (isBack) counts.reverse();
  return {
    source,
    target,
    text: textOf(title) || wordsFor(end, isDotted),
    kind: isDotted || end === 'extension' ? 'dependency' : 'sync',
    direction: ends[0] && ends[1] ? 'both' : end ? 'forward' : 'none',
    properties: filled({
      relation: end === 'extension' && isDotted ? 'realization' : end,
      'source cardinality': counts[0],
      'target cardinality': counts[1],
    }),
  };
}

function cardinality(title: unknown): string {
  const text = textOf(title);
  return text === 'none' ? '' : text;
}

/** What the end of a line says, in words, since lines here have arrows alone. */
function wordsFor(end: End | undefined, isDotted: boolean): string {
  if (end === 'extension') return isDotted ? 'implements' : 'extends';
  return end === 'aggregation' || end === 'composition' ? end : '';
}
