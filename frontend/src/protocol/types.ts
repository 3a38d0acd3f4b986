/**
 * The JSON shapes of the HTTP API that the editor reads and writes.
 * Not here: how they travel (`http.ts`) or what the editor derives from them (`model/`).
 */

export const NODE_TYPES = [
  'client',
  'web',
  'mobile',
  'user',
  'external',
  'gateway',
  'api',
  'load_balancer',
  'cdn',
  'service',
  'server',
  'worker',
  'function',
  'scheduler',
  'auth',
  'database',
  'cache',
  'queue',
  'stream',
  'storage',
  'search',
  'ml_model',
  'monitoring',
  'group',
  'other',
] as const;

export type NodeType = (typeof NODE_TYPES)[number];
export type EdgeKind = 'sync' | 'async' | 'data' | 'dependency';
export type EdgeDirection = 'forward' | 'both' | 'none';

/** CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface DiagramNode {
  id: string;
  type: NodeType;
  label: string;
  description: string;
  technology: string;
  notes: string;
  properties: Record<string, string>;
  /** Top left corner, relative to the parent's top left. */
  position: Point;
  /** Null: the default. For a group it is a minimum. */
  size: Size | null;
  parent: string | null;
  locked: boolean;
}

export interface DiagramEdge {
  id: string;
  source: string;
  target: string;
  label: string;
  kind: EdgeKind;
  direction: EdgeDirection;
  description: string;
  properties: Record<string, string>;
  /** Bend points, relative to the diagram. */
  route: Point[] | null;
}

export interface Diagram {
  nodes: DiagramNode[];
  edges: DiagramEdge[];
}

export interface DocumentText {
  text: string;
  eol: 'lf' | 'crlf' | 'mixed';
}

export type Role = 'owner' | 'editor' | 'viewer';

export interface Workspace {
  id: string;
  name: string;
  role: Role;
  revision: number;
  diagram: Diagram;
  document: DocumentText;
  /** Why it takes no writes; null while it does. */
  frozen: string | null;
}

/** A workspace as lists show it. Times are ISO 8601. */
export interface WorkspaceItem {
  id: string;
  name: string;
  revision: number;
  nodes: number;
  edges: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  role: Role;
}

export interface Template {
  id: string;
  name: string;
  description: string;
  nodes: number;
  edges: number;
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface Me {
  id: string;
  name: string;
  color: string;
  kind: string;
}

/** A commit that the next undo or redo would take. */
export interface UndoTarget {
  rev: number;
  label: string;
}

export interface UndoState {
  undo: UndoTarget | null;
  redo: UndoTarget | null;
}

/** One reason why something did not fit. */
export interface Problem {
  code?: string;
  message: string;
  path?: string;
  candidates?: string[];
}

/** Something that an undo or redo had to leave out. */
export interface LeftOut {
  what: string;
  why: string;
}

/** The answer to every write; fields that the editor does not read yet are left out here. */
export interface WriteAnswer {
  revision: number;
  changed: boolean;
  left_out: LeftOut[];
}

export interface Actor {
  id: string;
  name: string;
  kind: string;
}

/** One line of history: a commit, or a group of one person's commits close together. */
export interface CommitItem {
  revision: number;
  at: string;
  actor: Actor;
  kind: string;
  what: string;
  why: string;
  source: string;
  left_out: LeftOut[];
}

/** RFC 9457 problem document. */
export interface ProblemDocument {
  type?: string;
  title?: string;
  status: number;
  code: string;
  detail: string;
  problems: Problem[];
  request_id?: string;
}
