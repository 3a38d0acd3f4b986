/** Reads V8's samples in a trace of the browser: where the milliseconds of a thread went, by function. */

/** The category that has the browser take samples. */
export const SAMPLES = 'disabled-by-default-v8.cpu_profiler';

export interface ProfileEvent {
  name: string;
  pid: number;
  tid: number;
  id?: string;
  args?: { data?: ProfileData; beginData?: { stackTrace?: Frame[] } };
}

interface ProfileData {
  type?: string;
  cpuProfile?: { nodes?: ProfileNode[]; samples?: number[] };
  timeDeltas?: number[];
}

interface ProfileNode {
  id: number;
  parent?: number;
  callFrame: { functionName: string; url?: string; lineNumber: number };
}

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** The category that has the browser say who asks for layout. */
export const STACKS = 'disabled-by-default-devtools.timeline.stack';

/** Who asked for layout from a script, and how long that took, in milliseconds of a frame. */
export function forcedLayouts(events: readonly (ProfileEvent & { dur?: number })[], pid: number, tid: number, frames: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const { name, pid: process, tid: thread, args, dur = 0 } of events) {
    const stack = args?.beginData?.stackTrace;
    if (process !== pid || thread !== tid || !stack || (name !== 'Layout' && name !== 'UpdateLayoutTree')) continue;
    const who = stack.slice(0, 4).map(({ functionName, url, lineNumber, columnNumber }) => `${functionName} ${url.split('/').at(-1)}:${lineNumber}:${columnNumber}`);
    const key = `${name} ${who.join(' < ')}`;
    found.set(key, (found.get(key) ?? 0) + dur / 1000 / frames);
  }
  return found;
}

export interface Share {
  function: string;
  /** Milliseconds in it alone, and with all that it calls. */
  self: number;
  total: number;
}

/** What functions took on a thread, the dearest first, divided by a number of frames. */
export function sharesOf(events: readonly ProfileEvent[], pid: number, tid: number, frames: number): Share[] {
  const ids = new Set(
    events.filter((one) => one.name === 'Profile' && one.pid === pid && one.tid === tid).map(({ id }) => id),
  );
  const nodes = new Map<number, ProfileNode>();
  const shares = new Map<string, Share>();
  for (const { name, id, args } of events) {
    if (name !== 'ProfileChunk' || !ids.has(id)) continue;
    for (const node of args?.data?.cpuProfile?.nodes ?? []) nodes.set(node.id, node);
    const deltas = args?.data?.timeDeltas ?? [];
    (args?.data?.cpuProfile?.samples ?? []).forEach((sample, at) => {
      add(stackOf(nodes, sample), (deltas[at] ?? 0) / 1000 / frames, shares);
    });
  }
  return [...shares.values()].sort((one, other) => other.self - one.self);
}

/** Names from the sampled function outwards. */
function stackOf(nodes: ReadonlyMap<number, ProfileNode>, leaf: number): string[] {
  const names: string[] = [];
  for (let node = nodes.get(leaf); node; node = nodes.get(node.parent ?? -1)) {
    const { functionName, url = "", lineNumber } = node.callFrame;
    const file = url.split('/').at(-1) ?? '';
    names.push(file ? `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}` : functionName);
  }
  return names;
}

function add(stack: readonly string[], milliseconds: number, shares: Map<string, Share>): void {
  if (stack[0]?.startsWith('(idle)')) return;
  for (const name of new Set(stack)) {
    const share = shares.get(name) ?? { function: name, self: 0, total: 0 };
    shares.set(name, share);
    share.total += milliseconds;
    if (name === stack[0]) share.self += milliseconds;
  }
}
