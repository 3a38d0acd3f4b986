/**
 * `AssistantStore`: the assistant of one workspace as this page knows it (provider, conversation, running requests),
 * and the requests that can be sent to it. One for each live client. No React.
 *
 * Not here: the HTTP calls (`protocol/assistant`), merging the parts of a turn into a list (`model/assistant/turns`),
 * the text in the input field (`draft.ts`).
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { statusOf, type Turn } from '../../model/assistant/card';
import { assistantHere } from '../../model/assistant/provider';
import { onlyReads } from '../../model/assistant/workflows';
import * as calls from '../../protocol/assistant';
import { ApiError } from '../../protocol/http';
import type { AssistantState, EditMode, NewRun, ProviderName, Rating } from '../../protocol/types';
import { type Clock, systemClock } from '../client/clock';
import { errorSentences } from '../words/errors';
import { CoalescedChoices } from './coalescedChoices';
import { type AssistantLive, Conversation, type ConversationCalls } from './conversation';
import { newRecord, refusedRecord } from './records';

export type AssistantCalls = ConversationCalls &
  Pick<
    typeof calls,
    | 'readAssistant'
    | 'forgetKey'
    | 'readSwitch'
    | 'setSwitch'
    | 'startRun'
    | 'cancelRun'
    | 'rateRun'
    | 'answerApproval'
    | 'clearConversation'
  >;

export interface AssistantSnapshot {
  /** The provider; null until it is known. */
  assistant: AssistantState | null;
  /** Whether it may be used in this workspace; null until it is known. */
  isOn: boolean | null;
  /** How models edit in this workspace; null: as the server is set, undefined until it is known. */
  editMode: EditMode | null | undefined;
  /** Which provider was chosen for the workspace; null: the server's, undefined until it is known. */
  provider: ProviderName | null | undefined;
  /** Oldest first. */
  turns: readonly Turn[];
  /** Whether the conversation has been read. */
  isKnown: boolean;
  /** Why it could not be read. */
  failure: string | null;
  /** Whether the workspace keeps older turns than those that were read. */
  hasOlder: boolean;
  isReadingOlder: boolean;
}

/** How a request is to be understood. */
export type RunOptions = Pick<NewRun, 'workflow' | 'mode' | 'focus' | 'provider' | 'edit_mode' | 'about'>;

export class AssistantStore {
  readonly state: StoreApi<AssistantSnapshot>;
  private readonly conversation: Conversation;
  private readonly ratings: CoalescedChoices<Rating | null>;
  private readonly editModes: CoalescedChoices<EditMode | null>;
  private wasLive = false;
  /** Increases when a setting of the workspace is sent, and again when the server has answered. */
  private settingsVersion = 0;

  constructor(
    private readonly live: AssistantLive,
    private readonly workspace: string,
    private readonly api: AssistantCalls = calls,
    private readonly clock: Clock = systemClock,
  ) {
    this.state = createStore<AssistantSnapshot>(() => ({
      assistant: null,
      isOn: null,
      editMode: undefined,
      provider: undefined,
      turns: [],
      isKnown: false,
      failure: null,
      hasOlder: false,
      isReadingOlder: false,
    }));
    this.conversation = new Conversation(live, workspace, api, clock, (turns) => {
      const { hasOlder } = this.conversation;
      this.state.setState({ turns, hasOlder });
    });
    this.ratings = new CoalescedChoices(
      (run, rating) => api.rateRun(workspace, run, rating),
      (run, rating) => this.conversation.rated(run, rating),
    );
    this.editModes = new CoalescedChoices(
      (_, editMode) => this.changeSettings({ edit_mode: editMode }),
      (_, editMode) => this.state.setState({ editMode }),
    );
    live.subscribe(({ status, runs, proposals, members }) => {
      if (status || members) this.connected();
      if (runs || proposals || members) this.conversation.update();
    });
    // The tokens used today have changed.
    this.conversation.onEnded(() => void this.readAssistant());
    this.connected();
    void this.refresh();
    this.conversation.update();
  }

  /**
   * Subscribes to the end of requests that this person made while this page was open. Returns a function that
   * unsubscribes.
   */
  onEnded(listener: (turn: Turn) => void): () => void {
    return this.conversation.onEnded(listener);
  }

  /** Reads the provider anew. Where that fails, the previous value stays. */
  async readAssistant(): Promise<void> {
    const { settingsVersion } = this;
    const [assistant, found] = await Promise.all([
      this.api.readAssistant().catch(() => null),
      this.api.readSwitch(this.workspace).catch(() => null),
    ]);
    // The answer may be older than what was chosen meanwhile.
    if (settingsVersion !== this.settingsVersion) return this.readAssistant();
    const known = found && { isOn: found.enabled, editMode: found.edit_mode, provider: found.provider };
    this.state.setState({ ...(assistant && { assistant: assistantHere(assistant, found) }), ...known });
  }

  /** Read everything anew. */
  async refresh(): Promise<void> {
    await Promise.all([this.readAssistant(), this.readConversation()]);
  }

  /** Reads older turns. */
  async more(): Promise<void> {
    if (this.state.getState().isReadingOlder) return;
    this.state.setState({ isReadingOlder: true });
    try {
      await this.conversation.readOlder();
    } finally {
      this.state.setState({ isReadingOlder: false });
    }
  }

