/**
 * The diagram pane: the shown diagram in React Flow, with tools, controls and overlays. Not here: what is drawn (`useDrawing.ts`)
 * and how (`nodes.tsx`, `EdgeLine.tsx`), and gestures (`pointer`, `keyboard`).
 */
import '@xyflow/react/dist/base.css';
import '../styles/canvas.css';
import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeTypes,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useStore,
} from '@xyflow/react';
import { Shapes } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type TouchEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Drawing, isFrame } from '../../model/drawing/drawing';
import { formOf, zoomStep } from '../../model/drawing/legible';
import { withMade } from '../../model/gestures/making';
import { type Diagram, isAnnotation } from '../../protocol/types';
import { recallFolds, rememberFolds } from '../../sync/preferences';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import type { Ghosts } from '../context/uiState';
import { type Marks, useWorkspaceView } from '../context/useWorkspaceView';
import { letterWidth, textWidth } from '../drawing/textWidth';
import { GestureLayer } from '../gestures/GestureLayer';
import { laterInBackground, laterPart } from '../ui/loading/later';
import { Notice } from '../ui/Notice';
import { cardOf } from './CardText';
import { CanvasProvider, type CanvasStore, createCanvasStore, useCanvasState } from './canvasState';
import { EdgeKey } from './controls/EdgeKey';
import { OVERVIEW_SIZE } from './controls/overviewSize';
import { ToolBar } from './controls/ToolBar';
import { ZoomButtons } from './controls/ZoomButtons';
import { ArrowHeads, EdgeLine } from './EdgeLine';
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from './flow';
import { useCanvasCommands } from './keyboard/useCanvasCommands';
import { GroupFrame, NodeCard } from './nodes';
import { type PointerContext, usePointerContext } from './pointer/pointerContext';
import { usePointer } from './pointer/usePointer';
import { useCanvasEvents } from './useCanvasEvents';
import { useDrawing } from './useDrawing';
import { useFitView, type ViewportControls, ZOOM } from './useFitView';

const FindNode = laterInBackground(async () => (await import('./controls/FindNode')).FindNode);
const FrameTitles = laterInBackground(async () => (await import('./FrameTitles')).FrameTitles);
const Overview = laterInBackground(
  async () => (await import('./controls/Overview')).Overview,
  <Panel position="bottom-right" className="overview">
    <div style={OVERVIEW_SIZE} />
  </Panel>,
);
const PeopleLayer = laterInBackground(async () => (await import('../people/PeopleLayer')).PeopleLayer);
const TidyLayer = laterInBackground(async () => (await import('../tidy/TidyLayer')).TidyLayer);
const LaterLayers = laterInBackground(async () => (await import('./LaterLayers')).LaterLayers);
const GhostLayer = laterInBackground(async () => (await import('./ghosts/GhostLayer')).GhostLayer);

const nodeTypes: NodeTypes = { card: NodeCard, 'group-frame': GroupFrame };
const edgeTypes: EdgeTypes = { line: EdgeLine };

/** With more nodes only visible ones are rendered; with fewer that costs more than it saves. */
const CULL_ABOVE = 300;
/** Below this zoom edges are drawn as plain lines where there are many. */
const FAR_BELOW = 0.35;
const MANY_LINES = 250;
/** The middle button; the left one is for selecting. */
const PAN_BUTTONS = [1];

/** No element has this class: fingers move and zoom the canvas wherever they are put down. */
const NO_CLASS = 'nopan:not(*)';

const legibleLabels = laterPart(() => import('../../model/drawing/legibleLabels'));
/** With more nodes times edges a zoom goes on before labels are placed. */
const LABELS_AT_ONCE = 2_000;
const LABELS_REST_MS = 120;

export function CanvasPane() {
  const { diagram, marks } = useWorkspaceView();
  const isKnown = useLive((live) => live.isKnown);
  const store = useMemo(createCanvasStore, []);
  useRememberedFolds();
  useSelectionPresence();
  return (
    <section className="diagram-pane" id="diagram" aria-label="Diagram" tabIndex={-1}>
      <ReactFlowProvider>
        <Canvas diagram={diagram} marks={marks} store={store} isKnown={isKnown} />
      </ReactFlowProvider>
    </section>
  );
}

/** Sends the selection as presence. */
function useSelectionPresence(): void {
  const { present } = useEditorContext();
  const selection = useUiState((state) => state.selection);
  const view = useUiState((state) => state.mode);
  useEffect(() => {
    present({ selection: [...selection.nodes, ...selection.edges], view });
  }, [present, selection, view]);
}

