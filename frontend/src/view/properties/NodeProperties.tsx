/** The fields of a node. */

import { ArrowLeft, ArrowLeftRight, ArrowRight, Minus, Plus, SlidersHorizontal } from 'lucide-react';
import { typeIdOf } from '../../model/core/customTypes';
import { DEFAULT_SIZE } from '../../model/drawing/boxes';
import { isRefusal } from '../../model/gestures/connect';
import { holderOf } from '../../model/gestures/locks';
import type { Scene } from '../../model/gestures/scene';
import { moveTo } from '../../model/gestures/ungroup';
import { KIND_NAMES } from '../../model/words/kinds';
import type { Operation } from '../../protocol/live';
import { type DiagramEdge, type DiagramNode, isAnnotation } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { TypeTile } from '../drawing/TypeTile';
import { IconButton } from '../ui/IconButton';
import { laterInBackground } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import { ChoiceField } from './ChoiceField';
import { CommitField } from './CommitField';
import { groupChoices } from './choices';
import { LockNote } from './LockNote';
import { LooksFields } from './LooksFields';
import { PropertyRows } from './PropertyRows';
import { TypeField } from './TypeField';

// What they need is not named in the first view.
const ImageField = laterInBackground(async () => (await import('./ImageField')).ImageField);
const TechnologyIcon = laterInBackground(
  async () => (await import('../images/TechnologyTile')).TechnologyIcon,
);
const IconTile = laterInBackground(
  async () => (await import('../images/TechnologyTile')).TechnologyTile,
  TypeTile,
);
const KnownTechnologies = laterInBackground(
  async () => (await import('../images/TechnologyTile')).KnownTechnologies,
);

interface Props {
  node: DiagramNode;
  scene: Scene;
}

export type Change = Omit<Extract<Operation, { op: 'update_node' }>, 'op' | 'id'>;

export function NodeProperties({ node, scene }: Props) {
  const context = useEditorContext();
  const { access, client, edit } = context;
  const holder = holderOf(scene, node.id);
  const isLocked = holder !== null;
  const isDisabled = isLocked || !access.isWritable;
  const outer = holder !== null && holder !== node.id ? scene.labelOf(holder) : null;
  const update = (change: Change) => {
    // Somebody else may just have deleted the node.
    if (client.view.nodes.has(node.id)) void edit([{ op: 'update_node', id: node.id, ...change }]);
  };
  const hasContents = scene.childrenOf(node.id).length > 0;
  const reason = !access.isWritable
    ? access.reason
    : outer !== null
      ? `Locked by the group “${outer}”. Unlock that to change something.`
      : isLocked
        ? 'Locked. Unlock it to change something.'
        : null;
  return (
    <section className="details" aria-label={`Properties of ${node.label}`}>
      <header className="details-head">
        {node.custom?.icon ? <IconTile {...node} technology="" /> : <TypeTile {...node} />}
        <h2>{node.label}</h2>
      </header>
      <LockNote reason={reason} />
      <CommitField
        label="Name"
        value={node.label}
        most={120}
        isDisabled={isDisabled}
        check={(name) => (name ? null : 'A node needs a name.')}
        onCommit={(label) => update({ label })}
      />
      <TypeField
        nodes={[node.id]}
        value={typeIdOf(node)}
        isDisabled={isDisabled}
        hasContents={hasContents}
        onChoose={(type) => update({ type })}
      />
      <LooksFields color={node.color} style={node.style} isDisabled={isDisabled} onChange={update} />
      <TextFields node={node} isDisabled={isDisabled} onUpdate={update} />
      <ImageField node={node} isDisabled={isDisabled} />
      <PropertyRows
        properties={node.properties}
        isDisabled={isDisabled}
        onPatch={(properties) => update({ properties })}
      />
      <Connections node={node} scene={scene} />
      <section className="prop-section" aria-label="Arrangement">
        <h3>Arrangement</h3>
        <GroupField node={node} scene={scene} isDisabled={isDisabled} />
        <PlaceFields node={node} scene={scene} isDisabled={isDisabled} onUpdate={update} />
        <label className="check">
          <input
            type="checkbox"
            checked={node.locked}
            disabled={!access.isWritable || outer !== null}
            onChange={(event) => update({ locked: event.target.checked })}
          />
          Locked
        </label>
      </section>
    </section>
  );
}

interface PartProps {
  node: DiagramNode;
  isDisabled: boolean;
  onUpdate: (change: Change) => void;
}

function TextFields({ node, isDisabled, onUpdate }: PartProps) {
  return (
    <>
      {(node.technology || !isAnnotation(node.type)) && (
        <>
          <CommitField
            label="Technology"
            value={node.technology}
            most={200}
            list="technologies"
            isDisabled={isDisabled}
            onCommit={(text) => onUpdate({ technology: text || null })}
          />
          <TechnologyIcon {...node} />
          {!isDisabled && <KnownTechnologies id="technologies" />}
        </>
      )}
      <CommitField
        label="Description"
        value={node.description}
        lines={3}
        most={10_000}
        isDisabled={isDisabled}
        onCommit={(text) => onUpdate({ description: text || null })}
      />
      <CommitField
        label="Notes"
        value={node.notes}
        lines={2}
        most={10_000}
        isDisabled={isDisabled}
        onCommit={(text) => onUpdate({ notes: text || null })}
      />
    </>
  );
}

