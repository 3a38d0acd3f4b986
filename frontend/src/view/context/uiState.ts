/**
 * UI state of an open workspace in this page: selection, tool, collapsed groups. Nothing of it is stored with the
 * workspace; parts are sent as presence.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Sight } from '../../model/drawing/viewport';
import type { Made } from '../../model/gestures/place';
import type { Step } from '../../protocol/live';
import type { DocumentChange } from '../../protocol/types';
import {
  type PanelName,
  recallLook,
  recallPanel,
  recallViewMode,
  rememberLook,
  rememberPanel,
  rememberViewMode,
  type ViewMode,
  type WritingLook,
} from '../../sync/preferences';

export type Tool =
  | { kind: 'select' }
  | { kind: 'hand' }
  /** The next node clicked is the target; without `from` the one before it is the source. */
  | { kind: 'connect'; from: string | null }
  /** The next click on the canvas places a node of this type, which has that name. */
  | { kind: 'place'; type: string; name: string };

export interface Selection {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

/** A thing whose name is being edited on the canvas. */
export interface Renaming {
  kind: 'node' | 'edge';
  id: string;
}

/** The open modal dialog; there is at most one. */
export type OpenDialog =
  | { kind: 'commands' }
  | { kind: 'shortcuts' }
  | { kind: 'tray' }
  | { kind: 'delete'; ids: readonly string[] }
  | { kind: 'connect'; from: string }
  | { kind: 'pattern' }
  /** The custom types. `isNew`: a new one, perhaps with a name, which these nodes get. */
  | { kind: 'types'; isNew?: boolean; name?: string; nodes?: readonly string[] }
  /** The comparison with what runs. `isToDraw`: all that is not drawn yet is chosen from the start. */
  | { kind: 'workloads'; isToDraw: boolean }
  /** Of the newest revision where none is given. */
  | { kind: 'checkpoint'; revision?: number }
  | { kind: 'restore'; revision: number }
  | { kind: 'connect-model' }
  | { kind: 'export' }
  | { kind: 'share' }
  | { kind: 'connect-agent' }
  /** The draft, to be proposed. */
  | { kind: 'propose' }
  /** Another text for the section at a place of the document. */
  | { kind: 'suggest-section'; at: number }
  | { kind: 'settings' };

/** A shown old revision, perhaps compared with another. */
export interface ViewedRevision {
  revision: number;
  /** The other revision of a comparison; null for none, 'now' for the newest. */
  against: number | 'now' | null;
}

/** Proposed or prepared operations to be drawn as ghosts. They are never part of the workspace. */
export interface Ghosts {
  /** The id of the run or the proposal. */
  of: string;
  /** A title such as “Proposal by Ana (6)”. */
  title: string;
  /** In order; steps that no longer fit are skipped. */
  steps: readonly Step[];
  /** Changes to whole lines of the newest document. */
  document: readonly DocumentChange[];
  /** Incremented to bring them into view. */
  at: number;
}

export interface UiState {
  mode: ViewMode;
  half: 'write' | 'read';
  /** How the text is shown where it is written. */
  look: WritingLook;
  panel: PanelName | null;
  /** Whether the palette is expanded, not a rail. */
  isPaletteOpen: boolean;
  tool: Tool;
  selection: Selection;
  renaming: Renaming | null;
  /** What has been added and is sent as soon as it has its name. */
  making: Made | null;
  /** Collapsed groups. */
  collapsed: ReadonlySet<string>;
  /** Nodes to bring into view; `at` is incremented for each request. */
  reveal: { ids: readonly string[]; at: number; pulse: boolean } | null;
  /** A point of the diagram to bring into view. */
  revealPoint: { x: number; y: number; at: number } | null;
  /** A range of the document to bring into view. */
  revealText: { from: number; to: number; at: number } | null;
  /** The revision whose row in the history is to be expanded. */
  openCommit: number | null;
  /** The history tells what has changed since this revision, or since one that is to be chosen. */
  summarySince: number | 'choose' | null;
  dialog: OpenDialog | null;
  viewed: ViewedRevision | null;
  ghosts: Ghosts | null;
  /** The composer of the assistant is to be focused, as soon as it is mounted. */
  isAsking: boolean;
  /** The last selection in the document, or the caret; the text may have changed since. */
  passage: { from: number; to: number; text: string } | null;
  /** The member whose view this page follows. */
  following: string | null;
  /** Where the focus was last: decides what undo takes. */
  focus: 'canvas' | 'document';
}

const NOTHING: Selection = { nodes: new Set(), edges: new Set() };

/** How a canvas was seen when it was taken away. */
export interface LeftCanvas {
  sight: Sight;
  /** Whether all was fitted, and nobody has moved it since. */
  isUntouched: boolean;
  /** The last request for nodes to be shown that it has met. */
  shown: number;
}

/** The store of the UI state, with its actions. */
export class UiStore {
  /** Told what a change of this page warns of; null without a canvas. */
  warned: ((warnings: readonly Record<string, unknown>[]) => void) | null = null;
  readonly state: StoreApi<UiState>;
  /** The canvas that was there before, in another pane; the next one goes on from it. */
  left: LeftCanvas | null = null;
  private count = 0;

