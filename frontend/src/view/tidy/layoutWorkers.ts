/**
 * The layout engine in workers, which are started on first use and kept; variants are tried in two at the same time.
 *
 * Not here: what the engine does (`engine/`, `model/layout`). Its script is a file of its own beside the page, the same
 * that the server runs.
 */
import type { WorkerAnswer, WorkerRequest } from '../../engine/worker';
import type { ArrangeAnswer, ArrangeRequest } from '../../model/layout/search/arrange';
import { repeated } from '../../model/layout/search/repeated';
import { type Attempt, type Outline, takeSteps } from '../../model/layout/search/steps';

/** A layout was cancelled. */
export class LayoutCancelled extends Error {
  constructor() {
    super('The layout was cancelled.');
    this.name = 'LayoutCancelled';
  }
}

export interface Progress {
  /** Variants that were tried, of how many. */
  tried: number;
  of: number;
}

const SCRIPT = `${import.meta.env.BASE_URL}engine/layout.js`;
const MOST_WORKERS = 2;

export class LayoutWorkers {
  private workers: Worker[] = [];
  private readonly busy = new Set<number>();
  private readonly waiting: (() => void)[] = [];
  private abandon: ((reason: Error) => void) | null = null;

  /** Tries the variants of a request and takes the best. Throws LayoutCancelled after `cancel`. */
  async arrange(request: ArrangeRequest, onProgress: (progress: Progress) => void): Promise<ArrangeAnswer> {
    const cancelled = new Promise<never>((_, reject) => {
      this.abandon = reject;
    });
    cancelled.catch(() => {});
    const found = repeated(request, (one) => this.best(one, onProgress));
    return Promise.race([found, cancelled]);
  }

  /** Ends what runs at once; the next layout starts new workers. */
  cancel(): void {
    this.close(new LayoutCancelled());
  }

  private async best(
    request: ArrangeRequest,
    onProgress: (progress: Progress) => void,
  ): Promise<ArrangeAnswer> {
    const { outline } = await this.ask<{ outline?: Outline }>({ task: 'plan', ...request });
    // Without a plan there is nothing to lay out, which the engine says in words.
    if (!outline) return this.ask({ task: 'arrange', ...request });
    let tried = 0;
    const report = <T>(answer: T): T => {
      tried += 1;
      onProgress({ tried, of: outline.kinds.length + (outline.hasFinish ? 1 : 0) });
      return answer;
    };
    onProgress({ tried: 0, of: outline.kinds.length });
    const found = await takeSteps(outline, request.room, {
      attempt: async (index) => report(await this.ask<Attempt>({ task: 'attempt', index, ...request })),
      finish: async (attempt) => report(await this.ask<Attempt>({ task: 'finish', attempt, ...request })),
    });
    return this.ask({ task: 'choose', tried: found, ...request });
  }

  /** Asks the first worker that has nothing to do. */
  private async ask<T>(request: WorkerRequest['request']): Promise<T> {
    const index = await this.freeWorker();
    try {
      return await this.askWorker<T>(index, request);
    } finally {
      this.busy.delete(index);
      this.waiting.shift()?.();
    }
  }

  private async freeWorker(): Promise<number> {
    const count = Math.min(MOST_WORKERS, Math.max(1, navigator.hardwareConcurrency || 1));
    while (this.busy.size >= count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    const index = this.busy.has(0) ? 1 : 0;
    this.busy.add(index);
    return index;
  }

  /** A worker answers one request after the other. */
  private askWorker<T>(index: number, request: WorkerRequest['request']): Promise<T> {
    this.workers[index] ??= this.started();
    const worker = this.workers[index];
    const { fontFamily } = getComputedStyle(document.body);
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        if (data.failed === undefined) resolve(data.answer as T);
        else reject(new Error(data.failed));
      };
      worker.postMessage({ request, font: fontFamily } satisfies WorkerRequest);
    });
  }

  private started(): Worker {
    const worker = new Worker(SCRIPT);
    // A script that cannot be loaded never answers, it only fires an error.
    worker.addEventListener('error', () =>
      this.close(new Error('The part that works out the layout could not be loaded.')),
    );
    return worker;
  }

  private close(reason: Error): void {
    for (const worker of this.workers) worker?.terminate();
    this.workers = [];
    this.busy.clear();
    this.waiting.length = 0;
    this.abandon?.(reason);
  }
}