function GroupField({ node, scene, isDisabled }: Props & { isDisabled: boolean }) {
  const { edit } = useEditorContext();
  const toasts = useToasts();
  const move = (group: string | null) => {
    const answer = moveTo(scene, [node.id], group);
    if (isRefusal(answer)) toasts.show({ text: answer.refusal, detail: answer.advice });
    else void edit(answer);
  };
  return (
    <ChoiceField
      label="Group"
      value={node.parent ?? ''}
      choices={groupChoices(scene, [node.id], node.parent)}
      isDisabled={isDisabled}
      onChoose={(id) => move(id || null)}
    />
  );
}

const FAR = 1_000_000;

/** Positions are absolute in the diagram; the node is moved within its group. */
function PlaceFields({ node, scene, isDisabled, onUpdate }: PartProps & { scene: Scene }) {
  const origin = scene.originOf(node.parent);
  const at = { x: origin.x + node.position.x, y: origin.y + node.position.y };
  const size = node.size ?? DEFAULT_SIZE;
  const moved = (part: Partial<typeof at>) => {
    const next = { ...at, ...part };
    onUpdate({ position: { x: next.x - origin.x, y: next.y - origin.y } });
  };
  const field = (
    label: string,
    value: number,
    check: (text: string) => string | null,
    save: (text: string) => void,
  ) => (
    <CommitField
      key={label}
      label={label}
      value={String(Math.round(value * 100) / 100)}
      isNumber
      isDisabled={isDisabled}
      check={check}
      onCommit={save}
    />
  );
  const sized = (part: Partial<typeof size>) => onUpdate({ size: { ...size, ...part } });
  return (
    <div className="prop-numbers">
      {field('x', at.x, within(-FAR, FAR), (text) => moved({ x: Number(text) }))}
      {field('y', at.y, within(-FAR, FAR), (text) => moved({ y: Number(text) }))}
      {field('Width', size.width, within(20, 20_000), (text) => sized({ width: Number(text) }))}
      {field('Height', size.height, within(20, 20_000), (text) => sized({ height: Number(text) }))}
    </div>
  );
}

const within = (least: number, most: number) => (text: string) =>
  text !== '' && Number(text) >= least && Number(text) <= most
    ? null
    : `Write a number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`;

/** The edges of a node: go to the other end, select the edge, add one. */
function Connections({ node, scene }: { node: DiagramNode; scene: Scene }) {
  const { access, ui } = useEditorContext();
  const edges = scene.diagram.edges.filter(({ source, target }) => source === node.id || target === node.id);
  return (
    <section className="prop-section" aria-label="Connections">
      <h3>Connections</h3>
      {edges.length === 0 ? (
        <p className="prop-none">None.</p>
      ) : (
        <ul>
          {edges.map((edge) => (
            <Connection key={edge.id} edge={edge} from={node.id} scene={scene} />
          ))}
        </ul>
      )}
      {access.isWritable && (
        <button
          type="button"
          className="button small prop-add"
          onClick={() => ui.set({ dialog: { kind: 'connect', from: node.id } })}
        >
          <Plus size={15} strokeWidth={2} aria-hidden="true" /> Connect to…
        </button>
      )}
    </section>
  );
}

function Connection({ edge, from, scene }: { edge: DiagramEdge; from: string; scene: Scene }) {
  const { ui } = useEditorContext();
  const isOut = edge.source === from;
  const name = scene.labelOf(isOut ? edge.target : edge.source);
  const { icon: Icon, words } = wayOf(edge, isOut);
  const label = edge.label || KIND_NAMES[edge.kind] || edge.kind;
  return (
    <li className="connection-row">
      <button
        type="button"
        className="connection"
        onClick={() => ui.show([isOut ? edge.target : edge.source])}
      >
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        <span className="visually-hidden">{words} </span>
        <span className="connection-name">{name}</span>
        <span className="connection-label">{label}</span>
      </button>
      <IconButton
        icon={SlidersHorizontal}
        label={`Properties of the connection ${words} ${name}`}
        className="small"
        onClick={() => ui.select([], [edge.id])}
      />
    </li>
  );
}

function wayOf({ direction }: DiagramEdge, isOut: boolean) {
  if (direction === 'both') return { icon: ArrowLeftRight, words: 'to and from' };
  if (direction === 'none') return { icon: Minus, words: 'with' };
  return isOut ? { icon: ArrowRight, words: 'to' } : { icon: ArrowLeft, words: 'from' };
}
