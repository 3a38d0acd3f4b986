// @vitest-environment jsdom
/** How a model is connected by its key, in the panel of the assistant and in the settings. What the server answers is tested in `tests/integration`. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AssistantState, ModelProvider, ProviderName } from '../../src/protocol/types';
import { AssistantPanel } from '../../src/view/assistant/AssistantPanel';
import { ConnectModelDialog } from '../../src/view/assistant/ConnectModelDialog';
import { useEditorContext, useUiState } from '../../src/view/context/EditorContext';
import { WorkspaceSettings } from '../../src/view/settings/WorkspaceSettings';
import { ADA, content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import {
  allowDialogs,
  eventually,
  every,
  field,
  fill,
  found,
  holdMessages,
  key,
  press,
  says,
} from './operate';

const RIGHT = 'sk-right';
const WRONG = 'sk-wrong';
const REFUSED = 'The provider does not accept this key, so it was not kept.';
const LIMITS = { turns: 12, seconds: 300, run_tokens: 0, day_tokens: 0, used_today: 0 };
const NO_KEY = { source: 'none', may_enter: true } as const;
const CHECK = { ok: true, code: '', detail: 'Claude answers.', at: '2026-01-01T10:00:00Z' };

const provider = (name: ProviderName, label: string, model: string, sends_to: string): ModelProvider => ({
  ...({ ask_model: '', lacks: 'It has no key.', is_ready: false, check: null } as unknown as ModelProvider),
  ...{ name, label, model, sends_to, key: NO_KEY },
});

/** As much of the server as connecting a model talks to: it takes one key. */
class Providers {
  state = {
    ...{ provider: 'builtin', label: 'Built-in commands (no AI model)', model: '', workflows: [] },
    ...{ key: NO_KEY, sends: { where: '', what: [] }, limits: LIMITS, edit_mode: 'tools', debug: null },
    ...{ check: null, server: null, choices: ['anthropic', 'openai', 'builtin'], prices: [], price: null },
    providers: [
      provider('anthropic', 'Anthropic', 'claude-1', 'api.anthropic.com'),
      provider('openai', 'OpenAI', 'gpt-1', 'api.openai.com'),
      { ...provider('azure', 'Azure OpenAI', '', ''), key: { source: 'none', may_enter: false } },
    ],
  } as unknown as AssistantState;
  readonly sent: unknown[] = [];

  /** Stands in for `fetch`. */
  readonly answer = async (address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(String(address), 'http://localhost');
    const call = `${init.method} ${pathname.replace('/api/v1', '')}`;
    const body = { ...Object.fromEntries(searchParams), ...JSON.parse(String(init.body ?? '{}')) };
    if (/^(PUT|POST|DELETE)/.test(call)) this.sent.push([call, body]);
    const [status, said] = this.said(call, body);
    return new Response(JSON.stringify(said), { status });
  };

  private said(call: string, body: { api_key?: string; provider?: string }): [number, unknown] {
    const { state } = this;
    if (call === 'GET /usage')
      return [404, { status: 404, code: 'not_found', title: '', detail: '', problems: [] }];
    if (call === 'GET /me') return [200, { ...ADA, mode: 'local' }];
    if (call === 'GET /workspaces/w/assistant')
      return [200, { enabled: true, edit_mode: null, provider: null, answers: null }];
    if (call === 'PUT /assistant/key' && body.api_key !== RIGHT)
      return [422, { status: 422, code: 'key_refused', title: '', detail: 'It answers 401.', problems: [] }];
    const name = body.provider as ProviderName;
    const set = (change: Partial<ModelProvider>) =>
      state.providers.map((one) => (one.name === name ? { ...one, ...change } : one));
    if (call === 'PUT /assistant/key')
      this.state = {
        ...state,
        ...{ provider: name, label: 'Claude', model: 'claude-1', key: { source: 'page', may_enter: true } },
        sends: { where: 'api.anthropic.com', what: ['The request.'] },
        providers: set({ key: { source: 'page', may_enter: true }, lacks: '', is_ready: true }),
      } as AssistantState;
    if (call === 'POST /assistant/check')
      this.state = { ...state, providers: set({ check: CHECK as unknown as ModelProvider['check'] }) };
    if (call === 'DELETE /assistant/key') this.state = new Providers().state;
    if (call.endsWith(' /assistant') || /assistant\/(key|check)$/.test(call)) return [200, this.state];
    return [200, { items: [], next_cursor: null }];
  }
}

let open: OpenWorkspace;
let server: Providers;

function Page() {
  const { ui } = useEditorContext();
  const kind = useUiState(({ dialog }) => dialog?.kind);
  const close = () => ui.set({ dialog: null });
  return (
    <>
      <AssistantPanel />
      {kind === 'connect-model' && <ConnectModelDialog onClose={close} />}
      {kind === 'settings' && <WorkspaceSettings onClose={close} />}
    </>
  );
}

beforeEach(async () => {
  holdMessages();
  localStorage.clear();
  sessionStorage.clear();
  allowDialogs();
  server = new Providers();
  vi.stubGlobal('fetch', server.answer);
  open = await OpenWorkspace.with(welcome(), state(1, content()));
  document.body.append(open.page);
  await open.draw(<Page />);
});

afterEach(async () => {
  open.page.remove();
  await open.close();
  vi.useRealTimers();
});

/** The page with what its fields hold, in which no key may stand. */
const wholePage = () =>
  document.documentElement.outerHTML +
  every<HTMLInputElement>('input, textarea')
    .map((one) => one.value)
    .join();
