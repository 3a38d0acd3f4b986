/** Notes beside existing things: what would change, counts at a collapsed group, signs when zoomed out. */
import { memo } from 'react';
import type { Box } from '../../../model/drawing/boxes';
import type { GhostCount, GhostDrawing, GhostNote } from '../../../model/drawing/ghostDrawing';
import { MARK_SIGNS } from '../../../model/drawing/marks';

const at = ({ x, y }: { x: number; y: number }) => `translate(${x}px, ${y}px)`;
const filling = (box: Box) => ({ transform: at(box), width: box.width, height: box.height });

/** The frames of groups that would grow. */
export const Grown = memo(function Grown({ boxes }: { boxes: GhostDrawing['grown'] }) {
  return boxes.map(({ id, box }) => (
    <div key={id} className="ghost-grown" data-id={id} style={filling(box)} />
  ));
});

export const Notes = memo(function Notes({ notes }: { notes: readonly GhostNote[] }) {
  return notes.map(({ id, of, at: place, width, text }) => (
    <div
      key={`${of} ${id}`}
      className={`ghost-note of-${of}`}
      data-of={id}
      style={{ transform: `${at(place)}${of === 'edge' ? ' translateX(-50%)' : ''}`, maxWidth: width }}
    >
      {text}
    </div>
  ));
});

/** “+2 Δ1” at a group that is drawn as one card. */
export const Counts = memo(function Counts({
  counts,
  isFar,
}: {
  counts: readonly GhostCount[];
  isFar: boolean;
}) {
  return counts.map(({ id, box, counts: { added, changed, removed } }) => (
    <div
      key={id}
      className={`ghost-count${isFar ? ' far' : ''}`}
      data-of={id}
      style={{ transform: at({ x: box.x + box.width, y: box.y }) }}
    >
      {added > 0 && <span className="added">+{added}</span>}
      {changed > 0 && <span className="changed">Δ{changed}</span>}
      {removed > 0 && <span className="removed">−{removed}</span>}
    </div>
  ));
});

/** When zoomed out so far that a node is a plain shape, only signs are shown. */
export const FarSigns = memo(function FarSigns({ marked }: { marked: GhostDrawing['marked'] }) {
  return marked.map(({ id, box, mark, isFrame }) => (
    <div key={id} className={`ghost-far ${mark}${isFrame ? ' frame' : ''}`} style={filling(box)}>
      <span className="ghost-sign">{MARK_SIGNS[mark]}</span>
    </div>
  ));
});
