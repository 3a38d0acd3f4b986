/**
 * What an editor shows of a live workspace, as one value that is replaced on every change; its parts are the same
 * objects as long as they have not changed. Over it, views subscribe to the part they draw.
 *
 * Not here: React (`view/context`), and what this page alone knows, such as a selection.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DiagramView } from '../../model/core/diagramView';
import type { Bye, Commit, Me, Member, Role } from '../../protocol/live';
import type { Diagram } from '../../protocol/types';
import type { LiveClient, ViewChange } from '../client/client';
import type { Status } from '../session/liveStatus';
import type { TrayItem } from '../session/tray';
import type { TextClient } from './codemirror';

export interface Snapshot {
  /** Whether the server has told what there is; before that everything is empty. */
  isKnown: boolean;
  name: string;
  /** The revision told last. */
  revision: number;
  diagram: Diagram;
  text: string;
  status: Status;
  me: Me | null;
  /** What this person may do here; null until it is known. */
  role: Role | null;
  /** Why the workspace takes no changes from anybody; null where it does. */
  frozen: string | null;
  /** Why the server has closed the connection for good; null while it has not. */
  farewell: Bye | null;
  /** Which of the members this page is. */
  member: string;
  members: readonly Member[];
  tray: readonly TrayItem[];
  runs: readonly Record<string, unknown>[];
  proposals: readonly Record<string, unknown>[];
  /** The commit told last; null after a whole state. */
  latest: Commit | null;
}

/** A client and the snapshots of it. */
export class LiveStore {
  readonly state: StoreApi<Snapshot>;
  /** The client for an editor of text: what is typed there shows in the snapshot, too. */
  readonly text: TextClient;
  private readonly diagram = new DiagramView();
  private readonly leave: () => void;

  constructor(readonly client: LiveClient) {
    this.state = createStore(() => this.read(null));
    this.leave = client.subscribe((change) => this.state.setState(this.read(change), true));
    const changed = () => this.state.setState(this.read(null), true);
    this.text = {
      get view() {
        return client.view;
      },
      get member() {
        return client.member;
      },
      get members() {
        return client.members;
      },
      caretHere: (caret) => client.caretHere(caret),
      subscribe: (listener) => client.subscribe(listener),
      type(changes) {
        client.type(changes);
        changed();
      },
    };
  }

  /** No more snapshots; the client is left as it is. */
  close(): void {
    this.leave();
  }

  private read(change: ViewChange | null): Snapshot {
    const { client } = this;
    const before = this.state?.getState();
    // Without a change told there is only one's own typing, which no diagram hangs on.
    const isDiagramOld =
      !before || (change !== null && !(isNothing(change.nodes) && isNothing(change.edges)));
    return {
      isKnown: client.me !== null && client.revision > 0,
      name: client.view.name,
      revision: client.revision,
      diagram: isDiagramOld ? this.diagram.of(client.view) : before.diagram,
      text: client.view.text,
      status: client.status,
      me: client.me,
      role: client.role,
      frozen: client.frozen,
      farewell: client.farewell,
      member: client.member,
      members: client.members,
      tray: client.tray,
      runs: client.runs,
      proposals: client.proposals,
      latest: change?.commits.at(-1) ?? (change?.nodes === 'all' ? null : (before?.latest ?? null)),
    };
  }
}

const isNothing = (changed: ReadonlySet<string> | 'all'): boolean => changed !== 'all' && changed.size === 0;
