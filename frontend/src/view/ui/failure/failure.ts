/** An error while rendering, and its messages. Not here: catching it (`FailureBoundary.tsx`). */

export interface Failure {
  error: unknown;
  /** The component stack, as far as it is known. */
  parts: string;
}

/** For a part of the page, loaded on demand, that could not be loaded. */
export const MISSING = {
  title: 'A part of this page could not be loaded',
  advice:
    'The server does not answer, or has been replaced by a newer version. Try again later, or reload the page.',
};

/** Browsers have no common error type for it, but three messages. */
export const isPartMissing = ({ error }: Failure): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(String(error));
