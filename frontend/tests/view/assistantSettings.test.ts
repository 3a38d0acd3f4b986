/** What the settings say of the assistant: how models edit here, and that requests are recorded. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/model/assistant/runCost';
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
    providers: [],
    choices: ['anthropic', 'builtin'],
    prices: [],
    price: null,
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

const PROVIDERS: AssistantState['providers'] = (
  [
    ['anthropic', 'Anthropic', 'claude-sonnet-5-5', '', true],
    ['openai', 'OpenAI', 'qwen3', '', true],
    ['google', 'Google', 'gemini-3.8-flash', 'No key for the model provider: set GOOGLE_API_KEY.', false],
  ] as const
).map(([name, label, model, lacks, is_ready]) => ({
  name,
  label,
  model,
  ask_model: model,
  key: { source: name === 'anthropic' ? ('page' as const) : ('none' as const), may_enter: true },
  is_ready,
  lacks,
  is_offered: name !== 'google',
  sends_to: `${name}.test`,
  check: name === 'openai' ? { ok: true, code: '', detail: 'qwen3 answers.', facts: {} } : null,
  capabilities: {} as never,
}));

describe('providers of models', () => {
  const assistant = model({ providers: PROVIDERS, choices: ['anthropic', 'openai', 'builtin'] });

  it('are listed with their models, where each sends, the state of its key and a button that tries it', () => {
    const page = shown({ assistant, onAnswer: () => undefined });
    for (const words of [
      'qwen3',
      'Sends to openai.test.',
      'Its key was entered in the page',
      'qwen3 answers.',
    ])
      expect(page).toContain(words);
    expect(page).toContain('No key for the model provider: set GOOGLE_API_KEY.');
    expect(page.match(/Try the connection/g)).toHaveLength(2);
    expect(page.match(/Keep the key/g)).toHaveLength(3);
    expect(page).toContain('Anthropic · answers here');
  });

  it('can be chosen for a workspace where the operator offers them', () => {
    const onProvider = () => Promise.resolve();
    const page = shown({ assistant, provider: 'openai', onProvider });
    expect(page).toContain('OpenAI answers with qwen3. What is asked goes to openai.test.');
    expect(page).not.toContain('value="google"');
    expect(shown({ assistant: model(), provider: null, onProvider })).not.toContain('Who answers here');
    expect(shown({ assistant, provider: 'google', onProvider })).toContain(
      'does not offer that provider any more',
    );
  });

  it('say what a request cost by the price of the model that answered, if anybody has said one', () => {
    const one = { provider: 'openai' as const, model: 'qwen3', input: 1, output: 2, currency: 'USD' };
    const all = { input: 3, output: 15, currency: 'USD' };
    const run = { provider: 'openai', model: 'qwen3' };
    expect(priceOf({ price: all, prices: [one] }, run)).toBe(one);
    expect(priceOf({ price: all, prices: [one] }, { ...run, model: 'other' })).toBe(all);
    expect(priceOf({ price: null, prices: [one] }, { ...run, model: 'other' })).toBeNull();
  });
});
