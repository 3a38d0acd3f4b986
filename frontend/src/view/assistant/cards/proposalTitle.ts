/** What a proposal is called wherever it is shown: “Proposal by Ana (6)”. */
import type { Proposal } from '../../../protocol/types';

export const proposalName = ({ actor }: Proposal, isMine: boolean): string =>
  isMine ? 'Your proposal' : `Proposal by ${actor.name}`;

export const proposalTitle = (proposal: Proposal, isMine: boolean): string =>
  `${proposalName(proposal, isMine)} (${proposal.count})`;
