/** The items of the context menu: for a node, an edge, a selection, or the canvas. */
import {
  AlignStartVertical,
  ArrowLeftRight,
  ArrowRightLeft,
  createLucideIcon,
  FolderInput,
  LineStyle,
  type LucideIcon,
  Minus,
  MoveRight,
  Palette,
  Plus,
  RouteOff,
  Shapes,
  SlidersHorizontal,
  Spline,
  Tag,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { typeIdOf } from '../../model/core/customTypes';
import { inShape } from '../../model/gestures/bend';
import { isRefusal, swapEnds } from '../../model/gestures/connect';
import { previewLanding } from '../../model/gestures/landing';
import { lockRefusal } from '../../model/gestures/locks';
import { groupsFor, moveTo } from '../../model/gestures/ungroup';
import { DIRECTION_NAMES, KIND_NAMES, TYPE_CATEGORIES, TYPE_NAMES } from '../../model/words/kinds';
import { COLOR_NAMES, SHAPE_NAMES, STYLE_NAMES } from '../../model/words/looks';
import { searchCustomTypes } from '../../model/words/searchCustomTypes';
import type {
  Color,
  CustomTypes,
  DiagramEdge,
  DiagramNode,
  EdgeKind,
  LineShape,
  Point,
  Style,
} from '../../protocol/types';
import type { Command } from '../commands/commands';
import { written } from '../commands/keys';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { TYPE_ICONS } from '../drawing/typeIcons';
import { MenuChoices, MenuItem, MenuSeparator, SubMenu } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';
import { arrangeCommands, selectColor, selectKind } from './arrangeCommands';
import { pasteText, readClipboard } from './clipboard';
import { overlayOf } from './overlay';

/** A command as an item; nothing where there is no such command, disabled where it cannot run. */
export function CommandItem({
  id,
  tone = 'plain',
  children,
}: {
  id: string;
  tone?: 'plain' | 'bad';
  children?: ReactNode;
}) {
  const { commands } = useEditorContext();
  const command = commands.get(id);
  return command ? (
    <ItemOf command={command} tone={tone}>
      {children}
    </ItemOf>
  ) : null;
}

function ItemOf({
  command,
  tone = 'plain',
  children,
}: {
  command: Command;
  tone?: 'plain' | 'bad';
  children?: ReactNode;
}) {
  const [keys] = command.keys ?? [];
  return (
    <MenuItem
      {...(command.icon && { icon: command.icon })}
      {...(keys && { keys: written(keys) })}
      tone={tone}
      isDisabled={!isPossible(command.id, command.isEnabled)}
      onChoose={() => command.isEnabled?.() !== false && command.run()}
    >
      {children ?? command.title}
    </MenuItem>
  );
}

/** Enabled ignoring the focus, which is in the menu while it is open. */
const isPossible = (id: string, isEnabled: (() => boolean) | undefined): boolean =>
  id === 'edit.rename' || isEnabled?.() !== false;

export function PropertiesItem() {
  const { ui } = useEditorContext();
  const isOpen = useUiState((state) => state.panel === 'properties');
  if (isOpen) return null;
  return (
    <MenuItem icon={SlidersHorizontal} keys={written(']')} onChoose={() => ui.setPanel('properties')}>
      Properties
    </MenuItem>
  );
}

export function NodeItems({ node }: { node: DiagramNode }) {
  const { access, edit, ui } = useEditorContext();
  const types = useLive(({ diagram }) => diagram.types);
  if (!access.isWritable) return <CommandItem id="edit.copy" />;
  const openTypes = (choice: { isNew?: boolean; nodes?: string[] }) =>
    ui.set({ dialog: { kind: 'types', ...choice } });
  const isGroup = node.type === 'group';
  return (
    <>
      <CommandItem id="edit.rename" />
      <CommandItem id="edit.connect" />
      {!isGroup && (
        <SubMenu icon={Shapes} label="Type">
          <MenuChoices
            label="Type"
            value={typeIdOf(node)}
            choices={[...ownTypes(types), ...TYPE_CHOICES]}
            onChoose={(type) => void edit([{ op: 'update_node', id: node.id, type }])}
          />
          <MenuSeparator />
          <MenuItem icon={Plus} onChoose={() => openTypes({ isNew: true, nodes: [node.id] })}>
            New type…
          </MenuItem>
          {types && <MenuItem onChoose={() => openTypes({})}>Edit types…</MenuItem>}
        </SubMenu>
      )}
      <CommandItem id="node.image" />
      {node.image && <CommandItem id="node.image-remove" />}
      <MenuSeparator />
      <ClipboardItems />
      <CommandItem id="add.pattern" />
      <MenuSeparator />
      <SelectLikeItems />
      <ArrangeItems />
      {isGroup && <CommandItem id="arrange.collapse" />}
    </>
  );
}

/** With the icons of what they are based on. */
const ownTypes = (types: CustomTypes | undefined) =>
  searchCustomTypes(types).map(({ id, custom }) => {
    const icon = TYPE_ICONS[custom.base];
    return { value: id, text: custom.name, ...(icon && { icon }) };
  });

const TYPE_CHOICES = TYPE_CATEGORIES.flatMap(({ types }) => types)
  .filter((type) => type !== 'group')
  .map((type) => ({
    value: type as string,
    text: TYPE_NAMES[type] ?? type,
    ...(TYPE_ICONS[type] && { icon: TYPE_ICONS[type] }),
  }));

function ClipboardItems() {
  return (
    <>
      <CommandItem id="edit.copy" />
      <CommandItem id="edit.cut" />
      <CommandItem id="edit.duplicate" />
    </>
  );
}

function ArrangeItems() {
  const { commands } = useEditorContext();
  return (
    <>
      <CommandItem id="arrange.group" />
      {commands.get('arrange.ungroup')?.isEnabled?.() && <CommandItem id="arrange.ungroup" />}
      <MoveToGroup />
      <CommandItem id="arrange.lock" />
    </>
  );
}

function AlignItems() {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  return (
    <SubMenu icon={AlignStartVertical} label="Align">
      {arrangeCommands(context, toasts, selection).map((command) => (
        <ItemOf key={command.id} command={command} />
      ))}
    </SubMenu>
  );
}

function SelectLikeItems() {
  const context = useEditorContext();
  const selection = useUiState((state) => state.selection);
  const sameColor = selectColor(context, selection);
  return (
    <>
      <ItemOf command={selectKind(context, selection)} />
      {sameColor.isEnabled?.() && <ItemOf command={sameColor} />}
    </>
  );
}

/** Moves into a group or out of it without dragging. */
function MoveToGroup() {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  const scene = sceneOf(context);
  const groups = groupsFor(scene, selection.nodes);
  const parents = new Set([...selection.nodes].map((id) => scene.nodes.get(id)?.parent ?? null));
  const move = (group: string | null) => {
    const answer = moveTo(sceneOf(context), selection.nodes, group);
    if (isRefusal(answer)) toasts.show({ text: answer.refusal, detail: answer.advice });
    else void context.edit(answer);
  };
  const overlay = overlayOf(context.ui);
  const look = (group: string | null) =>
    overlay.showLanding?.(group ? previewLanding(scene, scene.outermost(selection.nodes), group) : null);
  useEffect(() => () => overlay.showLanding?.(null), [overlay]);
  if (groups.length === 0 && parents.has(null)) return null;
  const [parent = null] = parents;
  return (
    <SubMenu icon={FolderInput} label="Move to group">
      <MenuChoices
        label="Group"
        value={parents.size === 1 ? (parent ?? '') : ' '}
        choices={[
          { value: '', text: 'No group' },
          ...groups.map(({ id, label }) => ({ value: id, text: label })),
        ]}
        onChoose={(id) => move(id || null)}
        onLook={(id) => look(id || null)}
      />
    </SubMenu>
  );
}

export function EdgeItems({ edge }: { edge: DiagramEdge }) {
  const { access, edit } = useEditorContext();
  if (!access.isWritable) return null;
  const { id } = edge;
  return (
    <>
      <CommandItem id="edit.rename">{edge.label ? 'Change label' : 'Add label'}</CommandItem>
      <SubMenu icon={MoveRight} label="Kind">
        <MenuChoices
          label="Kind"
          value={edge.kind}
          choices={Object.entries(KIND_NAMES).map(([value, text]) => ({ value, text }))}
          onChoose={(kind) => void edit([{ op: 'update_edge', id, kind: kind as EdgeKind }])}
        />
      </SubMenu>
      <SubMenu icon={ArrowLeftRight} label="Direction">
        <MenuChoices
          label="Direction"
          value={edge.direction}
          choices={Object.entries(DIRECTION_NAMES).map(([value, text]) => ({ value, text }))}
          onChoose={(way) =>
            void edit([{ op: 'update_edge', id, direction: way as 'forward' | 'both' | 'none' }])
          }
        />
      </SubMenu>
      <SubMenu icon={Spline} label="Line">
        <MenuChoices
          label="Line"
          value={edge.shape}
          choices={Object.entries(SHAPE_NAMES).map(([value, text]) => ({ value, text }))}
          onChoose={(shape) => void edit([inShape(edge, shape as LineShape)])}
        />
      </SubMenu>
      <MenuItem icon={ArrowRightLeft} onChoose={() => void edit([swapEnds(edge)])}>
        Swap ends
      </MenuItem>
      {edge.route && (
        <MenuItem icon={RouteOff} onChoose={() => void edit([{ op: 'update_edge', id, route: null }])}>
          Draw anew
        </MenuItem>
      )}
      {edge.label_at !== null && (
        <MenuItem icon={Tag} onChoose={() => void edit([{ op: 'update_edge', id, label_at: null }])}>
          Place the label anew
        </MenuItem>
      )}
      <SelectLikeItems />
      <CommandItem id="add.pattern" />
    </>
  );
}

export function SeveralItems() {
  const { access } = useEditorContext();
  const hasNodes = useUiState(({ selection }) => selection.nodes.size > 0);
  if (!hasNodes) return null;
  if (!access.isWritable) return <CommandItem id="edit.copy" />;
  return (
    <>
      <ClipboardItems />
      <CommandItem id="add.pattern" />
      <MenuSeparator />
      <AlignItems />
      <ArrangeItems />
      <CommandItem id="arrange.tidy-selection" />
    </>
  );
}

export function CanvasItems({ at, screen }: { at: Point; screen: Point }) {
  const context = useEditorContext();
  const toasts = useToasts();
  const { access, ui } = context;
  return (
    <>
      {access.isWritable && (
        <>
          <MenuItem
            icon={Plus}
            onChoose={() =>
              overlayOf(ui).open.setState({ open: { kind: 'picker', source: null, at, screen } })
            }
          >
            Add a node here…
          </MenuItem>
          <MenuItem
            icon={context.commands.get('edit.paste')?.icon ?? Minus}
            keys={written('Mod+V')}
            onChoose={() => void readClipboard().then((text) => pasteText(context, toasts, text, at))}
          >
            Paste here
          </MenuItem>
          <CommandItem id="add.pattern" />
          <MenuSeparator />
          <CommandItem id="arrange.tidy-gently" />
          <CommandItem id="arrange.tidy" />
        </>
      )}
      <CommandItem id="select.all" />
      <CommandItem id="view.fit" />
    </>
  );
}

/** Samples in the place of icons; the usual colour and style have none. */
const SWATCHES = samples(Object.keys(COLOR_NAMES), (color) => [
  'circle',
  { key: color, cx: 12, cy: 12, r: 8, fill: `var(--tint-${color})`, stroke: 'none' },
]);
const STROKES: Readonly<Record<string, object>> = {
  dashed: { strokeDasharray: '5 3.5', strokeLinecap: 'butt' },
  dotted: { strokeDasharray: '0.1 4.4', strokeWidth: 2.4 },
  bold: { strokeWidth: 4 },
  muted: { strokeWidth: 1.2, opacity: 0.7 },
};
const LINES = samples(Object.keys(STYLE_NAMES), (style) => [
  'path',
  { key: style, d: 'M2 12h20', ...STROKES[style] },
]);

type Shape = Parameters<typeof createLucideIcon>[1][number];

function samples(names: readonly string[], shape: (name: string) => Shape): ReadonlyMap<string, LucideIcon> {
  return new Map(names.filter(Boolean).map((name) => [name, createLucideIcon(name, [shape(name)])]));
}

const choicesOf = (names: Readonly<Record<string, string>>, icons: ReadonlyMap<string, LucideIcon>) =>
  Object.entries(names).map(([value, text]) => {
    const icon = icons.get(value);
    return { value, text, ...(icon && { icon }) };
  });

const COLORS = choicesOf(COLOR_NAMES, SWATCHES);
const STYLES = choicesOf(STYLE_NAMES, LINES);

/** Colour and style of a node, a line, or all that is selected, changed as one step. */
export function LooksItems() {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  const diagram = useLive((live) => live.diagram);
  const nodes = diagram.nodes.filter(({ id }) => selection.nodes.has(id));
  const edges = diagram.edges.filter(({ id }) => selection.edges.has(id));
  const give = (change: { color: Color | null } | { style: Style | null }) => {
    const touched = [...selection.nodes, ...edges.flatMap(({ source, target }) => [source, target])];
    const lock = lockRefusal(sceneOf(context), touched, 'Nothing was changed');
    if (lock) toasts.show({ text: lock.refusal, detail: lock.advice });
    else
      void context.edit([
        ...nodes.map(({ id }) => ({ op: 'update_node', id, ...change }) as const),
        ...edges.map(({ id }) => ({ op: 'update_edge', id, ...change }) as const),
      ]);
  };
  return (
    <>
      <SubMenu icon={Palette} label="Colour">
        <MenuChoices
          label="Colour"
          value={common([...nodes, ...edges].map(({ color }) => color))}
          choices={COLORS}
          onChoose={(color) => give({ color: (color || null) as Color | null })}
        />
      </SubMenu>
      <SubMenu icon={LineStyle} label="Style">
        <MenuChoices
          label="Style"
          value={common([...nodes, ...edges].map(({ style }) => style))}
          choices={STYLES}
          onChoose={(style) => give({ style: (style || null) as Style | null })}
        />
      </SubMenu>
    </>
  );
}

/** What all have; no choice where they differ. */
const common = (values: readonly string[]): string => {
  const [first = '', ...others] = new Set(values);
  return others.length === 0 ? first : ' ';
};
