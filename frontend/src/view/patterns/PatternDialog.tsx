/**
 * Inserts an architecture pattern around the selection: search and choose, with what it is for beside the list. What it
 * comes to is asked of the server, and sent as one batch like any other edit.
 */
import '../styles/gestures.css';
import '../styles/patterns.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../model/words/kinds';
import type { Operation } from '../../protocol/live';
import { fillPattern, listPatterns } from '../../protocol/patterns';
import type { Pattern } from '../../protocol/types';
import { type EditorContext, useEditorContext, useUiState } from '../context/EditorContext';
import type { Selection } from '../context/uiState';
import { ChoiceList } from '../gestures/ChoiceList';
import { Dialog } from '../ui/overlay/Dialog';
import { type Toasts, useToasts } from '../ui/overlay/Toasts';

export function PatternDialog({ onClose }: { onClose: () => void }) {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState<string | undefined>();
  const { data, error } = useQuery({
    queryKey: ['patterns', query.trim()],
    queryFn: ({ signal }) => listPatterns(query.trim(), signal),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const patterns = data ?? [];
  const pattern = patterns.find(({ id }) => id === active) ?? patterns[0];
  const choices = patterns.map((one) => ({
    id: one.id,
    type: typeOf(one),
    name: one.name,
    note: one.kind === 'anti-pattern' ? 'Anti-pattern' : undefined,
  }));
  const count = selection.nodes.size + selection.edges.size;
  const none = error
    ? 'The patterns cannot be read; is the server there?'
    : data
      ? `No pattern matches “${query}”.`
      : '';
  return (
    <Dialog
      title={count > 0 ? 'Insert a pattern around the selection' : 'Insert a pattern'}
      onClose={onClose}
    >
      <div className="dialog-form patterns">
        <ChoiceList
          label="Search patterns"
          listLabel="Patterns"
          query={query}
          choices={choices}
          none={none}
          onQuery={setQuery}
          onActive={setActive}
          onChoose={(id) => {
            onClose();
            void insertPattern(context, toasts, id, selection);
          }}
        />
        {pattern && <About pattern={pattern} />}
      </div>
    </Dialog>
  );
}

function About({ pattern }: { pattern: Pattern }) {
  const isAnti = pattern.kind === 'anti-pattern';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className="pattern-about" aria-label={`About ${pattern.name}`} tabIndex={0}>
      <p>{pattern.about}</p>
      <List title={isAnti ? 'How to recognise it' : 'When'} items={pattern.when} />
      <List title="Forces" items={pattern.forces} />
      <List title="Questions to ask" items={pattern.questions} />
      <p className="pattern-hint">
        {isAnti ? 'Inserts what to do instead. ' : ''}Roles:{' '}
        {pattern.roles.map(({ label }) => label).join(', ')}. What is selected takes them by type; what is
        missing is made.
      </p>
    </section>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** The type of the first node that it makes, whose icon stands for it. */
function typeOf({ shape }: Pattern): string {
  const made = shape.map(
    (one) => (one.op === 'insert_between' ? one.node : one) as { op?: string; type?: unknown },
  );
  const type = made.find((one) => typeof one.type === 'string')?.type;
  return typeof type === 'string' ? type : 'other';
}

/** Inserts a pattern for a selection: one batch, through the same door as every edit, undone as one step. */
async function insertPattern(
  context: EditorContext,
  toasts: Toasts,
  pattern: string,
  { nodes, edges }: Selection,
): Promise<void> {
  try {
    const filled = await fillPattern(context.id, pattern, [...nodes], [...edges]);
    if (filled.operations.length === 0)
      return void toasts.show({ text: 'Everything of this pattern is there already' });
    const outcome = await context.edit(filled.operations as unknown as Operation[], filled.explanation);
    // Whatever did not fit, or waits as a draft, has been said.
    if (outcome?.kind !== 'committed') return;
    context.ui.show(filled.made, { pulse: true });
    if (filled.unused.length > 0)
      toasts.show({
        text: `${counted(filled.unused.length, 'selected node')} without a role in this pattern`,
      });
  } catch (error) {
    toasts.showError(error);
  }
}
