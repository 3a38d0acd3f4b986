// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { watchKeys } from '../../src/view/ui/pressed';

/** As Safari tells the key that ends a composition, as others tell it, and as Chromium tells keys within one. */
const OF_COMPOSITIONS = [
  { key: 'Enter', keyCode: 229 },
  { key: 'Escape', isComposing: true },
  { key: 'Process', keyCode: 229 },
];

const heard: string[] = [];

beforeAll(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  watchKeys(window);
  for (const capture of [true, false])
    window.addEventListener('keydown', () => heard.push(`window ${capture}`), { capture });
  const root = document.body.appendChild(document.createElement('div'));
  const field = <input onKeyDown={() => heard.push('field')} />;
  await act(() => createRoot(root).render(field));
  const content = document.body.appendChild(document.createElement('div'));
  content.className = 'cm-content';
  content.addEventListener('keydown', () => heard.push('text editor'));
});

function pressed(where: string, init: KeyboardEventInit): string[] {
  heard.length = 0;
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  document.querySelector(where)?.dispatchEvent(event);
  return heard.slice();
}

describe('keys of a composition', () => {
  it.each(OF_COMPOSITIONS)('reach no handler of the page: $key', (init) => {
    expect(pressed('input', init)).toEqual([]);
  });

  it.each(OF_COMPOSITIONS)('reach the text editor, which handles compositions itself: $key', (init) => {
    expect(pressed('.cm-content', init)).toEqual(['window true', 'text editor', 'window false']);
  });

  it('are not those that come after it', () => {
    expect(pressed('input', { key: 'Enter', keyCode: 13 })).toEqual(['window true', 'field', 'window false']);
  });
});
