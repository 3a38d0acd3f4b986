/** What the settings say of the assistant: how models edit here, and that requests are recorded. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AssistantState } from '../../src/protocol/types';
import { type AssistantControls, AssistantSettings } from '../../src/view/settings/AssistantSettings';

const LIMITS = { turns: 12, seconds: 300, run_tokens: 0, day_tokens: 0, used_today: 0 };
const model = (more: Partial<AssistantState> = {}): AssistantState =>
  ({
    provider: 'anthropic',
    label: 'A model',
    key: { source: 'page', may_enter: true },
    sends: { where: 'example.org', what: [] },
    limits: LIMITS,
    edit_mode: 'regenerate',
    debug: null,
    ...more,
  }) as unknown as AssistantState;

function shown(controls: Partial<AssistantControls>): string {
  const nothing = () => Promise.resolve();
  const all = { assistant: model(), mode: 'auto', onMode: nothing, onForget: nothing, ...controls } as const;
  const client = new QueryClient();
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(AssistantSettings, all)),
  );
}

describe('how models edit', () => {
  it('is chosen in a workspace, and says what the server is set to where nothing is chosen', () => {
    const page = shown({ editMode: null, onEditMode: () => Promise.resolve() });
    expect(page).toMatch(/checked="" value="server"|value="server" checked=""/);
    expect(page).toContain('writes the whole diagram or document each time');
    expect(page).toContain('The server is set so.');
    expect(shown({ editMode: 'tools', onEditMode: () => Promise.resolve() })).toContain('step by step');
  });

  it('is not offered where it would have no effect: without a workspace, without the right, without a model', () => {
    expect(shown({})).not.toContain('How models edit');
    expect(shown({ editMode: null })).not.toContain('How models edit');
    const commands = model({ provider: 'builtin' });
    expect(shown({ assistant: commands, editMode: null, onEditMode: () => Promise.resolve() })).not.toContain(
      'How models edit',
    );
  });
});

describe('debug records', () => {
  it('are said to everybody while the operator has them written, and until when', () => {
    const page = shown({ assistant: model({ debug: { until: '2026-05-04T18:00:00Z' } }) });
    expect(page).toMatch(/Requests are being recorded until May 4, 2026/);
    expect(shown({})).not.toContain('recorded');
  });
});
