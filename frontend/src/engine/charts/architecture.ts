/** Architecture diagrams: services and junctions as boxes, groups, edges as lines. */
import type { Box, Line, Parts } from './chart';

interface Service {
  id: string;
  icon?: string;
  iconText?: string;
  title?: string;
  in?: string;
}

interface Edge {
  lhsId: string;
  rhsId: string;
  lhsInto?: boolean;
  rhsInto?: boolean;
  lhsGroup?: boolean;
  rhsGroup?: boolean;
  title?: string;
}

export interface ArchitectureDb {
  getGroups(): Service[];
  getServices(): Service[];
  getJunctions(): Service[];
  getEdges(): Edge[];
  getDiagramTitle(): string | undefined;
}

/** The icons that Mermaid has itself; they say what something is and not with what it is made. */
const OWN_ICONS: ReadonlySet<string> = new Set([
  'cloud',
  'database',
  'disk',
  'internet',
  'server',
  'blank',
  'unknown',
]);

export function architectureParts(db: ArchitectureDb): Parts {
  const services = db.getServices();
  const groupOf = new Map(services.map((service) => [service.id, service.in]));
  return {
    boxes: [
      ...db.getGroups().map((group): Box => ({ ...boxOf(group), word: 'group', is_group: true })),
      ...services.map(boxOf),
      ...db.getJunctions().map((junction): Box => ({ ...boxOf(junction), word: 'junction' })),
    ],
    lines: db.getEdges().map((edge) => lineOf(edge, groupOf)),
    left_out: [],
    title: db.getDiagramTitle() ?? '',
  };
}

function boxOf({ id, icon = '', iconText = '', title = '', in: inside = '' }: Service): Box {
  return {
    name: id,
    text: title || id,
    word: icon,
    inside,
    // `logos:aws-lambda` is an icon of a product.
    technology: OWN_ICONS.has(icon) ? '' : icon.slice(icon.lastIndexOf(':') + 1).replaceAll('-', ' '),
    description: iconText,
  };
}

function lineOf(edge: Edge, groupOf: ReadonlyMap<string, string | undefined>): Line {
  const { lhsId, rhsId, lhsInto = false, rhsInto = false } = edge;
  const left = (edge.lhsGroup && groupOf.get(lhsId)) || lhsId;
  const right = (edge.rhsGroup && groupOf.get(rhsId)) || rhsId;
  const isBack = lhsInto && !rhsInto;
  return {
    source: isBack ? right : left,
    target: isBack ? left : right,
    text: edge.title ?? '',
    kind: 'sync',
    direction: lhsInto && rhsInto ? 'both' : lhsInto || rhsInto ? 'forward' : 'none',
  };
}
