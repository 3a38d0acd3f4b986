/** Whose key can be entered, and what is said once it was. */
import { describe, expect, it } from 'vitest';
import {
  connectedWords,
  enterable,
  keyPlaceWords,
  meantProvider,
} from '../../../src/model/assistant/connecting';
import { canConnect } from '../../../src/model/assistant/provider';
import type { AssistantState, ModelProvider } from '../../../src/protocol/types';

const one = (name: string, may_enter = true) =>
  ({ name, label: name.toUpperCase(), key: { source: 'none', may_enter } }) as ModelProvider;
const state = (more: Partial<AssistantState>) =>
  ({ key: { source: 'none' }, sends: { where: 'example.org' }, label: 'A model', ...more }) as AssistantState;

describe('the provider whose key is entered', () => {
  it('is who answers, else the first that takes a key in the page', () => {
    const providers = [one('anthropic', false), one('openai'), one('google')];
    expect(enterable(state({ providers })).map(({ name }) => name)).toEqual(['openai', 'google']);
    expect(meantProvider(state({ providers, provider: 'google' }))?.name).toBe('google');
    expect(meantProvider(state({ providers, provider: 'anthropic' }))?.name).toBe('openai');
    expect(meantProvider(state({ providers, provider: 'builtin' }))?.name).toBe('openai');
    expect(meantProvider(state({ providers: [one('vertex', false)], provider: 'builtin' }))).toBeUndefined();
  });

  it('is none of a server of one’s own, whose address is entered as well', () => {
    const providers = [one('anthropic', false), one('own')];
    expect(enterable(state({ providers }))).toEqual([]);
    expect(meantProvider(state({ providers, provider: 'own' }))).toBeUndefined();
  });

  it('is said to answer only where it does', () => {
    const openai = one('openai');
    const now = connectedWords(state({ provider: 'openai' }), openai);
    expect(now).toEqual({
      text: 'A model answers now',
      detail: 'What you ask goes to example.org.',
      answers: true,
    });
    const kept = connectedWords(state({ provider: 'anthropic' }), openai);
    expect(kept.answers).toBe(false);
    expect(`${kept.text}. ${kept.detail}`).toBe(
      'The key of OPENAI works and is kept. Here A model answers, as before.',
    );
  });

  it('is named where its key is set elsewhere', () => {
    const providers = [one('openai', false)];
    const key = { source: 'environment', may_enter: false } as const;
    expect(keyPlaceWords(state({ providers, provider: 'openai', key }))).toContain(
      'The key of OPENAI is set',
    );
    expect(keyPlaceWords(state({ providers, provider: 'builtin' }))).toContain('whoever runs it');
  });
});

it('connects a model where a key or an address can be entered, and nowhere while the assistant is off', () => {
  const key = (may_enter: boolean) => ({ source: 'none', may_enter }) as const;
  const server = (lacks: string) => ({ lacks, address: null, model: null, trials: {} });
  const may = (more: Partial<AssistantState>) => canConnect(state({ provider: 'builtin', ...more }));
  expect(may({ key: key(true), server: null })).toBe(true);
  expect(may({ key: key(false), server: server('') })).toBe(true);
  expect(may({ key: key(false), server: server('MODEL_HOSTS') })).toBe(false);
  expect(may({ key: key(false), server: null })).toBe(false);
  expect(may({ key: key(true), server: server(''), provider: 'off' })).toBe(false);
});
