/** The plugins of this server, for its administrators: how each is, where its calls go, what is not offered and why. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { counted } from '../../model/words/kinds';
import { listPlugins } from '../../protocol/assistant';
import type { Plugin } from '../../protocol/types';
import { ago } from '../ui/time';

const LOOK_AGAIN_MS = 5_000;
const STATES: Readonly<Record<Plugin['status'], string>> = {
  starting: 'not asked yet',
  ready: 'ready',
  away: 'away',
};

export function PluginList() {
  const id = useId();
  const plugins = useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => listPlugins(signal),
    refetchInterval: ({ state }) => (state.data?.length === 0 ? false : LOOK_AGAIN_MS),
  }).data;
  if (!plugins || plugins.length === 0) return null;
  return (
    <div className="setting" role="group" aria-labelledby={id}>
      <p id={id} className="setting-name">
        Plugins of this server
      </p>
      <ul className="setting-plugins">
        {plugins.map((plugin) => (
          <Row key={plugin.name} of={plugin} />
        ))}
      </ul>
    </div>
  );
}

function Row({ of }: { of: Plugin }) {
  const { name, status, since, detail, describes, sends_to, tools, refused } = of;
  const writing = tools.filter(({ writes }) => writes).length;
  const facts = [
    describes,
    `calls go to ${sends_to}`,
    counted(tools.length, 'tool'),
    writing > 0 && `${writing} after a yes`,
  ].filter(Boolean);
  return (
    <li data-plugin={name} data-status={status}>
      <p className="setting-value">
        {name}: {STATES[status]}
        {status === 'away' && since && ` since ${ago(since)}`}
      </p>
      {detail && (
        <p className="banner setting-warning" role="status">
          {detail}
        </p>
      )}
      <p className="field-hint">{facts.join(' · ')}</p>
      {refused.length > 0 && (
        <details className="setting-more">
          <summary>{counted(refused.length, 'tool')} not offered</summary>
          <ul>
            {refused.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
