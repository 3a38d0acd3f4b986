/**
 * The turns of a workspace's conversation, and the running requests in it: reads them, watches them, and reads their
 * result when they end.
 *
 * A running request is watched from its first event, so that a page that was opened later shows the same. Not here: the
 * provider, and sending requests (`assistant.ts`).
 */
import type { Turn } from '../../model/assistant/card';
import { NO_PROGRESS, type RunProgress, withEvent } from '../../model/assistant/runProgress';
import { turnsOf } from '../../model/assistant/turns';
import type * as calls from '../../protocol/assistant';
import { ApiError } from '../../protocol/http';
import type { Proposal, Rating, Run, Talk, TalkList } from '../../protocol/types';
import type { LiveClient } from '../client/client';
import type { Clock } from '../client/clock';
import { recordFromLive } from './records';

export type ConversationCalls = Pick<
  typeof calls,
  'listConversation' | 'listProposals' | 'listRuns' | 'readRun'
>;
export type AssistantLive = Pick<
  LiveClient,
  'me' | 'status' | 'runs' | 'proposals' | 'subscribe' | 'watchRun'
>;

const RUNS_READ = 50;
/** Events arrive as fast as words; listeners are called less often. */
const NOTIFY_INTERVAL_MS = 60;
const AFTER_NOTHING = '0';
/** Clocks differ, and a request may have waited in a queue. */
const ABOUT_MS = 60_000;
/** How soon a read or a watch that failed is tried again. */
const AGAIN_MS = 3_000;

export class Conversation {
  private talks: readonly Talk[] = [];
  private older: string | null = null;
  private readonly records = new Map<string, Run>();
  private readonly current = new Set<string>();
  private readonly progress = new Map<string, RunProgress>();
  private readonly watched = new Map<string, () => void>();
  private readonly settling = new Set<string>();
  private readonly deferred = new Set<string>();
  /** Runs whose end has been reported to listeners. */
  private readonly ended = new Set<string>();
  /** Requests of this page that were never answered; the live connection may still report them. */
  private readonly sent = new Set<string>();
  /** As the live connection has told them. */
  private readonly liveRatings = new Map<string, Rating | null>();
  private readonly listeners = new Set<(turn: Turn) => void>();
  /** What people have suggested, as it was read. */
  private suggestions: readonly Proposal[] = [];
  private turns: Turn[] = [];
  private timer: unknown = null;
  private isRead = false;
  /** Counts how often the conversation was cleared: an answer to an earlier read is dropped. */
  private cleared = 0;

  constructor(
    private readonly live: AssistantLive,
    private readonly workspace: string,
    private readonly api: ConversationCalls,
    private readonly clock: Clock,
    private readonly changed: (turns: readonly Turn[]) => void,
  ) {}

  get hasOlder(): boolean {
    return this.older !== null;
  }

