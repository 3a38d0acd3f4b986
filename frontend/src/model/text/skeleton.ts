/** A starting text for a design document: headings, hints, and the current nodes. Pure. */
import { type DiagramNode, isAnnotation } from '../../protocol/types';
import { typeName } from '../words/kinds';
import { nodeLink } from './links';

const MAX_NODES = 40;

export function skeletonOf(name: string, nodes: readonly DiagramNode[]): string {
  return `# ${name.replace(/\s+/g, ' ').trim()}

What this system is for, in two sentences.

## Goals

- What it must do, and how well
- What it deliberately does not do

## Components

${componentsOf(nodes)}

## Decisions

- [ ] What is still open, and who decides
`;
}

function componentsOf(nodes: readonly DiagramNode[]): string {
  const listed = nodes.filter(({ type }) => type !== 'group' && !isAnnotation(type)).slice(0, MAX_NODES);
  if (listed.length === 0) return 'What each part of the diagram is responsible for.';
  const rows = listed.map(
    (node) => `| ${nodeLink(node).replaceAll('|', '\\|')} | ${cell(node.technology || typeName(node))} |  |`,
  );
  return ['| Component | Technology | Responsible for |', '| --- | --- | --- |', ...rows].join('\n');
}

const cell = (text: string): string => text.replace(/[|\\]/g, '\\$&').replace(/\s+/g, ' ');
