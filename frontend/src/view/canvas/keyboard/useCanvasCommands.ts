/** The commands of the canvas: tools, selecting, collapsing, and those of arrow keys. */
import {
  ChevronsDownUp,
  Hand as HandIcon,
  MousePointer2,
  Spline,
  SquareDashedMousePointer,
  Tags,
} from 'lucide-react';
import type { Command } from '../../commands/commands';
import { useCommands } from '../../context/EditorContext';
import type { PointerContext } from '../pointer/pointerContext';
import { type ArrowKeys, arrowCommands, useArrowKeys, useNudge } from './useArrowKeys';

export function useCanvasCommands(pointer: PointerContext): void {
  const nudge = useNudge(pointer);
  const arrowKeys = useArrowKeys(pointer);
  useCommands([
    ...toolCommands(pointer),
    ...selectCommands(pointer, arrowKeys),
    ...arrowCommands(pointer, nudge, arrowKeys),
  ]);
}

function toolCommands({ context, store }: PointerContext): Command[] {
  const { ui, access } = context;
  return [
    {
      id: 'tool.select',
      title: 'Select tool',
      group: 'Select',
      icon: MousePointer2,
      keys: ['V'],
      run: () => ui.set({ tool: { kind: 'select' } }),
    },
    {
      id: 'tool.hand',
      title: 'Hand tool: move the canvas',
      group: 'View',
      icon: HandIcon,
      keys: ['H'],
      words: 'pan',
      run: () => ui.set({ tool: { kind: 'hand' } }),
    },
    {
      id: 'view.labels',
      title: 'Show the labels of all lines, or only those with a free place',
      group: 'View',
      icon: Tags,
      keys: ['Shift+E'],
      words: 'connections names text readable',
      run: () => store.setState(({ areLabelsShown }) => ({ areLabelsShown: !areLabelsShown })),
    },
    {
      id: 'tool.connect',
      title: 'Connect tool: click one node, then the other',
      group: 'Add',
      icon: Spline,
      keys: ['C'],
      words: 'edge line arrow',
      isEnabled: () => access.isWritable,
      run: () => {
        const { nodes } = ui.get().selection;
        ui.set({ tool: { kind: 'connect', from: nodes.size === 1 ? ([...nodes][0] ?? null) : null } });
      },
    },
  ];
}

function selectCommands(pointer: PointerContext, arrowKeys: ArrowKeys): Command[] {
  const { ui, client } = pointer.context;
  return [
    {
      id: 'select.all',
      title: 'Select everything',
      group: 'Select',
      icon: SquareDashedMousePointer,
      keys: ['Mod+A'],
      reach: 'canvas',
      isEnabled: () => pointer.drawing().nodes.length > 0,
      run: () => {
        const { nodes, edges } = pointer.drawing();
        ui.select(
          nodes.map(({ node }) => node.id),
          edges.map(({ edge }) => edge.id),
        );
      },
    },
    {
      id: 'select.none',
      title: 'Select nothing',
      group: 'Select',
      keys: ['Escape'],
      reach: 'canvas',
      isEnabled: () => {
        const { tool, selection } = ui.get();
        return tool.kind !== 'select' || selection.nodes.size + selection.edges.size > 0;
      },
      run: () => stepBack(pointer, arrowKeys),
    },
    {
      id: 'select.edges',
      title: 'Go through the connections of a node',
      group: 'Select',
      keys: ['E'],
      reach: 'canvas',
      isEnabled: () => arrowKeys.hasEdges(),
      run: arrowKeys.nextEdge,
    },
    {
      id: 'arrange.collapse',
      title: 'Collapse or expand the group',
      group: 'Arrange',
      icon: ChevronsDownUp,
      keys: ['Shift+C'],
      reach: 'canvas',
      isEnabled: () => groupsAmong(pointer).length > 0,
      run: () => {
        for (const id of groupsAmong(pointer)) ui.toggleCollapsed(id);
        pointer.say(groupsAmong(pointer).some((id) => ui.get().collapsed.has(id)) ? 'Collapsed' : 'Expanded');
      },
    },
  ];

  function groupsAmong({ context }: PointerContext): string[] {
    return [...context.ui.get().selection.nodes].filter((id) => client.view.nodes.get(id)?.type === 'group');
  }
}

/** Escape: leaves the tool first, then goes from an edge back to its node, then deselects. */
function stepBack({ context: { ui } }: PointerContext, arrowKeys: ArrowKeys): void {
  const { tool } = ui.get();
  if (tool.kind === 'connect' && tool.from !== null) ui.set({ tool: { kind: 'connect', from: null } });
  else if (tool.kind !== 'select') ui.set({ tool: { kind: 'select' } });
  else if (!arrowKeys.backToNode()) ui.deselect();
}
