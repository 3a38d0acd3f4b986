/**
 * When one's own request ends: shows what it changed, and announces it by a toast (panel closed) or to screen readers
 * (panel open).
 */
import { useEffect, useRef, useState } from 'react';
import type { Turn } from '../../model/assistant/card';
import { partsWords } from '../../model/assistant/refusedParts';
import { appliesNothing } from '../../model/assistant/workflows';
import { codeWords } from '../../model/words/codeWords';
import type { Run } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import { useEditorContext } from '../context/EditorContext';
import { useUndoRequest } from '../history/useUndoRequest';
import type { Message } from '../ui/overlay/Toasts';
import { useToasts } from '../ui/overlay/Toasts';
import { dismissWhenUndone } from './dismissWhenUndone';
import { useAssistantActions, useAssistantTools } from './useAssistant';

export function RunEnds() {
  const context = useEditorContext();
  const { store } = useAssistantTools();
  const { openProposal } = useAssistantActions();
  const stepBack = useUndoRequest();
  const toasts = useToasts();
  const isHeld = useIsPointerHeld();
  const [spoken, setSpoken] = useState('');
  const onRunEnd = useRef<(turn: Turn) => void>(() => undefined);
  onRunEnd.current = ({ record, run }) => {
    if (!record?.outcome) return;
    const { ui } = context;
    const ids = changedBy(record, context);
    const isBusy = isHeld.current || ui.get().renaming !== null || ui.get().viewed !== null;
    if (record.status === 'applied' && ids.length > 0 && !isBusy)
      ui.show(ids, { pulse: true, isSelecting: false });
    const revert = (rev: number) => void stepBack({ kind: 'revert', label: record.prompt, rev, upto: null });
    const message = messageOf(record, {
      open: () => openProposal(run),
      show: ids.length > 0 ? () => showResult(record, context) : null,
      revert,
    });
    if (!message) return;
    if (ui.get().panel !== 'assistant')
      dismissWhenUndone(context.client, record.outcome.revision, toasts.show(message));
    else setSpoken(message.text);
  };
  useEffect(() => store.onEnded((turn) => onRunEnd.current(turn)), [store]);
  return (
    <p className="visually-hidden" role="status">
      {spoken}
    </p>
  );
}

interface Ways {
  open: () => void;
  show: (() => void) | null;
  revert: (revision: number) => void;
}

function messageOf({ status, outcome, workflow }: Run, { open, show, revert }: Ways): Message | null {
  const share = partsWords(outcome);
  const isShort = (outcome?.refused?.length ?? 0) > 0;
  const count = outcome?.operations?.length ?? 0;
  const changes = `${count} ${count === 1 ? 'change' : 'changes'}`;
  const action = { label: 'Open', run: open };
  const revision = outcome?.revision;
  switch (status) {
    case 'applied':
      return {
        text: `The assistant applied ${changes}${revision == null ? '' : ` (r${revision})`}`,
        ...(share && { detail: `${capitalised(share)}: the rest did not fit.` }),
        actions: [
          ...(revision == null ? [] : [{ label: 'Undo', run: () => revert(revision) }]),
          ...(show ? [{ label: 'Show', run: show, isKeeping: true }] : []),
        ],
      };
    case 'proposed':
      if (outcome?.alternatives)
        return { text: `The assistant recommends ${alternativesWords(outcome.alternatives.length)}`, action };
      return {
        text: share ? `The assistant made a proposal: ${share}` : 'The assistant made a proposal',
        detail: outcome?.reason ?? undefined,
        action,
      };
    case 'answered':
      if (isShort)
        return {
          text: 'The assistant changed nothing',
          detail: 'What it tried did not fit.',
          tone: 'bad',
          action,
        };
      return {
        text: appliesNothing(workflow)
          ? 'The assistant has answered'
          : 'The assistant has answered and changed nothing',
        action,
      };
    case 'unchanged':
      return { text: 'The assistant changed nothing', action };
    case 'failed':
      return {
        text: appliesNothing(workflow) ? 'The assistant has no answer' : 'The assistant changed nothing',
        detail: codeWords(outcome?.error?.code ?? '').sentence,
        tone: 'bad',
        action,
      };
    default:
      return null;
  }
}

const alternativesWords = (count: number): string =>
  count === 1 ? 'one way' : `one of ${count} alternatives`;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The nodes of the commit that still exist. */
function changedBy({ outcome }: Run, { client }: EditorContext): string[] {
  const diff = outcome?.diff;
  if (!diff) return [];
  const nodes = [...diff.nodes.added, ...diff.nodes.changed].map(({ id }) => id);
  const edges = [...diff.edges.added, ...diff.edges.changed].map(({ id }) => id);
  return [
    ...nodes.filter((id) => client.view.nodes.has(id)),
    ...edges.filter((id) => client.view.edges.has(id)),
  ];
}

/** The nodes of the commit that exist in the newest revision. */
function showResult(record: Run, context: EditorContext): void {
  context.ui.set({ viewed: null });
  context.ui.show(changedBy(record, context), { pulse: true, isSelecting: false });
}

/** Whether a gesture is going on: then the canvas must not move. */
function useIsPointerHeld() {
  const isHeld = useRef(false);
  useEffect(() => {
    const down = () => {
      isHeld.current = true;
    };
    const up = () => {
      isHeld.current = false;
    };
    window.addEventListener('pointerdown', down, true);
    window.addEventListener('pointerup', up, true);
    window.addEventListener('pointercancel', up, true);
    return () => {
      window.removeEventListener('pointerdown', down, true);
      window.removeEventListener('pointerup', up, true);
      window.removeEventListener('pointercancel', up, true);
    };
  }, []);
  return isHeld;
}
