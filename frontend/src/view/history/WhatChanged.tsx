/** Tells what has changed since a revision, a checkpoint or one's last visit, in a few sentences. */
import { LoaderCircle, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { priceWords } from '../../model/assistant/runCost';
import { sinceChoices } from '../../model/history/since';
import { codeWords } from '../../model/words/codeWords';
import { counted } from '../../model/words/kinds';
import { tellChanges } from '../../protocol/assistant';
import type { ChangeSummary } from '../../protocol/types';
import { visitBefore } from '../../sync/visits';
import { errorSentences } from '../../sync/words/errors';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { IconButton } from '../ui/IconButton';
import { useCheckpoints, useWhoAnswers } from './queries';

interface Props {
  /** A revision that was chosen by its row: it is told at once. */
  chosen: number | null;
  onClose: () => void;
}

export function WhatChanged({ chosen, onClose }: Props) {
  const { id } = useEditorContext();
  const newest = useLive((live) => live.revision);
  const { data: checkpoints = [] } = useCheckpoints();
  const [visit] = useState(() => visitBefore(id));
  const choices = sinceChoices({ newest, visit, checkpoints, chosen });
  const [picked, setPicked] = useState<number | null>(null);
  const since = choices.find(({ revision }) => revision === picked) ?? choices[0];
  const hint = useAskedWords();
  const { summary, failure, isTelling, tell, forget } = useTelling();
  useEffect(() => {
    if (chosen !== null) void tell(chosen);
  }, [chosen, tell]);
  return (
    <section className="what-changed" aria-label="What changed">
      <header>
        <h2>What changed</h2>
        <IconButton icon={X} label="Close what changed" className="small" onClick={onClose} />
      </header>
      {since ? (
        <>
          <Field label="Since" hint={hint}>
            {(wiring) => (
              <Select
                {...wiring}
                value={`${since.revision}`}
                disabled={isTelling}
                choices={choices.map(({ revision, text }) => ({ value: `${revision}`, text }))}
                onChoose={(value) => {
                  setPicked(Number(value));
                  forget();
                }}
              />
            )}
          </Field>
          <button
            type="button"
            className="button small"
            aria-disabled={isTelling}
            onClick={() => void tell(since.revision)}
          >
            {isTelling && <LoaderCircle className="running-wheel" size={14} aria-hidden="true" />}
            {isTelling ? 'Reading the changes…' : 'Tell me'}
          </button>
        </>
      ) : (
        <p className="history-hint">Nothing has changed here yet.</p>
      )}
      <div role="status">{summary?.status === 'told' && <Answer summary={summary} />}</div>
      {(failure !== null || summary?.status === 'failed') && (
        <div className="banner" role="alert">
          {summary?.error ? failedWords(summary) : failure}
          {summary?.model && (
            <>
              {' '}
              <button
                type="button"
                className="link-button"
                onClick={() => void tell(summary.since, 'builtin')}
              >
                Tell it without a model
              </button>
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** Who will be asked, and where that sends the changes. */
function useAskedWords(): string {
  const { data: who } = useWhoAnswers();
  if (!who) return '';
  if (who.sends.what.length === 0)
    return `${who.label}: told in the words of the history. Nothing leaves the server.`;
  return `${who.label} tells it; the changes are sent to ${who.sends.where}.`;
}

/** What was told last; a newer question overtakes an older one. */
function useTelling() {
  const { id } = useEditorContext();
  const [summary, setSummary] = useState<ChangeSummary | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isTelling, setIsTelling] = useState(false);
  const current = useRef<AbortController | null>(null);
  const { tell, forget } = useRef({
    tell: async (since: number, provider?: string) => {
      current.current?.abort();
      const asked = new AbortController();
      current.current = asked;
      setSummary(null);
      setFailure(null);
      setIsTelling(true);
      try {
        const answer = await tellChanges(id, since, provider, asked.signal);
        if (!asked.signal.aborted) setSummary(answer);
      } catch (error) {
        if (!asked.signal.aborted) setFailure(errorSentences(error));
      } finally {
        if (current.current === asked) setIsTelling(false);
      }
    },
    forget: () => {
      setSummary(null);
      setFailure(null);
    },
  }).current;
  useEffect(() => () => current.current?.abort(), []);
  return { summary, failure, isTelling, tell, forget };
}

function Answer({ summary }: { summary: ChangeSummary }) {
  const { since, until, commits, label, tokens, cost, currency, left_out } = summary;
  const sum = tokens.input + tokens.output;
  const about = [
    label,
    commits > 0 ? `${counted(commits, 'change')}, revisions ${since + 1} to ${until}` : '',
    sum > 0 ? `${sum.toLocaleString('en')} tokens` : '',
    sum > 0 && cost !== null && currency !== null ? priceWords(cost, currency) : '',
  ];
  return (
    <>
      {summary.text.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one answer stay as they are
        <p key={at}>{line}</p>
      ))}
      {left_out > 0 && summary.model !== '' && (
        <p className="field-hint">The oldest {counted(left_out, 'change')} were too many to be told.</p>
      )}
      <p className="field-hint">{about.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function failedWords({ label, error }: ChangeSummary): string {
  if (!error) return '';
  const { sentence } = codeWords(error.code);
  return `${label}: ${sentence} ${sentence === error.detail ? '' : error.detail}`.trim();
}
