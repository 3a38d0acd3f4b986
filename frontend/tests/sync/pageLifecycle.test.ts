// @vitest-environment jsdom
/** What a browser tells a page: that it is back, may be gone in a moment, or has no network. */
import { expect, it } from 'vitest';
import { PageLifecycle } from '../../src/sync/client/pageLifecycle';

it('are told apart, and only while somebody listens', () => {
  const heard: string[] = [];
  const signs = new PageLifecycle({
    onResume: () => heard.push('back'),
    onLeave: () => heard.push('leaving'),
    onOffline: () => heard.push('offline'),
  });
  const turn = (state: string) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  signs.listen();
  for (const name of ['online', 'focus', 'pageshow', 'pagehide', 'offline'])
    window.dispatchEvent(new Event(name));
  turn('hidden');
  turn('visible');
  expect(heard).toEqual(['back', 'back', 'back', 'leaving', 'offline', 'leaving', 'back']);
  signs.stop();
  window.dispatchEvent(new Event('online'));
  turn('hidden');
  expect(heard).toHaveLength(7);
});