  /**
   * Sends a request. A refusal by the server becomes a turn that says so. Returns the text once the server has it, else
   * null.
   */
  async ask(prompt: string, asking: RunOptions = {}): Promise<string | null> {
    return this.send({ ...asking, prompt, id: this.clock.newId() });
  }

  /**
   * Sends the same request again; one that was never answered keeps its id. One that was to be written anew as a whole is
   * so again.
   */
  async again(run: string): Promise<string | null> {
    const { record } = this.turn(run) ?? {};
    const isUnsure = record?.outcome?.error?.is_unsure === true;
    return this.repeat(run, isUnsure ? run : this.clock.newId(), record?.edit_mode === 'regenerate');
  }

  /** Sends the same request as a new one whose model writes diagram or document anew as a whole. */
  async writeAnew(run: string): Promise<string | null> {
    return this.repeat(run, this.clock.newId(), true);
  }

  private async repeat(run: string, id: string, isWhole: boolean): Promise<string | null> {
    const turn = this.turn(run);
    const prompt = turn?.record?.prompt || turn?.talk?.prompt || turn?.proposal?.prompt;
    if (!turn || !prompt) return null;
    const { record, talk } = turn;
    const asking: RunOptions = {
      workflow: record?.workflow ?? talk?.workflow ?? 'edit',
      mode: record?.mode ?? 'auto',
      ...(record && { focus: record.focus as NonNullable<NewRun['focus']> }),
      ...(record?.about && { about: record.about }),
      ...(isWhole && { edit_mode: 'regenerate' as const }),
    };
    return this.send({ ...asking, prompt, id });
  }

  /** Rates a run of this person; null takes it back. Throws where the server does not take it. */
  async rate(run: string, rating: Rating | null): Promise<void> {
    return this.ratings.choose(run, rating, this.turn(run)?.record?.rating ?? null);
  }

  /** Cancels a request. Throws where it cannot be cancelled any more. */
  async stop(run: string): Promise<void> {
    try {
      this.conversation.take(await this.api.cancelRun(this.workspace, run));
    } catch (error) {
      void this.conversation.settle(run);
      throw error;
    }
  }

  /** Says whether a call of a plugin may be made. Throws where it waits no longer, or the server cannot be told. */
  async answer(run: string, approval: string, isAllowed: boolean): Promise<void> {
    await this.api.answerApproval(this.workspace, run, approval, isAllowed);
  }

  /** Clears the conversation for everybody; the workspace and its history stay. */
  async clear(): Promise<void> {
    await this.api.clearConversation(this.workspace);
    this.conversation.clear();
  }

  async forgetKey(): Promise<void> {
    this.state.setState({ assistant: await this.api.forgetKey() });
  }

  /** Takes what the server says of the assistant. */
  async take(assistant: AssistantState): Promise<void> {
    const found = await this.api.readSwitch(this.workspace).catch(() => null);
    this.state.setState({ assistant: assistantHere(assistant, found) });
  }

  /** Says who answers in this workspace. Throws where the server does not take it. */
  async setProvider(provider: ProviderName | null): Promise<void> {
    await this.changeSettings({ provider });
    await this.readAssistant();
  }

  async setOn(isOn: boolean): Promise<void> {
    await this.changeSettings({ enabled: isOn });
    this.state.setState({ isOn });
  }

  /** Says how models edit in this workspace. Throws where the server does not take it. */
  async setEditMode(editMode: EditMode | null): Promise<void> {
    return this.editModes.choose(this.workspace, editMode, this.state.getState().editMode ?? null);
  }

  private async changeSettings(change: Parameters<AssistantCalls['setSwitch']>[1]): Promise<void> {
    this.settingsVersion++;
    try {
      await this.api.setSwitch(this.workspace, change);
    } finally {
      this.settingsVersion++;
    }
  }

  turn(run: string): Turn | undefined {
    return this.state.getState().turns.find((turn) => turn.run === run);
  }

  /** This person's running edit, if any; there is at most one. */
  get editing(): Turn | undefined {
    return this.state
      .getState()
      .turns.find((turn) => turn.isMine && statusOf(turn) === 'running' && !onlyReads(turn.record?.workflow));
  }

  private async send(run: NewRun & { id: string }): Promise<string | null> {
    const { live, state } = this;
    const record = newRecord(run, live.me, state.getState().assistant, this.clock.now());
    this.conversation.begin(record);
    try {
      this.conversation.taken(run.id, await this.api.startRun(this.workspace, run));
      return run.prompt;
    } catch (error) {
      const refused = refusedRecord(record, error);
      const isRefused = this.conversation.refused(refused, refused.outcome?.error?.is_unsure === true);
      if (error instanceof ApiError && !error.isPassing) void this.readAssistant();
      return isRefused ? null : run.prompt;
    }
  }

  private async readConversation(): Promise<void> {
    try {
      await this.conversation.read();
      this.state.setState({ isKnown: true, failure: null });
    } catch (error) {
      this.state.setState({ failure: errorSentences(error) });
    }
  }

  /** Reads what was missed while the connection was down. */
  private connected(): void {
    const isLive = this.live.status.connection === 'live';
    const { isKnown, failure } = this.state.getState();
    if (isLive && !this.wasLive && (isKnown || failure)) void this.refresh();
    this.wasLive = isLive;
  }
}
