/** The calls of the assistant in order; for runs that were stored without calls, the names of the tools. */
import type { Card, Turn } from '../../../model/assistant/card';
import { counted } from '../../../model/words/kinds';
import { callWords } from '../../../model/words/toolWords';
import type { ToolCall } from '../../../protocol/types';

export function ToolCalls({ turn, card }: { turn: Turn; card: Card }) {
  const { calls, callsLeftOut, tools, state, revision } = card;
  // A built-in command is its one call.
  if (turn.record?.provider === 'builtin' && state !== 'answered') return null;
  if (calls.length > 0) return <Calls calls={calls} leftOut={callsLeftOut} isApplied={revision !== null} />;
  return state === 'answered' && tools.length > 0 ? <Tools names={tools} /> : null;
}

function Calls({
  calls,
  leftOut,
  isApplied,
}: {
  calls: readonly ToolCall[];
  leftOut: number;
  isApplied: boolean;
}) {
  const failed = calls.filter(({ status }) => status !== 'ok').length;
  return (
    <details className="card-fold card-calls">
      <summary>
        What it did{' '}
        <span className="card-fold-count">
          {counted(calls.length + leftOut, 'call')}
          {failed > 0 && `, ${failed} refused`}
        </span>
      </summary>
      <ol>
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an outcome does not change any more
          <li key={index} data-status={call.status}>
            <Call call={call} isApplied={isApplied} />
          </li>
        ))}
      </ol>
      {leftOut > 0 && <p className="card-hint">And {counted(leftOut, 'more call', 'more calls')}.</p>}
    </details>
  );
}

function Call({ call, isApplied }: { call: ToolCall; isApplied: boolean }) {
  const { name, input, result, status, seconds } = call;
  return (
    <details>
      <summary>
        {callWords(call, isApplied)}
        {seconds !== undefined && seconds >= 0.1 && (
          <span className="card-call-seconds">{seconds.toFixed(1)} s</span>
        )}
        {status === 'refused' && <span className="card-call-mark">refused</span>}
      </summary>
      <dl className="card-call">
        <dt>Tool</dt>
        <dd>
          <code>{name}</code>
        </dd>
        <dt>Input</dt>
        <dd>
          <code>{bounded(input) || '–'}</code>
        </dd>
        <dt>Result</dt>
        <dd>
          <code>{bounded(result) || '–'}</code>
        </dd>
      </dl>
    </details>
  );
}

/** As much of an input or a result is shown. */
const MAX_SHOWN = 10_000;

function bounded(text: string): string {
  const rest = text.length - MAX_SHOWN;
  if (rest <= 0) return text;
  return `${text.slice(0, MAX_SHOWN)} … and ${counted(rest, 'more character', 'more characters')}`;
}

function Tools({ names }: { names: readonly string[] }) {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    <details className="card-fold card-tools">
      <summary>How it was found</summary>
      <ul>
        {[...counts].map(([name, count]) => (
          <li key={name}>
            {callWords({ name, status: 'ok' }, false)}
            {count > 1 && ` ${count} times`}
          </li>
        ))}
      </ul>
    </details>
  );
}
