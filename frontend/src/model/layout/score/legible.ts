/**
 * Counts the names of a drawing that can be read where all of it is shown at once. Pure.
 *
 * A name takes letters of eleven pixels in at most two lines, whole or cut after sixteen letters. A card has room for
 * that from `LEAST` on, and so has the frame of a group whose title stands free above everything else. Not here: how
 * names are drawn (`view/canvas`).
 */
import type { Size } from '../../../protocol/types';
import { boxAround } from '../../drawing/boxes';
import { type Drawing, isFrame } from '../../drawing/drawing';
import { frameTitles } from '../../drawing/frameTitles';

/** Of a card on the screen, in CSS pixels. */
export const LEAST: Size = { width: 60, height: 24 };

/** The canvas of view Diagram and of view Split on a usual screen, less its margins and tool bars. */
export const ROOMS = {
  diagram: { width: 1316 - 64, height: 840 - 136 },
  split: { width: 650 - 64, height: 840 - 136 },
} as const satisfies Record<string, Size>;

/** Nothing is shown larger than this to show everything. */
const MOST_ZOOM = 1.1;

export interface Names {
  nodes: number;
  groups: number;
}

/** How many there are, and how many of them can be read in each room. */
export type Legible = Record<keyof typeof ROOMS | 'all', Names>;

export function legibleNames(drawing: Drawing): Legible {
  const frames = drawing.nodes.filter(isFrame);
  return {
    all: { nodes: drawing.nodes.length - frames.length, groups: frames.length },
    diagram: legibleAt(drawing, zoomFor(drawing, ROOMS.diagram)),
    split: legibleAt(drawing, zoomFor(drawing, ROOMS.split)),
  };
}

/** At which all nodes are in sight. */
function zoomFor({ nodes }: Drawing, room: Size): number {
  const around = boxAround(nodes.map(({ box }) => box));
  if (!around) return 1;
  return Math.min(MOST_ZOOM, room.width / around.width, room.height / around.height);
}

function legibleAt(drawing: Drawing, zoom: number): Names {
  const cards = drawing.nodes.filter((drawn) => !isFrame(drawn));
  const hasRoom = ({ width, height }: Size) => width * zoom >= LEAST.width && height * zoom >= LEAST.height;
  const titles = frameTitles(drawing, zoom).filter(({ drawn }) => drawn.box.width * zoom >= LEAST.width);
  return { nodes: cards.filter(({ box }) => hasRoom(box)).length, groups: titles.length };
}
