/** The parts of the assistant that run while its panel is closed: watched runs, ghosts, open proposals, visits. */

import { useEffect } from 'react';
import { VisitNotes } from '../history/VisitNotes';
import { WorkloadsHost } from '../workloads/WorkloadsHost';
import { AssistantCommands } from './AssistantCommands';
import { ProposalNotice } from './ProposalNotice';
import { RunEnds } from './RunEnds';
import { RunGhosts } from './RunGhosts';
import { useAssistantActions, useAssistantPart, useAssistantTools } from './useAssistant';
import { useCommitRefresh } from './useCommitRefresh';

/** Also of an older server, which does not say so. */
const NO_PLUGINS: readonly string[] = [];

export function AssistantHost() {
  const { store } = useAssistantTools();
  const { openProposal } = useAssistantActions();
  const plugins = useAssistantPart(({ assistant }) => assistant?.workload_plugins ?? NO_PLUGINS);
  useCommitRefresh();
  useEffect(() => {
    const look = () => void store.readAssistant();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [store]);
  return (
    <>
      <AssistantCommands />
      <WorkloadsHost plugins={plugins} onProposed={openProposal} />
      <RunGhosts />
      <RunEnds />
      <ProposalNotice />
      <VisitNotes />
    </>
  );
}
