/**
 * The alternatives of a request that recommends: each is a proposal, of which one is accepted. Pure. Not here: how one of
 * them stands (`card.ts`).
 */
import type { LiveProposal } from '../../protocol/live';
import { statusOf, type Turn } from './card';

export interface AlternativeName {
  /** The id of its proposal. */
  id: string;
  title: string;
}

/** Whether it ended with alternatives; after a week the server may no longer know which. */
export const isRecommendation = (turn: Turn): boolean =>
  statusOf(turn) === 'proposed' &&
  (turn.proposal?.alternative != null || (turn.record ?? turn.talk)?.workflow === 'recommend');

/** All alternatives in their order; where the run is no longer kept, those that are open. */
export function alternativesOf(turn: Turn, proposals: readonly LiveProposal[]): AlternativeName[] {
  const outcome = turn.progress?.end?.outcome ?? turn.record?.outcome;
  if (outcome?.alternatives)
    return outcome.alternatives.map(({ proposal, title }) => ({ id: proposal, title }));
  return openAlternatives(turn, proposals).map(({ id, alternative }) => ({
    id,
    title: alternative?.title ?? '',
  }));
}

/** Those that can still be accepted, in their order. */
export const openAlternatives = (turn: Turn, proposals: readonly LiveProposal[]): LiveProposal[] =>
  proposals
    .filter(({ alternative }) => alternative?.group === turn.run)
    .sort((one, other) => (one.alternative?.index ?? 0) - (other.alternative?.index ?? 0));

/** An alternative as a turn of its own, for what is known of single proposals. */
export const turnOfAlternative = (turn: Turn, id: string, proposals: readonly LiveProposal[]): Turn => ({
  ...turn,
  run: id,
  proposal: proposals.find((one) => one.id === id) ?? null,
});
