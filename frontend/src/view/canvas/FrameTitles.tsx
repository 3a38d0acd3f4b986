/** The titles of groups above everything else, as large on the screen whatever the zoom. */
import '../styles/frame-titles.css';
import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import type { Drawing } from '../../model/drawing/drawing';
import { frameTitles } from '../../model/drawing/frameTitles';
import { letterWidth } from '../drawing/textWidth';

export function FrameTitles({ drawing, zoom }: { drawing: Drawing; zoom: number }) {
  const titles = useMemo(() => frameTitles(drawing, zoom, letterWidth), [drawing, zoom]);
  return (
    <ViewportPortal>
      {titles.map(({ drawn: { node }, place: { x, y, width } }) => (
        <span
          key={node.id}
          className="frame-title"
          aria-hidden="true"
          style={{
            transform: `translate(${x}px, ${y}px) scale(${1 / zoom})`,
            maxWidth: width * zoom,
          }}
        >
          {node.label}
        </span>
      ))}
    </ViewportPortal>
  );
}
