/** Another text for a section of the document, and why: sent as a proposal. */
import '../styles/suggest.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listSections, readSection } from '../../protocol/history';
import type { Operation } from '../../protocol/live';
import type { OutlineItem } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { SuggestionForm } from './SuggestionForm';
import { useSuggest } from './useSuggest';

/** The text before the first heading has an empty path. */
const BEGINNING = '';

export function SectionDialog({ at, onClose }: { at: number; onClose: () => void }) {
  const { id, client } = useEditorContext();
  const outline = useQuery({
    queryKey: ['outline', id],
    queryFn: ({ signal }) => listSections(id, signal),
    staleTime: 0,
  });
  // Lines of the outline are counted from 1.
  const [line] = useState(() => client.view.text.slice(0, at).split('\n').length);
  return (
    <Dialog title="Suggest another text" size="wide" onClose={onClose}>
      {outline.isPending ? (
        <p className="dialog-text" role="status">
          Reading the document…
        </p>
      ) : (
        <SectionForm sections={outline.data ?? []} line={line} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps {
  sections: readonly OutlineItem[];
  /** The section that this line is in is chosen first. */
  line: number;
  onClose: () => void;
}

/** A section's text as it was read and as it is suggested. */
interface Writing {
  base: number;
  before: string;
  text: string;
}

function SectionForm({ sections, line, onClose }: FormProps) {
  const { id, client } = useEditorContext();
  const [path, setPath] = useState(
    () => sections.findLast((one) => one.line <= line)?.path ?? sections[0]?.path ?? BEGINNING,
  );
  // Kept while other sections are looked at.
  const [writings, setWritings] = useState<Readonly<Record<string, Writing>>>({});
  const [readAt, setReadAt] = useState(client.revision);
  const writing = writings[path];
  // What is written in the field is for the text that was read when the section was chosen.
  const base = writing?.base ?? readAt;
  const read = useQuery({
    queryKey: ['section', id, path, base],
    queryFn: ({ signal }) => readSection(id, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const before = writing?.before ?? (read.data ? bodyOf(read.data.own_text, path) : '');
  const suggestion = useSuggest(onClose);
  const changed = Object.entries(writings).filter(([, one]) => one.text !== one.before);
  const choose = (section: string) => {
    setPath(section);
    setReadAt(client.revision);
  };
  const send = (explanation: string) => {
    const operations = changed.map(
      ([section, { text }]): Operation => ({ op: 'replace_section', section, text, scope: 'body' }),
    );
    const oldest = Math.min(...changed.map(([, one]) => one.base));
    suggestion.mutate({ operations, explanation, base_revision: oldest });
  };
  return (
    <SuggestionForm
      error={read.error ?? suggestion.error}
      words={changed.length > 1 ? `Propose ${changed.length} sections` : 'Propose'}
      canSend={changed.length > 0 && !suggestion.isPending}
      onSend={send}
      onClose={onClose}
    >
      <Field label="Section">
        {(wiring) => (
          <Select
            {...wiring}
            value={path}
            choices={choicesOf(sections, new Set(changed.map(([section]) => section)))}
            onChoose={choose}
          />
        )}
      </Field>
      <Field label="Text in Markdown, without its heading and the sections in it">
        {(wiring) => (
          <textarea
            {...wiring}
            data-autofocus
            className="suggest-text"
            rows={12}
            value={writing?.text ?? before}
            disabled={!read.data}
            onChange={({ target }) =>
              setWritings((all) => ({ ...all, [path]: { base, before, text: target.value } }))
            }
          />
        )}
      </Field>
    </SuggestionForm>
  );
}

function choicesOf(
  sections: readonly OutlineItem[],
  changed: ReadonlySet<string>,
): { value: string; text: string }[] {
  const top = Math.min(...sections.map(({ level }) => level));
  const named = sections.map(({ path, title, level }) => ({
    value: path,
    text: `${'\u2003'.repeat(level - top)}${title}`,
  }));
  const beginning = sections.length > 0 ? 'The text before the first heading' : 'The document';
  return [...named, { value: BEGINNING, text: beginning }].map(({ value, text }) => ({
    value,
    text: changed.has(value) ? `${text} (changed)` : text,
  }));
}

/** A section's own text below its heading. */
function bodyOf(own: string, path: string): string {
  if (path === BEGINNING) return own.trim();
  const lines = own.split('\n');
  const isUnderlined = /^(=+|-+)\s*$/.test(lines[1] ?? '');
  return lines
    .slice(isUnderlined ? 2 : 1)
    .join('\n')
    .trim();
}
