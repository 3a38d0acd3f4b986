/**
 * A notice of an open proposal over the panes: to others, and to its author while the panel is closed. It only shows
 * the proposal; accepting is done on its card.
 */
import '../styles/assistant-cards.css';
import { Bot, Sparkles, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { LiveProposal } from '../../protocol/live';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { proposalName, proposalTitle } from './cards/proposalTitle';
import { useAssistantActions } from './useAssistant';

export function ProposalNotice() {
  const { waiting, open, hide, me } = useOpenProposals();
  const newest = waiting[0];
  const announced = useAnnouncement(newest, me);
  const Icon = newest?.actor.kind === 'agent' ? Bot : Sparkles;
  // Over the panes, below banners.
  const place = document.querySelector('.workspace-body');
  if (!place) return null;
  return createPortal(
    <>
      {newest && (
        <section className="proposal-notice" data-proposal={newest.id} aria-label="Proposal">
          <Icon size={15} strokeWidth={2} aria-hidden="true" />
          <span className="proposal-notice-what">
            <span className="proposal-notice-who">{proposalName(newest, newest.actor.id === me)}</span>
            <span className="proposal-notice-count"> ({newest.count})</span>
            {waiting.length > 1 && (
              <span className="proposal-notice-more"> and {waiting.length - 1} more</span>
            )}
          </span>
          <button type="button" className="button small" onClick={() => open(newest)}>
            Open
          </button>
          <IconButton icon={X} label="Hide on this page" className="small" onClick={hide} />
        </section>
      )}
      <p className="visually-hidden" role="status">
        {announced}
      </p>
    </>,
    place,
  );
}

/** The open proposals to be announced, newest first. */
function useOpenProposals() {
  const { ui } = useEditorContext();
  const proposals = useLive((live) => live.proposals);
  const me = useLive((live) => live.me?.id);
  const isPanelOpen = useUiState(({ panel }) => panel === 'assistant');
  const { openProposal } = useAssistantActions();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const waiting = useMemo(
    () =>
      proposals
        .filter(({ id, actor, alternative }) => {
          // Alternatives are one card.
          if (hidden.has(id) || (alternative?.index ?? 0) > 0) return false;
          // The panel shows one's own card.
          return !(isPanelOpen && (actor.id === me || opened.has(id)));
        })
        .sort((one, other) => other.created_at.localeCompare(one.created_at)),
    [proposals, me, isPanelOpen, hidden, opened],
  );
  const open = ({ id, run }: LiveProposal) => {
    // The panel shows the cards of others as well.
    setOpened((before) => new Set([...before, ...waiting.map((one) => one.id)]));
    ui.set({ viewed: null });
    openProposal(run || id);
  };
  const hide = () => setHidden((before) => new Set([...before, ...waiting.map(({ id }) => id)]));
  return { waiting, open, hide, me };
}

/** Announces each proposal of others once; those that existed when the page was opened are not announced. */
function useAnnouncement(newest: LiveProposal | undefined, me: string | undefined): string {
  const isKnown = useLive((live) => live.isKnown);
  const known = useRef<Set<string> | null>(null);
  const proposals = useLive((live) => live.proposals);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!isKnown) return;
    const ids = proposals.map(({ id }) => id);
    const seen = known.current;
    known.current = new Set([...(seen ?? []), ...ids]);
    if (!seen || !newest || seen.has(newest.id) || newest.actor.id === me) return;
    setText(proposalTitle(newest, false));
  }, [isKnown, proposals, newest, me]);
  return text;
}
