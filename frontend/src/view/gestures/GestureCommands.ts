/** Commands for the selection on the canvas, shared by keys, menus and the command palette. */
import {
  BoxSelect,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Group,
  Lock,
  LockOpen,
  Pencil,
  Plus,
  Scissors,
  Spline,
  Trash2,
  Ungroup,
} from 'lucide-react';
import { addBeside, addSibling, type Side } from '../../model/gestures/connect';
import { groupTogether } from '../../model/gestures/group';
import type { Command } from '../commands/commands';
import type { EditorContext } from '../context/EditorContext';
import type { Selection } from '../context/uiState';
import type { Toasts } from '../ui/overlay/Toasts';
import { addAndName, sceneOf } from './actions';
import { arrange } from './arrangingPart';
import {
  copySelection,
  cutSelection,
  duplicateSelection,
  pasteText,
  readClipboard,
  writeClipboard,
} from './clipboard';
import { askAndDelete } from './deleting';

/** Keys that also press buttons are left to a focused button. */
const isOnControl = (): boolean =>
  document.activeElement?.closest('button, a, input, select, textarea, [role="button"]') != null;

export function gestureCommands(context: EditorContext, toasts: Toasts, selection: Selection): Command[] {
  const { access } = context;
  const hasNodes = () => access.isWritable && selection.nodes.size > 0;
  const hasAny = () => access.isWritable && selection.nodes.size + selection.edges.size > 0;
  const only = (): string | null => (selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null);
  /** Of the next line: the selected node, or the one that the selected line comes from. */
  const source = (): string | null => {
    const [edge] = selection.edges;
    const line =
      edge !== undefined && selection.nodes.size === 0 ? context.client.view.edges.get(edge) : null;
    return access.isWritable ? (line?.source ?? only()) : null;
  };
  return [
    ...editing(context, toasts, selection, hasNodes, hasAny),
    ...arranging(context, toasts, selection, hasNodes),
    {
      id: 'edit.connect',
      title: 'Connect to…',
      group: 'Edit',
      icon: Spline,
      keys: ['L'],
      words: 'edge arrow line link target',
      isEnabled: () => source() !== null,
      run: () => context.ui.set({ dialog: { kind: 'connect', from: source() ?? '' } }),
    },
    {
      id: 'add.sibling',
      title: 'Add another node, connected as this one',
      group: 'Add',
      icon: Plus,
      keys: ['Shift+Enter'],
      reach: 'canvas',
      words: 'sibling',
      isEnabled: () => hasNodes() && only() !== null && !isOnControl(),
      run: () => addAndName(context, toasts, addSibling(sceneOf(context), only() ?? '')),
    },
    ...SIDES.map(
      ({ side, key }): Command => ({
        id: `add.${side}`,
        title: `Add a connected node ${WAYS[side]}`,
        group: 'Add',
        icon: Plus,
        keys: [`Mod+${key}`],
        reach: 'canvas',
        isEnabled: () => hasNodes() && only() !== null && !isOnControl(),
        run: () => {
          const source = only() ?? '';
          addAndName(context, toasts, addBeside(sceneOf(context), source, side), [source]);
        },
      }),
    ),
  ];
}

const SIDES: readonly { side: Side; key: string }[] = [
  { side: 'right', key: 'ArrowRight' },
  { side: 'below', key: 'ArrowDown' },
  { side: 'left', key: 'ArrowLeft' },
  { side: 'above', key: 'ArrowUp' },
];
const WAYS: Readonly<Record<Side, string>> = {
  right: 'on the right',
  below: 'below',
  left: 'on the left',
  above: 'above',
};

type Test = () => boolean;

