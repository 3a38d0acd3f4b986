/** Everything that is known of the selected node, and where its edges lead. */
import '../styles/properties.css';
import { Lock } from 'lucide-react';
import { useMemo } from 'react';
import { lockedNodes } from '../../model/drawing';
import { arrowFrom, KIND_NAMES, TYPE_NAMES } from '../../model/kinds';
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { TypeTile } from '../canvas/TypeTile';
import { useDesk, useDeskState, useLive } from '../desk/Desk';

export function PropertiesPanel() {
  const { ui } = useDesk();
  const diagram = useLive((live) => live.diagram);
  const only = useDeskState(({ selection }) => (selection.nodes.size === 1 ? [...selection.nodes][0] : null));
  const node = diagram.nodes.find(({ id }) => id === only);
  if (!node) return <p className="side-hint">Select a node or a connection to see its properties.</p>;
  return <NodeDetails node={node} diagram={diagram} onOpen={(id) => ui.show([id])} />;
}

interface Props {
  node: DiagramNode;
  diagram: Diagram;
  onOpen: (id: string) => void;
}

function NodeDetails({ node, diagram, onOpen }: Props) {
  const isLocked = useMemo(() => lockedNodes(diagram.nodes).has(node.id), [diagram.nodes, node.id]);
  const edges = diagram.edges.filter(({ source, target }) => source === node.id || target === node.id);
  const labelOf = (id: string): string => diagram.nodes.find((other) => other.id === id)?.label ?? id;
  const properties = Object.entries(node.properties ?? {});
  return (
    <section className="details" aria-label={`Details of ${node.label}`}>
      <header className="details-head">
        <TypeTile type={node.type} />
        <div>
          <h2>{node.label}</h2>
          <p>
            {TYPE_NAMES[node.type] ?? node.type}
            {node.technology && ` · ${node.technology}`}
          </p>
        </div>
      </header>
      {isLocked && (
        <p className="details-lock">
          <Lock size={13} strokeWidth={2.2} aria-hidden="true" /> Locked
        </p>
      )}
      {node.description && <p className="details-text">{node.description}</p>}
      {node.notes && (
        <>
          <h3>Notes</h3>
          <p className="details-text">{node.notes}</p>
        </>
      )}
      {properties.length > 0 && (
        <>
          <h3>Properties</h3>
          <dl>
            {properties.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {edges.length > 0 && (
        <>
          <h3>Connections</h3>
          <ul>
            {edges.map((edge) => (
              <Connection key={edge.id} edge={edge} from={node.id} labelOf={labelOf} onOpen={onOpen} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ConnectionProps {
  edge: DiagramEdge;
  from: string;
  labelOf: (id: string) => string;
  onOpen: (id: string) => void;
}

function Connection({ edge, from, labelOf, onOpen }: ConnectionProps) {
  const other = edge.source === from ? edge.target : edge.source;
  return (
    <li>
      <button
        type="button"
        className="connection"
        title={KIND_NAMES[edge.kind]}
        onClick={() => onOpen(other)}
      >
        <span className="connection-arrow">{arrowFrom(edge, from)}</span>
        <span className="connection-name">{labelOf(other)}</span>
        {edge.label && <span className="connection-label">{edge.label}</span>}
      </button>
    </li>
  );
}
