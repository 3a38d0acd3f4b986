/** What a proposal is called wherever it is shown: “Proposal by Ana (6)”. */
import type { LiveProposal } from '../../../protocol/live';

export const proposalName = ({ actor }: LiveProposal, isMine: boolean): string =>
  isMine ? 'Your proposal' : `Proposal by ${actor.name}`;

export const proposalTitle = (proposal: LiveProposal, isMine: boolean): string =>
  `${proposalName(proposal, isMine)} (${proposal.count})`;
