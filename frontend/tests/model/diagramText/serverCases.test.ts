/** The cases that the server's reader and writer of the same grammar run as well (`tests/unit/test_diagram_text.py`). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTypes } from '../../../src/model/core/withTypes';
import { wholeText } from '../../../src/model/diagramText/projection';
import { TextSession } from '../../../src/model/diagramText/session';
import { readLine } from '../../../src/model/diagramText/syntax';
import { TYPE_NAMES } from '../../../src/model/words/kinds';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { CustomTypes, Diagram, DiagramEdge, DiagramNode } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { type Drawn, drawn } from './drawn';

interface Cases {
  types: [name: string, type: string][];
  names: [name: string, type: string | null][];
  read: (Drawn & { name: string; text: string; types?: CustomTypes })[];
  printed: {
    name: string;
    types?: CustomTypes;
    diagram: {
      nodes: (Partial<DiagramNode> & { id: string })[];
      edges: (Partial<DiagramEdge> & { source: string; target: string })[];
    };
    text: string;
  }[];
}

const FILE = path.resolve(import.meta.dirname, '../../../../tests/fixtures/diagram-text.json');
const CASES = JSON.parse(readFileSync(FILE, 'utf8')) as Cases;

describe('the cases that page and server share', () => {
  it('name every type as the page does', () => {
    const known = new Map(CASES.types);
    // The server takes a type by its own words as well: other names have to stand in the cases.
    for (const [type, name] of Object.entries(TYPE_NAMES))
      expect(known.get(name) ?? name.toLowerCase().replaceAll(' ', '_'), name).toBe(type);
    for (const [name, type] of CASES.types) expect(readLine(`x (${name})`)).toMatchObject({ type });
  });

  it.each(CASES.names)('know what the name “%s” says: %s', (name, type) =>
    expect(typeOfName(name)).toBe(type),
  );

  it.each(CASES.read)('are drawn alike: $name', ({ text, types, nodes, edges, unread }) =>
    expect(drawn(text, types)).toEqual({ nodes, edges, unread }),
  );

  it.each(CASES.printed)('are printed alike: $name', ({ diagram: { nodes, edges }, types, text }) => {
    const diagram: Diagram = withTypes({
      types,
      nodes: nodes.map((given) => node(given.id, given)),
      edges: edges.map((given) => edge(given.source, given.target, given)),
    });
    expect(wholeText(diagram, typeOfName)).toBe(text);
    const shown = new TextSession(typeOfName, diagram).lines.map((line) => line.text).join('\n');
    expect(shown.trimEnd()).toBe(text.trimEnd());
  });
});
