/**
 * Sentences of the server in the past tense (`history/sentences.py`) as a plan: “Added node Cache” would read as if a
 * proposal were applied already. Pure.
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

/** The same sentence as a plan; unknown verbs stay. */
export function plannedSentence(sentence: string): string {
  return sentence.replace(/(^|; )(\p{L}+)(?= )/gu, (whole, before: string, verb: string) => {
    const known = PLANNED[verb[0]?.toUpperCase() + verb.slice(1)];
    if (!known) return whole;
    return before + (before ? known.toLowerCase() : known);
  });
}

/** An open proposal with its sentences as a plan; any other unchanged. */
export function plannedProposal(proposal: ProposalFull): ProposalFull {
  if (proposal.status !== 'open') return proposal;
  const operations = proposal.operations.map((one) => ({ ...one, what: plannedSentence(one.what) }));
  return { ...proposal, what: proposal.what.map(plannedSentence), operations };
}
