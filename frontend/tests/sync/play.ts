/**
 * Two to four pages and a model server under delays, cuts, lost answers, refusals, trimmed logs and reloads; and what
 * must be so in the end. Everything that happens follows from the seed.
 */
import { expect } from 'vitest';
import { applyTo, type Changes } from '../../src/model/core/changes';
import type { Operation } from '../../src/protocol/live';
import { LiveClient, MemoryPending, type Outcome, type TrayItem } from '../../src/sync/client/client';
import { HandClock } from './handClock';
import { Killable } from './killable';
import { MadeLocks } from './locks';
import { ModelServer } from './modelServer';
import { Line } from './network';
import { type Random, seeded } from './random';

const ROUNDS = 60;
const START = 'one two three\nfour five six\n';
const ACTORS = ['ada', 'bob', 'cy', 'ada'] as const;

/** One tab, through reloads. */
class Page {
  client!: LiveClient;
  ground!: Killable;
  line: Line | null = null;
  /** The text as an editor has it that follows what it is told. */
  editor = '';
  isUp = true;
  isAlive = true;

  constructor(
    readonly play: Play,
    readonly actor: string,
  ) {
    this.open();
  }

  open(): void {
    const { server, random, clock } = this.play;
    const weather = {
      delay: () => 1 + random.below(random.below(8) ? 40 : 900),
      isUp: () => this.isUp,
      lateness: () => (this.play.late.below(2) ? null : this.play.late.below(3_000)),
    };
    this.ground = new Killable(clock, this.play.store, this.play.locks, () => random.below(20));
    const { store, locks } = this.ground;
    const socket = () => {
      this.line = new Line(server, clock, weather, this.actor);
      return this.line;
    };
    const client = new LiveClient({
      workspace: 'w',
      origin: 'http://server.test',
      store,
      locks,
      clock: this.ground.clock,
      socket,
    });
    this.client = client;
    this.editor = '';
    client.subscribe((change) => {
      if (change.text) this.editor = applyTo(this.editor, change.text);
      expect(this.editor, `the editor of seed ${random.seed}`).toBe(client.view.text);
    });
    client.start();
  }

  type(changes: Changes): void {
    this.editor = applyTo(this.editor, changes);
    this.client.type(changes);
  }
}

export class Play {
  readonly random: Random;
  /** Apart from the other, so that a seed plays what it played before anything came late. */
  readonly late: Random;
  readonly clock: HandClock;
  readonly server = new ModelServer(START, (ms, then) => this.clock.setTimeout(then, ms));
  readonly store = new MemoryPending();
  readonly locks = new MadeLocks();
  readonly pages: Page[] = [];
  private readonly words: string[] = [];
  private readonly mayBeGone = new Set<string>();
  private isBusy = false;
  private isSlow = false;
  private ids = 0;

  /** `isLossy`: the store also fails over to one that has not heard of the newest commits. */
  constructor(
    seed: number,
    private readonly isLossy = false,
  ) {
    this.random = seeded(seed);
    this.late = seeded(seed);
    this.clock = new HandClock(this.random);
    this.server.refuses = () => (this.isBusy && this.random.below(2) ? 'busy' : null);
    // Longer than a page waits for an answer before it opens another connection.
    this.server.takes = () => (this.isSlow && this.random.below(8) === 0 ? this.random.below(70_000) : 0);
    const count = 2 + this.random.below(3);
    for (const actor of ACTORS.slice(0, count)) this.pages.push(new Page(this, actor));
  }

  async run(): Promise<void> {
    await this.clock.pass(2_000);
    for (let n = 0; n < ROUNDS; n++) {
      this.act(this.random.pick(this.pages));
      await this.clock.pass(this.random.below(this.random.below(6) ? 150 : 3_000));
      for (const page of this.pages) if (this.random.below(2)) page.line?.flush();
    }
    this.isBusy = this.isSlow = false;
    await this.clock.pass(100);
    for (const page of this.pages) {
      page.isUp = true;
      if (!page.isAlive) this.revive(page);
    }
    await this.rest();
    // What was on its way has come by now, such as the news that the store has lost something.
    await this.clock.pass(3_000);
    await this.rest();
  }