  onEnded(listener: (turn: Turn) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the newest turns, and the runs of the last days. */
  async read(): Promise<void> {
    const { cleared } = this;
    const [page, runs] = await Promise.all([
      this.api.listConversation(this.workspace, null),
      this.api.listRuns(this.workspace, RUNS_READ),
      this.readSuggestions(),
    ]);
    if (cleared === this.cleared) this.join(page);
    for (const run of runs) this.addRun(run, true);
    this.isRead = true;
    this.notify();
  }

  private async readSuggestions(): Promise<void> {
    const proposals = await this.api.listProposals(this.workspace);
    this.suggestions = proposals.filter(({ origin }) => origin === 'person');
    this.notify();
  }

  /** Reads them again once one of them is closed: the connection reports open ones only. */
  private followSuggestions(): void {
    const open = new Set(this.live.proposals.map(({ id }) => id));
    const isClosed = this.suggestions.some(({ id, status }) => status === 'open' && !open.has(id));
    const known = new Set(this.suggestions.map(({ id }) => id));
    const isNew = this.live.proposals.some(({ id, origin }) => origin === 'person' && !known.has(id));
    if (this.isRead && (isClosed || isNew)) void this.readSuggestions().catch(() => undefined);
  }

  async readOlder(): Promise<void> {
    const { older, cleared } = this;
    if (older === null) return;
    const page = await this.api.listConversation(this.workspace, older);
    // The list may have been cleared meanwhile.
    if (older !== this.older || cleared !== this.cleared) return;
    this.talks = [...this.talks, ...page.items];
    this.older = page.next_cursor;
    this.notify();
  }

  /** Applies what the live connection reports. */
  update(): void {
    for (const row of this.live.runs) {
      const run = recordFromLive(row);
      this.hearRating(run);
      const isNew = !this.records.has(run.id) && !this.talks.some((talk) => talk.run === run.id);
      this.addRun(run);
      // It ended before this page learned that it had begun.
      if (this.isRead && isNew && run.status !== 'running') void this.settle(run.id);
    }
    this.followSuggestions();
    this.notify();
  }

  /** Another page of this person may have rated it. A row that is as it was says nothing new. */
  private hearRating({ id, rating }: Run): void {
    const before = this.liveRatings.get(id);
    this.liveRatings.set(id, rating);
    if (before !== undefined && before !== rating) this.rated(id, rating);
  }

  /** A request was sent to the server. */
  begin(record: Run): void {
    this.records.set(record.id, record);
    this.current.add(record.id);
    this.sent.add(record.id);
    this.notify();
  }

  /** The server has accepted a request. */
  taken(sent: string, run: Run): void {
    this.drop(sent);
    this.current.add(run.id);
    const isNotified = this.ended.has(run.id);
    if (isNotified || run.status === 'running' || this.records.get(run.id)?.status === 'running')
      this.addRun(run);
    else {
      this.records.set(run.id, { ...run, status: 'running' });
      void this.settle(run.id);
    }
    this.notify();
  }

  /**
   * The server has refused a request, or has not answered; in the latter case it may still turn up. Returns false where the
   * live connection has reported it already: the server has it.
   */
  refused(record: Run, isUnsure: boolean): boolean {
    if (!this.sent.has(record.id)) return false;
    if (!isUnsure) this.sent.delete(record.id);
    this.records.set(record.id, record);
    this.notify();
    return true;
  }

  /** The live connection has reported a request. */
  take(run: Run): void {
    this.addRun(run);
    this.notify();
  }

  /** This person has rated a run. */
  rated(run: string, rating: Rating | null): void {
    const record = this.records.get(run);
    if (!record) return;
    this.records.set(run, { ...record, rating });
    this.notify();
  }

  /** Drops all turns except those of running requests. */
  clear(): void {
    this.talks = [];
    this.older = null;
    this.cleared += 1;
    for (const run of [...this.current]) {
      if (this.records.get(run)?.status === 'running') continue;
      this.sent.delete(run);
      this.current.delete(run);
      this.progress.delete(run);
    }
    this.notify();
  }

  /** A request has ended: reads its result, and how the workspace keeps it. */
  async settle(run: string): Promise<void> {
    if (this.settling.has(run)) return;
    this.settling.add(run);
    this.watched.get(run)?.();
    const { cleared } = this;
    try {
      const [record, page] = await Promise.all([
        this.api.readRun(this.workspace, run),
        this.api.listConversation(this.workspace, null),
      ]);
      this.records.set(run, record);
      if (cleared === this.cleared) this.join(page);
      this.notify();
      if (record.status === 'running') return this.retryWatch(run);
      const turn = this.turns.find((one) => one.run === run);
      if (turn?.isMine && !this.ended.has(run)) for (const listener of this.listeners) listener(turn);
      this.ended.add(run);
    } catch (error) {
      // The state from the events stays, but a request that has ended must not look as if it were running.
      if (error instanceof ApiError && error.isPassing) this.settleLater(run);
    } finally {
      this.settling.delete(run);
    }
  }

  private settleLater(run: string): void {
    if (this.deferred.has(run)) return;
    this.deferred.add(run);
    this.clock.setTimeout(() => {
      this.deferred.delete(run);
      void this.settle(run);
    }, AGAIN_MS);
  }

  /** Adds a run: watches it while it is running, reads it once it has ended. Rows of the connection are not whole. */
  private addRun(run: Run, isWhole = false): void {
    const known = this.records.get(run.id);
    if (!known) this.recognise(run);
    if (run.status !== 'running') {
      if (!known || (isWhole && known.status !== 'running')) this.records.set(run.id, run);
      else if (known.status === 'running') void this.settle(run.id);
      return;
    }
    if (known && known.status !== 'running') return;
    this.records.set(run.id, known && !run.prompt ? { ...run, prompt: known.prompt } : run);
    this.current.add(run.id);
    this.watch(run);
  }

  /** The connection may report a request before the HTTP answer comes, or in place of it. */
  private recognise(run: Run): void {
    if (run.actor.id !== this.live.me?.id) return;
    for (const id of this.sent) {
      const record = this.records.get(id);
      const isIt =
        record?.prompt === run.prompt &&
        record.workflow === run.workflow &&
        Math.abs(Date.parse(record.created_at) - Date.parse(run.created_at)) < ABOUT_MS;
      if (!isIt) continue;
      this.drop(id);
      this.current.add(run.id);
      return;
    }
  }

  private drop(sent: string): void {
    this.sent.delete(sent);
    this.records.delete(sent);
    this.current.delete(sent);
  }

  private watch({ id, actor }: Run): void {
    if (this.watched.has(id) || actor.id !== this.live.me?.id) return;
    this.progress.set(id, NO_PROGRESS);
    const end = this.live.watchRun(id, AFTER_NOTHING, (_, event) => {
      const progress = withEvent(this.progress.get(id) ?? NO_PROGRESS, event);
      this.progress.set(id, progress);
      this.tellSoon();
      if (progress.end || progress.gone) void this.settle(id);
    });
    this.watched.set(id, end);
  }

  /** It was reported as ended and is not. */
  private retryWatch(run: string): void {
    this.clock.setTimeout(() => {
      this.watched.delete(run);
      const record = this.records.get(run);
      if (record?.status === 'running') this.watch(record);
    }, AGAIN_MS);
  }

  /** Merges the newest page with the known turns; where there is a gap between the two, older turns are read anew. */
  private join({ items, next_cursor }: TalkList): void {
    const ids = new Set(items.map(({ id }) => id));
    const isJoined = next_cursor !== null && this.talks.some(({ id }) => ids.has(id));
    const oldest = items.at(-1);
    const before =
      isJoined && oldest ? this.talks.slice(this.talks.findIndex(({ id }) => id === oldest.id) + 1) : [];
    this.talks = [...items, ...before];
    if (before.length === 0) this.older = next_cursor;
  }

  private tellSoon(): void {
    this.timer ??= this.clock.setTimeout(() => this.notify(), NOTIFY_INTERVAL_MS);
  }

  private notify(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.timer = null;
    const { talks, records, current, progress, suggestions } = this;
    const { proposals } = this.live;
    const known = { talks, records, current, progress, proposals, suggestions, me: this.live.me?.id ?? null };
    this.turns = turnsOf(known, this.turns);
    this.changed(this.turns);
  }
}
