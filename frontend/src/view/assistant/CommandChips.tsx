/** Suggested commands while the field is empty: whole ones about the open diagram, then first words. */
import { useMemo } from 'react';
import { examplesOf } from '../../model/assistant/examples';
import type { DraftWorkflow } from '../../sync/assistant/draft';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useAssistantActions, useAssistantPart } from './useAssistant';
import { useSuggestions } from './useCompletions';

/** They take no more than two lines. */
const MAX = 6;

interface Props {
  isWanted: boolean;
  workflow: DraftWorkflow;
}

export function CommandChips({ isWanted, workflow }: Props) {
  const { id } = useEditorContext();
  const { edit } = useAssistantActions();
  const diagram = useLive((live) => live.diagram);
  // An empty conversation shows them itself.
  const hasTurns = useAssistantPart(({ turns }) => turns.length > 0);
  const beginnings = useSuggestions({ workspace: id, isAsking: workflow !== 'edit', isWanted });
  const whole = useMemo(
    () => (hasTurns && workflow !== 'recommend' ? examplesOf(diagram)[workflow].slice(0, 1) : []),
    [diagram, workflow, hasTurns],
  );
  if (!isWanted) return null;
  const texts = [...new Set([...whole, ...beginnings.map(({ text }) => text)])].slice(0, MAX);
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
