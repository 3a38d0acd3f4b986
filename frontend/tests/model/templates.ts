/** The diagrams of the templates, as they ship. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagram } from '../../src/protocol/types';
import { edge, node } from '../builders';

const FOLDER = path.resolve(import.meta.dirname, '../../../backend/draftsmith/templates');

/** Templates that hold a diagram, by name. */
export function templates(): [name: string, diagram: Diagram][] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file): [string, Diagram] => {
      const { diagram } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
      const nodes = (diagram?.nodes ?? []).map((given: { id: string }) => node(given.id, given));
      const edges = (diagram?.edges ?? []).map((given: { source: string; target: string }) =>
        edge(given.source, given.target, given),
      );
      return [file.replace('.json', ''), { nodes, edges }];
    })
    .filter(([, { nodes }]) => nodes.length > 0);
}
