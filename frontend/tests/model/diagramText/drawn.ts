/** What a text draws in an empty diagram, in a form that the server's reader can be compared with (`tests/node`). */
import { withTypes } from '../../../src/model/core/withTypes';
import { batchOf } from '../../../src/model/diagramText/batch';
import { wholeText as textOf } from '../../../src/model/diagramText/projection';
import { EVERYTHING } from '../../../src/model/diagramText/session';
import { FreeIds } from '../../../src/model/gestures/ids';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { CustomTypes, Diagram } from '../../../src/protocol/types';

export { typeOfName } from '../../../src/model/words/typeOfName';

/** Of a diagram as the server tells it. */
export const wholeText = (diagram: Diagram): string => textOf(withTypes(diagram), typeOfName);

/** Parents and ends are numbers of nodes; ids are those that the text itself gives. */
export interface Drawn {
  nodes: { label: string; type: string; technology?: string; id?: string; parent?: number }[];
  edges: { source: number; target: number; kind: string; direction: string; label: string }[];
  /** The number of a line from 1, and the first sentence of why it is not drawn. */
  unread: [line: number, why: string][];
}

const MADE = 'made0';
const isMade = (id: string): boolean => /-made0(-\d+)?$/.test(id);

export function drawn(text: string, types?: CustomTypes): Drawn {
  const lines = text.split(/\r\n|\r|\n/).map((line) => ({ key: null, text: line, isMoved: false }));
  const settings = { choice: EVERYTHING, typeOf: typeOfName, ids: new FreeIds([], () => MADE) };
  const batch = batchOf({ lines, lost: new Map() }, new Map(), { nodes: [], edges: [], types }, settings);
  const added = batch.operations.flatMap((one) => (one.op === 'add_node' ? [one] : []));
  const numbers = new Map(added.map(({ id }, number) => [id ?? '', number]));
  const numberOf = (id: string): number => numbers.get(id) ?? -1;
  return {
    nodes: added.map(({ id = '', label, type, technology, parent }) => ({
      label,
      type,
      ...(technology && { technology }),
      ...(!isMade(id ?? '') && { id: id ?? '' }),
      ...(parent && { parent: numberOf(parent) }),
    })),
    edges: batch.operations.flatMap((one) =>
      one.op === 'add_edge'
        ? [
            {
              source: numberOf(one.source),
              target: numberOf(one.target),
              kind: one.kind ?? 'sync',
              direction: one.direction ?? 'forward',
              label: one.label ?? '',
            },
          ]
        : [],
    ),
    unread: [...batch.problems]
      .sort(([one], [other]) => one - other)
      .map(([at, why]) => [at + 1, first(why)]),
  };
}

/** What stands behind a full stop says what to do about it. */
const first = (why: string): string => `${(why.split(/\.(?= [A-Z]|$)/)[0] ?? '').trim()}.`;
