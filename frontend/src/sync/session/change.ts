/** Collects what has changed since the listeners were called last. Pure. */
import { type Changes, compose } from '../../model/core/changes';
import type { Commit, Step } from '../../protocol/live';

/** What listeners receive; `all` after a full state. `text` is null also for one's own typing. */
export interface ViewChange {
  nodes: ReadonlySet<string> | 'all';
  edges: ReadonlySet<string> | 'all';
  text: Changes | null;
  name: boolean;
  commits: readonly Commit[];
  status: boolean;
  members: boolean;
  presence: boolean;
  tray: boolean;
  drafts: boolean;
  runs: boolean;
  proposals: boolean;
}

const FLAGS = ['name', 'status', 'members', 'presence', 'tray', 'drafts', 'runs', 'proposals'] as const;
export type Flag = (typeof FLAGS)[number];

export class ChangeCollector {
  private nodes: Set<string> | 'all' = new Set();
  private edges: Set<string> | 'all' = new Set();
  private text: Changes | null = null;
  private commits: Commit[] = [];
  private readonly flags = new Set<Flag>();

  mark(flag: Flag): void {
    this.flags.add(flag);
  }

  markAll(): void {
    this.nodes = this.edges = 'all';
    this.flags.add('name');
  }

  addCommit(commit: Commit): void {
    this.commits.push(commit);
    this.addSteps(commit.steps);
  }

  /** Adds what steps touch; text changes are added by `addTextChange` alone. */
  addSteps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.k === 'name' || step.k === 'eol') this.flags.add('name');
      else if ('id' in step) {
        // With a custom type nodes change, whichever are of it.
        const changed = step.k.startsWith('edge') ? this.edges : this.nodes;
        if (changed !== 'all') changed.add(step.id);
      }
    }
  }

  addTextChange(changes: Changes | null): void {
    if (changes) this.text = this.text ? compose(this.text, changes) : changes;
  }

  /** Returns what was collected, null for nothing, and starts over. */
  take(): ViewChange | null {
    const { nodes, edges, text, commits, flags } = this;
    const isAll = nodes === 'all' || edges === 'all';
    if (!isAll && !text && nodes.size + edges.size + commits.length + flags.size === 0) return null;
    const flagged = Object.fromEntries(FLAGS.map((flag) => [flag, flags.has(flag)])) as Record<Flag, boolean>;
    this.nodes = new Set();
    this.edges = new Set();
    this.text = null;
    this.commits = [];
    flags.clear();
    return { nodes, edges, text, commits, ...flagged };
  }
}
