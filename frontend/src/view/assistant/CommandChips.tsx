/** Commands to begin with, while the field is empty: whole ones about the open diagram, then first words. */
import { useMemo } from 'react';
import { examplesOf } from '../../model/assistant/examples';
import type { Doing } from '../../sync/assistant/draft';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useAssistantActions, useAssistantPart } from './useAssistant';
import { useBeginnings } from './useCompletions';

/** They take no more than two lines. */
const MOST = 6;

interface Props {
  isWanted: boolean;
  doing: Doing;
}

export function CommandChips({ isWanted, doing }: Props) {
  const { id } = useEditorContext();
  const { edit } = useAssistantActions();
  const diagram = useLive((live) => live.diagram);
  // Before anything was asked, the conversation has them in its place.
  const hasTurns = useAssistantPart(({ turns }) => turns.length > 0);
  const beginnings = useBeginnings({ workspace: id, isAsking: doing === 'ask', isWanted });
  const whole = useMemo(
    () => (hasTurns ? examplesOf(diagram)[doing].slice(0, 1) : []),
    [diagram, doing, hasTurns],
  );
  if (!isWanted) return null;
  const texts = [...new Set([...whole, ...beginnings.map(({ text }) => text)])].slice(0, MOST);
  return (
    <div className="command-chips" role="group" aria-label="Begin with">
      {texts.map((text) => (
        <button key={text} type="button" className="command-chip" onClick={() => edit(text)}>
          {text.trim()}
        </button>
      ))}
    </div>
  );
}
