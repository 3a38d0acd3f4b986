/** The revision that an exported file or a printed sheet shows, in words. Pure. */

export interface Exported {
  revision: number;
  /** Whether it contains changes that the server does not have yet. */
  isUnsaved: boolean;
}

export const revisionWords = ({ revision, isUnsaved }: Exported): string =>
  `revision ${revision}${isUnsaved ? ', with changes that are not saved yet' : ''}`;
