/**
 * Images that are shown and were not on the server, or not yet: somebody else may be uploading them, so it is asked for them
 * again, ever less often. Not here: where they are shown.
 */
import { imagesOnServer } from './workspaceImages';

const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 30_000;

interface Waiting {
  sha256: string;
  show: () => void;
}

export class MissingImages {
  private readonly waiting = new Set<Waiting>();
  private readonly known = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lookMs = FIRST_LOOK_MS;

  /** @param list the hashes of all images that the server has */
  constructor(private readonly list: () => Promise<ReadonlySet<string>>) {}

  /** Calls `show` once when the server has an image. Returns a function that ends the wait. */
  wait(sha256: string, show: () => void): () => void {
    const one = { sha256, show };
    this.waiting.add(one);
    // One that the server has and that cannot be drawn comes back, and is looked at less and less.
    if (!this.known.has(sha256)) this.lookMs = FIRST_LOOK_MS;
    this.known.add(sha256);
    this.lookLater();
    return () => {
      this.waiting.delete(one);
    };
  }

  private lookLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), this.lookMs);
  }

  private async look(): Promise<void> {
    this.lookMs = Math.min(2 * this.lookMs, LAST_LOOK_MS);
    if (this.waiting.size === 0) return;
    const there = await this.list().catch((): ReadonlySet<string> => new Set());
    for (const one of [...this.waiting]) if (there.has(one.sha256) && this.waiting.delete(one)) one.show();
    if (this.waiting.size > 0) this.lookLater();
  }
}

const opened = new Map<string, MissingImages>();

/** Those of a workspace. */
export function missingImagesOf(workspace: string): MissingImages {
  const known = opened.get(workspace) ?? new MissingImages(() => imagesOnServer(workspace));
  opened.set(workspace, known);
  return known;
}
