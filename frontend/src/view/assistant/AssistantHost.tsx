/** The parts of the assistant that run while its panel is closed: watched runs, ghosts, open proposals. */

import { useEffect } from 'react';
import { AssistantCommands } from './AssistantCommands';
import { ProposalNotice } from './ProposalNotice';
import { RunEnds } from './RunEnds';
import { RunGhosts } from './RunGhosts';
import { useAssistantTools } from './useAssistant';
import { useCommitRefresh } from './useCommitRefresh';

export function AssistantHost() {
  const { store } = useAssistantTools();
  useCommitRefresh();
  useEffect(() => {
    const look = () => void store.readAssistant();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [store]);
  return (
    <>
      <AssistantCommands />
      <RunGhosts />
      <RunEnds />
      <ProposalNotice />
    </>
  );
}
