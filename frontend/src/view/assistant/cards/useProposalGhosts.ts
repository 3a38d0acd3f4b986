/**
 * Shows the selected operations of a proposal as ghosts, while its card is expanded. One proposal is shown at a time:
 * the last that was expanded, focused or pointed at.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { proposalRows } from '../../../model/assistant/proposalSelection';
import { acceptProposal, readProposal } from '../../../protocol/assistant';
import type { Step } from '../../../protocol/live';
import type { DocumentChange, ProposalFull } from '../../../protocol/types';
import { useEditorContext, useLive, useUiState } from '../../context/EditorContext';

/** The preview is requested once the selection, and the document, have been stable for this long. */
const RESTED_MS = 300;
const NO_CHANGES: readonly DocumentChange[] = [];

interface Wanted {
  full: ProposalFull;
  /** Indexes of the selected operations. */
  taken: readonly number[];
  title: string;
  isMine: boolean;
  /** Whether it is accepted and its commit is shown. */
  isOver: boolean;
}

interface ProposalGhosts {
  /** Focus and pointer make it the shown proposal. */
  box: RefObject<HTMLDivElement | null>;
  isShown: boolean;
  toggle: () => void;
}

/** Not the id of its run, which has ghosts of its own while it is running. */
const ghostsOf = (id: string): string => `proposal ${id}`;

export function useProposalGhosts({ full, taken, title, isMine, isOver }: Wanted): ProposalGhosts {
  const { ui } = useEditorContext();
  const of = ghostsOf(full.id);
  const isViewingOld = useUiState(({ viewed }) => viewed !== null);
  // Until somebody chooses, one's own are shown; whose it is may be known only after the card is drawn.
  const [choice, setChoice] = useState<boolean | null>(null);
  const isWanted = choice ?? isMine;
  const isRefused = useRef(false);
  const isToBeSeen = useRef(true);
  const box = useRef<HTMLDivElement>(null);
  const isShown = isWanted && !isOver && !isViewingOld;
  const steps = useMemo(
    () =>
      full.operations
        .filter(({ index }) => taken.includes(index))
        .flatMap((operation) => operation.steps as unknown as Step[]),
    [full, taken],
  );
  const document = useDocumentChanges(full, taken, steps, isShown);
  useEffect(() => {
    if (!isShown) return;
    ui.showGhosts({ of, title, steps, document }, { isInView: isToBeSeen.current });
    isToBeSeen.current = false;
  }, [ui, isShown, of, title, steps, document]);
  useEffect(() => {
    if (!isShown) return;
    // Replaced by another, or hidden.
    const leave = ui.state.subscribe(({ ghosts }, before) => {
      if (before.ghosts?.of === of && ghosts?.of !== of) setChoice(false);
    });
    return () => {
      leave();
      ui.hideGhosts(of);
    };
  }, [ui, isShown, of]);
  const want = useCallback(() => {
    isToBeSeen.current = true;
    setChoice(true);
  }, []);
  useEffect(() => {
    const card = box.current?.closest('.alternative, .assistant-card');
    const reached = ({ target }: Event) => {
      if (!isRefused.current && !(target as Element).closest('.card-eye')) want();
    };
    // The card may have been focused before the proposal was read.
    if (card?.matches(':focus-within')) want();
    card?.addEventListener('focusin', reached);
    return () => card?.removeEventListener('focusin', reached);
  }, [want]);
  const toggle = () => {
    isRefused.current = isShown;
    if (isShown) setChoice(false);
    else want();
  };
  return { box, isShown, toggle };
}

/** The changes of the selected operations to the current document; nothing where they do not touch it. */
function useDocumentChanges(
  full: ProposalFull,
  taken: readonly number[],
  steps: readonly Step[],
  isShown: boolean,
): readonly DocumentChange[] {
  const { id } = useEditorContext();
  const revision = useLive((live) => live.revision);
  const asked = `${taken.join(',')} ${revision}`;
  const rested = useRestedText(asked);
  const isOfText = steps.some(({ k }) => k === 'text');
  const isAll = proposalRows(full.operations, new Set(taken)).every(
    ({ isChecked, isEnabled }) => isChecked || !isEnabled,
  );
  const { data } = useQuery({
    queryKey: ['proposal-document', id, full.id, full.fit, rested],
    queryFn: async ({ signal }) => {
      // Only operations that fit are tried; one that has just ceased to fit would be refused.
      if (isAll) return (await readProposal(id, full.id, signal)).diff?.document ?? NO_CHANGES;
      const { diff } = await acceptProposal(id, full.id, { operations: taken, isTried: true }, signal);
      return diff?.document ?? NO_CHANGES;
    },
    enabled: isShown && isOfText && rested === asked,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  });
  return isOfText ? (data ?? NO_CHANGES) : NO_CHANGES;
}

/** A text, debounced. */
function useRestedText(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), RESTED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
