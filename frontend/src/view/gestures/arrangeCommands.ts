/** Commands that align, distribute and size what is selected, and select what is like it. Loaded after the first view. */
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceBetween,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceBetween,
  Columns3,
  type LucideIcon,
  Palette,
  Rows3,
  Scaling,
  SquareStack,
} from 'lucide-react';
import { type Arrangement, arranged, inOneSize, ofSameColor, ofSameKind } from '../../model/gestures/arrange';
import { isRefusal } from '../../model/gestures/connect';
import { resized } from '../../model/gestures/move';
import type { Command } from '../commands/commands';
import { type EditorContext, useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import type { Selection } from '../context/uiState';
import { type Toasts, useToasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';

/** Registers them for the selection; draws nothing. */
export function ArrangeCommands(): null {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  useCommands([
    ...arrangeCommands(context, toasts, selection),
    selectKind(context, selection),
    selectColor(context, selection),
  ]);
  return null;
}

interface Way {
  id: string;
  title: string;
  icon: LucideIcon;
  how: Arrangement;
  keys?: string[];
  words?: string;
}

const align = (axis: 'x' | 'y', side: 'start' | 'middle' | 'end'): Arrangement => ({
  kind: 'align',
  axis,
  side,
});

const WAYS: readonly Way[] = [
  {
    id: 'left',
    title: 'Align left edges',
    icon: AlignStartVertical,
    how: align('x', 'start'),
    keys: ['Alt+A'],
  },
  {
    id: 'centre',
    title: 'Align centres',
    icon: AlignCenterVertical,
    how: align('x', 'middle'),
    keys: ['Alt+H'],
  },
  {
    id: 'right',
    title: 'Align right edges',
    icon: AlignEndVertical,
    how: align('x', 'end'),
    keys: ['Alt+D'],
  },
  {
    id: 'top',
    title: 'Align top edges',
    icon: AlignStartHorizontal,
    how: align('y', 'start'),
    keys: ['Alt+W'],
  },
  {
    id: 'middle',
    title: 'Align middles',
    icon: AlignCenterHorizontal,
    how: align('y', 'middle'),
    keys: ['Alt+V'],
  },
  {
    id: 'bottom',
    title: 'Align bottom edges',
    icon: AlignEndHorizontal,
    how: align('y', 'end'),
    keys: ['Alt+S'],
  },
  {
    id: 'gaps-x',
    title: 'Make horizontal gaps equal',
    icon: AlignHorizontalSpaceBetween,
    how: { kind: 'distribute', axis: 'x' },
    keys: ['Shift+Alt+H'],
    words: 'distribute space evenly',
  },
  {
    id: 'gaps-y',
    title: 'Make vertical gaps equal',
    icon: AlignVerticalSpaceBetween,
    how: { kind: 'distribute', axis: 'y' },
    keys: ['Shift+Alt+V'],
    words: 'distribute space evenly',
  },
  {
    id: 'row',
    title: 'Line up in a row',
    icon: Columns3,
    how: { kind: 'line', axis: 'x' },
    words: 'align order',
  },
  {
    id: 'column',
    title: 'Line up in a column',
    icon: Rows3,
    how: { kind: 'line', axis: 'y' },
    words: 'stack order',
  },
];

/** In the order of the menu. */
export function arrangeCommands(context: EditorContext, toasts: Toasts, selection: Selection): Command[] {
  const hasSeveral = () => context.access.isWritable && selection.nodes.size > 1;
  const refuse = (text: string, detail: string) => toasts.show({ text, detail });
  return [
    ...WAYS.map(
      ({ how, ...way }): Command => ({
        ...way,
        id: `arrange.${way.id}`,
        group: 'Arrange',
        reach: 'canvas',
        isEnabled: hasSeveral,
        run: () => {
          const answer = arranged(sceneOf(context), selection.nodes, how);
          if (isRefusal(answer)) refuse(answer.refusal, answer.advice);
          else void context.edit(answer);
        },
      }),
    ),
    {
      id: 'arrange.size',
      title: 'Make all the same size',
      group: 'Arrange',
      icon: Scaling,
      words: 'width height resize largest',
      isEnabled: hasSeveral,
      run: () => {
        const answer = inOneSize(sceneOf(context), selection.nodes);
        if (isRefusal(answer)) refuse(answer.refusal, answer.advice);
        else void context.edit([...answer].flatMap(([id, box]) => resized(context.client.view, id, box)));
      },
    },
  ];
}

export const selectKind = (context: EditorContext, selection: Selection): Command => ({
  id: 'select.kind',
  title: 'Select the same kind',
  group: 'Select',
  icon: SquareStack,
  keys: ['Shift+Alt+A'],
  reach: 'canvas',
  words: 'type similar like',
  isEnabled: () => selection.nodes.size + selection.edges.size > 0,
  run: () => {
    const { nodes, edges } = ofSameKind(sceneOf(context), selection);
    context.ui.select(nodes, edges);
  },
});

export const selectColor = (context: EditorContext, selection: Selection): Command => ({
  id: 'select.color',
  title: 'Select the same colour',
  group: 'Select',
  icon: Palette,
  words: 'color similar like',
  isEnabled: () => {
    const { nodes, edges } = ofSameColor(sceneOf(context), selection);
    return nodes.length + edges.length > 0;
  },
  run: () => {
    const { nodes, edges } = ofSameColor(sceneOf(context), selection);
    context.ui.select(nodes, edges);
  },
});
