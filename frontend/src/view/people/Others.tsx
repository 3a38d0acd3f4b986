/**
 * What is drawn of others on the canvas: their pointers, rings around their selection, outlines of their drags. In the
 * diagram's coordinates, over nodes, without pointer events.
 */
import { type ReactFlowState, useStore, ViewportPortal } from '@xyflow/react';
import { type CSSProperties, memo, type ReactNode } from 'react';
import type { Box } from '../../model/drawing/boxes';
import type { Member, PresenceState } from '../../protocol/live';
import { inColour } from '../ui/Avatar';

/** More than this of one person are not marked. */
const MAX_MARKED = 40;

interface Other {
  member: string;
  name: string;
  color: string;
  state: PresenceState;
}

const otherOf = ({ member, name, color, state }: Member): Other => ({ member, name, color, state });

export function Others({ members }: { members: readonly Member[] }) {
  const others = members.map(otherOf);
  return (
    <ViewportPortal>
      <Unzoomed>
        {others.map((other) => (
          <Marked key={other.member} other={other} />
        ))}
        {others.map(({ member, name, color, state: { cursor } }) =>
          cursor ? (
            <Pointer key={member} member={member} name={name} color={color} x={cursor.x} y={cursor.y} />
          ) : null,
        )}
      </Unzoomed>
    </ViewportPortal>
  );
}

/** Children can undo the zoom for their own size, by `--unzoom`. */
function Unzoomed({ children }: { children: ReactNode }) {
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <div className="others" style={{ '--unzoom': 1 / zoom } as CSSProperties} aria-hidden="true">
      {children}
    </div>
  );
}

interface PointerProps {
  member: string;
  name: string;
  color: string;
  x: number;
  y: number;
}

const Pointer = memo(function Pointer({ member, name, color, x, y }: PointerProps) {
  return (
    <div
      className="others-cursor"
      data-member={member}
      style={{ ...inColour(color), transform: `translate(${x}px, ${y}px)` }}
    >
      <div className="others-unzoomed">
        <svg width="16" height="18" viewBox="0 0 16 18" aria-hidden="true">
          <path d="M1.5 1.2 14 8.6 8 9.9 5 15.8Z" />
        </svg>
        <span className="others-name">{name}</span>
      </div>
    </div>
  );
});

/** Rings around a selection, outlines of a drag. */
function Marked({ other: { member, name, color, state } }: { other: Other }) {
  const drag = state.drag ?? {};
  const selected = (state.selection ?? []).slice(0, MAX_MARKED);
  const dragged = Object.keys(drag).slice(0, MAX_MARKED);
  const boxes = useBoxes([...new Set([...selected, ...dragged])]);
  const marks = [
    ...selected.flatMap((id) => (id in drag ? [] : [{ id, kind: 'ring', at: boxes.get(id) }])),
    ...dragged.map((id) => ({ id, kind: 'ghost', at: moved(boxes.get(id), drag[id]) })),
  ].filter((mark): mark is { id: string; kind: string; at: Box } => mark.at !== undefined);
  return marks.map(({ id, kind, at }, index) => (
    <div
      key={`${kind} ${id}`}
      className={`others-mark others-${kind}`}
      data-node={id}
      data-member={member}
      style={{
        ...inColour(color),
        transform: `translate(${at.x}px, ${at.y}px)`,
        width: at.width,
        height: at.height,
      }}
    >
      {/* A name at the first of them, unless the pointer carries it anyway. */}
      {index === 0 && !state.cursor && <span className="others-name others-unzoomed">{name}</span>}
    </div>
  ));
}

const moved = (box: Box | undefined, to: { x: number; y: number } | undefined): Box | undefined =>
  box && to && { ...box, x: to.x, y: to.y };

/** The boxes of rendered nodes; others are left out. */
function useBoxes(ids: readonly string[]): ReadonlyMap<string, Box> {
  return readBoxes(useStore((store) => boxesKey(store.nodeLookup, ids)));
}

/** The boxes of some nodes as one string, which is equal as long as none of them has moved. */
function boxesKey(lookup: ReactFlowState['nodeLookup'], ids: readonly string[]): string {
  const boxes = ids.flatMap((id) => {
    const node = lookup.get(id);
    if (!node || node.hidden) return [];
    const { x, y } = node.internals.positionAbsolute;
    const { width = node.width ?? 0, height = node.height ?? 0 } = node.measured;
    return [[id, x, y, width, height]];
  });
  return JSON.stringify(boxes);
}

function readBoxes(key: string): ReadonlyMap<string, Box> {
  const boxes = JSON.parse(key) as [string, number, number, number, number][];
  return new Map(boxes.map(([id, x, y, width, height]) => [id, { x, y, width, height }]));
}
