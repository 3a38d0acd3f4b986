/**
 * What would be done, in the words in which the server says what was done (`history/sentences.py`): “Added node Cache”
 * before anybody said yes reads as if it were there. Pure.
 */
import type { ProposalFull } from '../../protocol/types';

const PLANNED: Readonly<Record<string, string>> = {
  Added: 'Add',
  Deleted: 'Delete',
  Moved: 'Move',
  Regrouped: 'Regroup',
  Changed: 'Change',
  Edited: 'Edit',
  Renamed: 'Rename',
  Set: 'Set',
};

/** The same sentence as a plan; words that are not known stay. */
export function plannedSentence(sentence: string): string {
  return sentence.replace(/(^|; )(\p{L}+)(?= )/gu, (whole, before: string, verb: string) => {
    const known = PLANNED[verb[0]?.toUpperCase() + verb.slice(1)];
    if (!known) return whole;
    return before + (before ? known.toLowerCase() : known);
  });
}

/** A proposal that waits for a yes, in the words of a plan; one that was decided as it is. */
export function plannedProposal(proposal: ProposalFull): ProposalFull {
  if (proposal.status !== 'open') return proposal;
  const operations = proposal.operations.map((one) => ({ ...one, what: plannedSentence(one.what) }));
  return { ...proposal, what: proposal.what.map(plannedSentence), operations };
}
