/** A failure while a page was drawn, and what is said of one. Not here: catching it (`FailureBoundary.tsx`). */

export interface Failure {
  error: unknown;
  /** The parts of the page in which it happened, as far as that is known yet. */
  parts: string;
}

/** Said where a part of the page, which is read on demand, could not be. */
export const MISSING = {
  title: 'A part of this page could not be loaded',
  advice: 'The server does not answer, or has been replaced by a newer version. Reload the page to go on.',
};

/** Browsers have no name for it, and three sentences. */
export const isPartMissing = ({ error }: Failure): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(String(error));
