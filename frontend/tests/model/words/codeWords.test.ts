/** The table of codes in words is that of docs/operations.md, both ways; an unknown code has words, too. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODE_WORDS, codeWords, NEXT_STEPS } from '../../../src/model/words/codeWords';

const page = readFileSync('../docs/operations.md', 'utf8');
const part = page.split('\n## In words\n')[1]?.split('\n## ')[0] ?? '';
const rows = [...part.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
const buttons = [...part.matchAll(/^\| ([a-z]+) \| ([^|]+) \|$/gm)];

describe('codes in words', () => {
  it('are those of the documentation, in the same order', () => {
    const documented = rows.map(([, code, sentence, steps]) => [code, sentence, steps?.split(', ')]);
    const known = Object.entries(CODE_WORDS).map(([code, words]) => [code, words.sentence, [...words.steps]]);
    expect(known).toEqual(documented);
    expect(known.length).toBeGreaterThan(100);
  });

  it('offer next steps whose words are those of the documentation', () => {
    expect(Object.entries(NEXT_STEPS)).toEqual(buttons.map(([, step, words]) => [step, words]));
  });

  it('are whole sentences, each with something to do', () => {
    for (const [code, { sentence, steps }] of Object.entries(CODE_WORDS)) {
      expect(sentence, code).toMatch(/^[A-Z].*\.$/);
      expect(sentence, code).not.toMatch(/[`_{}]/);
      expect(steps.length, code).toBeGreaterThan(0);
      expect(new Set(steps).size, code).toBe(steps.length);
    }
  });

  it('has words for what it does not know, and for what a proxy answers', () => {
    expect(codeWords('of_a_newer_server')).toEqual(codeWords('constructor'));
    expect(codeWords('of_a_newer_server').steps).toContain('copy');
    expect(codeWords('http_502')).toBe(CODE_WORDS.http_error);
  });
});
