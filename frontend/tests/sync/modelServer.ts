/**
 * A server of the live protocol as small as it can be, made of the page's own model: for trying pages against each
 * other under faults. The real one is tried by `tests/faults` with this same client.
 */
import {
  type Changes,
  changesBetween,
  isEmpty,
  lengthBefore,
  mapped,
  ofParts,
  type Part,
  partsOf,
} from '../../src/model/core/changes';
import { predict, UNBORN } from '../../src/model/core/predict';
import { apply, inverse, misfit, write } from '../../src/model/core/steps';
import { replaced } from '../../src/model/core/textDiff';
import { WorkspaceState } from '../../src/model/core/workspace';
import type {
  ClientMessage,
  Commit,
  Frame,
  Hello,
  Operation,
  ServerMessage,
  Step,
  Template,
  Type,
  TypedCommit,
  Write,
} from '../../src/protocol/live';

export interface Entry {
  id: string;
  actor: string;
  commit: Commit;
}

/** One open connection, as the server sees it. */
export interface Seat {
  actor: string;
  member: string;
  at: number;
  wants: Set<string>;
  waiting: ServerMessage[];
  send(frame: Frame): void;
  /** Closes it, after what was sent. */
  close(code: number): void;
  /** How often the server had forgotten ids when it was opened. */
  forgettings: number;
  isState: boolean;
  /** What it was sent of them. */
  templates: Template[];
}

class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly retry = false,
  ) {
    super(`refused: ${code}`);
  }
}

export class ModelServer {
  epoch = 'epoch-1';
  workspace = new WorkspaceState();
  /** Everything that was ever committed. */
  readonly log: Entry[] = [];
  /** What is before this is not known any more. */
  base = 0;
  /** Says which write is refused for now. */
  refuses: (message: Write) => string | null = () => null;
  /** Says how long a write takes, in milliseconds; what its actor sends later waits behind it. */
  takes: () => number = () => 0;
  /** What takes long, and what waits behind it, by actor; each with the revisions that were forgotten when it came. */
  private readonly held = new Map<string, [Seat, Write, number][]>();
  readonly seats = new Set<Seat>();
  /** The member over whose connection a write is carried out, by its actor and id. */
  private readonly claims = new Map<string, string>();
  private forgettings = 0;
  private readonly beginning: { text: string };
  private members = 0;
  private losses = 0;

  constructor(
    text = '',
    private readonly after: (ms: number, then: () => void) => void = (_, then) => then(),
  ) {
    this.workspace.text = text;
    this.beginning = { text };
  }

  /** Whether ids of what was committed are not known any more. */
  get hasForgotten(): boolean {
    return this.forgettings > 0;
  }

  get rev(): number {
    return this.log.length;
  }

  /**
   * Forget what is older than the newest entries, their ids too, but for what waits here or was claimed. What is on its way
   * from connections that are gone goes with them: it would be done twice. The real server forgets no id as early as that.
   */
  trim(keep: number): void {
    this.base = Math.max(this.base, this.rev - keep);
    this.forgettings++;
  }

  /** A failover to a store that had not heard of the newest entries, nor of their ids; with another epoch a repair. */
  lose(entries: number, epoch = this.epoch): void {
    this.log.splice(Math.max(this.base, this.rev - entries));
    this.losses++;
    this.forgettings++;
    this.epoch = epoch;
    const { text } = this.beginning;
    this.workspace = new WorkspaceState();
    this.workspace.text = text;
    for (const { commit } of this.log) apply(commit.steps, this.workspace);
    for (const seat of this.seats) {
      seat.waiting = seat.waiting.filter(({ t }) => t !== 'state');
      this.giveState(seat, 'diverged');
    }
  }

  sit(actor: string, hello: Hello, { send, close }: Pick<Seat, 'send' | 'close'>): Seat {
    const member = `member-${++this.members}`;
    for (const id of hello.pending ?? []) this.claims.set(`${actor} ${id}`, member);
    const seat: Seat = {
      actor,
      member,
      at: 0,
      wants: new Set(hello.pending),
      waiting: [],
      send,
      close,
      forgettings: this.forgettings,
      isState: false,
      templates: [],
    };
    const { resume } = hello;
    const isKnown = resume?.epoch === this.epoch && resume.rev <= this.rev && resume.rev >= this.base;
    const isSame = isKnown && resume.h === this.hashAt(resume.rev);
    if (isSame) seat.at = resume.rev;
    const why = !resume ? 'fresh' : isKnown || resume.rev > this.rev ? 'diverged' : 'trimmed';
    const me = { id: actor, name: actor, kind: 'person' as const, color: '#000' };
    const limits = { operations: 500, batch_bytes: 1e6, document_chars: 2e6 };
    const t = 'welcome' as const;
    const access = { role: 'owner', frozen: null } as const;
    seat.waiting.push({
      t,
      v: hello.v,
      w: 'w',
      member,
      me,
      ...access,
      resumed: isSame,
      silence_s: 30,
      limits,
    });
    if (!isSame) this.giveState(seat, why);
    this.seats.add(seat);
    return seat;
  }

