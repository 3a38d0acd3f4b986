/** The tray, changes that did not fit: what, why and when, with actions. Items stay until one is chosen. */
import { CircleCheck, Copy, Inbox, RotateCw, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { TrayItem } from '../../sync/session/tray';
import { contentOf, type Result, resultOf } from '../../sync/words/tray';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';

type TrayResult = Result & { id: string };

export function TrayDialog({ onClose }: { onClose: () => void }) {
  const { client, access } = useEditorContext();
  const tray = useLive((live) => live.tray);
  const isLive = useLive((live) => live.status.connection === 'live');
  const [message, setMessage] = useState<readonly TrayResult[]>([]);
  const [waiting, setWaiting] = useState(0);
  const apply = async ({ id, what }: TrayItem) => {
    setWaiting((count) => count + 1);
    const result = resultOf(what, await client.applyAgain(id));
    setWaiting((count) => count - 1);
    setMessage((before) => [...before.filter((one) => one.id !== id), { ...result, id }]);
  };
  return (
    <Dialog title="Changes that did not fit" onClose={onClose} className="tray">
      <div className="tray-body">
        <p className="tray-intro">
          {tray.length === 0
            ? 'There are none. What others change while you are away, or at the same moment, may leave a change of yours without a place; it would wait here.'
            : 'Others had changed the same thing, or it was gone. Nothing of these is lost: each waits here until you say what becomes of it.'}
        </p>
        <Results message={message} waiting={waiting} isLive={isLive} />
        {tray.length === 0 && message.length === 0 && (
          <div className="tray-empty" aria-hidden="true">
            <Inbox size={28} strokeWidth={1.5} />
          </div>
        )}
        <ul className="tray-items" aria-label="Changes">
          {tray.map((item) => (
            <TrayRow key={item.id} item={item} onApply={() => void apply(item)} />
          ))}
        </ul>
        {!access.isWritable && tray.length > 0 && (
          <p className="tray-reason">They cannot be applied now. {access.reason}</p>
        )}
      </div>
      <footer className="dialog-foot tray-foot">
        {tray.length > 1 && (
          <button
            type="button"
            className="button"
            disabled={!access.isWritable}
            onClick={() => tray.forEach((item) => void apply(item))}
          >
            Apply all again
          </button>
        )}
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </Dialog>
  );
}

/** The results of items that were applied again in this dialog. */
function Results({
  message,
  waiting,
  isLive,
}: {
  message: readonly TrayResult[];
  waiting: number;
  isLive: boolean;
}) {
  return (
    <div className="tray-results" role="status">
      {message.map(({ id, isGood, words }) => (
        <p key={id} className={isGood ? 'good' : 'bad'}>
          {isGood ? (
            <CircleCheck size={15} strokeWidth={2} aria-hidden="true" />
          ) : (
            <TriangleAlert size={15} strokeWidth={2} aria-hidden="true" />
          )}
          <span>{words}</span>
        </p>
      ))}
      {waiting > 0 && (
        <p>
          {isLive
            ? 'Asking the server…'
            : 'Offline: it is applied when the server answers, and kept until then.'}
        </p>
      )}
    </div>
  );
}

function TrayRow({ item, onApply }: { item: TrayItem; onApply: () => void }) {
  const { client, access } = useEditorContext();
  const toasts = useToasts();
  const { id, what, why, at } = item;
  const when = new Date(at).toISOString();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(contentOf(item));
      toasts.show({ text: 'Copied' });
    } catch {
      toasts.show({
        text: 'The browser does not let this page copy',
        detail: 'Open “What it holds”, mark it and copy it by hand.',
        tone: 'bad',
      });
    }
  };
  return (
    <li className="tray-item" data-code={item.code}>
      <p className="tray-what">{what}</p>
      <p className="tray-why">{why}</p>
      <time dateTime={when} title={exactly(when)}>
        {ago(when)}
      </time>
      <details>
        <summary>What it holds</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll and holds nothing else to stop at */}
        <pre tabIndex={0}>{contentOf(item)}</pre>
      </details>
      <div className="tray-actions">
        <button
          type="button"
          className="button small"
          disabled={!access.isWritable}
          aria-label={`Apply again: ${what}`}
          onClick={onApply}
        >
          <RotateCw size={14} aria-hidden="true" />
          Apply again
        </button>
        <button
          type="button"
          className="button small"
          aria-label={`Copy: ${what}`}
          onClick={() => void copy()}
        >
          <Copy size={14} aria-hidden="true" />
          Copy
        </button>
        <button
          type="button"
          className="button small"
          aria-label={`Discard: ${what}`}
          onClick={() => client.discard(id)}
        >
          <Trash2 size={14} aria-hidden="true" />
          Discard
        </button>
      </div>
    </li>
  );
}