const alert = () => document.querySelector('dialog [role="alert"]')?.textContent;
const choices = (select: HTMLSelectElement) => [...select.options].map(({ text }) => text);

describe('a model', () => {
  beforeEach(async () => {
    await says('Built-in commands (no AI model) · nothing leaves this machine', '.who-answers');
    await press(' Connect a model');
    await says('Connect a model', 'dialog h2');
  });

  it('is not connected without a key, nor with one that its provider does not take, which is said', async () => {
    const input = await field('API key');
    expect(document.activeElement).toBe(input);
    expect(input.type).toBe('password');
    await press('Connect');
    await says('Enter a key.', 'dialog');
    expect(server.sent).toEqual([]);
    await fill('API key', WRONG);
    await press('Connect');
    await eventually(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
    await says(`${REFUSED} It answers 401.`, 'dialog');
    const said = document.getElementById(input.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '');
    expect(said?.textContent).toContain(REFUSED);
    expect(server.sent).toEqual([['PUT /assistant/key', { api_key: WRONG, provider: 'anthropic' }]]);
    expect((await field<HTMLSelectElement>('Provider')).value).toBe('anthropic');
    expect(document.querySelector('.who-answers')?.textContent).toContain('Built-in commands');
    // It can be corrected at once.
    await fill('API key', `${WRONG}2`);
    expect(input.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('is that of the provider that is chosen: no other is sent the key that was written', async () => {
    await fill('API key', WRONG);
    const chosen = await field<HTMLSelectElement>('Provider');
    expect(choices(chosen)).toEqual(['Anthropic', 'OpenAI']);
    await says('claude-1 · Sends to api.anthropic.com.', 'dialog');
    await fill('Provider', 'openai');
    await says('gpt-1 · Sends to api.openai.com.', 'dialog');
    const input = await field('API key');
    expect([input.value, input.placeholder]).toEqual(['', 'Key of OpenAI']);
    await press('Connect');
    await says('Enter a key.', 'dialog');
    expect(server.sent).toEqual([]);
  });

  it('answers once its key is taken, which is said; the key is nowhere in the page', async () => {
    await fill('API key', RIGHT);
    expect(wholePage()).toContain(RIGHT);
    const input = await field('API key');
    await act(async () => input.form?.requestSubmit());
    await eventually(() => expect(every('dialog')).toEqual([]));
    await says('Claude answers nowWhat you ask goes to api.anthropic.com.', '.toasts');
    await says('Claude', '.who-answers h3');
    await says('Sends to api.anthropic.com', '.who-answers');
    expect(every('.who-answers button').map((one) => one.textContent)).not.toContain(' Connect a model');
    expect(open.context.ui.get().panel).toBe('assistant');
    await eventually(() => expect(document.activeElement?.closest('.assistant-panel')).not.toBeNull());
    expect(server.sent).toEqual([['PUT /assistant/key', { api_key: RIGHT, provider: 'anthropic' }]]);
    expect(wholePage()).not.toContain(RIGHT);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(RIGHT);
  });
});

describe('the providers in the settings', () => {
  const of = (label: string) =>
    every('dialog [role="group"]').find((one) => one.getAttribute('aria-label') === label) as HTMLElement;
  const buttons = (label: string) => [...of(label).querySelectorAll('button')].map((one) => one.textContent);
  const pressAt = async (label: string, name: string) => {
    await eventually(() => expect(buttons(label)).toContain(name));
    const button = [...of(label).querySelectorAll('button')].find((one) => one.textContent === name);
    await act(async () => button?.click());
  };
  const enter = async (text: string) => {
    await fill('Key of Anthropic', text);
    await pressAt('Anthropic', 'Keep the key');
  };

  it('say what each lacks, take its key, try it, and forget it', async () => {
    await act(async () => open.context.ui.set({ dialog: { kind: 'settings' } }));
    await found('dialog summary', 'Providers of models');
    expect(buttons('Azure OpenAI')).toEqual([]);
    expect(of('Azure OpenAI').textContent).toContain('It has no key.');
    expect(of('Azure OpenAI').querySelector('input')).toBeNull();
    expect(buttons('Anthropic')).toEqual(['Keep the key']);
    await enter(WRONG);
    await eventually(() => expect(alert()).toBe(`${REFUSED} It answers 401.`));
    expect(of('Anthropic').textContent).not.toContain('answers here');
    expect(await field('Key of Anthropic')).toMatchObject({ value: WRONG, type: 'password' });
    await enter(RIGHT);
    await eventually(() => expect(of('Anthropic').textContent).toContain('Anthropic · answers here'));
    expect(alert()).toBeUndefined();
    expect((await field('Key of Anthropic')).value).toBe('');
    expect(wholePage()).not.toContain(RIGHT);
    await pressAt('Anthropic', 'Try the connection');
    await eventually(() =>
      expect(of('Anthropic').querySelector('[role="status"]')?.textContent).toBe('Claude answers.'),
    );
    await pressAt('Anthropic', 'Forget the key');
    await eventually(() => expect(of('Anthropic').textContent).not.toContain('answers here'));
    expect(buttons('Anthropic')).toEqual(['Keep the key']);
    expect(server.sent).toEqual([
      ['PUT /assistant/key', { api_key: WRONG, provider: 'anthropic' }],
      ['PUT /assistant/key', { api_key: RIGHT, provider: 'anthropic' }],
      ['POST /assistant/check', { provider: 'anthropic' }],
      ['DELETE /assistant/key', { provider: 'anthropic' }],
    ]);
    await key('Escape');
  });
});
