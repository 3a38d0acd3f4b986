/** The titles of groups above everything else, as large on the screen whatever the zoom. */
import '../styles/frame-titles.css';
import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import type { Drawing, DrawnNode } from '../../model/drawing/drawing';
import { frameTitles } from '../../model/drawing/frameTitles';
import { letterWidth } from '../drawing/textWidth';

const isGhost = (drawn: DrawnNode): boolean => 'isThere' in drawn;

/** @param drawing with the nodes of ghosts, so that their titles and others stand beside each other */
export function FrameTitles({ drawing, zoom }: { drawing: Drawing; zoom: number }) {
  const titles = useMemo(() => frameTitles(drawing, zoom, letterWidth), [drawing, zoom]);
  // The portal is looked for among all elements whenever anything changes.
  if (titles.length === 0) return null;
  return (
    <ViewportPortal>
      {titles.map(({ drawn, place: { x, y, width } }) => (
        <span
          key={isGhost(drawn) ? `proposed ${drawn.node.id}` : drawn.node.id}
          className={isGhost(drawn) ? 'frame-title proposed' : 'frame-title'}
          aria-hidden="true"
          style={{
            transform: `translate(${x}px, ${y}px) scale(${1 / zoom})`,
            maxWidth: width * zoom,
          }}
        >
          {drawn.node.label}
        </span>
      ))}
    </ViewportPortal>
  );
}
