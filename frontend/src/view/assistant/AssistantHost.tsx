/** The parts of the assistant that run while its panel is closed: watched runs, ghosts, open proposals, visits. */

import { useEffect } from 'react';
import { useEditorContext, useLive } from '../context/EditorContext';
import { VisitNotes } from '../history/VisitNotes';
import { ImportHost } from '../imports/ImportHost';
import { WorkloadsHost } from '../workloads/WorkloadsHost';
import { AssistantCommands } from './AssistantCommands';
import { ProposalNotice } from './ProposalNotice';
import { RunEnds } from './RunEnds';
import { RunGhosts } from './RunGhosts';
import { useAssistantActions, useAssistantPart, useAssistantTools } from './useAssistant';
import { useCommitRefresh } from './useCommitRefresh';

/** The address of a proposal in a workspace, as agents hand it to people. */
const PROPOSAL_LINK = '#proposal/';

/** Also of an older server, which does not say so. */
const NO_PLUGINS: readonly string[] = [];

export function AssistantHost() {
  const { store } = useAssistantTools();
  const { openProposal } = useAssistantActions();
  const plugins = useAssistantPart(({ assistant }) => assistant?.workload_plugins ?? NO_PLUGINS);
  useCommitRefresh();
  useProposalInAddress();
  useEffect(() => {
    const look = () => void store.readAssistant();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [store]);
  return (
    <>
      <AssistantCommands />
      <WorkloadsHost plugins={plugins} onProposed={openProposal} />
      <ImportHost onProposed={openProposal} />
      <RunGhosts />
      <RunEnds />
      <ProposalNotice />
      <VisitNotes />
    </>
  );
}

/** Opens the card of the proposal in the address, `/w/<id>#proposal/<id>`: once it is known, and when that changes. */
function useProposalInAddress(): void {
  const isKnown = useLive((live) => live.isKnown);
  const { live } = useEditorContext();
  const { openProposal } = useAssistantActions();
  useEffect(() => {
    if (!isKnown) return;
    const open = () => {
      const { hash } = window.location;
      if (!hash.startsWith(PROPOSAL_LINK)) return;
      const id = hash.slice(PROPOSAL_LINK.length);
      const run = live.state.getState().proposals.find((one) => one.id === id)?.run;
      openProposal(run || id);
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [isKnown, live, openProposal]);
}
