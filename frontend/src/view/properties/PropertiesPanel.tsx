/**
 * The properties of the selection: of a node, an edge or several things; while nothing is selected, the workspace in numbers
 * and the warnings of lint.
 */
import '../styles/properties.css';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Scene } from '../../model/gestures/scene';
import { wordCount } from '../../model/text/wordCount';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { useLint } from '../queries';
import { useThrottledValue } from '../ui/useThrottledValue';
import { EdgeProperties } from './EdgeProperties';
import { NodeProperties } from './NodeProperties';
import { SeveralProperties } from './SeveralProperties';

export function PropertiesPanel() {
  const { diagram } = useWorkspaceView();
  const selection = useUiState((state) => state.selection);
  const scene = useMemo(() => new Scene(diagram), [diagram]);
  const nodes = [...selection.nodes].flatMap((id) => scene.nodes.get(id) ?? []);
  const edges = [...selection.edges].flatMap((id) => scene.edges.get(id) ?? []);
  const [node] = nodes;
  const [edge] = edges;
  if (nodes.length + edges.length > 1) return <SeveralProperties nodes={nodes} edges={edges} scene={scene} />;
  // Keyed by the selection, so that each has fields of its own.
  if (node) return <NodeProperties key={node.id} node={node} scene={scene} />;
  if (edge) return <EdgeProperties key={edge.id} edge={edge} scene={scene} />;
  return <WorkspaceNumbers />;
}

const MAX_WARNINGS = 30;

/** How much there is, and what is probably not meant that way. */
function WorkspaceNumbers() {
  const { diagram, text: newest, isNewest } = useWorkspaceView();
  const text = useThrottledValue(newest);
  const words = useMemo(() => wordCount(text), [text]);
  const groups = diagram.nodes.filter(({ type }) => type === 'group').length;
  const numbers = [
    ['Nodes', diagram.nodes.length - groups],
    ['Groups', groups],
    ['Connections', diagram.edges.length],
    ['Words in the document', words],
  ] as const;
  return (
    <section className="details" aria-label="The workspace in numbers">
      <p className="prop-none">Select a node or a connection to see and change its properties.</p>
      <dl className="numbers">
        {numbers.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {isNewest && <Warnings />}
    </section>
  );
}

function Warnings() {
  const { id } = useEditorContext();
  const revision = useLive((live) => live.revision);
  const query = useLint(id, revision);
  const found = query.data ?? [];
  if (query.isPending) return null;
  return (
    <section className="prop-section" aria-label="Worth a look">
      <h3>Worth a look</h3>
      {query.isError && (
        <p className="prop-none">It could not be asked for. It is tried again with the next change.</p>
      )}
      {query.isSuccess && found.length === 0 && (
        <p className="prop-fine">
          <CircleCheck size={15} strokeWidth={2} aria-hidden="true" /> Nothing stands out.
        </p>
      )}
      <ul className="warnings">
        {found.slice(0, MAX_WARNINGS).map((warning) => (
          <Warning key={`${warning.path} ${warning.message}`} {...warning} />
        ))}
      </ul>
      {found.length > MAX_WARNINGS && (
        <p className="prop-none">And {(found.length - MAX_WARNINGS).toLocaleString('en')} more.</p>
      )}
    </section>
  );
}

function Warning({
  message,
  path,
  candidates,
}: {
  message: string;
  path: string;
  candidates: readonly string[];
}) {
  const { ui, client } = useEditorContext();
  const [, part, kind, id = ''] = path.split('/');
  const about = kind === 'nodes' ? [id] : part === 'diagram' ? candidates : [];
  const nodes = about.filter((one) => client.view.nodes.has(one));
  const edge = kind === 'edges' ? client.view.edges.get(id) : undefined;
  const show = () => {
    if (!edge) return ui.show(nodes, { pulse: true });
    ui.show([edge.source, edge.target], { isSelecting: false });
    ui.select([], [id]);
  };
  const label = (one: string) => client.view.nodes.get(one)?.label ?? one;
  // Messages name things by id, as scripts do; people know them by their names.
  const words = message.replace(/'([a-z0-9_-]+)'/g, (_, one: string) => `“${nameOf(one)}”`);
  function nameOf(one: string): string {
    const between = client.view.edges.get(one);
    return between ? `${label(between.source)} → ${label(between.target)}` : label(one);
  }
  return (
    <li>
      <TriangleAlert size={15} strokeWidth={2} aria-hidden="true" />
      <p>{words}</p>
      {(edge || nodes.length > 0) && (
        <button type="button" className="button small" onClick={show}>
          Show
        </button>
      )}
    </li>
  );
}
