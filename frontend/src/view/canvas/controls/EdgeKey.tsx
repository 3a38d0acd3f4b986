/**
 * The legend: kinds of lines where there is more than one, and the styles and colours that `LooksKey` finds.
 *
 * It closes by itself to a button where a node would lie under it, and opens again where none does, until somebody opens
 * or closes it by hand.
 */
import { Panel, useStore } from '@xyflow/react';
import { ListTree } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Drawing } from '../../../model/drawing/drawing';
import { BUTTON, isUnder, MARGIN } from '../../../model/drawing/legend';
import { KIND_NAMES } from '../../../model/words/kinds';
import type { DiagramEdge, EdgeKind } from '../../../protocol/types';
import { recallLegend, rememberLegend } from '../../../sync/preferences';
import { IconButton } from '../../ui/IconButton';
import { useCanvasState } from '../canvasState';
import { useCornersUnder } from './useCornersUnder';

const ORDER: EdgeKind[] = ['sync', 'async', 'data', 'dependency'];
/** Before it was shown. */
const USUAL = { width: 480, height: 40 };

export function EdgeKey({ edges, drawing }: { edges: readonly DiagramEdge[]; drawing: Drawing }) {
  const looks = useCanvasState((state) => state.looks);
  const kinds = ORDER.filter((kind) => edges.some((edge) => edge.kind === kind));
  const used = kinds.length > 1 ? kinds : [];
  const isEmpty = used.length + looks.length === 0;
  const [chosen, choose] = useState(recallLegend);
  const size = useRef(USUAL);
  const isInTheWay = useStore(
    ({ transform: [x, y, zoom], width }) =>
      !isEmpty && isUnder(drawing, { x, y, zoom }, { ...size.current, room: width }),
  );
  const isOnCorner = useCornersUnder(drawing, ({ width }) => {
    const wide = size.current.width + BUTTON + MARGIN;
    return { x: width - wide, y: 0, width: wide, height: MARGIN + Math.max(size.current.height, BUTTON) };
  });
  if (isEmpty) return null;
  const isOpen = !isOnCorner && (chosen === 'auto' ? !isInTheWay : chosen === 'open');
  const toggle = () => {
    const now = isOpen ? 'closed' : 'open';
    rememberLegend(now);
    choose(now);
  };
  const measure = (list: HTMLElement | null) => {
    if (list) size.current = { width: list.offsetWidth, height: list.offsetHeight };
  };
  return (
    <Panel position="top-right" className={isOnCorner ? 'edge-key yields' : 'edge-key'}>
      {(isOpen || chosen === 'auto') && (
        // Where it is in the way it keeps its place: what is fitted then leaves room for it.
        <ul ref={measure} className={isOpen ? '' : 'under'} aria-label="Legend">
          {used.map((kind) => (
            <li key={kind}>
              <svg width="28" height="8" aria-hidden="true" focusable="false">
                <path className={`edge-line ${kind}`} d="M1 4H27" />
              </svg>
              {KIND_NAMES[kind]}
            </li>
          ))}
          {looks}
        </ul>
      )}
      <IconButton
        icon={ListTree}
        label={isOpen ? 'Hide the legend' : 'Show the legend'}
        aria-expanded={isOpen}
        onClick={toggle}
      />
    </Panel>
  );
}
