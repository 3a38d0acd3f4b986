/** The fields of an edge. */
import { ArrowRightLeft, RouteOff, Tag, Trash2 } from 'lucide-react';
import { inShape } from '../../model/gestures/bend';
import { edgeRefusal, swapEnds } from '../../model/gestures/connect';
import { lockRefusal } from '../../model/gestures/locks';
import type { Scene } from '../../model/gestures/scene';
import type { Operation } from '../../protocol/live';
import type { DiagramEdge, LineShape } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { askAndDelete } from '../gestures/deleting';
import { useToasts } from '../ui/overlay/Toasts';
import { ChoiceField } from './ChoiceField';
import { CommitField } from './CommitField';
import { DIRECTION_CHOICES, KIND_CHOICES, nodeChoices, SHAPE_CHOICES } from './choices';
import { LockNote } from './LockNote';
import { LooksFields } from './LooksFields';
import { PropertyRows } from './PropertyRows';

interface Props {
  edge: DiagramEdge;
  scene: Scene;
}

export type EdgeChange = Omit<Extract<Operation, { op: 'update_edge' }>, 'op' | 'id'>;
type Shape = Parameters<typeof edgeRefusal>[2];

export function EdgeProperties({ edge, scene }: Props) {
  const context = useEditorContext();
  const { access, client, edit } = context;
  const toasts = useToasts();
  const lock = lockRefusal(scene, [edge.source, edge.target], 'Locked');
  const isDisabled = lock !== null || !access.isWritable;
  const change = (operation: Operation, shape: Shape = {}) => {
    if (!client.view.edges.has(edge.id)) return;
    const refusal = edgeRefusal(scene, edge.id, shape);
    if (refusal) toasts.show({ text: refusal.refusal, detail: refusal.advice });
    else void edit([operation]);
  };
  const update = (fields: EdgeChange, shape?: Shape) =>
    change({ op: 'update_edge', id: edge.id, ...fields }, shape);
  const rewire = (part: { source?: string; target?: string }) =>
    change({ op: 'rewire_edge', id: edge.id, new_source: part.source, new_target: part.target }, part);
  const title = `${scene.labelOf(edge.source)} → ${scene.labelOf(edge.target)}`;
  return (
    <section className="details" aria-label={`Properties of the connection ${title}`}>
      <header className="details-head">
        <h2>{title}</h2>
      </header>
      <LockNote
        reason={access.isWritable ? (lock ? `${lock.refusal}. ${lock.advice}` : null) : access.reason}
      />
      <CommitField
        label="Label"
        value={edge.label}
        most={200}
        isDisabled={isDisabled}
        onCommit={(label) => update({ label: label || null }, { label })}
      />
      <ChoiceField
        label="Kind"
        value={edge.kind}
        choices={KIND_CHOICES}
        isDisabled={isDisabled}
        onChoose={(kind) => update({ kind: kind as 'sync' }, { kind })}
      />
      <ChoiceField
        label="Direction"
        value={edge.direction}
        choices={DIRECTION_CHOICES}
        isDisabled={isDisabled}
        onChoose={(direction) => update({ direction: direction as 'forward' })}
      />
      <LooksFields color={edge.color} style={edge.style} isDisabled={isDisabled} onChange={update} />
      <ChoiceField
        label="Line"
        value={edge.shape}
        choices={SHAPE_CHOICES}
        isDisabled={isDisabled}
        onChoose={(shape) => change(inShape(edge, shape as LineShape))}
      />
      <ChoiceField
        label="Source"
        value={edge.source}
        choices={nodeChoices(scene, edge.target)}
        isDisabled={isDisabled}
        onChoose={(source) => rewire({ source })}
      />
      <ChoiceField
        label="Target"
        value={edge.target}
        choices={nodeChoices(scene, edge.source)}
        isDisabled={isDisabled}
        onChoose={(target) => rewire({ target })}
      />
      {!isDisabled && (
        <div className="prop-actions">
          <button
            type="button"
            className="button small"
            onClick={() => change(swapEnds(edge), { source: edge.target, target: edge.source })}
          >
            <ArrowRightLeft size={15} strokeWidth={2} aria-hidden="true" /> Swap ends
          </button>
          {edge.route && (
            <button type="button" className="button small" onClick={() => update({ route: null })}>
              <RouteOff size={15} strokeWidth={2} aria-hidden="true" /> Draw anew
            </button>
          )}
          {edge.label_at !== null && (
            <button type="button" className="button small" onClick={() => update({ label_at: null })}>
              <Tag size={15} strokeWidth={2} aria-hidden="true" /> Place the label anew
            </button>
          )}
          <button type="button" className="button small" onClick={() => askAndDelete(context, toasts)}>
            <Trash2 size={15} strokeWidth={2} aria-hidden="true" /> Delete
          </button>
        </div>
      )}
      <CommitField
        label="Description"
        value={edge.description}
        lines={3}
        most={10_000}
        isDisabled={isDisabled}
        onCommit={(text) => update({ description: text || null })}
      />
      <PropertyRows
        properties={edge.properties}
        isDisabled={isDisabled}
        onPatch={(properties) => update({ properties })}
      />
    </section>
  );
}
