/** The entries of the command palette: commands, nodes, and sections of the document. */
import { BoxSelect, Heading as HeadingIcon } from 'lucide-react';
import { useMemo } from 'react';
import { type Heading, outlineOf } from '../../model/text/outline';
import { writtenOn } from '../../model/words/annotations';
import { counted, typeName } from '../../model/words/kinds';
import { searchNodes } from '../../model/words/search';
import { type DiagramNode, isAnnotation } from '../../protocol/types';
import { commandEntries, type Entry } from '../commands/entries';
import { Finder } from '../commands/Finder';
import { type EditorContext, useEditorContext } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { TYPE_ICONS } from '../drawing/typeIcons';

interface Props {
  /** What was typed before it was loaded. */
  typed: string;
  onClose: () => void;
}

export function WorkspaceFinder({ typed, onClose }: Props) {
  const context = useEditorContext();
  const { diagram, text } = useWorkspaceView();
  const commands = useMemo(() => commandEntries(context.commands.offered()), [context]);
  const places = useMemo(
    () => [
      ...diagram.nodes.map((node) => nodeEntry(context, node)),
      ...outlineOf(text).map((heading, index) => sectionEntry(context, heading, index)),
    ],
    [context, diagram, text],
  );
  return (
    <Finder
      label="Search commands, nodes and sections"
      commands={commands}
      places={places}
      severalOf={(query) => severalEntry(context, diagram.nodes, query)}
      typed={typed}
      onClose={onClose}
    />
  );
}

function nodeEntry({ ui }: EditorContext, node: DiagramNode): Entry {
  const type = typeName(node);
  return {
    id: `node ${node.id}`,
    title: `Go to ${node.label}`,
    group: 'Nodes',
    icon: TYPE_ICONS[node.type] ?? TYPE_ICONS.other,
    words: `${isAnnotation(node.type) ? writtenOn(node) : node.label} ${type} ${node.technology} ${node.id}`,
    detail: node.technology || type,
    run: () => {
      if (ui.get().mode === 'document') ui.setMode('split');
      ui.show([node.id], { pulse: true });
    },
  };
}

/** Selects several nodes by words for each of them, with commas between; null where one of them finds nothing. */
function severalEntry({ ui }: EditorContext, nodes: readonly DiagramNode[], query: string): Entry | null {
  const asked = query.split(',').filter((words) => words.trim());
  const found = asked.flatMap((words) => searchNodes(nodes, words, 1));
  if (asked.length < 2 || found.length < asked.length) return null;
  return {
    id: 'nodes',
    title: `Select ${counted(found.length, 'node')}`,
    group: 'Nodes',
    icon: BoxSelect,
    detail: found.map(({ label }) => label).join(', '),
    run: () => {
      if (ui.get().mode === 'document') ui.setMode('split');
      ui.show(found.map(({ id }) => id));
    },
  };
}

/** As much of a title is searched and shown. */
const MAX_TITLE = 200;

function sectionEntry({ ui }: EditorContext, heading: Heading, index: number): Entry {
  const title = heading.title.slice(0, MAX_TITLE);
  return {
    id: `section ${index}`,
    title: `Go to section ${title}`,
    group: 'Sections',
    icon: HeadingIcon,
    words: title,
    run: () => {
      if (ui.get().mode === 'diagram') ui.setMode('split');
      ui.showText(heading.from, heading.to);
    },
  };
}