function editing(
  context: EditorContext,
  toasts: Toasts,
  selection: Selection,
  hasNodes: Test,
  hasAny: Test,
): Command[] {
  const one = () => selection.nodes.size + selection.edges.size === 1;
  return [
    {
      id: 'edit.rename',
      title: 'Rename',
      group: 'Edit',
      icon: Pencil,
      keys: ['Enter', 'F2'],
      reach: 'canvas',
      words: 'name label title',
      isEnabled: () => hasAny() && one() && !isOnControl(),
      run: () => rename(context, selection),
    },
    {
      id: 'edit.copy',
      title: 'Copy',
      group: 'Edit',
      icon: Copy,
      keys: ['Mod+C'],
      reach: 'canvas',
      areKeysNative: true,
      isEnabled: () => selection.nodes.size > 0,
      run: () => writeClipboard(copySelection(context, toasts)),
    },
    {
      id: 'edit.cut',
      title: 'Cut',
      group: 'Edit',
      icon: Scissors,
      keys: ['Mod+X'],
      reach: 'canvas',
      areKeysNative: true,
      isEnabled: hasNodes,
      run: () => writeClipboard(cutSelection(context, toasts)),
    },
    {
      id: 'edit.paste',
      title: 'Paste',
      group: 'Edit',
      icon: ClipboardPaste,
      keys: ['Mod+V'],
      reach: 'canvas',
      areKeysNative: true,
      isEnabled: () => context.access.isWritable,
      run: () => void readClipboard().then((text) => pasteText(context, toasts, text, null)),
    },
    {
      id: 'edit.duplicate',
      title: 'Duplicate',
      group: 'Edit',
      icon: CopyPlus,
      keys: ['Mod+D'],
      words: 'clone copy',
      isEnabled: hasNodes,
      run: () => void duplicateSelection(context, toasts),
    },
    {
      id: 'edit.delete',
      title: 'Delete',
      group: 'Edit',
      icon: Trash2,
      keys: ['Delete', 'Backspace'],
      reach: 'canvas',
      words: 'remove erase',
      isEnabled: hasAny,
      run: () => askAndDelete(context, toasts),
    },
    {
      id: 'edit.menu',
      title: 'Menu of what is selected',
      group: 'Edit',
      icon: BoxSelect,
      keys: ['Shift+F10', 'ContextMenu'],
      reach: 'canvas',
      run: () => void import('./menuHere').then(({ openMenuHere }) => openMenuHere(context)),
    },
  ];
}

function arranging(context: EditorContext, toasts: Toasts, selection: Selection, hasNodes: Test): Command[] {
  const hasGroup = () =>
    hasNodes() && [...selection.nodes].some((id) => context.client.view.nodes.get(id)?.type === 'group');
  const areLocked = [...selection.nodes].every((id) => context.client.view.nodes.get(id)?.locked);
  return [
    {
      id: 'arrange.group',
      title: 'Group',
      group: 'Arrange',
      icon: Group,
      keys: ['G', 'Mod+G'],
      words: 'container boundary frame',
      isEnabled: hasNodes,
      run: () => addAndName(context, toasts, groupTogether(sceneOf(context), selection.nodes)),
    },
    {
      id: 'arrange.ungroup',
      title: 'Ungroup',
      group: 'Arrange',
      icon: Ungroup,
      keys: ['Shift+G', 'Mod+Shift+G'],
      words: 'dissolve group',
      isEnabled: hasGroup,
      run: () => void arrange(toasts, ({ ungroupSelected }) => ungroupSelected(context, toasts)),
    },
    {
      id: 'arrange.ungroup-out',
      title: 'Move out of all groups',
      group: 'Arrange',
      isEnabled: () =>
        hasNodes() &&
        [...selection.nodes].some((id) => context.client.view.nodes.get(id)?.parent !== undefined),
      run: () => void arrange(toasts, ({ moveOut }) => moveOut(context, toasts)),
    },
    {
      id: 'arrange.lock',
      title: areLocked && selection.nodes.size > 0 ? 'Unlock' : 'Lock',
      group: 'Arrange',
      icon: areLocked && selection.nodes.size > 0 ? LockOpen : Lock,
      words: 'lock unlock protect freeze',
      isEnabled: hasNodes,
      run: () => void arrange(toasts, ({ changeLocks }) => changeLocks(context, toasts)),
    },
  ];
}

function rename({ ui, client }: EditorContext, { nodes, edges }: Selection): void {
  const [node] = nodes;
  const [edge] = edges;
  if (node !== undefined && client.view.nodes.has(node)) ui.set({ renaming: { kind: 'node', id: node } });
  else if (edge !== undefined) ui.set({ renaming: { kind: 'edge', id: edge } });
}