  /** One frame with everything up to now. */
  flush(seat: Seat): void {
    const frame: Frame = [];
    if (seat.waiting[0]?.t === 'welcome') frame.push(seat.waiting.shift() as ServerMessage);
    const states = seat.waiting.filter(({ t }) => t === 'state');
    seat.waiting = seat.waiting.filter(({ t }) => t !== 'state');
    frame.push(...states);
    while (seat.at < this.rev) {
      const { id, actor, commit } = this.log[seat.at++] as Entry;
      const [told, ...templates] = spelled(seat, commit);
      frame.push(...templates);
      if (actor === seat.actor && seat.wants.delete(id)) frame.push(committed(id, commit.rev, true, false));
      frame.push(told);
    }
    frame.push(...seat.waiting.splice(0));
    if (frame.length > 0) seat.send(frame);
  }

  giveState(seat: Seat, why: 'fresh' | 'trimmed' | 'diverged' | 'behind' | 'asked'): void {
    seat.at = this.rev;
    const workspace = structuredClone(this.workspace.toContent());
    const [rev, h] = [this.rev, this.hashAt(this.rev)];
    seat.waiting.push({ t: 'state', epoch: this.epoch, rev, h, why, workspace });
  }

  take(seat: Seat, message: ClientMessage): void {
    if (message.t === 'ping') seat.waiting.push({ t: 'pong', n: message.n });
    if (message.t === 'resync') this.giveState(seat, 'asked');
    if ('id' in message) this.hold(seat, message);
  }

  /** Does a write now, or once it and what was sent before it have taken as long as they take. */
  private hold(seat: Seat, message: Write): void {
    const before = this.held.get(seat.actor);
    const ms = before ? 0 : this.takes();
    if (before) before.push([seat, message, this.base]);
    else if (ms === 0) this.write(seat, message, this.base);
    else {
      this.held.set(seat.actor, [[seat, message, this.base]]);
      this.after(ms, () => this.release(seat.actor));
    }
  }

  private release(actor: string): void {
    const all = this.held.get(actor) ?? [];
    this.held.delete(actor);
    for (const held of all) this.write(...held);
  }

  private write(seat: Seat, message: Write, forgotten: number): void {
    if (!this.seats.has(seat) && seat.forgettings < this.forgettings) return;
    const claim = this.claims.get(`${seat.actor} ${message.id}`);
    const since = claim === undefined ? forgotten : 0;
    const known = this.log.find(
      ({ id, actor, commit }) => id === message.id && actor === seat.actor && commit.rev > since,
    );
    if (known) {
      // Where the commit is still to come over this connection, it says so itself.
      if (known.commit.rev > seat.at) seat.wants.add(message.id);
      else seat.waiting.push(committed(message.id, known.commit.rev, true, true));
      return;
    }
    try {
      const refused = this.refuses(message);
      if (refused) throw new Refusal(refused, true);
      const { steps, kind, ref } = this.resolve(seat.actor, message);
      if (claim !== undefined && claim !== seat.member) {
        this.sendAway(seat);
        return;
      }
      if (steps === null) seat.waiting.push(committed(message.id, this.rev, false, false));
      else {
        seat.wants.add(message.id);
        this.commit(seat.actor, message.id, kind, ref, steps);
      }
    } catch (error) {
      const { code, retry } = error instanceof Refusal ? error : new Refusal((error as Error).message);
      seat.waiting.push({ t: 'rejected', id: message.id, code, detail: code, problems: [], retry });
    }
  }

  /** The page claims its writes anew with its next connection. */
  private sendAway(seat: Seat): void {
    if (!this.seats.has(seat)) return;
    seat.waiting.push({ t: 'bye', code: 'claimed_elsewhere', detail: 'claimed', again_ms: 0 });
    this.flush(seat);
    seat.close(4412);
  }

  commit(actor: string, id: string, kind: Commit['kind'], ref: number | null, steps: Step[]): void {
    const rev = this.rev + 1;
    apply(steps, this.workspace);
    const by = { id: actor, name: actor, kind: 'person' as const };
    const h = `${this.epoch}-${this.losses}-${rev}`;
    const about = { what: '', why: '', source: 'page', left_out: [] };
    this.log.push({
      id,
      actor,
      commit: { t: 'commit', rev, h, at_ms: 0, by, kind, ref, ...about, steps },
    });
  }

