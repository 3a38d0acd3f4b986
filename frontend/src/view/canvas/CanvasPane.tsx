/** The diagram: pan, zoom, select and find. Nothing can be changed here yet. */
import '@xyflow/react/dist/base.css';
import '../styles/canvas.css';
import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type FitViewOptions,
  MiniMap,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react';
import { Shapes } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { centreOf } from '../../model/boxes';
import { type Drawing, drawingOf } from '../../model/drawing';
import type { Diagram } from '../../protocol/types';
import { useDesk, useDeskState, useLive } from '../desk/Desk';
import { GestureLayer } from '../gestures/GestureLayer';
import { PeopleLayer } from '../people/PeopleLayer';
import { TidyLayer } from '../tidy/TidyLayer';
import { Notice } from '../ui/Notice';
import { EdgeKey } from './EdgeKey';
import { ArrowHeads, EdgeLine } from './EdgeLine';
import { FindNode } from './FindNode';
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from './flow';
import { GroupFrame, NodeCard } from './nodes';
import { textWidth } from './textWidth';
import { ZoomButtons } from './ZoomButtons';

const nodeTypes: NodeTypes = { card: NodeCard, 'group-frame': GroupFrame };
const edgeTypes: EdgeTypes = { line: EdgeLine };

/** Beyond this many nodes only those in sight are drawn; below it that costs more than it saves. */
const CULL_ABOVE = 300;
const DETAILS_WIDTH = 300;
export const FIT: FitViewOptions = {
  padding: { top: '64px', right: '32px', bottom: '72px', left: '32px' },
  maxZoom: 1.1,
  minZoom: 0.1,
};

const SPOKEN = {
  'node.a11yDescription.default': 'Press Enter to select.',
  'node.a11yDescription.keyboardDisabled': 'Press Enter to select.',
  'edge.a11yDescription.default': '',
  'minimap.ariaLabel': 'Overview of the diagram',
} as const;

/** The diagram's side of the page. */
export function CanvasPane() {
  const { ui } = useDesk();
  const diagram = useLive((live) => live.diagram);
  const selected = useDeskState(({ selection }) =>
    selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null,
  );
  const shown = useDeskState((state) => state.shown);
  const centred = shown?.ids[0] ? { id: shown.ids[0], at: shown.at } : null;
  return (
    <section className="diagram-pane" id="diagram" aria-label="Diagram" tabIndex={-1}>
      <Canvas
        diagram={diagram}
        selected={selected}
        centred={centred?.id === selected ? centred : null}
        onSelect={(id) => ui.select(id ? [id] : [])}
        onOpen={(id) => ui.show([id])}
      />
    </section>
  );
}

interface Props {
  diagram: Diagram;
  selected: string | null;
  /** A node to bring into the middle; a greater `at` asks again for the same one. */
  centred: { id: string; at: number } | null;
  onSelect: (id: string | null) => void;
  /** Select a node and bring it into the middle. */
  onOpen: (id: string) => void;
}

function Canvas(props: Props) {
  if (props.diagram.nodes.length === 0) {
    return (
      <div className="canvas-empty dotted">
        <Notice
          icon={Shapes}
          title="The diagram is empty"
          advice="Nodes that scripts or others add show up here by themselves."
        />
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <FilledCanvas {...props} />
    </ReactFlowProvider>
  );
}

function FilledCanvas({ diagram, selected, centred, onSelect, onOpen }: Props) {
  const drawing = useMemo(() => drawingOf(diagram, textWidth), [diagram]);
  const nodes = useMemo(() => flowNodes(drawing, selected), [drawing, selected]);
  const edges = useMemo(() => flowEdges(drawing, selected), [drawing, selected]);
  const isUntouched = useRef(true);
  useRefit(isUntouched);
  useCentring(drawing, centred, isUntouched);
  return (
    <ReactFlow<FlowNode, FlowEdge>
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      elementsSelectable
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      zoomOnDoubleClick={false}
      onlyRenderVisibleElements={nodes.length > CULL_ABOVE}
      onNodesChange={(changes) => {
        const picked = changes.find((change) => change.type === 'select' && change.selected);
        if (picked?.type === 'select') onSelect(picked.id);
      }}
      onMoveStart={(event) => {
        // Without an event it was the page itself that moved the canvas.
        if (event) isUntouched.current = false;
      }}
      onPaneClick={() => onSelect(null)}
      fitView={!centred}
      fitViewOptions={FIT}
      minZoom={0.1}
      maxZoom={2.5}
      ariaLabelConfig={SPOKEN}
    >
      <ArrowHeads />
      <PeopleLayer />
      <GestureLayer />
      <TidyLayer />
      <Background variant={BackgroundVariant.Dots} gap={24} size={1.4} />
      <FindNode nodes={diagram.nodes} onOpen={onOpen} />
      <EdgeKey edges={diagram.edges} />
      <ZoomButtons />
      <MiniMap<FlowNode>
        pannable
        zoomable
        nodeColor={({ data }) =>
          data.node.type === 'group'
            ? 'var(--minimap-group)'
            : `var(--tint-${data.node.type}, var(--tint-other))`
        }
        nodeBorderRadius={6}
        style={{ width: 168, height: 116 }}
      />
    </ReactFlow>
  );
}

/** Show everything again when the room changes, until somebody has moved the canvas. */
function useRefit(isUntouched: RefObject<boolean>): void {
  const { fitView } = useReactFlow();
  const room = useStore(({ width, height }) => `${width} ${height}`);
  const seen = useRef(room);
  useEffect(() => {
    if (seen.current !== room && isUntouched.current) void fitView(FIT);
    seen.current = room;
  }, [room, fitView, isUntouched]);
}

/** Bring a node into the middle when asked to, gently unless the person wants no motion. */
function useCentring(drawing: Drawing, centred: Props['centred'], isUntouched: RefObject<boolean>): void {
  const flow = useReactFlow();
  const store = useStoreApi();
  // Only a new request moves the canvas: a change of the drawing must not pull it away from where somebody looks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const found = drawing.nodes.find(({ node }) => node.id === centred?.id);
    if (!centred) return;
    if (!found) {
      if (centred.at === 0) void flow.fitView(FIT);
      return;
    }
    isUntouched.current = false;
    const { x, y } = centreOf(found.box);
    const zoom = Math.max(flow.getZoom(), 0.85);
    // The details stand on the right, so the middle of what stays free is further left.
    const aside = store.getState().width > 640 ? DETAILS_WIDTH / 2 / zoom : 0;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    // The first time there is nothing on the screen yet that could move.
    void flow.setCenter(x + aside, y, { zoom, duration: centred.at === 0 || isCalm ? 0 : 300 });
  }, [centred]);
}
