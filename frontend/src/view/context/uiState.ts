/**
 * What this page alone knows while a workspace is open: selection, tool, what is unfolded. Nothing of it is saved with
 * the workspace; what others may see of it travels as presence.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Step } from '../../protocol/live';
import type { DocumentChange } from '../../protocol/types';
import {
  type PanelName,
  recallPanel,
  recallViewMode,
  rememberPanel,
  rememberViewMode,
  type ViewMode,
} from '../../sync/preferences';

export type Tool =
  | { kind: 'select' }
  | { kind: 'hand' }
  /** The next node clicked is the target; without `from` the one before it is the source. */
  | { kind: 'connect'; from: string | null }
  /** The next click on the canvas places a node of this type. */
  | { kind: 'place'; type: string };

export interface Selection {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

/** Something whose name is being written on the canvas. */
export interface Renaming {
  kind: 'node' | 'edge';
  id: string;
}

/** A modal dialog of the editor; the one that is open is the only one. */
export type OpenDialog =
  | { kind: 'commands' }
  | { kind: 'shortcuts' }
  | { kind: 'tray' }
  | { kind: 'delete'; ids: readonly string[] }
  | { kind: 'connect'; from: string }
  /** Of the newest revision where none is given. */
  | { kind: 'checkpoint'; revision?: number }
  | { kind: 'restore'; revision: number }
  | { kind: 'connect-model' }
  | { kind: 'export' }
  | { kind: 'settings' };

/** An old revision in sight in place of the newest, perhaps beside what it is compared with. */
export interface ViewedRevision {
  revision: number;
  /** What it is compared with; null for nothing, 'now' for the newest. */
  against: number | 'now' | null;
}

/** What is proposed or being prepared, to be drawn beside what there is. It is never part of the workspace. */
export interface Ghosts {
  /** The run or the proposal they are of. */
  of: string;
  /** Who they are of and what they are, such as “Proposal by Ana (6)”. */
  title: string;
  /** In order; those that fit no more are passed over. */
  steps: readonly Step[];
  /** What would change in the document: whole lines of its newest text. */
  document: readonly DocumentChange[];
  /** A greater one brings them into sight. */
  at: number;
}

export interface UiState {
  mode: ViewMode;
  half: 'write' | 'read';
  panel: PanelName | null;
  /** Whether the palette is open in full, not as a rail. */
  isPaletteOpen: boolean;
  tool: Tool;
  selection: Selection;
  renaming: Renaming | null;
  /** Groups that are drawn as one card. */
  collapsed: ReadonlySet<string>;
  /** Bring these into sight; a greater `at` asks again. */
  shown: { ids: readonly string[]; at: number; pulse: boolean } | null;
  /** Bring a point of the diagram, in its own coordinates, into sight. */
  shownPoint: { x: number; y: number; at: number } | null;
  /** Bring a place of the document into sight: the heading or the stretch. */
  shownText: { from: number; to: number; at: number } | null;
  /** Open the row of the history that holds this revision. */
  shownCommit: number | null;
  dialog: OpenDialog | null;
  viewed: ViewedRevision | null;
  ghosts: Ghosts | null;
  /** The field where one asks the assistant shall have the keyboard, as soon as it is there. */
  isAsking: boolean;
  /** What was selected in the document last, or where the caret stood; it may have moved since. */
  passage: { from: number; to: number; text: string } | null;
  /** The member whose view this page follows. */
  following: string | null;
  /** Where the keyboard was last: decides what undo takes. */
  focus: 'canvas' | 'document';
}

const NOTHING: Selection = { nodes: new Set(), edges: new Set() };

/** The state and everything that can be done to it. */
export class UiStore {
  readonly state: StoreApi<UiState>;
  private count = 0;

