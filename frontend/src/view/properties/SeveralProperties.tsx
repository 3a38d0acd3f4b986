/** What several selected things have in common: changed for all of them as one step. */
import { typeIdOf } from '../../model/core/customTypes';
import { inShape } from '../../model/gestures/bend';
import { isRefusal } from '../../model/gestures/connect';
import { lockChange, lockRefusal } from '../../model/gestures/locks';
import type { Scene } from '../../model/gestures/scene';
import { moveTo } from '../../model/gestures/ungroup';
import { counted, typeName } from '../../model/words/kinds';
import type { Operation } from '../../protocol/live';
import type { DiagramEdge, DiagramNode, LineShape } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { TypeTile } from '../drawing/TypeTile';
import { useToasts } from '../ui/overlay/Toasts';
import { ChoiceField } from './ChoiceField';
import { CommitField } from './CommitField';
import { DIRECTION_CHOICES, groupChoices, KIND_CHOICES, SHAPE_CHOICES } from './choices';
import type { EdgeChange } from './EdgeProperties';
import { LockNote } from './LockNote';
import { LooksFields } from './LooksFields';
import type { Change } from './NodeProperties';
import { TypeField } from './TypeField';

interface Props {
  nodes: readonly DiagramNode[];
  edges: readonly DiagramEdge[];
  scene: Scene;
}

export function SeveralProperties({ nodes, edges, scene }: Props) {
  const { access, edit } = useEditorContext();
  const touched = [...nodes.map(({ id }) => id), ...edges.flatMap(({ source, target }) => [source, target])];
  const lock = lockRefusal(scene, touched, 'Locked');
  const isDisabled = lock !== null || !access.isWritable;
  const forAllEdges = (change: EdgeChange) =>
    void edit(edges.map(({ id }) => ({ op: 'update_edge', id, ...change }) as const));
  const counts = [
    ...(nodes.length > 0 ? [counted(nodes.length, 'node')] : []),
    ...(edges.length > 0 ? [counted(edges.length, 'connection')] : []),
  ].join(', ');
  return (
    <section className="details" aria-label={`Properties of ${counts}`}>
      <header className="details-head">
        <h2>{counts}</h2>
      </header>
      <LockNote
        reason={access.isWritable ? (lock ? `${lock.refusal}. ${lock.advice}` : null) : access.reason}
      />
      <TypeCounts nodes={nodes} />
      {nodes.length > 0 && <NodeFields nodes={nodes} scene={scene} isDisabled={isDisabled} />}
      {edges.length > 0 && (
        <section className="prop-section" aria-label="Connections">
          <h3>Connections</h3>
          <ChoiceField
            label="Kind"
            value={common(edges, ({ kind }) => kind)}
            choices={KIND_CHOICES}
            isDisabled={isDisabled}
            onChoose={(kind) => forAllEdges({ kind: kind as 'sync' })}
          />
          <ChoiceField
            label="Direction"
            value={common(edges, ({ direction }) => direction)}
            choices={DIRECTION_CHOICES}
            isDisabled={isDisabled}
            onChoose={(way) => forAllEdges({ direction: way as 'forward' })}
          />
          <LooksFields
            color={common(edges, ({ color }) => color)}
            style={common(edges, ({ style }) => style)}
            isDisabled={isDisabled}
            onChange={forAllEdges}
          />
          <ChoiceField
            label="Line"
            value={common(edges, ({ shape }) => shape)}
            choices={SHAPE_CHOICES}
            isDisabled={isDisabled}
            onChoose={(shape) => void edit(edges.map((edge) => inShape(edge, shape as LineShape)))}
          />
        </section>
      )}
      <Actions />
    </section>
  );
}

/** What all have; null where they differ. */
function common<T, V>(things: readonly T[], read: (thing: T) => V): V | null {
  const values = new Set(things.map(read));
  const [first] = values;
  return values.size === 1 ? (first as V) : null;
}

function TypeCounts({ nodes }: { nodes: readonly DiagramNode[] }) {
  const counts = new Map<string, { node: DiagramNode; count: number }>();
  for (const node of nodes) {
    const id = typeIdOf(node);
    counts.set(id, { node, count: (counts.get(id)?.count ?? 0) + 1 });
  }
  return (
    <ul className="type-counts">
      {[...counts]
        .sort(([, one], [, other]) => other.count - one.count)
        .map(([id, { node, count }]) => (
          <li key={id}>
            <TypeTile type={node.type} custom={node.custom} />
            <span>{typeName(node)}</span>
            <span className="type-count">{count}</span>
          </li>
        ))}
    </ul>
  );
}

function NodeFields({ nodes, scene, isDisabled }: Omit<Props, 'edges'> & { isDisabled: boolean }) {
  const { access, edit } = useEditorContext();
  const toasts = useToasts();
  const ids = nodes.map(({ id }) => id);
  const forAll = (change: Pick<Change, 'type' | 'technology' | 'color' | 'style'>) =>
    void edit(ids.map((id) => ({ op: 'update_node', id, ...change }) as const));
  const doOrSay = (answer: Operation[] | { refusal: string; advice: string }) => {
    if (isRefusal(answer)) toasts.show({ text: answer.refusal, detail: answer.advice });
    else void edit(answer as Operation[]);
  };
  const technology = common(nodes, (node) => node.technology);
  const parent = common(nodes, (node) => node.parent ?? '');
  const hasContents = ids.some((id) => scene.childrenOf(id).length > 0);
  return (
    <>
      <TypeField
        nodes={ids}
        value={common(nodes, typeIdOf)}
        isDisabled={isDisabled}
        hasContents={hasContents}
        onChoose={(type) => forAll({ type })}
      />
      <LooksFields
        color={common(nodes, ({ color }) => color)}
        style={common(nodes, ({ style }) => style)}
        isDisabled={isDisabled}
        onChange={forAll}
      />
      <CommitField
        label="Technology"
        value={technology ?? ''}
        placeholder={technology === null ? 'Different' : ''}
        most={200}
        isDisabled={isDisabled}
        onCommit={(text) => forAll({ technology: text || null })}
      />
      <ChoiceField
        label="Group"
        value={parent}
        choices={groupChoices(scene, ids, parent || null)}
        isDisabled={isDisabled}
        onChoose={(id) => doOrSay(moveTo(scene, ids, id || null))}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={nodes.every(({ locked }) => locked)}
          disabled={!access.isWritable}
          onChange={() => doOrSay(lockChange(scene, ids))}
        />
        Locked
      </label>
    </>
  );
}

const ACTIONS = ['arrange.group', 'edit.duplicate', 'arrange.tidy-selection', 'edit.delete'];

function Actions() {
  const { commands, access } = useEditorContext();
  if (!access.isWritable) return null;
  const possible = ACTIONS.flatMap((id) => commands.get(id) ?? []).filter(
    (command) => command.isEnabled?.() !== false,
  );
  return (
    <div className="prop-actions">
      {possible.map(({ id, title, icon: Icon }) => (
        <button key={id} type="button" className="button small" onClick={() => void commands.run(id)}>
          {Icon && <Icon size={15} strokeWidth={2} aria-hidden="true" />} {title}
        </button>
      ))}
    </div>
  );
}
