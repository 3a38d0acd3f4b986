/**
 * What runs, compared with what is drawn: read from a cluster by a plugin, chosen row by row, sent as one proposal.
 * Nothing is drawn before somebody accepts that.
 */
import { LoaderCircle } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { namespacesIn } from '../../model/workloads/choosing';
import { ApiError } from '../../protocol/http';
import type { WorkloadComparison } from '../../protocol/types';
import { compareWithWhatRuns } from '../../protocol/workloads';
import { useEditorContext } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { WorkloadRows } from './WorkloadRows';

interface Props {
  plugins: readonly string[];
  isToDraw: boolean;
  onProposed: (proposal: string) => void;
  onClose: () => void;
}

export function WorkloadsDialog({ plugins, isToDraw, onProposed, onClose }: Props) {
  const [plugin, setPlugin] = useState(plugins[0] ?? '');
  const [written, setWritten] = useState('');
  const { reading, read } = useReading();
  const begin = () => read(plugin, namespacesIn(written));
  const first = useRef(begin);
  // Of several plugins one is chosen first.
  const isOneAlone = plugins.length === 1;
  useEffect(() => {
    if (isOneAlone) first.current();
  }, [isOneAlone]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin();
  };
  const isReading = reading.kind === 'reading';
  return (
    <Dialog
      title={isToDraw ? 'Draw what runs' : 'Compare with what runs'}
      size="wide"
      className="workloads"
      onClose={onClose}
    >
      <form className="workloads-form" onSubmit={submit}>
        {plugins.length > 1 && (
          <Field label="Plugin">
            {(wiring) => (
              <Select
                {...wiring}
                value={plugin}
                choices={plugins.map((name) => ({ value: name, text: name }))}
                onChoose={setPlugin}
              />
            )}
          </Field>
        )}
        <Field label="Namespaces">
          {(wiring) => (
            <input
              {...wiring}
              value={written}
              placeholder="All that the plugin may read"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setWritten(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button" disabled={isReading}>
          {reading.kind === 'none' ? 'Read' : 'Read again'}
        </button>
      </form>
      <div role="status" className="workloads-status">
        {isReading && (
          <>
            <LoaderCircle className="running-wheel" size={15} strokeWidth={2.2} aria-hidden="true" />
            Reading what runs by “{plugin}”; this can take some seconds…
          </>
        )}
      </div>
      {reading.kind === 'failed' && <Failure error={reading.error} />}
      {reading.kind === 'read' && (
        <WorkloadRows
          compared={reading.compared}
          isToDraw={isToDraw}
          onAgain={begin}
          onProposed={(proposal) => {
            onClose();
            onProposed(proposal);
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type Reading =
  | { kind: 'none' | 'reading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'read'; compared: WorkloadComparison };

/** Reads for as long as the dialog is open; a new reading ends the one before. */
function useReading() {
  const { id } = useEditorContext();
  const [reading, setReading] = useState<Reading>({ kind: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read = (plugin: string, namespaces: readonly string[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setReading({ kind: 'reading' });
    const show = (next: Reading) => {
      if (!controller.signal.aborted) setReading(next);
    };
    compareWithWhatRuns(id, { plugin, namespaces }, controller.signal).then(
      (compared) => show({ kind: 'read', compared }),
      (error: unknown) => show({ kind: 'failed', error }),
    );
  };
  return { reading, read };
}

function Failure({ error }: { error: unknown }) {
  const advice: Readonly<Record<string, string>> = {
    workloads_unread: 'Look at the plugin: “draftsmith plugin check” says how it is.',
    workloads_unreadable: 'The plugin needs to be corrected or updated.',
    invalid_request: 'Names of namespaces are lower-case letters, digits and hyphens, separated by commas.',
  };
  const code = error instanceof ApiError ? error.code : '';
  return (
    <div className="banner workloads-failure" role="alert">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {advice[code] && <p>{advice[code]}</p>}
    </div>
  );
}
