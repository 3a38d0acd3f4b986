/** The parts of the assistant that run while its panel is closed: watched runs, ghosts, open proposals, visits. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isRunning } from '../../model/assistant/turns';
import type { Commit } from '../../protocol/live';
import { useEditorContext, useLive } from '../context/EditorContext';
import { VisitNotes } from '../history/VisitNotes';
import { ImportHost } from '../imports/ImportHost';
import { WorkloadsHost } from '../workloads/WorkloadsHost';
import { AssistantCommands } from './AssistantCommands';
import { ProposalNotice } from './ProposalNotice';
import { RunEnds } from './RunEnds';
import { useAssistantActions, useAssistantPart, useAssistantTools } from './useAssistant';

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

/** Shows the prepared operations of one's own running request as ghosts. */
function RunGhosts() {
  const { ui } = useEditorContext();
  const turn = useAssistantPart(({ turns }) =>
    turns.findLast((one) => one.isMine && isRunning(one) && (one.progress?.operations.length ?? 0) > 0),
  );
  const run = turn?.run ?? null;
  const operations = turn?.progress?.operations;
  const document = turn?.progress?.document;
  const brought = useRef<string | null>(null);
  useEffect(() => {
    if (run === null || !operations || !document) return;
    const isFirst = brought.current !== run;
    brought.current = run;
    ui.showGhosts(
      {
        of: run,
        title: `The assistant is preparing (${operations.length})`,
        steps: operations.flatMap(({ steps }) => steps),
        document,
      },
      { isInView: isFirst },
    );
  }, [ui, run, operations, document]);
  useEffect(() => {
    if (run === null) return;
    return () => ui.hideGhosts(run);
  }, [ui, run]);
  return null;
}

/** Several undos in a row are handled as one. */
const DEBOUNCE_MS = 250;
/** Failed reads are repeated after this time. */
const RETRY_MS = 3000;

/**
 * Invalidates cached commits after an undo or redo, also while no card is mounted that shows them, so that none shows
 * an old state later.
 */
function useCommitRefresh(): void {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The cache may be from before this page was connected.
    let upto = Number.POSITIVE_INFINITY;
    const read = async () => {
      const newest = upto;
      upto = 0;
      const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => Number(queryKey[2]) <= newest;
      await queries.invalidateQueries({ queryKey: ['commit', id], predicate });
      const failed = queries.getQueryCache().findAll({ queryKey: ['commit', id], type: 'active', predicate });
      if (failed.some(({ state }) => state.isInvalidated)) readSoon(newest, RETRY_MS);
    };
    const readSoon = (revision: number, after: number) => {
      upto = Math.max(upto, revision);
      clearTimeout(timer);
      timer = setTimeout(() => void read(), after);
    };
    void read();
    const leave = client.subscribe(({ nodes, commits }) => {
      const newest = nodes === 'all' ? Number.POSITIVE_INFINITY : Math.max(0, ...commits.map(undoneRevision));
      if (newest > 0) readSoon(newest, DEBOUNCE_MS);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, client, queries]);
}

/** An undo names the commit that it undid, which may itself be an undo. */
const undoneRevision = ({ kind, ref }: Commit): number =>
  kind === 'undo' || kind === 'redo' || kind === 'revert' ? (ref ?? 0) : 0;
