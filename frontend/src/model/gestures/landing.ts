/**
 * Where what is moved into a group goes: where it was dropped if it lies on nothing there, else at the nearest free
 * place, else beside what is in the group, with room made around it. Pure. Loaded when something is dropped.
 */
import type { Operation } from '../../protocol/live';
import type { Point } from '../../protocol/types';
import { coordinate } from '../core/numbers';
import {
  type Box,
  boxAround,
  boxesOverlap,
  GROUP_PADDING,
  GROUP_TITLE,
  grownAround,
  inflated,
} from '../drawing/boxes';
import type { Refusal } from './connect';
import { lockRefusal } from './locks';
import type { Scene } from './scene';

/** Between what is placed and what is there. */
const AIR = 16;
/** Places beside more than so many of what is in the group are not looked for. */
const MOST_BESIDE = 40;

export interface Landing {
  /** How far what is dropped is moved. */
  by: Point;
  /** The frame of the group afterwards, in the diagram. */
  frame: Box;
  /** What moves aside, and how far. */
  aside: ReadonlyMap<string, Point>;
}

/**
 * @param ids the outermost nodes of what is moved
 *
 * @param by how far it was dragged
 */
export const landingIn = (
  scene: Scene,
  ids: readonly string[],
  by: Point,
  group: string,
): Landing | Refusal => landingsIn(scene, ids, group)(by);

/** Where the same nodes go in a group as they are dragged: what surrounds them there is read once. */
function landingsIn(scene: Scene, ids: readonly string[], group: string): (by: Point) => Landing | Refusal {
  const frame = scene.boxOf(group);
  const boxes = ids.flatMap((id) => scene.boxOf(id) ?? []);
  const block = boxAround(boxes);
  if (!block || !frame) return () => ({ refusal: 'Nothing was moved', advice: 'It is not there any more.' });
  const surroundings = new Surroundings(scene, new Set(ids), group, frame);
  return (by) => {
    const there = boxes.map((box) => shifted(box, by));
    if (surroundings.isFree(there, 0)) return { by, frame: grownAround(frame, there), aside: new Map() };
    const wanted = shifted(block, by);
    const at = surroundings.freeNear(wanted) ?? surroundings.madeRoom(wanted);
    if (at === null) return noRoom(scene, group, surroundings.locked());
    return {
      by: { x: at.box.x - block.x, y: at.box.y - block.y },
      frame: grownAround(frame, [at.box]),
      aside: at.aside,
    };
  };
}

/** How far nodes are moved at least to stand in the frame of a group. */
export function wayInto(scene: Scene, ids: readonly string[], group: string): Point {
  const frame = scene.boxOf(group);
  const block = boxAround(ids.flatMap((id) => scene.boxOf(id) ?? []));
  if (!frame || !block) return { x: 0, y: 0 };
  const right = frame.x + frame.width - GROUP_PADDING - block.width;
  const bottom = frame.y + frame.height - GROUP_PADDING - block.height;
  return {
    x: clamped(block.x, frame.x + GROUP_PADDING, right) - block.x,
    y: clamped(block.y, frame.y + GROUP_TITLE, bottom) - block.y,
  };
}

/** What is shown of where something goes: the frame of its group afterwards, and its places in it. */
export interface LandingPreview {
  frame: Box;
  places: readonly Box[];
}

/** Where nodes go that are moved into a group, into the frame of which they go first; null where they cannot. */
export const previewLanding = (scene: Scene, ids: readonly string[], group: string): LandingPreview | null =>
  previewLandings(scene, ids)(group, wayInto(scene, ids, group));

/**
 * The same for nodes that are being dragged, by how far they are. What is in a group is read when they first get there,
 * and a place is looked for where they have moved: between points of the grid the answer is the last one.
 */
export function previewLandings(
  scene: Scene,
  ids: readonly string[],
): (group: string, by: Point) => LandingPreview | null {
  const boxes = ids.flatMap((id) => scene.boxOf(id) ?? []);
  const groups = new Map<string, (by: Point) => LandingPreview | null>();
  const previewsIn = (group: string) => {
    const landingAt = landingsIn(scene, ids, group);
    let last: { by: Point; preview: LandingPreview | null } | null = null;
    return (by: Point) => {
      if (last?.by.x === by.x && last.by.y === by.y) return last.preview;
      const landing = landingAt(by);
      const preview =
        'refusal' in landing
          ? null
          : { frame: landing.frame, places: boxes.map((box) => shifted(box, landing.by)) };
      last = { by, preview };
      return preview;
    };
  };
  return (group, by) => {
    const known = groups.get(group) ?? previewsIn(group);
    groups.set(group, known);
    return known(by);
  };
}