  private rest(): Promise<void> {
    return this.clock.until('everything is saved everywhere', () => {
      for (const page of this.pages) page.line?.flush();
      return this.pages.every(({ client }) => this.isSettled(client));
    });
  }

  private isSettled(client: LiveClient): boolean {
    return client.me !== null && client.status.saving === 'saved' && client.revision === this.server.rev;
  }

  /** Close all pages. */
  async end(): Promise<void> {
    for (const page of this.pages) void page.client.close();
    await this.clock.pass(1_000);
  }

  // -- what happens --------------------------------------------------------------------------------------------------

  private act(page: Page): void {
    const chance = this.random.below(100);
    if (chance < 4) this.trouble();
    else if (!page.isAlive) this.revive(page);
    else if (chance < 45) this.type(page);
    else if (chance < 75) this.gesture(page);
    else if (chance < 80) void page.client.undo();
    else if (chance < 82) this.replace(page);
    else if (chance < 90) page.line?.cut();
    else if (chance < 94) {
      page.isUp = !page.isUp;
      if (!page.isUp) page.line?.cut();
    } else if (chance < 96) this.reload(page);
    else this.again(page);
  }

  private trouble(): void {
    const kind = this.random.below(this.isLossy ? 5 : 3);
    if (kind === 0) this.server.trim(this.random.below(6));
    else if (kind === 1) this.isBusy = !this.isBusy;
    else if (kind === 2) this.isSlow = !this.isSlow;
    else if (kind === 3) this.server.lose(1 + this.random.below(5));
    else this.server.lose(this.random.below(3), `epoch-${this.server.rev}`);
  }

  private type(page: Page): void {
    const { text } = page.client.view;
    if (!page.client.me) return;
    const places = [...text.matchAll(/(?<=\s|^)(?=\S)|$/g)].map((match) => match.index);
    const at = this.random.pick(places);
    if (this.random.below(5) === 0) {
      const end = this.random.pick(places.filter((place) => place >= at));
      if (end - at > 30 || end === at) return;
      this.forget(text.slice(at, end));
      page.type(parts(at, [end - at], text.length - end));
      return;
    }
    const word = this.newWord();
    page.type(parts(at, this.random.below(6) ? [0, `${word} `] : [0, '', `${word} `], text.length - at));
  }

  /** No two words begin or end alike, so that no comparison of texts takes half of one for half of another. */
  private newWord(): string {
    const sign = String.fromCodePoint(0x4e00 + this.words.length);
    const word = `${sign}written😀${sign}`;
    this.words.push(word);
    return word;
  }

  private replace(page: Page): void {
    // What is on its way would be in the text twice: as what was typed, and as part of the whole.
    if (page.client.status.pending > 0) return;
    const lines = page.client.view.text.split('\n');
    lines.splice(this.random.below(lines.length), 1);
    this.edit(page, { op: 'replace_document', text: lines.join('\n') });
  }

  private gesture(page: Page): void {
    const { nodes, edges } = page.client.view;
    const ids = [...nodes.keys()];
    const id = ids.length > 0 ? this.random.pick(ids) : '';
    const position = { x: this.random.below(500), y: this.random.below(500) };
    const kind = id === '' ? 0 : this.random.below(7);
    const fresh = `n${++this.ids}`;
    if (kind < 2) this.edit(page, { op: 'add_node', id: fresh, type: 'service', label: fresh, position });
    else if (kind === 2) this.edit(page, { op: 'move_nodes', positions: { [id]: position } });
    else if (kind === 3) this.edit(page, { op: 'update_node', id, label: `renamed ${fresh}` });
    else if (kind === 4) this.edit(page, { op: 'delete_node', id });
    else if (kind === 5)
      this.edit(page, { op: 'add_edge', id: fresh, source: id, target: this.random.pick(ids), label: fresh });
    else if (edges.size > 0) this.edit(page, { op: 'delete_edge', id: this.random.pick([...edges.keys()]) });
  }

