/**
 * The minimap, with the visible area; a press or a drag on it moves the viewport. It gives way where it would cover a part
 * of a drawing of which all is in sight. Hidden from screen readers, because
 * zoom buttons and keys do the same.
 *
 * It is one picture, drawn when the diagram changes: an element for each node would cost more than the canvas itself.
 */
import '../../styles/overview.css';
import { Panel, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { tintNameOf } from '../../../model/core/customTypes';
import { type Box, boxAround } from '../../../model/drawing/boxes';
import { type Drawing, isFrame } from '../../../model/drawing/drawing';
import { MARGIN } from '../../../model/drawing/legend';
import { isMapInTheWay } from '../../../model/drawing/minimap';
import type { Size } from '../../../protocol/types';
import { subscribeToPreferences } from '../../../sync/preferences';
import type { ViewportControls } from '../useFitView';
import { OVERVIEW_SIZE } from './overviewSize';
import { useCornersUnder } from './useCornersUnder';

const SIZE = OVERVIEW_SIZE;
const PADDING = 8;
/** The share of its own colour in a group, which is seen below what stands in it. */
const GROUP_WASH = 0.3;

/** Its place on a canvas of that size. */
const placeIn = ({ width, height }: Size): Box => ({
  x: width - MARGIN - SIZE.width,
  y: height - MARGIN - SIZE.height,
  ...SIZE,
});

/** Pixels of the map = (pixels of the diagram − x, y) × scale. */
interface Scale {
  x: number;
  y: number;
  scale: number;
}

export function Overview({ drawing, viewport }: { drawing: Drawing; viewport: ViewportControls }) {
  const picture = useRef<HTMLCanvasElement>(null);
  const flow = useReactFlow();
  const map = useMemo(() => mapOf(drawing), [drawing]);
  const isOnCorner = useCornersUnder(drawing, placeIn);
  const isInTheWay = useStore(({ transform: [x, y, zoom], width, height }) =>
    isMapInTheWay(drawing, { x, y, zoom }, { width, height }, placeIn({ width, height })),
  );
  useEffect(() => {
    const draw = () => picture.current && paint(picture.current, drawing, map);
    draw();
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const end = subscribeToPreferences(() => requestAnimationFrame(draw));
    return () => {
      scheme.removeEventListener('change', draw);
      end();
    };
  }, [drawing, map]);
  const goTo = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    // A drag that began elsewhere goes on over the map.
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    viewport.touch();
    void flow.setCenter(
      (event.clientX - left) / map.scale + map.x,
      (event.clientY - top) / map.scale + map.y,
      {
        zoom: flow.getZoom(),
      },
    );
  };
  return (
    <Panel
      position="bottom-right"
      className={isOnCorner || isInTheWay ? 'overview nowheel yields' : 'overview nowheel'}
      aria-hidden="true"
      data-nodes={drawing.nodes.length}
    >
      <div className="overview-picture" style={SIZE} onPointerDown={goTo} onPointerMove={goTo}>
        <canvas ref={picture} style={SIZE} />
        <VisibleArea map={map} />
      </div>
    </Panel>
  );
}

function VisibleArea({ map }: { map: Scale }) {
  const store = useStoreApi();
  const [x, y, zoom] = useStore(({ transform }) => transform);
  const { width, height } = store.getState();
  const left = (-x / zoom - map.x) * map.scale;
  const top = (-y / zoom - map.y) * map.scale;
  return (
    <div
      className="overview-sight"
      style={{
        transform: `translate(${left}px, ${top}px)`,
        width: (width / zoom) * map.scale,
        height: (height / zoom) * map.scale,
      }}
    />
  );
}

function mapOf({ nodes }: Drawing): Scale {
  const whole = boxAround(nodes.map(({ box }) => box)) ?? { x: 0, y: 0, width: 1, height: 1 };
  const scale = Math.min(
    (SIZE.width - 2 * PADDING) / Math.max(whole.width, 1),
    (SIZE.height - 2 * PADDING) / Math.max(whole.height, 1),
    0.12,
  );
  const room = { width: SIZE.width / scale, height: SIZE.height / scale };
  return {
    scale,
    x: whole.x - (room.width - whole.width) / 2,
    y: whole.y - (room.height - whole.height) / 2,
  };
}

function paint(canvas: HTMLCanvasElement, { nodes }: Drawing, { x, y, scale }: Scale): void {
  const sharp = window.devicePixelRatio || 1;
  canvas.width = SIZE.width * sharp;
  canvas.height = SIZE.height * sharp;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.scale(sharp, sharp);
  const colours = coloursOf(canvas);
  for (const drawn of nodes) {
    const { color } = drawn.node;
    pen.fillStyle = colours(
      isFrame(drawn) && !color ? '--minimap-group' : `--tint-${tintNameOf(drawn.node)}`,
    );
    pen.globalAlpha = isFrame(drawn) && color ? GROUP_WASH : 1;
    const { x: left, y: top, width, height } = scaled(drawn.box);
    pen.beginPath();
    pen.roundRect(left, top, Math.max(width, 1.5), Math.max(height, 1.5), isFrame(drawn) ? 2 : 1);
    pen.fill();
  }

  function scaled(box: Box): Box {
    const [width, height] = [box.width * scale, box.height * scale];
    return { x: (box.x - x) * scale, y: (box.y - y) * scale, width, height };
  }
}

/** Canvas 2D knows no CSS variables or light-dark(): colours are computed from an element. */
function coloursOf(canvas: HTMLCanvasElement): (name: string) => string {
  const known = new Map<string, string>();
  const before = canvas.style.color;
  return (name) => {
    let colour = known.get(name);
    if (colour === undefined) {
      canvas.style.color = `var(${name}, var(--tint-other))`;
      colour = getComputedStyle(canvas).color;
      canvas.style.color = before;
      known.set(name, colour);
    }
    return colour;
  };
}