/** The change that moves nodes into a group, to where they land; one batch. */
export function movedInto(
  scene: Scene,
  ids: readonly string[],
  by: Point,
  group: string,
): Operation[] | Refusal {
  const landing = landingIn(scene, ids, by, group);
  if ('refusal' in landing) return landing;
  const origin = scene.originOf(group);
  const shift = ({ x, y }: Point, { x: dx, y: dy }: Point): Point => ({
    x: coordinate(x + dx),
    y: coordinate(y + dy),
  });
  const there = ids.filter((id) => scene.nodes.has(id));
  const places = there.map((id): [string, Point] => {
    const { x, y } = scene.originOf(id);
    return [id, shift({ x: x - origin.x, y: y - origin.y }, landing.by)];
  });
  const isInside = (id: string) => scene.nodes.get(id)?.parent === group;
  const joining = places.filter(([id]) => !isInside(id));
  const positions = Object.fromEntries([
    ...places.filter(([id]) => isInside(id)),
    ...[...landing.aside].map(([id, away]): [string, Point] => [
      id,
      shift(scene.nodes.get(id)?.position ?? { x: 0, y: 0 }, away),
    ]),
  ]);
  const operations: Operation[] = [];
  if (joining.length > 0)
    operations.push({
      op: 'move_to_group',
      ids: joining.map(([id]) => id),
      group,
      positions: Object.fromEntries(joining),
    });
  if (Object.keys(positions).length > 0) operations.push({ op: 'move_nodes', positions });
  return operations;
}

function noRoom(scene: Scene, group: string, locked: readonly string[]): Refusal {
  const what = `There is no room in “${scene.labelOf(group)}”`;
  return lockRefusal(scene, locked, what) ?? { refusal: what, advice: 'Make the group larger first.' };
}

const shifted = (box: Box, { x, y }: Point): Box => ({ ...box, x: box.x + x, y: box.y + y });

/** A place for a box, and what moves aside for it. */
interface Room {
  box: Box;
  aside: ReadonlyMap<string, Point>;
}

/** What lies in a group, and beside it and beside the groups around it; without what is moved. */
class Surroundings {
  private readonly inside: Box[];
  /** From the group itself outwards: a frame, and what stands beside it. */
  private readonly levels: { frame: Box; beside: [string, Box][] }[];

  constructor(
    private readonly scene: Scene,
    moved: ReadonlySet<string>,
    group: string,
    private readonly frame: Box,
  ) {
    const childrenOf = (id: string | null): readonly string[] =>
      id === null
        ? scene.diagram.nodes.filter(({ parent }) => parent === null).map(({ id: one }) => one)
        : scene.childrenOf(id);
    const boxes = (ids: readonly string[], except: string): [string, Box][] =>
      ids.flatMap((id) => {
        const box = scene.boxOf(id);
        return box && id !== except && !moved.has(id) ? [[id, box] as [string, Box]] : [];
      });
    this.inside = boxes(scene.childrenOf(group), group).map(([, box]) => box);
    this.levels = [group, ...scene.groupsAround(group)].flatMap((id) => {
      const frame = scene.boxOf(id);
      const beside = boxes(childrenOf(scene.nodes.get(id)?.parent ?? null), id);
      return frame ? [{ frame, beside }] : [];
    });
  }

  /** Whether boxes there cover nothing in the group, and its frame nothing around it. */
  isFree(boxes: readonly Box[], air: number): boolean {
    const isCovered = boxes.some((box) => this.inside.some((one) => boxesOverlap(one, inflated(box, air))));
    if (isCovered) return false;
    let held = boxes;
    for (const { frame, beside } of this.levels) {
      const grown = grownAround(frame, held);
      if (beside.some(([, box]) => isNewlyCovered(box, frame, grown))) return false;
      held = [grown];
    }
    return true;
  }