  private resolve(
    actor: string,
    message: Write,
  ): { steps: Step[] | null; kind: Commit['kind']; ref: number | null } {
    switch (message.t) {
      case 'submit':
        return {
          steps: this.resolved(message.operations as unknown as Operation[]),
          kind: 'edit',
          ref: null,
        };
      case 'type':
        return {
          steps: this.rebased(message),
          kind: 'text',
          ref: null,
        };
      case 'undo': {
        const undone = new Set(this.log.map(({ commit }) => commit.ref));
        const mine = this.log.findLast(
          ({ actor: by, commit }) => by === actor && commit.kind === 'edit' && !undone.has(commit.rev),
        );
        if (!mine || mine.commit.rev <= this.base) throw new Refusal('nothing_to_undo');
        return { steps: this.inverseOf(mine.commit.steps), kind: 'undo', ref: mine.commit.rev };
      }
      default:
        throw new Refusal('not_here');
    }
  }

  private resolved(operations: Operation[]): Step[] | null {
    const [first] = operations;
    if (first?.op === 'replace_document') {
      const { text } = first as { text?: string };
      return text === undefined || text === this.workspace.text
        ? null
        : [this.textStep(changesBetween(this.workspace.text, text))];
    }
    const steps = predict(operations, this.workspace);
    for (const step of steps.toReversed()) write(inverse(step), this.workspace);
    return steps.length > 0 ? born(steps, this.rev + 1) : null;
  }

  private rebased({ epoch, base, h, changes }: Type): Step[] | null {
    if (epoch !== this.epoch || base < this.base || base > this.rev) throw new Refusal('base_gone');
    if (h && h !== this.hashAt(base)) throw new Refusal('base_gone');
    let mine = changes as Changes;
    for (const { commit } of this.log.slice(base))
      for (const step of commit.steps) if (step.k === 'text') mine = mapped(mine, step.c as Changes);
    if (lengthBefore(mine) !== this.workspace.text.length) throw new Refusal('invalid_request');
    const step = trimmed(this.workspace.text, mine);
    return isEmpty(step) ? null : [this.textStep(step)];
  }

  private inverseOf(steps: Step[]): Step[] {
    const fitting: Step[] = [];
    for (const step of steps.toReversed().map(inverse)) {
      if (misfit(step, this.workspace) !== null) continue;
      write(step, this.workspace);
      fitting.push(step);
    }
    for (const step of fitting.toReversed()) write(inverse(step), this.workspace);
    return fitting;
  }

  private textStep(changes: Changes): Step {
    const deleted: string[] = [];
    let at = 0;
    for (const part of changes) {
      const length = typeof part === 'number' ? part : (part[0] as number);
      if (typeof part !== 'number') deleted.push(this.workspace.text.slice(at, at + length));
      at += length;
    }
    return { k: 'text', c: changes as (number | (string | number)[])[], d: deleted };
  }

  private hashAt(rev: number): string {
    return rev === 0 ? 'beginning' : (this.log[rev - 1] as Entry).commit.h;
  }
}

function committed(id: string, rev: number, changed: boolean, replayed: boolean): ServerMessage {
  return {
    t: 'committed',
    id,
    rev,
    changed,
    replayed,
    kind: 'edit',
    results: [],
    warnings: [],
    left_out: [],
  };
}

/** The steps with the revision in which they are born. */
function born(steps: Step[], rev: number): Step[] {
  return JSON.parse(JSON.stringify(steps), (_, value) => (value === UNBORN ? rev : value));
}

/** A commit as the server sends it, typed text in few bytes, and the template that goes before it. */
function spelled(
  { templates }: Seat,
  commit: Commit,
): [told: Commit | TypedCommit, ...templates: ServerMessage[]] {
  const { rev, h, at_ms, steps, ...template } = commit;
  const [step] = steps;
  if (template.kind !== 'text' || step?.k !== 'text') return [commit];
  const known = templates.findIndex(({ by }) => by.id === template.by.id);
  if (known >= 0) return [[rev, h, at_ms, known, step.c, step.d]];
  if (templates.length > 1) templates.length = 0;
  const start = templates.push(template) - 1;
  return [[rev, h, at_ms, start, step.c, step.d], { t: 'templates', start, templates: [template] }];
}

/** The same without the equal start and end of each replacement, as the log has it. */
function trimmed(text: string, changes: Changes): Changes {
  let at = 0;
  return ofParts(
    partsOf(changes).flatMap(([length, inserted]): Part[] => {
      const old = text.slice(at, at + length);
      at += length;
      return inserted === null ? [[length, null]] : replaced(old, inserted);
    }),
  );
}