  constructor(selected: string | null = null) {
    this.state = createStore<UiState>(() => ({
      mode: recallViewMode(),
      half: 'write',
      look: recallLook(),
      panel: recallPanel(),
      isPaletteOpen: false,
      tool: { kind: 'select' },
      selection: selected ? { nodes: new Set([selected]), edges: new Set() } : NOTHING,
      renaming: null,
      making: null,
      collapsed: new Set(),
      reveal: selected ? { ids: [selected], at: 0, pulse: false } : null,
      revealPoint: null,
      revealText: null,
      openCommit: null,
      summarySince: null,
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

  setLook(look: WritingLook): void {
    rememberLook(look);
    this.set({ look });
  }

  setPanel(panel: PanelName | null): void {
    rememberPanel(panel);
    this.set({ panel });
  }

  togglePanel(panel: PanelName): void {
    this.setPanel(this.get().panel === panel ? null : panel);
  }

  /** Selects these only. */
  select(nodes: Iterable<string>, edges: Iterable<string> = []): void {
    const next = { nodes: new Set(nodes), edges: new Set(edges) };
    const { selection } = this.get();
    if (isSameSet(next.nodes, selection.nodes) && isSameSet(next.edges, selection.edges)) return;
    this.set({ selection: next });
  }

  deselect(): void {
    this.select([]);
  }

  /** Selects nodes and brings them into view, optionally with a pulse. */
  show(ids: readonly string[], options: { pulse?: boolean; isSelecting?: boolean } = {}): void {
    this.count += 1;
    if (options.isSelecting ?? true) this.select(ids);
    this.set({ reveal: { ids, at: this.count, pulse: options.pulse ?? false } });
  }

  showPoint({ x, y }: { x: number; y: number }): void {
    this.count += 1;
    this.set({ revealPoint: { x, y, at: this.count } });
  }

  showText(from: number, to: number): void {
    this.count += 1;
    this.set({ revealText: { from, to, at: this.count } });
  }

  /** Opens the history at a revision. */
  showCommit(revision: number): void {
    this.setPanel('history');
    this.set({ openCommit: revision });
  }

  /** Shows these ghosts, replacing others; `isInView` brings them into view. */
  showGhosts(ghosts: Omit<Ghosts, 'at'>, { isInView = false }: { isInView?: boolean } = {}): void {
    const before = this.get().ghosts;
    if (isInView) this.count += 1;
    this.set({ ghosts: { ...ghosts, at: isInView ? this.count : (before?.at ?? 0) } });
  }

  /** Hides the ghosts of this run or proposal. */
  hideGhosts(of: string): void {
    if (this.get().ghosts?.of === of) this.set({ ghosts: null });
  }

  /** Stores the selection of the document. */
  notePassage({ anchor, head }: { anchor: number; head: number }, document: string): void {
    const [from, to] = anchor < head ? [anchor, head] : [head, anchor];
    this.set({ passage: { from, to, text: document.slice(from, to) } });
  }

  toggleCollapsed(id: string): void {
    const collapsed = new Set(this.get().collapsed);
    if (!collapsed.delete(id)) collapsed.add(id);
    this.set({ collapsed });
  }

  /** Removes deleted things from the state. */
  prune(hasNode: (id: string) => boolean, hasEdge: (id: string) => boolean): void {
    const { selection, renaming, tool, making } = this.get();
    this.select(
      [...selection.nodes].filter((id) => hasNode(id) || id === making?.id),
      [...selection.edges].filter(hasEdge),
    );
    const isThere =
      !renaming || making !== null || (renaming.kind === 'node' ? hasNode : hasEdge)(renaming.id);
    if (!isThere) this.set({ renaming: null });
    if (tool.kind === 'connect' && tool.from !== null && !hasNode(tool.from))
      this.set({ tool: { kind: 'connect', from: null } });
  }
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));
