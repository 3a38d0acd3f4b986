/** Places for what lines add, where the server cannot find them in time: beside what it is connected with. Pure. */
import type { Operation, OperationOf } from '../../protocol/live';
import type { Diagram, Point } from '../../protocol/types';
import { DEFAULT_SIZE } from '../drawing/boxes';
import { withMade } from '../gestures/making';
import { freePlace, onGrid, sizeOf } from '../gestures/place';
import { Scene } from '../gestures/scene';

const BESIDE = 288;

export function withPlaces(operations: readonly Operation[], diagram: Diagram): Operation[] {
  let now = diagram;
  return operations.map((operation) => {
    if (operation.op !== 'add_node' || operation.position) return operation;
    const scene = new Scene(now);
    const size = sizeOf(operation.type);
    const centre = freePlace(scene, size, wantedPlace(scene, operation, operations));
    const origin = scene.originOf(operation.parent ?? null);
    const position = {
      x: onGrid(centre.x - size.width / 2) - origin.x,
      y: onGrid(centre.y - size.height / 2) - origin.y,
    };
    const placed = { ...operation, position, ...(size !== DEFAULT_SIZE && { size }) };
    now = withMade(now, { id: '', operations: [placed] });
    return placed;
  });
}

/** The middle of its group, or right of what leads to it, left of what it leads to, else below everything. */
function wantedPlace(
  scene: Scene,
  { id, parent }: OperationOf<'add_node'>,
  operations: readonly Operation[],
): Point {
  const around = parent ? scene.boxOf(parent) : undefined;
  if (around) return { x: around.x + around.width / 2, y: around.y + around.height / 2 };
  for (const operation of operations) {
    if (operation.op !== 'add_edge') continue;
    const { source, target } = operation;
    const other = source === id ? target : target === id ? source : null;
    const box = other === null ? undefined : scene.boxOf(other);
    const way = other === source ? BESIDE : -BESIDE;
    if (box) return { x: box.x + box.width / 2 + way, y: box.y + box.height / 2 };
  }
  const boxes = scene.diagram.nodes.flatMap((node) => scene.boxOf(node.id) ?? []);
  const left = Math.min(...boxes.map(({ x }) => x), Number.POSITIVE_INFINITY);
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height), 0);
  return { x: (Number.isFinite(left) ? left : 0) + BESIDE / 2, y: bottom + BESIDE / 2 };
}