  private edit(page: Page, operation: object): void {
    const operations = [operation as Operation];
    const { client } = page;
    void client.edit(operations).then((outcome) => this.check(page, client, operations, outcome));
  }

  /** What was answered is true: it is in the log as said, or in the tray. */
  private check({ actor }: Page, client: LiveClient, operations: Operation[], outcome: Outcome): void {
    if (outcome.kind === 'rejected') {
      const shape = JSON.stringify(operations);
      expect(client.tray.some((item) => JSON.stringify(item.operations) === shape)).toBe(true);
    } else if (outcome.changed && !this.isLossy) {
      expect(this.server.log[outcome.rev - 1]).toMatchObject({ actor, commit: { kind: 'edit' } });
    }
  }

  private reload(page: Page): void {
    page.isAlive = false;
    if (this.random.below(2)) {
      void page.client.close();
      return;
    }
    // Killed in the middle of whatever it was doing; what it could not write down in time is gone.
    page.ground.kill();
    page.line?.close();
    void this.store.all('w').then((records) => {
      const kept = JSON.stringify([records, this.server.log]);
      for (const word of this.words) if (!kept.includes(word)) this.mayBeGone.add(word);
    });
  }

  private revive(page: Page): void {
    page.isAlive = true;
    page.isUp = true;
    page.open();
  }

  private again({ client }: Page): void {
    if (client.tray.length === 0 || client.status.connection !== 'live') return;
    const item = this.random.pick(client.tray);
    // Of which it is not known whether it was done: a person looks first.
    if (item.code !== 'uncertain') void client.applyAgain(item.id);
  }

  // -- what must be so -----------------------------------------------------------------------------------------------

  /** All pages show what the server has, which has done nothing twice. */
  judgeConvergence(): void {
    const seed = `seed ${this.random.seed}`;
    const truth = this.server.workspace.toContent();
    for (const { client } of this.pages) expect(client.view.toContent(), seed).toEqual(truth);
    const ids = this.server.log.map(({ id }) => id);
    expect(new Set(ids).size, `${seed}: nothing is done twice`).toBe(ids.length);
    if (this.server.hasForgotten) return;
    for (const { id } of this.pages.flatMap(({ client }) => client.tray))
      expect(ids, `${seed}: what was refused is not done`).not.toContain(id);
  }

  /** Every word that was typed is in the text once, or in a tray, or was deleted by somebody. */
  judgeWords(): void {
    this.forgetReplaced();
    const { text } = this.server.workspace;
    const tray = this.pages.flatMap(({ client }) => client.tray);
    for (const word of this.words) {
      const times = text.split(word).length - 1;
      const about = `${word} of seed ${this.random.seed} is in the text`;
      expect(times, about).toBeLessThanOrEqual(1);
      if (times === 0 && !this.mayBeGone.has(word)) expect(isIn(tray, word), about).toBe(true);
    }
  }

  /** These words may be gone from now on. */
  private forget(text: string): void {
    for (const word of this.words) if (text.includes(word)) this.mayBeGone.add(word);
  }

  /** Words that went with a commit that no typing made may be gone. */
  private forgetReplaced(): void {
    let text = START;
    for (const { commit } of this.server.log) {
      const before = text;
      for (const step of commit.steps) if (step.k === 'text') text = applyTo(text, step.c as Changes);
      if (commit.kind === 'text') continue;
      for (const word of this.words)
        if (before.includes(word) && !text.includes(word)) this.mayBeGone.add(word);
    }
  }
}

const parts = (...given: Changes): Changes => given.filter((part) => part !== 0);

const isIn = (tray: readonly TrayItem[], word: string) =>
  tray.some((item) => item.text?.inserted.some((inserted) => inserted.includes(word)));
