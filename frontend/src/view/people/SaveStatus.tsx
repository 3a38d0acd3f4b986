/** The save status in the bar, with details on demand. */
import { CircleAlert, CircleCheck, CloudOff, LoaderCircle } from 'lucide-react';
import { counted } from '../../model/words/kinds';
import type { Status } from '../../sync/session/liveStatus';
import { statusWords } from '../../sync/words/status';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Popover, PopoverClose } from '../ui/overlay/Popover';

const ICONS: Record<Status['saving'], typeof CircleCheck> = {
  saved: CircleCheck,
  saving: LoaderCircle,
  offline: CloudOff,
  not_saving: CircleAlert,
};

export function SaveStatus() {
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const isKnown = useLive((live) => live.isKnown);
  const words = statusWords({ status, revision, isKnown });
  // On a phone only the icon is shown.
  const gist = words.short.split(' · ')[0] ?? '';
  const isOpening = !isKnown && status.saving === 'saved';
  const Icon = isOpening ? LoaderCircle : ICONS[status.saving];
  return (
    <div
      className="save-status"
      data-testid="status"
      data-condition={status.saving}
      data-connection={status.connection}
      data-pending={status.pending}
      data-revision={revision}
    >
      <Popover
        label="Whether everything is saved"
        align="start"
        className="status-more"
        button={
          <button
            type="button"
            className={`save-status-button ${isOpening ? 'saving' : status.saving}`}
            aria-label={words.short}
            data-tip={words.detail}
          >
            <Icon size={13} strokeWidth={2.2} aria-hidden="true" />
            <span>
              {gist}
              <span className="status-rest">{words.short.slice(gist.length)}</span>
            </span>
          </button>
        }
      >
        <More status={status} revision={revision} words={words} />
      </Popover>
    </div>
  );
}

function More({
  status,
  revision,
  words,
}: {
  status: Status;
  revision: number;
  words: ReturnType<typeof statusWords>;
}) {
  const { client, ui } = useEditorContext();
  const tray = useLive((live) => live.tray.length);
  const isAway = status.connection === 'offline' || status.connection === 'closed';
  return (
    <>
      <h2>{words.short.split(' · ')[0]}</h2>
      <p>{words.detail}</p>
      {words.advice && <p className="status-advice">{words.advice}</p>}
      <dl className="status-facts">
        <div>
          <dt>Newest revision here</dt>
          <dd>{revision === 0 ? '–' : revision}</dd>
        </div>
        <div>
          <dt>Not on the server yet</dt>
          <dd>{counted(status.pending, 'change')}</dd>
        </div>
      </dl>
      {(isAway || tray > 0) && (
        <div className="status-actions">
          {isAway && (
            <button type="button" className="button small" onClick={() => client.retry()}>
              Try now
            </button>
          )}
          {tray > 0 && (
            <PopoverClose>
              <button
                type="button"
                className="button small"
                onClick={() => ui.set({ dialog: { kind: 'tray' } })}
              >
                Look at {counted(tray, 'change')} that did not fit
              </button>
            </PopoverClose>
          )}
        </div>
      )}
    </>
  );
}
