/** The fields of a custom type: a new one, or one that is there. What the server refuses is said below its field. */
import { type FormEvent, useState } from 'react';
import { definitionOf } from '../../model/core/customTypes';
import { BASES, definition, LONGEST_ICON, withOthersChanges } from '../../model/gestures/typeDefinitions';
import { LONGEST_NAME, typeIdFor, typeNameProblem } from '../../model/gestures/typeNames';
import { TYPE_NAMES } from '../../model/words/kinds';
import type { Operation } from '../../protocol/live';
import type { CustomType } from '../../protocol/types';
import { whyOf } from '../../sync/session/outcome';
import { useEditorContext, useLive } from '../context/EditorContext';
import { ColorField } from '../drawing/ColorField';
import { KnownTechnologies, TechnologyIcon, TechnologyTile } from '../images/TechnologyTile';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { useToasts } from '../ui/overlay/Toasts';

interface Props {
  /** Of a type that is there. */
  id?: string;
  definition?: CustomType;
  /** What a new one may be called. */
  name?: string;
  /** Nodes that get a new one. */
  nodes?: readonly string[];
  /** Told in words what was done. */
  onSaved: (words: string) => void;
  onCancel: () => void;
}

type Draft = Required<CustomType>;

const BASE_CHOICES = BASES.map((type) => ({ value: type as string, text: TYPE_NAMES[type] ?? type }));

const draftOf = (known: CustomType | undefined, name: string): Draft => ({
  name,
  base: 'service',
  icon: '',
  color: '',
  ...known,
});

export function TypeForm({ id, definition: known, name = '', nodes = [], onSaved, onCancel }: Props) {
  const [draft, setDraft] = useState(() => draftOf(known, name));
  const [opened] = useState(known);
  const { error, isSaving, save, clear } = useSaving({ id, before: opened, nodes, onSaved });
  const change = (part: Partial<Draft>) => {
    clear();
    setDraft((before) => ({ ...before, ...part }));
  };
  const isOther = !BASE_CHOICES.some(({ value }) => value === draft.base);
  const own = { value: draft.base, text: TYPE_NAMES[draft.base] ?? draft.base };
  return (
    <form
      className="dialog-form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(draft);
      }}
    >
      <NameField value={draft.name} error={error} onChange={(text) => change({ name: text })} />
      <Field label="Based on" hint="What it is for checks, layouts and other programs.">
        {(wiring) => (
          <Select
            {...wiring}
            value={draft.base}
            choices={isOther ? [own, ...BASE_CHOICES] : BASE_CHOICES}
            onChoose={(base) => change({ base })}
          />
        )}
      </Field>
      <IconField draft={draft} onChange={(icon) => change({ icon })} />
      <ColorField color={draft.color} onChoose={(color) => change({ color })} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isSaving}>
          {isSaving ? 'Saving…' : id === undefined ? 'Add type' : 'Save'}
        </button>
      </footer>
    </form>
  );
}

interface NameProps {
  value: string;
  error: string | null;
  onChange: (text: string) => void;
}

function NameField({ value, error, onChange }: NameProps) {
  return (
    <Field label="Name" error={error ?? undefined}>
      {(wiring) => (
        <input
          {...wiring}
          value={value}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          data-autofocus
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** The technology whose icon is drawn, and how that looks. */
function IconField({ draft, onChange }: { draft: Draft; onChange: (icon: string) => void }) {
  const { icon, base, color } = draft;
  const shown = { type: base, color, technology: icon, image: '', custom: undefined };
  return (
    <div className="types-icon">
      <Field
        label="Icon"
        hint={icon ? undefined : 'The name of a technology, as PostgreSQL; else that of what it is based on.'}
      >
        {(wiring) => (
          <input
            {...wiring}
            value={icon}
            maxLength={LONGEST_ICON}
            list="technologies-of-types"
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <KnownTechnologies id="technologies-of-types" />
      {icon ? <TechnologyIcon {...shown} /> : <TechnologyTile {...shown} />}
    </div>
  );
}

interface Saving {
  id: string | undefined;
  /** The definition when it was opened. */
  before: CustomType | undefined;
  nodes: readonly string[];
  onSaved: (words: string) => void;
}

/** Sends a definition. While the server is away nothing is waited for: it is sent with all else that waits. */
function useSaving({ id, before, nodes, onSaved }: Saving) {
  const { access, client } = useEditorContext();
  const toasts = useToasts();
  const types = useLive(({ diagram }) => diagram.types) ?? {};
  const isLive = useLive((live) => live.status.connection === 'live');
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const send = async (operations: Operation[], words: string) => {
    const sent = client.edit(operations);
    if (!isLive || access.isDraft) return onSaved(words);
    setIsSaving(true);
    const outcome = await sent;
    setIsSaving(false);
    if (outcome.kind === 'committed') return onSaved(words);
    setError(whyOf(outcome));
    // It is here still, to be written otherwise: it need not wait elsewhere as well.
    const refused = client.tray.findLast(({ operations: all }) => all?.[0]?.op === 'define_type');
    if (refused) client.discard(refused.id);
  };
  const save = (draft: Draft) => {
    const now = id === undefined ? undefined : definitionOf(types, id);
    const meant = before && now ? withOthersChanges(draft, before, now) : draft;
    const problem = typeNameProblem(meant.name, types, id ?? null);
    if (problem) return setError(problem);
    if (!access.isWritable) return void toasts.show({ text: 'Nothing was changed', detail: access.reason });
    const own = id ?? typeIdFor(meant.name, types);
    const given = nodes
      .filter((node) => client.view.nodes.has(node))
      .map((node) => ({ op: 'update_node', id: node, type: own }) as const);
    const done = id === undefined ? 'was added' : 'was changed';
    if (!isSaving) void send([definition(own, meant), ...given], `“${meant.name.trim()}” ${done}.`);
  };
  return { error, isSaving, save, clear: () => setError(null) };
}
