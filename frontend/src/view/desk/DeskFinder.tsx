/** The palette of commands over an open workspace: its commands, its nodes, the sections of its document. */
import { Heading as HeadingIcon } from 'lucide-react';
import { useMemo } from 'react';
import { type Heading, outlineOf } from '../../model/text/outline';
import { TYPE_NAMES } from '../../model/words/kinds';
import type { DiagramNode } from '../../protocol/types';
import { TYPE_ICONS } from '../canvas/typeIcons';
import { useShown } from '../history/useShown';
import { type Desk, useDesk } from './Desk';
import { commandEntries, type Entry } from './entries';
import { Finder } from './Finder';

export function DeskFinder({ onClose }: { onClose: () => void }) {
  const desk = useDesk();
  const { diagram, text } = useShown();
  const commands = useMemo(() => commandEntries(desk.commands.offered()), [desk]);
  const places = useMemo(
    () => [
      ...diagram.nodes.map((node) => nodeEntry(desk, node)),
      ...outlineOf(text).map((heading, index) => sectionEntry(desk, heading, index)),
    ],
    [desk, diagram, text],
  );
  return (
    <Finder
      label="Search commands, nodes and sections"
      commands={commands}
      places={places}
      onClose={onClose}
    />
  );
}

function nodeEntry({ ui }: Desk, node: DiagramNode): Entry {
  const type = TYPE_NAMES[node.type] ?? node.type;
  return {
    id: `node ${node.id}`,
    title: `Go to ${node.label}`,
    group: 'Nodes',
    icon: TYPE_ICONS[node.type] ?? TYPE_ICONS.other,
    words: `${node.label} ${type} ${node.technology} ${node.id}`,
    detail: node.technology || type,
    run: () => {
      if (ui.get().mode === 'document') ui.setMode('split');
      ui.show([node.id], { pulse: true });
    },
  };
}

function sectionEntry({ ui }: Desk, heading: Heading, index: number): Entry {
  return {
    id: `section ${index}`,
    title: `Go to section ${heading.title}`,
    group: 'Sections',
    icon: HeadingIcon,
    words: heading.title,
    run: () => {
      if (ui.get().mode === 'diagram') ui.setMode('split');
      ui.showText(heading.from, heading.to);
    },
  };
}
