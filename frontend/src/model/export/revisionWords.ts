/** Which state of a workspace a file or a sheet of paper shows, in words. Pure. */

export interface Exported {
  revision: number;
  /** Whether there is more in it than that revision: what the server does not have yet. */
  isUnsaved: boolean;
}

export const revisionWords = ({ revision, isUnsaved }: Exported): string =>
  `revision ${revision}${isUnsaved ? ', with changes that are not saved yet' : ''}`;
