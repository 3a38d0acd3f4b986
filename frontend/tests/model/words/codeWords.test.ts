/** The table of codes in words is generated from docs/operations.md; an unknown code has words, too. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codesOf } from '../../../scripts/codes.mjs';
import { codeWords } from '../../../src/model/words/codeWords';
import { CODE_WORDS, NEXT_STEPS } from '../../../src/protocol/codes';

const page = readFileSync('../docs/operations.md', 'utf8');

describe('codes in words', () => {
  it('are those of the documentation, in the same order: `make schema` was run after its last change', () => {
    const { steps, codes } = codesOf(page);
    expect(Object.entries(CODE_WORDS)).toEqual(Object.entries(codes));
    expect(Object.entries(NEXT_STEPS)).toEqual(Object.entries(steps));
    expect(Object.keys(CODE_WORDS).length).toBeGreaterThan(100);
  });

  it('are not written where a row cannot be read', () => {
    const pageWith = (row: string) =>
      `\n## In words\n| retry | Try again |\n| \`busy\` | Wait. | retry |\n${row}\n### At the command line\n`;
    expect(codesOf(pageWith('')).codes).toHaveProperty('busy');
    expect(() => codesOf(pageWith('| `gone` | It is gone. | nothing |'))).toThrow('nothing');
    expect(() => codesOf(pageWith('| gone | It is gone. | retry |'))).toThrow('gone');
    expect(() => codesOf(pageWith('| `gone` | a | b | c |'))).toThrow('neither');
    expect(() => codesOf('')).toThrow('neither');
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
