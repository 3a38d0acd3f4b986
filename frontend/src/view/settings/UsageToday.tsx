/** What models have done today and what that used, with the limit; loud where too much of it went wrong. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { dayNumbers, dayWarning } from '../../model/assistant/dayNumbers';
import { counted } from '../../model/words/kinds';
import { readUsage } from '../../protocol/assistant';
import type { AssistantState } from '../../protocol/types';

const number = new Intl.NumberFormat('en');

export function UsageToday({ limits }: { limits: AssistantState['limits'] }) {
  const id = useId();
  const usage = useQuery({ queryKey: ['usage'], queryFn: ({ signal }) => readUsage(1, signal) }).data;
  const used = usage?.limit.used_today ?? limits.used_today;
  const most = limits.day_tokens;
  const calls = usage?.total.calls ?? 0;
  const perRun = limits.run_tokens > 0 ? ` and ${number.format(limits.run_tokens)} tokens` : '';
  const warning = dayWarning(usage?.quality?.today);
  return (
    <div className="setting">
      <p id={id} className="setting-name">
        Used today, by everybody on this server
      </p>
      {warning.length > 0 && (
        <div className="banner setting-warning" role="alert">
          {warning.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <p className="setting-value">
        {number.format(used)} {most > 0 ? `of ${number.format(most)} tokens` : 'tokens'}
        {calls > 0 && ` in ${counted(calls, 'answer')}`}
      </p>
      {most > 0 && <progress aria-labelledby={id} max={most} value={Math.min(used, most)} />}
      {usage && (
        <dl className="setting-numbers" aria-labelledby={id}>
          {dayNumbers(usage).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="field-hint">
        One request takes at most {limits.turns} answers, {limits.seconds} seconds{perRun}. The day is that of
        UTC.
      </p>
    </div>
  );
}
