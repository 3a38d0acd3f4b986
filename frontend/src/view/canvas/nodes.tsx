/** How nodes and groups look. */
import type { NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { memo } from 'react';
import { briefName } from '../../model/drawing/briefName';
import { MARK_SIGNS } from '../../model/drawing/compare';
import { HANDLES } from '../../model/gestures/move';
import { counted } from '../../model/words/kinds';
import { useEditorContext, useUiState } from '../context/EditorContext';
import type { Mark } from '../context/useWorkspaceView';
import { TypeTile, tintOf } from '../drawing/TypeTile';
import { InlineName } from '../gestures/InlineName';
import { useCanvas } from './canvasState';
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

/** Beside the name of a brief card, half of it above and below, in pixels: see `.node-card.brief`. */
const BRIEF_PADDING = 12;

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

export const NodeCard = memo(function NodeCard(props: NodeProps<FlowNode>) {
  const { drawn, mark } = props.data;
  const { node, isLocked, folded } = drawn;
  const { isWritable, detail, zoom } = useCanvas();
  const isRenaming = useIsRenaming(node.id);
  if (detail !== 'all' && !isRenaming) {
    const { width, height } = drawn.box;
    const room = { width: width - BRIEF_PADDING, height: height - BRIEF_PADDING / 2 };
    const brief = detail === 'names' ? briefName(node.label, room, zoom) : null;
    return (
      <div
        className={classesOf(`node-card ${brief ? 'brief' : 'far'}`, props)}
        data-type={node.type}
        style={tintOf(node.type)}
      >
        <Anchors />
        {brief && (
          <span className="node-label" style={{ fontSize: brief.size }}>
            {brief.text}
          </span>
        )}
        {mark && <MarkSign mark={mark} />}
      </div>
    );
  }
  return (
    <div
      className={classesOf('node-card', props)}
      data-type={node.type}
      title={isLocked ? LOCKED : undefined}
    >
      <Anchors />
      <TypeTile type={node.type} />
      <span className="node-text">
        {isRenaming ? (
          <InlineName kind="node" id={node.id} name={node.label} />
        ) : (
          <span className="node-label" title={node.label}>
            {node.label}
          </span>
        )}
        {folded !== null ? (
          <span className="node-technology">{counted(folded, 'node')} inside</span>
        ) : (
          node.technology && (
            <span className="node-technology" title={node.technology}>
              {node.technology}
            </span>
          )
        )}
      </span>
      {folded !== null && <FoldButton id={node.id} label={node.label} isFolded />}
      {isLocked && <LockMark />}
      {mark && <MarkSign mark={mark} />}
      {isWritable && !isRenaming && <ConnectDots />}
    </div>
  );
});

export const GroupFrame = memo(function GroupFrame(props: NodeProps<FlowNode>) {
  const { drawn, mark } = props.data;
  const { node, isLocked } = drawn;
  const { isWritable, detail } = useCanvas();
  const isFar = detail === 'shapes';
  const isRenaming = useIsRenaming(node.id);
  const isOnly = useUiState(({ selection }) => selection.nodes.size === 1 && selection.nodes.has(node.id));
  const isPullable = isWritable && isOnly && !isLocked && !isFar;
  return (
    <div
      className={classesOf('group-frame', props)}
      style={tintOf(node.type)}
      title={isLocked ? LOCKED : undefined}
    >
      <Anchors />
      {(!isFar || isRenaming) && (
        <div className={detail === 'names' ? 'group-head brief' : 'group-head'}>
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
      {isWritable && !isRenaming && !isFar && <ConnectDots />}
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
