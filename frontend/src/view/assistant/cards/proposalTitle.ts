/** What a proposal is called wherever it is shown: “Proposal by Ana (6)”. */
import type { Proposal } from '../../../protocol/types';

export const proposalTitle = ({ actor, count }: Proposal, isMine: boolean): string =>
  isMine ? `Your proposal (${count})` : `Proposal by ${actor.name} (${count})`;
