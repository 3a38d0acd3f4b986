/**
 * Loads a part of the page that nobody has opened, such as the pointers of others: while the server is away the page goes on
 * without it. After a minute it fails as other parts do, since its file may be gone for good.
 */
const AGAIN_MS = 5000;
const TRIES = 12;

export function untilLoaded<T>(load: () => Promise<T>, tries = TRIES): Promise<T> {
  return load().catch((error: unknown) => {
    if (tries === 1) throw error;
    return new Promise((resolve) => setTimeout(resolve, AGAIN_MS)).then(() => untilLoaded(load, tries - 1));
  });
}
