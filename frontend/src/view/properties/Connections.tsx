/** The edges of a node: go to the other end, select the edge, add one. */
import { ArrowLeft, ArrowLeftRight, ArrowRight, Minus, Plus, SlidersHorizontal } from 'lucide-react';
import type { Scene } from '../../model/gestures/scene';
import { KIND_NAMES } from '../../model/words/kinds';
import type { DiagramEdge, DiagramNode } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';

export function Connections({ node, scene }: { node: DiagramNode; scene: Scene }) {
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
