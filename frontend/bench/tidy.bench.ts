/**
 * How long Tidy from scratch takes beside two plain runs of the layout library, one after the other.
 *
 * The built engine in two threads, as in the page, and in one. `GRAPHS=file` adds diagrams, as `[{name, diagram}]`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ArrangeAnswer } from '../src/model/layout/search/arrange';
import type { Score } from '../src/model/layout/score/judge';
import { type Attempt, type Outline, takeSteps } from '../src/model/layout/search/steps';
import type { Diagram } from '../src/protocol/types';
import { nestedDiagram } from '../tests/model/layout/nestedDiagram';
import { templates } from '../tests/model/templates';

const ENGINE = join(import.meta.dirname, '../dist/engine/layout.js');
const ROOM = { width: 1100, height: 760 };
const ROUNDS = 3;
/** Of more nodes one round is timed, without a warm-up. */
const LARGE = 100;
const SIZES = [12, 30, 60, 120, 300, 1000];

/** Threads of which the first that is free is asked. */
class Threads {
  private readonly free: Worker[];
  private readonly waiting: ((thread: Worker) => void)[] = [];

  constructor(count: number) {
    const start = () => new Worker(join(import.meta.dirname, 'tidyThread.mjs'), { workerData: ENGINE });
    this.free = Array.from({ length: count }, start);
  }

  async ask<T>(request: object): Promise<T> {
    const thread = this.free.shift() ?? (await new Promise<Worker>((resolve) => this.waiting.push(resolve)));
    const answer = await new Promise<T>((resolve) => thread.once('message', resolve).postMessage(request));
    const next = this.waiting.shift();
    if (next) next(thread);
    else this.free.push(thread);
    return answer;
  }

  async end(): Promise<void> {
    for (const thread of this.free) await thread.terminate();
  }
}

async function plain(threads: Threads, diagram: Diagram): Promise<number> {
  const crossings: number[] = [];
  for (const direction of ['RIGHT', 'DOWN'])
    crossings.push((await threads.ask<{ score: Score }>({ task: 'plain', diagram, direction })).score.crossings);
  return Math.min(...crossings);
}

async function tidied(threads: Threads, diagram: Diagram): Promise<number> {
  const given = { diagram, mode: 'scratch', ids: null, room: ROOM, variants: null };
  const { outline } = await threads.ask<{ outline: Outline }>({ task: 'plan', ...given });
  const tried = await takeSteps(outline, ROOM, {
    attempt: (index) => threads.ask<Attempt>({ task: 'attempt', index, ...given }),
    finish: (attempt) => threads.ask<Attempt>({ task: 'finish', attempt, ...given }),
  });
  return (await threads.ask<ArrangeAnswer>({ task: 'choose', tried, ...given })).after.crossings;
}

/** The shortest of some rounds, in milliseconds, and what came of it. */
async function shortest<T>(count: number, run: () => Promise<T>): Promise<[ms: number, value: T]> {
  const rounds: [number, T][] = [];
  for (let round = 0; round < count; round += 1) {
    const began = performance.now();
    const value = await run();
    rounds.push([performance.now() - began, value]);
  }
  return rounds.sort(([one], [other]) => one - other)[0] as [number, T];
}

function graphs(): [string, Diagram][] {
  const more = process.env.GRAPHS && existsSync(process.env.GRAPHS) ? readFileSync(process.env.GRAPHS, 'utf8') : '[]';
  const given = (JSON.parse(more) as { name: string; diagram: Diagram }[]).map(({ name, diagram }) => [name, diagram]);
  const made = SIZES.map((size) => [`nested ${size}`, nestedDiagram(size, 1, true)]);
  return [...templates(), ...given, ...made] as [string, Diagram][];
}

describe.each([2, 1])('with %i threads', (count) => {
  let threads: Threads;
  const ratios: number[] = [];

  beforeAll(() => {
    threads = new Threads(count);
  });

  afterAll(async () => {
    await threads.end();
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const middle = [...ratios].sort((one, other) => one - other)[ratios.length >> 1] ?? 0;
    console.log(`${count} threads: ${least.toFixed(2)} to ${most.toFixed(2)}, median ${middle.toFixed(2)}`);
  });

  it.each(graphs())('%s', async (name, diagram) => {
    const isLarge = diagram.nodes.length > LARGE;
    for (let warm = 0; warm < 2 && !isLarge; warm += 1) await Promise.all(Array.from({ length: count }, () => tidied(threads, diagram)));
    const [plainMs, plainCrossings] = await shortest(isLarge ? 1 : ROUNDS, () => plain(threads, diagram));
    const [ms, crossings] = await shortest(isLarge ? 1 : ROUNDS, () => tidied(threads, diagram));
    ratios.push(ms / plainMs);
    const ratio = (ms / plainMs).toFixed(2);
    console.log(
      `${name.padEnd(36)} ${diagram.nodes.length} nodes: plain ${plainMs.toFixed(0)} ms, Tidy ${ms.toFixed(0)} ms, ` +
        `ratio ${ratio}; crossings ${plainCrossings}, ${crossings}`,
    );
  });
});
