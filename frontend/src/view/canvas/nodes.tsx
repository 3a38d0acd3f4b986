/** How nodes and groups look. */
import type { NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { memo, useState } from 'react';
import { TITLED_FROM } from '../../model/drawing/legible';
import { MARK_SIGNS } from '../../model/drawing/marks';
import { HANDLES } from '../../model/gestures/move';
import { isAnnotation } from '../../protocol/types';
import { useEditorContext, useUiState } from '../context/EditorContext';
import type { Mark } from '../context/useWorkspaceView';
import { looksOf, TypeTile } from '../drawing/TypeTile';
import { InlineName } from '../gestures/InlineName';
import { CardName, contentOf, noteOf } from './CardText';
import { useCanvas, useCanvasState } from './canvasState';
import type { FlowNode } from './flow';

/**
 * Handles for React Flow, which wants to see some; lines end where the drawing says. Its own handles would each listen
 * to every event of the canvas.
 */
function Anchors() {
  return (
    <>
      <i className="react-flow__handle target" data-handlepos="top" aria-hidden="true" />
      <i className="react-flow__handle source" data-handlepos="bottom" aria-hidden="true" />
    </>
  );
}

/** Where a line can be drawn from. */
function ConnectDots() {
  return (
    <>
      {['top', 'right', 'bottom', 'left'].map((side) => (
        <i key={side} className={`connect-dot ${side}`} aria-hidden="true" title="Drag to connect" />
      ))}
    </>
  );
}

const LOCKED = 'Locked: it can be moved and changed once it is unlocked';

function LockMark() {
  return (
    <span className="lock-mark" title={LOCKED}>
      <Lock size={12} strokeWidth={2.4} aria-hidden="true" />
    </span>
  );
}

const MARK_WORDS: Record<Mark, string> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

export function MarkSign({ mark }: { mark: Mark }) {
  return (
    <span className={`mark-sign ${mark}`} title={MARK_WORDS[mark]} aria-hidden="true">
      {MARK_SIGNS[mark]}
    </span>
  );
}

const useIsRenaming = (id: string): boolean =>
  useUiState(({ renaming }) => renaming?.kind === 'node' && renaming.id === id);

const classesOf = (base: string, { data, selected }: NodeProps<FlowNode>): string =>
  [base, selected && 'selected', data.drawn.isLocked && 'locked', data.mark && `is-${data.mark}`]
    .filter(Boolean)
    .join(' ');

/** As from near. */
const FULL = { step: 1, form: 0 } as const;

export const NodeCard = memo(function NodeCard(props: NodeProps<FlowNode>) {
  const { drawn, mark } = props.data;
  const { node, isLocked, folded } = drawn;
  const isRenaming = useIsRenaming(node.id);
  // While its name is written a card is drawn as from near.
  const content = useCanvasState((state) => contentOf(drawn, isRenaming ? FULL : state));
  const Tile = useCanvasState((state) => state.Tile) ?? TypeTile;
  const Written = useCanvasState((state) => content && isAnnotation(node.type) && state.Written);
  const pointed = usePointed(props);
  const isFull = isRenaming || content?.hasIcon;
  const form = isFull || Written ? 'node-card' : content ? 'node-card brief' : 'node-card far';
  return (
    <div
      className={classesOf(form, props)}
      data-type={node.type}
      {...looksOf(node)}
      title={isLocked ? LOCKED : undefined}
      {...pointed.events}
    >
      <Anchors />
      {isFull && !Written && <Tile {...node} />}
      {Written ? (
        <Written drawn={drawn} isRenaming={isRenaming} />
      ) : isFull ? (
        <span className="node-text">
          {isRenaming ? (
            <InlineName kind="node" id={node.id} name={node.label} />
          ) : (
            content && <CardName label={node.label} content={content} />
          )}
          {(isRenaming || content?.hasNote) && (
            <span className="node-technology" title={noteOf(drawn)}>
              {noteOf(drawn)}
            </span>
          )}
        </span>
      ) : (
        content && <CardName label={node.label} content={content} />
      )}
      {isFull && folded !== null && <FoldButton id={node.id} label={node.label} isFolded />}
      {content && isLocked && <LockMark />}
      {mark && <MarkSign mark={mark} />}
      {!content && pointed.isPointed && <span className="far-name">{node.label}</span>}
      {pointed.hasDots && !isRenaming && <i className="connect-rim" aria-hidden="true" />}
      {pointed.hasDots && !isRenaming && <ConnectDots />}
    </div>
  );
});

/** Whether somebody points at a node, by the pointer or the keyboard, and whether lines can be drawn from it now. */
function usePointed({ id }: NodeProps<FlowNode>) {
  const { isWritable } = useCanvas();
  const [isHovered, setIsHovered] = useState(false);
  const isActive = useCanvasState(({ active }) => active === id);
  const isOnly = useUiState(({ selection }) => selection.nodes.size === 1 && selection.nodes.has(id));
  const isPointed = isHovered || isActive;
  return {
    isPointed,
    hasDots: isWritable && (isPointed || isOnly),
    events: {
      onPointerEnter: () => setIsHovered(true),
      onPointerLeave: () => setIsHovered(false),
    },
  };
}

export const GroupFrame = memo(function GroupFrame(props: NodeProps<FlowNode>) {
  const { drawn, mark } = props.data;
  const { node, isLocked } = drawn;
  const { isWritable } = useCanvas();
  const isNear = useCanvasState(({ step }) => step >= TITLED_FROM);
  const isBrief = useCanvasState(({ step }) => step < 1);
  const pointed = usePointed(props);
  const isRenaming = useIsRenaming(node.id);
  const isOnly = useUiState(({ selection }) => selection.nodes.size === 1 && selection.nodes.has(node.id));
  const isPullable = isWritable && isOnly && !isLocked;
  return (
    <div
      className={classesOf('group-frame', props)}
      {...looksOf(node)}
      title={isLocked ? LOCKED : undefined}
      {...pointed.events}
    >
      <Anchors />
      {(isNear || isRenaming) && (
        <div className={isBrief && !isRenaming ? 'group-head brief' : 'group-head'}>
          <FoldButton id={node.id} label={node.label} isFolded={false} />
          {isRenaming ? (
            <InlineName kind="node" id={node.id} name={node.label} />
          ) : (
            <span className="group-title" title={node.label}>
              {node.label}
              {node.technology && <span className="group-technology">{node.technology}</span>}
            </span>
          )}
        </div>
      )}
      {isLocked && <LockMark />}
      {mark && <MarkSign mark={mark} />}
      {pointed.hasDots && !isRenaming && <ConnectDots />}
      {isPullable && HANDLES.map((one) => <i key={one} data-handle={one} className={`pull ${one}`} />)}
    </div>
  );
});

/** Not in the tab order, in which the canvas is one stop: a command does the same. */
function FoldButton({ id, label, isFolded }: { id: string; label: string; isFolded: boolean }) {
  const { ui } = useEditorContext();
  const Icon = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      className="fold-button nodrag"
      tabIndex={-1}
      aria-expanded={!isFolded}
      aria-label={`${isFolded ? 'Expand' : 'Collapse'} ${label}`}
      onClick={(event) => {
        event.stopPropagation();
        ui.toggleCollapsed(id);
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <Icon size={15} strokeWidth={2.2} aria-hidden="true" />
    </button>
  );
}
