/** Another text for a section of the document, and why: sent as a proposal. */
import '../styles/suggest.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { listSections, readSection } from '../../protocol/history';
import type { Operation } from '../../protocol/live';
import type { OutlineItem } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { Select } from '../ui/Select';
import { SuggestionForm } from './SuggestionForm';
import { useSuggest } from './useSuggest';

/** The text before the first heading has an empty path. */
const BEGINNING = '';

export function SectionDialog({ at, onClose }: { at: number; onClose: () => void }) {
  const { id, client } = useEditorContext();
  const [chosen, setChosen] = useState<string | null>(null);
  const outline = useQuery({
    queryKey: ['outline', id],
    queryFn: ({ signal }) => listSections(id, signal),
    staleTime: 0,
  });
  const sections = outline.data ?? [];
  // Lines of the outline are counted from 1.
  const [line] = useState(() => client.view.text.slice(0, at).split('\n').length);
  const path = chosen ?? sections.findLast((one) => one.line <= line)?.path ?? sections[0]?.path ?? BEGINNING;
  return (
    <Dialog title="Suggest another text" size="wide" onClose={onClose}>
      {outline.isPending ? (
        <p className="dialog-text" role="status">
          Reading the document…
        </p>
      ) : (
        <SectionForm key={path} path={path} revision={client.revision} onClose={onClose}>
          <Field label="Section">
            {(wiring) => (
              <Select {...wiring} value={path} choices={choicesOf(sections)} onChoose={setChosen} />
            )}
          </Field>
        </SectionForm>
      )}
    </Dialog>
  );
}

interface FormProps {
  path: string;
  revision: number;
  onClose: () => void;
  /** The choice of the section. */
  children: ReactNode;
}

function SectionForm({ path, revision, onClose, children }: FormProps) {
  const { id } = useEditorContext();
  // What is written in the field is for the text that was read when it opened.
  const [base] = useState(revision);
  const read = useQuery({
    queryKey: ['section', id, path, base],
    queryFn: ({ signal }) => readSection(id, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [written, setWritten] = useState<string | null>(null);
  const suggestion = useSuggest(onClose);
  const before = read.data ? bodyOf(read.data.own_text, path) : '';
  const text = written ?? before;
  const send = (explanation: string) => {
    const operation: Operation = { op: 'replace_section', section: path, text, scope: 'body' };
    suggestion.mutate({ operations: [operation], explanation, base_revision: base });
  };
  return (
    <SuggestionForm
      error={read.error ?? suggestion.error}
      words="Propose"
      canSend={text !== before && !suggestion.isPending}
      onSend={send}
      onClose={onClose}
    >
      {children}
      <Field label="Text in Markdown, without its heading and the sections in it">
        {(wiring) => (
          <textarea
            {...wiring}
            data-autofocus
            className="suggest-text"
            rows={12}
            value={text}
            disabled={!read.data}
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
      </Field>
    </SuggestionForm>
  );
}

function choicesOf(sections: readonly OutlineItem[]): { value: string; text: string }[] {
  const top = Math.min(...sections.map(({ level }) => level));
  const named = sections.map(({ path, title, level }) => ({
    value: path,
    text: `${'\u2003'.repeat(level - top)}${title}`,
  }));
  return [
    ...named,
    { value: BEGINNING, text: sections.length > 0 ? 'The text before the first heading' : 'The document' },
  ];
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
