/**
 * Files that are pasted to be imported into a workspace: kept until what imports them, which is loaded after the page, takes
 * them; the newest only.
 */

let kept: { workspace: string; files: readonly File[] } | null = null;
let taker: ((files: readonly File[]) => void) | null = null;

export function offerFiles(workspace: string, files: readonly File[]): void {
  if (taker) taker(files);
  else kept = { workspace, files };
}

/** Passes on what was kept for a workspace, and everything from now on. Returns a function that ends that. */
export function takeOfferedFiles(workspace: string, take: (files: readonly File[]) => void): () => void {
  if (kept?.workspace === workspace) take(kept.files);
  kept = null;
  taker = take;
  return () => {
    if (taker === take) taker = null;
  };
}
