/** What can come next in a line of a diagram as text: names of nodes, types, technologies. Pure. */
import type { Diagram } from '../../protocol/types';
import { TYPE_CATEGORIES, TYPE_NAMES, typeName } from '../words/kinds';
import { nodesByName } from './projection';
import { behindArrow, folded, printEnd, typeWords } from './syntax';

export interface Offer {
  /** What is shown and looked for. */
  readonly label: string;
  readonly detail: string;
  /** What is written. */
  readonly insert: string;
}

export interface Offers {
  /** Where in the line what is replaced begins. */
  readonly from: number;
  readonly offers: readonly Offer[];
}

const IN_TYPE = /\(([^()[\]"]*)$/;
const IN_TECHNOLOGY = /\[([^[\]]*)$/;

/**
 * What is offered at the end of the words before the caret; null for nothing.
 *
 * @param isAsked by a key: then a line can also begin with the name of a node
 */
export function offersAt(before: string, diagram: Diagram, isAsked: boolean): Offers | null {
  const behind = behindArrow(before);
  if (behind !== null) return behind.includes(':') ? null : offered(before, behind, names(diagram));
  const type = IN_TYPE.exec(before);
  if (type) return offered(before, type[1] ?? '', [...ownTypes(diagram), ...TYPES]);
  const technology = IN_TECHNOLOGY.exec(before);
  if (technology) return offered(before, technology[1] ?? '', technologies(diagram));
  return isAsked ? offered(before, before.trimStart(), names(diagram)) : null;
}

const offered = (before: string, typed: string, offers: readonly Offer[]): Offers => ({
  from: before.length - typed.length,
  offers,
});

const TYPES: readonly Offer[] = TYPE_CATEGORIES.flatMap(({ types }) =>
  types.map((type) => ({
    label: typeWords(type),
    detail: TYPE_NAMES[type] ?? '',
    insert: `${typeWords(type)})`,
  })),
);

/** By their ids, which are what is printed. */
const ownTypes = ({ types = {} }: Diagram): Offer[] =>
  Object.entries(types).map(([id, { name }]) => ({ label: id, detail: name, insert: `${id})` }));

/** A name that several nodes have is offered with the id of each. */
function names({ nodes }: Diagram): Offer[] {
  const known = nodesByName(nodes);
  return nodes.map((node) => {
    const { id, label } = node;
    const isAlone = known.get(folded(label))?.length === 1;
    return {
      label,
      detail: isAlone ? typeName(node) : `#${id}`,
      insert: printEnd(isAlone ? { name: label } : { id }),
    };
  });
}

function technologies({ nodes }: Diagram): Offer[] {
  const known = new Set(nodes.map(({ technology }) => technology).filter(Boolean));
  return [...known]
    .sort()
    .map((name) => ({ label: name, detail: '', insert: `${name.replace(/[[\]\\]/g, '\\$&')}]` }));
}
