/** The composer of requests: edit, ask or investigate, focus chips, apply or propose, and the text. */
import { ArrowUp, Square, X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { statusOf } from '../../model/assistant/card';
import { hasOnlyHeadings } from '../../model/assistant/description';
import { examplesOf } from '../../model/assistant/examples';
import { type FocusChip, focusChips, focusOf } from '../../model/assistant/focus';
import type { ProviderSummary } from '../../model/assistant/provider';
import { appliesNothing, onlyReads } from '../../model/assistant/workflows';
import type { RunOptions } from '../../sync/assistant/assistant';
import type { DraftWorkflow } from '../../sync/assistant/draft';
import type { ApplyMode } from '../../sync/preferences';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { Select } from '../ui/field/Select';
import { useThrottledValue } from '../ui/useThrottledValue';
import { ComposerField } from './ComposerField';
import { useAssistantActions, useAssistantPart, useAssistantTools, useDraft } from './useAssistant';
import { useCompletions, useSuggestions } from './useCompletions';

/** The limit of the server. */
const MAX_CHARACTERS = 20_000;
const APPLY_MODES: readonly { value: ApplyMode; text: string }[] = [
  { value: 'auto', text: 'Auto' },
  { value: 'apply', text: 'Apply' },
  { value: 'propose', text: 'Preview' },
];
const WORKFLOWS: readonly { value: DraftWorkflow; text: string; title: string }[] = [
  { value: 'edit', text: 'Edit', title: 'Change diagram and document' },
  { value: 'ask', text: 'Ask', title: 'Ask a question; nothing is changed' },
  {
    value: 'investigate',
    text: 'Investigate',
    title: 'Find what may cause a problem, in diagram, document and history; nothing is changed',
  },
  {
    value: 'recommend',
    text: 'Recommend',
    title: 'Say what you need, and choose among alternatives; nothing is changed before you do',
  },
];
const NEEDS_MODEL =
  'Investigating takes an AI model. Built-in commands answer questions: what breaks if … fails, what calls …';
const MODE_TITLES: Readonly<Record<ApplyMode, string>> = {
  auto: 'Small changes are applied, large ones and deletions are shown first',
  apply: 'Changes are applied; you can undo them as one',
  propose: 'Changes are shown first, and applied once you accept them',
};

export function Composer({ answering }: { answering: ProviderSummary }) {
  const { id, ui, access } = useEditorContext();
  const { draftStore } = useAssistantTools();
  const { ask, stop } = useAssistantActions();
  const draft = useDraft((state) => state);
  const { text } = draft;
  // What somebody asks for who may propose is shown first, whatever was chosen.
  const mode = access.isDraft ? 'propose' : draft.mode;
  // Where nothing is changed now (on a phone, beside an old revision) one may still ask.
  const workflow = access.isWritable || draft.workflow === 'investigate' ? draft.workflow : 'ask';
  const isBlank = useLive((live) => live.diagram.nodes.length === 0 && live.text.trim() === '');
  const isUnwritten = useLive((live) => live.diagram.nodes.length === 0 && hasOnlyHeadings(live.text));
  const editing = useAssistantPart(({ turns }) =>
    turns.find((turn) => turn.isMine && !onlyReads(turn.record?.workflow) && statusOf(turn) === 'running'),
  );
  const asked = useAssistantPart(({ turns }) => lastAsked(turns));
  // The conversation shows a request some moments after it was sent, in the order of the server's clock.
  const last = draft.last || asked;
  const { chips, leaveOut } = useFocusChips();
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusRequest(field);
  const isCommands = answering.kind === 'commands';
  const isAsking = onlyReads(workflow);
  const hasCommands = isCommands && workflow !== 'recommend';
  const completions = useCompletions({ workspace: id, text, isAsking, isWanted: hasCommands });
  const obstacle = useObstacle(workflow, text, answering);
  const noteId = useId();
  const isStopping = editing !== undefined && !isAsking;
  const send = () => {
    const prompt = text.trim();
    if (prompt === '' || obstacle || isStopping) return;
    const isFirst = isBlank && answering.kind === 'model' && workflow === 'edit';
    draftStore.sent();
    ask(prompt, runOptions(isFirst ? 'generate' : workflow, mode, chips));
  };
  return (
    <form
      className="composer"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <CommandChips isWanted={hasCommands && text === '' && obstacle === ''} workflow={workflow} />
      <Chips chips={chips} onLeaveOut={leaveOut} />
      <div className="composer-box">
        <ComposerField
          field={field}
          text={text}
          placeholder={placeholderOf(answering, workflow, isUnwritten)}
          completions={completions}
          describedBy={obstacle ? noteId : undefined}
          last={last}
          onWrite={(written) => draftStore.write(written)}
          onSend={send}
          onLeave={() => leaveToCanvas(ui.get().mode)}
        />
        <div className="composer-row">
          <WorkflowChoice workflow={workflow} onChoose={(chosen) => draftStore.setWorkflow(chosen)} />
          {workflow === 'edit' && (
            <Select
              className="becoming"
              aria-label="What becomes of changes"
              title={MODE_TITLES[mode]}
              value={mode}
              choices={APPLY_MODES}
              disabled={access.isDraft}
              onChoose={(chosen) => draftStore.setMode(chosen)}
            />
          )}
          {isStopping ? (
            <button
              type="button"
              className="send stop"
              aria-label="Stop"
              onClick={(event) => {
                // The second click of a double click on Send must not cancel.
                if (event.detail > 1) return;
                stop(editing.run);
                field.current?.focus();
              }}
            >
              <Square size={12} strokeWidth={3} fill="currentColor" aria-hidden="true" />
            </button>
          ) : (
            <button
              type="submit"
              className="send"
              aria-label="Send"
              disabled={text.trim() === '' || obstacle !== ''}
            >
              <ArrowUp size={17} strokeWidth={2.3} aria-hidden="true" />
            </button>
          )}
        </div>
      </div>
      <Note id={noteId} obstacle={obstacle} />
    </form>
  );
}

function Chips({
  chips,
  onLeaveOut,
}: {
  chips: readonly FocusChip[];
  onLeaveOut: (chip: FocusChip) => void;
}) {
  if (chips.length === 0) return null;
  return (
    <ul className="focus-chips" aria-label="What it is about">
      {chips.map((chip) => (
        <li key={chip.key} className="focus-chip" data-kind={chip.kind}>
          <span>{chip.words}</span>
          <button type="button" aria-label={`Leave out: ${chip.words}`} onClick={() => onLeaveOut(chip)}>
            <X size={13} strokeWidth={2.2} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function WorkflowChoice({
  workflow,
  onChoose,
}: {
  workflow: DraftWorkflow;
  onChoose: (workflow: DraftWorkflow) => void;
}) {
  const name = useId();
  return (
    <div className="doing" role="radiogroup" aria-label="What to do">
      {WORKFLOWS.map(({ value: one, text, title }) => (
        <label key={one} data-chosen={workflow === one} title={title}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={workflow === one}
            onChange={() => onChoose(one)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/** Why nothing can be sent now; else how to send. */
function Note({ id, obstacle }: { id: string; obstacle: string }) {
  if (obstacle)
    return (
      <p id={id} className="composer-note obstacle" role="status">
        {obstacle}
      </p>
    );
  return (
    <p className="composer-note" aria-hidden="true">
      <kbd>Enter</kbd> to send · <kbd>Shift+Enter</kbd> for a new line
    </p>
  );
}

/** Why it cannot be sent; empty where it can. */
function useObstacle(workflow: DraftWorkflow, text: string, { kind }: ProviderSummary): string {
  const { access } = useEditorContext();
  const connection = useLive((live) => live.status.connection);
  const role = useLive((live) => live.role);
  if (role === 'viewer')
    return 'You may look at this workspace; asking the assistant takes the role “Can comment”.';
  if (connection === 'offline' || connection === 'closed')
    return 'Offline: the assistant works on the server, which does not answer. What you write here is kept.';
  if (workflow === 'investigate' && kind === 'commands') return NEEDS_MODEL;
  if (!onlyReads(workflow) && !access.isWritable) return `${access.reason} You can still ask questions.`;
  if (text.length > MAX_CHARACTERS)
    return `Too long: ${text.length.toLocaleString('en')} of at most ${MAX_CHARACTERS.toLocaleString('en')} characters.`;
  return '';
}

/** Focuses the field on request. */
function useFocusRequest(field: RefObject<HTMLTextAreaElement | null>): void {
  const { ui } = useEditorContext();
  const isAsking = useUiState((state) => state.isAsking);
  useEffect(() => {
    const area = field.current;
    if (!isAsking || !area) return;
    ui.set({ isAsking: false });
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, [isAsking, field, ui]);
}

function runOptions(
  workflow: DraftWorkflow | 'generate',
  mode: ApplyMode,
  chips: readonly FocusChip[],
): RunOptions {
  const focus = focusOf(chips);
  return { workflow, ...(!appliesNothing(workflow) && { mode }), ...(focus && { focus }) };
}

function placeholderOf({ kind }: ProviderSummary, workflow: DraftWorkflow, isUnwritten: boolean): string {
  if (workflow === 'investigate') return 'Describe what goes wrong';
  if (workflow === 'recommend') return 'Say what you need, such as rate limiting';
  if (workflow === 'ask')
    return kind === 'commands' ? 'what breaks if … fails' : 'Ask about diagram and document';
  if (kind === 'commands') return 'Type a command';
  return isUnwritten ? 'Describe your system' : 'Describe a change';
}

function lastAsked(
  turns: readonly { isMine: boolean; record: { prompt: string } | null; talk: { prompt: string } | null }[],
): string {
  const last = turns.findLast(({ isMine }) => isMine);
  return last?.record?.prompt || last?.talk?.prompt || '';
}

function leaveToCanvas(mode: string): void {
  document.getElementById(mode === 'document' ? 'document' : 'diagram')?.focus();
}

/** They take no more than two lines. */
const MAX_CHIPS = 6;

interface CommandChipsProps {
  isWanted: boolean;
  workflow: DraftWorkflow;
}

/** Suggested commands while the field is empty: whole ones about the open diagram, then first words. */
function CommandChips({ isWanted, workflow }: CommandChipsProps) {
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
  const texts = [...new Set([...whole, ...beginnings.map(({ text }) => text)])].slice(0, MAX_CHIPS);
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

/** The selection as focus chips; a removed chip stays removed until the selection changes. */
function useFocusChips(): { chips: readonly FocusChip[]; leaveOut: (chip: FocusChip) => void } {
  const diagram = useLive((live) => live.diagram);
  const text = useLive((live) => live.text);
  const selection = useUiState((state) => state.selection);
  const selected = useUiState((state) => (state.focus === 'document' ? state.passage : null));
  // The headings of a long text are not looked for at each key.
  const { document, passage } = useThrottledValue(
    useMemo(() => ({ document: text, passage: selected }), [text, selected]),
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(
    () => focusChips({ diagram, document, nodes: selection.nodes, edges: selection.edges, passage }),
    [diagram, document, selection, passage],
  );
  useEffect(() => {
    const isThere = (key: string) => all.some((chip) => chip.key === key);
    setLeft((before) => ([...before].every(isThere) ? before : new Set([...before].filter(isThere))));
  }, [all]);
  const leaveOut = useCallback((chip: FocusChip) => {
    setLeft((before) => new Set(before).add(chip.key));
  }, []);
  const chips = useMemo(() => all.filter(({ key }) => !left.has(key)), [all, left]);
  return { chips, leaveOut };
}