  /** The nearest free place for a box: in the corner of the group, or beside something in it. */
  freeNear(wanted: Box): Room | null {
    const { x, y, width, height } = this.frame;
    const away = (box: Box) => Math.hypot(box.x - wanted.x, box.y - wanted.y);
    const near = sortedBy(this.inside, away).slice(0, MOST_BESIDE);
    const across = [wanted.x, x + GROUP_PADDING, x + width - GROUP_PADDING - wanted.width];
    const down = [wanted.y, y + GROUP_TITLE, y + height - GROUP_PADDING - wanted.height];
    for (const box of near) {
      across.push(box.x + box.width + AIR, box.x - AIR - wanted.width);
      down.push(box.y + box.height + AIR, box.y - AIR - wanted.height);
    }
    const places = across.flatMap((left) => down.map((top) => ({ ...wanted, x: left, y: top })));
    const box = sortedBy(places, away).find((one) => this.isFree([one], AIR));
    return box ? { box, aside: new Map() } : null;
  }

  /** A place right of everything in the group or below it, whichever takes less room; null where a lock forbids it. */
  madeRoom(wanted: Box): Room | null {
    const { x, y, width, height } = this.frame;
    const inner = boxAround(this.inside);
    const [left, top] = [x + GROUP_PADDING, y + GROUP_TITLE];
    const right = {
      ...wanted,
      x: inner ? inner.x + inner.width + AIR : left,
      y: clamped(wanted.y, top, y + height - GROUP_PADDING - wanted.height),
    };
    const below = {
      ...wanted,
      x: clamped(wanted.x, left, x + width - GROUP_PADDING - wanted.width),
      y: inner ? inner.y + inner.height + AIR : top,
    };
    const growth = (box: Box) => {
      const grown = grownAround(this.frame, [box]);
      return grown.width - width + grown.height - height;
    };
    for (const box of growth(right) <= growth(below) ? [right, below] : [below, right]) {
      const aside = this.asideFor(box);
      if (aside) return { box, aside };
    }
    return null;
  }

  /** What moves right or down, so that the frames that grow around a box cover nothing; null where a lock forbids it. */
  private asideFor(box: Box): Map<string, Point> | null {
    const aside = new Map<string, Point>();
    let held: Box[] = [box];
    for (const { frame, beside } of this.levels) {
      const grown = grownAround(frame, held);
      const isInTheWay = beside.some(([, one]) => isNewlyCovered(one, frame, grown));
      const moves = isInTheWay ? cleared(frame, grown, beside) : [];
      const movable = moves.filter(([id]) => !this.scene.isLocked(id));
      const after = new Map(movable.map(([id, away]) => [id, away]));
      const boxes = beside.map(([id, one]): [Box, Box] => [
        one,
        shifted(one, after.get(id) ?? { x: 0, y: 0 }),
      ]);
      if (movable.length < moves.length && !isClear([[frame, grown], ...boxes])) return null;
      for (const [id, away] of movable) aside.set(id, away);
      held = [grown, ...movable.map(([id, away]) => shifted(this.scene.boxOf(id) as Box, away))];
    }
    return aside;
  }

  /** What cannot move aside. */
  locked(): string[] {
    return this.levels.flatMap(({ beside }) =>
      beside.map(([id]) => id).filter((id) => this.scene.isLocked(id)),
    );
  }
}

/** In the order of numbers, each of which is computed once. */
const sortedBy = (boxes: readonly Box[], numberOf: (box: Box) => number): Box[] =>
  boxes
    .map((box): [number, Box] => [numberOf(box), box])
    .sort(([one], [other]) => one - other)
    .map(([, box]) => box);

const clamped = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(value, most));

const isNewlyCovered = (box: Box, before: Box, now: Box): boolean =>
  boxesOverlap(box, now) && !boxesOverlap(box, before);

/** All that stands beyond a frame moves as far as that grows, so that everything keeps its side and its distance. */
function cleared(before: Box, now: Box, beside: readonly [string, Box][]): [string, Point][] {
  const [right, bottom] = [before.x + before.width, before.y + before.height];
  const by = { x: now.x + now.width - right, y: now.y + now.height - bottom };
  return beside.flatMap(([id, box]) => {
    const away = { x: box.x >= right ? by.x : 0, y: box.y >= bottom ? by.y : 0 };
    return away.x > 0 || away.y > 0 ? [[id, away] as [string, Point]] : [];
  });
}

/** Whether nothing covers what it did not cover before; each box before and after. */
const isClear = (boxes: readonly (readonly [Box, Box])[]): boolean =>
  boxes.every(([before, now], at) =>
    boxes.slice(at + 1).every(([was, is]) => !boxesOverlap(now, is) || boxesOverlap(before, was)),
  );
