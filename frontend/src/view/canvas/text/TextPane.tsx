/** The diagram as text, beside the canvas: a heading, the editor, and what screen readers are told. */
import '../../styles/diagram-text.css';
import { X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { ghostLines } from '../../../model/diagramText/ghosts';
import { withPlaces } from '../../../model/diagramText/places';
import type { TypeOfName } from '../../../model/diagramText/syntax';
import type { Operation } from '../../../protocol/live';
import { remember, stored } from '../../../sync/preferences';
import { whyOf } from '../../../sync/session/outcome';
import { useEditorContext, useLive, useUiState } from '../../context/EditorContext';
import { useWorkspaceView } from '../../context/useWorkspaceView';
import type { TextHandle } from '../../diagramText/openText';
import { IconButton } from '../../ui/IconButton';
import { untilLoaded } from '../../ui/loading/later';

/** The editor, with what the editor of the document has in its file, and with the words that say types. */
async function readEditor() {
  const [{ openText }, commands, { typeOfName }] = await Promise.all([
    import('../../diagramText/openText'),
    import('../../document/editor/open'),
    import('../../../model/words/typeOfName'),
  ]);
  return { openText, commands, typeOfName };
}

interface Props {
  /** Whether it was opened just now: it takes the focus then. */
  isAsked: boolean;
  onClose: () => void;
}

export function TextPane({ isAsked, onClose }: Props) {
  const context = useEditorContext();
  const { diagram, isNewest } = useWorkspaceView();
  const selection = useUiState((state) => state.selection);
  const ghosts = useUiState((state) => (state.viewed ? null : state.ghosts));
  const [problem, setProblem] = useState('');
  const host = useRef<HTMLDivElement>(null);
  const [handle, setHandle] = useState<TextHandle | null>(null);
  const typeOf = useRef<TypeOfName>(() => null);
  const newest = useRef(context);
  newest.current = context;
  const first = useRef({ isAsked });
  const { access } = context;
  const isEditable = access.isWritable && isNewest;
  const isOffline = useLive(({ status }) => status.saving === 'offline');
  const width = useWidth();
  useEffect(() => {
    let opened: TextHandle | null = null;
    let isGone = false;
    void untilLoaded(readEditor).then(({ openText, commands, typeOfName }) => {
      if (isGone || !host.current) return;
      const settings = {
        parent: host.current,
        typeOf: typeOfName,
        diagram: () => newest.current.live.state.getState().diagram,
        send: (operations: readonly Operation[]) => send(newest.current, operations),
        onSelect: (nodes: string[], edges: string[]) => newest.current.ui.select(nodes, edges),
        onProblems: (found: readonly string[]) => setProblem(found.join(' ')),
      };
      opened = openText(settings, commands);
      typeOf.current = typeOfName;
      setHandle(opened);
      if (first.current.isAsked) opened.focus();
    });
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);
  useEffect(() => handle?.show(diagram, isEditable), [handle, diagram, isEditable]);
  useEffect(() => handle?.mark(selection), [handle, selection]);
  useEffect(
    () => handle?.propose(ghosts && ghostLines(diagram, ghosts.steps, typeOf.current)),
    [handle, diagram, ghosts],
  );
  return (
    <section className="text-pane" aria-label="Diagram as text" style={{ width: width.value }}>
      <header className="text-head">
        <h2>Text</h2>
        {!isEditable && (
          <span className="pill" title={access.reason}>
            View only
          </span>
        )}
        {isEditable && isOffline && (
          <span
            className="pill"
            title="The server does not answer. What you write is drawn here, kept, and sent once it does."
          >
            Kept here
          </span>
        )}
        <IconButton icon={X} label="Close the text" className="tip-left" onClick={onClose} />
      </header>
      <div ref={host} className="text-body" />
      <p className="visually-hidden" role="status">
        {problem}
      </p>
      <WidthBorder width={width} />
    </section>
  );
}

/** Sends operations as one batch. Returns why they were refused; null if they were not. */
async function send(
  { edit, access, live }: ReturnType<typeof useEditorContext>,
  operations: readonly Operation[],
): Promise<string | null> {
  const { diagram, status } = live.state.getState();
  // The server finds better places; where it does not answer soon, they are needed to draw anything.
  const isAlone = access.isDraft || status.connection !== 'live';
  const outcome = await edit(isAlone ? withPlaces(operations, diagram) : operations);
  if (outcome === null) return access.reason;
  return outcome.kind === 'rejected' ? whyOf(outcome) : null;
}

const WIDTH_KEY = 'draftsmith.text-width';
const MIN_WIDTH = 220;
const MAX_WIDTH = 720;
const DEFAULT_WIDTH = 340;
const WIDTH_STEP = 24;

interface Width {
  value: number;
  set: (width: number) => void;
}

/** The width of the text, which is kept in this browser. */
function useWidth(): Width {
  const [value, setValue] = useState(() => within(Number(stored(WIDTH_KEY)) || DEFAULT_WIDTH));
  const set = (width: number) => {
    setValue(within(width));
    remember(WIDTH_KEY, String(within(width)));
  };
  return { value, set };
}

const within = (width: number): number => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));

/** The border between text and canvas, which is moved by pointer or arrows. */
function WidthBorder({ width }: { width: Width }) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const border: HTMLElement = event.currentTarget;
    const from = event.clientX - width.value;
    border.setPointerCapture(event.pointerId);
    const ends = new AbortController();
    const { signal } = ends;
    border.addEventListener('pointermove', (moved) => width.set(moved.clientX - from), { signal });
    for (const end of ['pointerup', 'pointercancel'])
      border.addEventListener(end, () => ends.abort(), { signal });
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -WIDTH_STEP, ArrowRight: WIDTH_STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    width.set(width.value + by);
  };
  return (
    <div
      className="text-border"
      role="separator"
      tabIndex={0}
      aria-label="Width of the text"
      aria-orientation="vertical"
      aria-valuenow={width.value}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
