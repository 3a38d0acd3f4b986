/**
 * The layout library (ELK) within this very thread: in a worker of the page or in an engine without workers.
 *
 * The build shows its worker half a world without `self` (vite.engine.config.ts): otherwise it would take the page's
 * worker for its own, and answer nobody.
 */
import './globals';
import ElkApi, { type ElkNode } from 'elkjs/lib/elk-api.js';
import { Worker as ThreadlessWorker } from 'elkjs/lib/elk-worker.min.js';
import type { LayoutGraph } from '../model/layout/elk/libraryGraph';
import type { RunLayout } from '../model/layout/search/arrange';

let elk: InstanceType<typeof ElkApi> | null = null;

export const runLayout: RunLayout = async (graph) => {
  elk ??= new ElkApi({ workerFactory: (url) => new ThreadlessWorker(url) });
  return (await elk.layout(graph as ElkNode)) as LayoutGraph;
};
