/** What node types, edge kinds and directions are called in the interface. Icons and colours are the view's. */
import type { DiagramEdge, DiagramNode, EdgeKind, NodeType } from '../protocol/types';

/** Names of what this page knows; a server newer than it may know more. */
type Names = Readonly<Record<string, string>>;

export const TYPE_NAMES: Names = {
  client: 'Client',
  web: 'Web app',
  mobile: 'Mobile app',
  user: 'User',
  external: 'External system',
  gateway: 'Gateway',
  api: 'API',
  load_balancer: 'Load balancer',
  cdn: 'CDN',
  service: 'Service',
  server: 'Server',
  worker: 'Worker',
  function: 'Function',
  scheduler: 'Scheduler',
  auth: 'Authentication',
  database: 'Database',
  cache: 'Cache',
  queue: 'Queue',
  stream: 'Stream',
  storage: 'Storage',
  search: 'Search',
  ml_model: 'ML model',
  monitoring: 'Monitoring',
  group: 'Group',
  other: 'Other',
} satisfies Record<NodeType, string>;

/** Types as the palette orders them; in each category what is used most comes first. */
export const TYPE_CATEGORIES: readonly { name: string; types: readonly NodeType[] }[] = [
  { name: 'Edge', types: ['web', 'mobile', 'client', 'gateway', 'api', 'load_balancer', 'cdn'] },
  { name: 'Compute', types: ['service', 'worker', 'function', 'server', 'scheduler', 'ml_model'] },
  { name: 'Data', types: ['database', 'cache', 'queue', 'stream', 'storage', 'search'] },
  { name: 'Platform', types: ['auth', 'monitoring'] },
  { name: 'People and outside', types: ['user', 'external'] },
  { name: 'Layout', types: ['group', 'other'] },
];

export const KIND_NAMES: Names = {
  sync: 'Synchronous call',
  async: 'Asynchronous message',
  data: 'Data flow',
  dependency: 'Dependency',
} satisfies Record<EdgeKind, string>;

export const DIRECTION_NAMES: Names = {
  forward: 'From source to target',
  both: 'Both ways',
  none: 'No direction',
} satisfies Record<'forward' | 'both' | 'none', string>;

/** "3 nodes", "1 node". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What a screen reader says of a node. */
export function describeNode(node: DiagramNode, connections: number, isLocked: boolean): string {
  const parts = [node.label, TYPE_NAMES[node.type] ?? node.type];
  if (node.technology) parts.push(node.technology);
  parts.push(counted(connections, 'connection'));
  if (isLocked) parts.push('locked');
  return parts.join(', ');
}

/** An edge seen from one of its ends: "→ Orders DB", "← Web app", "↔", "–". */
export function arrowFrom(edge: DiagramEdge, id: string): '→' | '←' | '↔' | '–' {
  if (edge.direction === 'both') return '↔';
  if (edge.direction === 'none') return '–';
  return edge.source === id ? '→' : '←';
}