  constructor(selected: string | null = null) {
    this.state = createStore<UiState>(() => ({
      mode: recallViewMode(),
      half: 'write',
      panel: recallPanel(),
      isPaletteOpen: false,
      tool: { kind: 'select' },
      selection: selected ? { nodes: new Set([selected]), edges: new Set() } : NOTHING,
      renaming: null,
      collapsed: new Set(),
      shown: selected ? { ids: [selected], at: 0, pulse: false } : null,
      shownPoint: null,
      shownText: null,
      shownCommit: null,
      dialog: null,
      viewed: null,
      ghosts: null,
      isAsking: false,
      passage: null,
      following: null,
      focus: 'canvas',
    }));
  }

  get(): UiState {
    return this.state.getState();
  }

  set(part: Partial<UiState>): void {
    this.state.setState(part);
  }

  setMode(mode: ViewMode): void {
    rememberViewMode(mode);
    this.set({ mode });
  }

  setPanel(panel: PanelName | null): void {
    rememberPanel(panel);
    this.set({ panel });
  }

  togglePanel(panel: PanelName): void {
    this.setPanel(this.get().panel === panel ? null : panel);
  }

  /** Select these and nothing else. */
  select(nodes: Iterable<string>, edges: Iterable<string> = []): void {
    const next = { nodes: new Set(nodes), edges: new Set(edges) };
    const { selection } = this.get();
    if (isSameSet(next.nodes, selection.nodes) && isSameSet(next.edges, selection.edges)) return;
    this.set({ selection: next });
  }

  deselect(): void {
    this.select([]);
  }

  /** Select nodes and bring them into sight, with a pulse where the eye is to be led there. */
  show(ids: readonly string[], options: { pulse?: boolean; isSelecting?: boolean } = {}): void {
    this.count += 1;
    if (options.isSelecting ?? true) this.select(ids);
    this.set({ shown: { ids, at: this.count, pulse: options.pulse ?? false } });
  }

  showPoint({ x, y }: { x: number; y: number }): void {
    this.count += 1;
    this.set({ shownPoint: { x, y, at: this.count } });
  }

  showText(from: number, to: number): void {
    this.count += 1;
    this.set({ shownText: { from, to, at: this.count } });
  }

  /** Open the history at a revision. */
  showCommit(revision: number): void {
    this.setPanel('history');
    this.set({ shownCommit: revision });
  }

  /** Draw these ghosts in place of any others; `isInSight` brings them there. */
  showGhosts(ghosts: Omit<Ghosts, 'at'>, { isInView = false }: { isInView?: boolean } = {}): void {
    const before = this.get().ghosts;
    if (isInView) this.count += 1;
    this.set({ ghosts: { ...ghosts, at: isInView ? this.count : (before?.at ?? 0) } });
  }

  /** Draw no ghosts any more, if they are of this run or proposal. */
  hideGhosts(of: string): void {
    if (this.get().ghosts?.of === of) this.set({ ghosts: null });
  }

  /** What is selected in the document, as it reads there. */
  notePassage({ anchor, head }: { anchor: number; head: number }, document: string): void {
    const [from, to] = anchor < head ? [anchor, head] : [head, anchor];
    this.set({ passage: { from, to, text: document.slice(from, to) } });
  }

  toggleCollapsed(id: string): void {
    const collapsed = new Set(this.get().collapsed);
    if (!collapsed.delete(id)) collapsed.add(id);
    this.set({ collapsed });
  }

  /** Forget what is no longer there. */
  prune(hasNode: (id: string) => boolean, hasEdge: (id: string) => boolean): void {
    const { selection, renaming, tool } = this.get();
    this.select([...selection.nodes].filter(hasNode), [...selection.edges].filter(hasEdge));
    const isThere = !renaming || (renaming.kind === 'node' ? hasNode : hasEdge)(renaming.id);
    if (!isThere) this.set({ renaming: null });
    if (tool.kind === 'connect' && tool.from !== null && !hasNode(tool.from))
      this.set({ tool: { kind: 'connect', from: null } });
  }
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));