/** Keeps the collapsed groups in this browser. */
function useRememberedFolds(): void {
  const { id, ui } = useEditorContext();
  useEffect(() => {
    const known = recallFolds(id);
    if (known.length > 0 && ui.get().collapsed.size === 0) ui.set({ collapsed: new Set(known) });
  }, [id, ui]);
  useEffect(
    () =>
      ui.state.subscribe((now, before) => {
        if (now.collapsed !== before.collapsed) rememberFolds(id, [...now.collapsed]);
      }),
    [id, ui],
  );
}

/** One finger does what the mouse does; React Flow is told of two. */
function keepOneFinger(event: TouchEvent): void {
  const isOnBoard = (event.target as Element).closest('.react-flow__renderer') !== null;
  if (isOnBoard && event.touches.length === 1) event.stopPropagation();
}

interface Props {
  diagram: Diagram;
  marks: Marks | null;
  store: CanvasStore;
  isKnown: boolean;
}

function Canvas(props: Props) {
  const { access } = useEditorContext();
  const { store } = props;
  const making = useUiState((state) => (state.viewed ? null : state.making));
  const diagram = useMemo(
    () => (making ? withMade(props.diagram, making) : props.diagram),
    [props.diagram, making],
  );
  const step = useZoomStep(store);
  const isFar = step < FAR_BELOW && diagram.edges.length > MANY_LINES;
  const canvas = useMemo(
    () => ({ store, isWritable: access.isWritable, isFar }),
    [store, access.isWritable, isFar],
  );
  return (
    <CanvasProvider value={canvas}>
      <Board {...props} diagram={diagram} step={step} />
    </CanvasProvider>
  );
}

function Board({ diagram, marks: compared, store, isKnown, step }: Props & { step: number }) {
  const { access } = useEditorContext();
  const selection = useUiState((state) => state.selection);
  const collapsed = useUiState((state) => state.collapsed);
  const tool = useUiState((state) => state.tool.kind);
  const ghosts = useUiState((state) => (state.viewed ? null : state.ghosts));
  const proposed = useCanvasState((state) => (ghosts ? state.proposed : null));
  const marks = compared ?? proposed?.marks ?? null;
  const moving = useCanvasState((state) => state.moving);
  const active = useCanvasState((state) => state.active);
  const settledDrawing = useDrawing(useHeld(diagram, moving !== null), collapsed, moving);
  const drawing = moving ?? settledDrawing;
  const tabStop = useMemo(() => {
    const isThere = (id: string | null) => drawing.nodes.some(({ node }) => node.id === id);
    return isThere(active) ? active : (drawing.nodes[0]?.node.id ?? null);
  }, [active, drawing]);
  const nodes = useMemo(
    () => flowNodes(drawing, selection, marks, tabStop),
    [drawing, selection, marks, tabStop],
  );
  // Moving lines subscribe by themselves: React Flow would compare all edges for each pointer event.
  const edges = useMemo(
    () => flowEdges(settledDrawing, selection, marks),
    [settledDrawing, selection, marks],
  );
  const isSpaceHeld = useSpace();
  const isPanning = !access.isWritable || tool === 'hand' || isSpaceHeld;
  const pointer = usePointerContext(store, settledDrawing);
  const viewport = useFitView(settledDrawing, isKnown);
  const onPointerDownCapture = usePointer(pointer, isPanning);
  // A new one would be told to all nodes and lines.
  const onMoveStart = useCallback((event: unknown) => event && viewport.touch(), [viewport]);
  const events = useCanvasEvents(pointer);
  useCanvasCommands(pointer);
  const placed = useMemo(
    () => (proposed ? { ...drawing, nodes: [...drawing.nodes, ...proposed.nodes] } : drawing),
    [drawing, proposed],
  );
  useCardForm(store, settledDrawing, step);
  useLabels(store, moving ? settledDrawing : placed, step);
  return (
    <ReactFlow<FlowNode, FlowEdge>
      className={`board tool-${tool}${isPanning ? ' panning' : ''}${moving ? ' moving' : ''}`}
      style={{ '--enlarged': 1 / step } as CSSProperties}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      // A selected group stays below its children.
      elevateNodesOnSelect={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      zoomOnDoubleClick={false}
      panOnDrag={isPanning ? true : PAN_BUTTONS}
      noPanClassName={NO_CLASS}
      onlyRenderVisibleElements={nodes.length > CULL_ABOVE}
      onMoveStart={onMoveStart}
      onPointerDownCapture={onPointerDownCapture}
      onTouchStartCapture={(event) => isPanning || keepOneFinger(event)}
      {...events}
      minZoom={ZOOM.minZoom}
      maxZoom={ZOOM.maxZoom}
    >
      {step < 1 && <FrameTitles drawing={placed} zoom={step} />}
      <Layers
        drawing={settledDrawing}
        diagram={diagram}
        ghosts={ghosts}
        hasProposed={!!proposed?.nodes.length}
        isKnown={isKnown}
        pointer={pointer}
        step={step}
        viewport={viewport}
      />
    </ReactFlow>
  );
}

interface LayersProps {
  drawing: Drawing;
  diagram: Diagram;
  ghosts: Ghosts | null;
  hasProposed: boolean;
  isKnown: boolean;
  pointer: PointerContext;
  step: number;
  viewport: ViewportControls;
}

/** What is drawn besides nodes, lines and titles: none of it anew for each frame of a drag. */
const Layers = memo(function Layers(props: LayersProps) {
  const { drawing, diagram, ghosts, isKnown, pointer, viewport } = props;
  const { isWritable } = pointer.context.access;
  const isEmpty = diagram.nodes.length === 0;
  return (
    <>
      <ArrowHeads step={props.step} />
      <LaterLayers drawing={drawing} />
      <PeopleLayer />
      <GestureLayer />
      <TidyLayer />
      {ghosts && <GhostLayer ghosts={ghosts} diagram={diagram} drawing={drawing} viewport={viewport} />}
      <Background variant={BackgroundVariant.Dots} gap={24} size={1.4} />
      <SpokenStatus />
      {!isWritable && !isEmpty && (
        <FindNode nodes={diagram.nodes} onOpen={(id) => pointer.context.ui.show([id])} />
      )}
      {isKnown && isEmpty && !props.hasProposed && <EmptyCanvas />}
      <EdgeKey edges={diagram.edges} drawing={drawing} />
      <ZoomButtons viewport={viewport} />
      {isWritable && <ToolBar />}
      {!isEmpty && <Overview drawing={drawing} viewport={viewport} />}
    </>
  );
});

/** A value that is frozen during a gesture: changes of others are shown afterwards. */
function useHeld<T>(value: T, isHeld: boolean): T {
  const held = useRef(value);
  if (!isHeld) held.current = value;
  return held.current;
}

/** Whether the space bar is held, which activates the hand tool. */
function useSpace(): boolean {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isControl =
        event.target instanceof Element &&
        event.target.closest('input, textarea, button, a, [contenteditable=true]') !== null;
      if (event.code === 'Space') setIsHeld(event.type === 'keydown' && !isControl);
    };
    const ends = new AbortController();
    const { signal } = ends;
    window.addEventListener('keydown', listen, { signal });
    window.addEventListener('keyup', listen, { signal });
    window.addEventListener('blur', () => setIsHeld(false), { signal });
    return () => ends.abort();
  }, []);
  return isHeld;
}

