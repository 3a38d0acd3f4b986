/** ELK in a worker, loaded on first use and kept. Not here: its input and its output (`model/layout`). */
import type { ELK, ElkNode } from 'elkjs/lib/elk-api';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { LayoutGraph } from '../../model/layout/graph';

/** A layout was cancelled. */
export class LayoutCancelled extends Error {
  constructor() {
    super('The layout was cancelled.');
    this.name = 'LayoutCancelled';
  }
}

export class LayoutWorker {
  private elk: ELK | null = null;
  private abandon: ((reason: Error) => void) | null = null;

  /** Runs a layout. Throws LayoutCancelled after `cancel`, and what the library or loading it throws. */
  async layout(graph: LayoutGraph): Promise<LayoutGraph> {
    const cancelled = new Promise<never>((_, reject) => {
      this.abandon = reject;
    });
    cancelled.catch(() => {});
    const elk = await Promise.race([this.started(), cancelled]);
    // A worker that cannot be loaded never answers, it only fires an error.
    const answer = await Promise.race([elk.layout(graph as ElkNode), cancelled]);
    return answer as LayoutGraph;
  }

  /** Cancels the running layout; the next one starts a new worker. */
  cancel(): void {
    this.close(new LayoutCancelled());
  }

  private close(reason: Error): void {
    this.elk?.terminateWorker();
    this.elk = null;
    this.abandon?.(reason);
  }

  private async started(): Promise<ELK> {
    if (this.elk) return this.elk;
    const { default: Library } = await import('elkjs/lib/elk-api');
    this.elk = new Library({ workerFactory: () => this.newWorker() });
    return this.elk;
  }

  private newWorker(): Worker {
    const worker = new Worker(workerUrl);
    worker.addEventListener('error', () =>
      this.close(new Error('The part that works out the layout could not be loaded.')),
    );
    return worker;
  }
}
