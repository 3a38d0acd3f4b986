/** Names of node types, edge kinds and directions in the interface. Icons and colours are the view's. */
import type { CustomType, EdgeKind, NodeType } from '../../protocol/types';

/** A server newer than this page may know more types. */
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
  note: 'Note',
  text: 'Text',
} satisfies Record<NodeType, string>;

interface Typed {
  type: string;
  custom?: CustomType | undefined;
}

/** The name of the type of a node. */
export const typeName = ({ type, custom }: Typed): string => custom?.name ?? TYPE_NAMES[type] ?? type;

/** What is said of a node beside its name, at a glance: its technology, else its type where that is a custom one. */
export const noteOfNode = ({ technology, custom }: Omit<Typed, 'type'> & { technology: string }): string =>
  technology || custom?.name || '';

/** Types in the order of the palette; in each category the most used first. */
export const TYPE_CATEGORIES: readonly { name: string; types: readonly NodeType[] }[] = [
  { name: 'Edge', types: ['web', 'mobile', 'client', 'gateway', 'api', 'load_balancer', 'cdn'] },
  { name: 'Compute', types: ['service', 'worker', 'function', 'server', 'scheduler', 'ml_model'] },
  { name: 'Data', types: ['database', 'cache', 'queue', 'stream', 'storage', 'search'] },
  { name: 'Platform', types: ['auth', 'monitoring'] },
  { name: 'People and outside', types: ['user', 'external'] },
  { name: 'Layout', types: ['group', 'note', 'text', 'other'] },
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