/** The placeholder of an empty canvas. Drops pass through to the canvas. */
function EmptyCanvas() {
  const { access } = useEditorContext();
  return (
    <Panel position="top-center" className="canvas-empty">
      <Notice
        icon={Shapes}
        title="The diagram is empty"
        advice={
          access.isWritable
            ? 'Drag a node type here, or press /'
            : 'Nodes that others add show up here by themselves.'
        }
      />
    </Panel>
  );
}

/** Announces events of the canvas to screen readers. */
function SpokenStatus() {
  const spoken = useCanvasState((state) => state.spoken);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}

/**
 * The step of the zoom, which is also put into the store. What a diagram shows of itself changes from one step to the next;
 * between two it grows as a whole.
 */
function useZoomStep(store: CanvasStore): number {
  const step = useStore(({ transform }) => zoomStep(transform[2]));
  useLayoutEffect(() => {
    store.setState({ step });
  }, [store, step]);
  return step;
}

/** How all cards of a drawing are drawn at a step of the zoom. */
function useCardForm(store: CanvasStore, { nodes }: Drawing, step: number): void {
  useLayoutEffect(() => {
    const cards = nodes.filter((drawn) => !isFrame(drawn) && !isAnnotation(drawn.node.type)).map(cardOf);
    store.setState({ form: formOf(cards, step, letterWidth) });
  }, [store, nodes, step]);
}

/** Places the labels of lines anew for each step of the zoom and each drawing. */
function useLabels(store: CanvasStore, drawing: Drawing, step: number): void {
  const part = legibleLabels.usePart(true);
  const size = drawing.nodes.length * drawing.edges.length;
  useLayoutEffect(() => {
    if (!part) return;
    const place = () => store.setState({ labels: part.labelsAt(drawing, step, textWidth, letterWidth) });
    if (size <= LABELS_AT_ONCE) {
      place();
      return;
    }
    store.setState({ labels: null });
    const timer = setTimeout(place, LABELS_REST_MS);
    return () => clearTimeout(timer);
  }, [store, drawing, step, size, part]);
}
