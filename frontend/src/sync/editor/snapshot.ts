/**
 * The state of a live workspace as one immutable value that is replaced on every change; unchanged parts keep their
 * identity. Views subscribe to the part that they draw.
 *
 * Not here: React (`view/context`), and state of this page alone, such as the selection.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DiagramView } from '../../model/core/diagramView';
import type { Bye, Commit, LiveProposal, LiveRun, Me, Member, Role, StoreRisk } from '../../protocol/live';
import type { Diagram } from '../../protocol/types';
import type { Draft, LiveClient, ViewChange } from '../client/client';
import type { Status } from '../session/liveStatus';
import type { TrayItem } from '../session/tray';
import type { TextClient } from './codemirror';

export interface Snapshot {
  /** Whether the server has sent the state; before that everything is empty. */
  isKnown: boolean;
  name: string;
  /** The last revision from the server. */
  revision: number;
  diagram: Diagram;
  text: string;
  status: Status;
  me: Me | null;
  /** The role of this person; null until it is known. */
  role: Role | null;
  /** Why the workspace accepts no changes from anybody; null where it does. */
  frozen: string | null;
  /** What the server's store may lose as it is set. */
  storeRisks: readonly StoreRisk[];
  /** Why the server has closed the connection for good; null while it has not. */
  bye: Bye | null;
  /** The id of this page among the members. */
  member: string;
  members: readonly Member[];
  tray: readonly TrayItem[];
  /** What waits to be proposed; of a person who may not write. */
  drafts: readonly Draft[];
  runs: readonly LiveRun[];
  proposals: readonly LiveProposal[];
  /** The last commit; null after a full state. */
  latest: Commit | null;
}

/** A client and the snapshots of it. */
export class LiveStore {
  readonly state: StoreApi<Snapshot>;
  /** The client for a text editor: typed text is added to the snapshot, too. */
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

  /** Stops making snapshots; the client stays open. */
  close(): void {
    this.leave();
  }

  private read(change: ViewChange | null): Snapshot {
    const { client } = this;
    const before = this.state?.getState();
    // A change without an event is one's own typing, which does not touch the diagram.
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
      storeRisks: client.storeRisks,
      bye: client.bye,
      member: client.member,
      members: client.members,
      tray: client.tray,
      drafts: sameDrafts(before?.drafts, client.drafts),
      runs: client.runs,
      proposals: client.proposals,
      latest: change?.commits.at(-1) ?? (change?.nodes === 'all' ? null : (before?.latest ?? null)),
    };
  }
}

/** The drafts; as they were, where nothing of them has changed. */
function sameDrafts(before: readonly Draft[] | undefined, now: readonly Draft[]): readonly Draft[] {
  const isSame =
    before?.length === now.length &&
    now.every(({ id, isShown }, at) => before[at]?.id === id && before[at]?.isShown === isShown);
  return isSame ? before : now;
}

const isNothing = (changed: ReadonlySet<string> | 'all'): boolean => changed !== 'all' && changed.size === 0;
