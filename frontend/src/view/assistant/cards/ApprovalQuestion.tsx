/** Whether a plugin may be called to change something outside of the workspace; without an answer in time it is not. */
import { Check, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { WaitingCall } from '../../../model/assistant/runProgress';
import { useAssistantActions } from '../useAssistant';

export function ApprovalQuestion({ run, call }: { run: string; call: WaitingCall }) {
  const { answer } = useAssistantActions();
  const id = useId();
  const [isSending, setIsSending] = useState(false);
  const seconds = useSecondsUntil(call.until_ms);
  const say = (isAllowed: boolean) => {
    setIsSending(true);
    // Once it is taken the question goes with the next event; after a failure it can be answered again.
    void answer(run, call.id, isAllowed).then(setIsSending);
  };
  return (
    <div className="banner card-approval" role="group" aria-labelledby={id}>
      <p id={id} role="alert">
        May the plugin <strong>{call.plugin}</strong> be called to change something outside of this workspace?
      </p>
      <dl className="card-call">
        <dt>Tool</dt>
        <dd>
          <code>{call.tool}</code>
        </dd>
        <dt>Input</dt>
        <dd>
          <code>{JSON.stringify(call.input, null, 1)}</code>
        </dd>
      </dl>
      <p className="card-hint">
        {seconds > 0 ? `Without an answer within ${seconds} s it is not called.` : 'Too late.'}
      </p>
      <div className="setting-actions">
        <button type="button" className="button small" disabled={isSending} onClick={() => say(false)}>
          <X size={14} strokeWidth={2} aria-hidden="true" /> No
        </button>
        <button type="button" className="button small" disabled={isSending} onClick={() => say(true)}>
          <Check size={14} strokeWidth={2} aria-hidden="true" /> Yes, call it once
        </button>
      </div>
    </div>
  );
}

function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((time - now) / 1000));
}
