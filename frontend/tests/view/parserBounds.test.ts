import { markdownLanguage } from '@codemirror/lang-markdown';
import { describe, expect, it } from 'vitest';
import { boundedMarkdown, isTooMuch, MAX_DEPTH } from '../../src/view/document/editor/parserBounds';

interface Node {
  name: string;
  from: number;
  to: number;
}

const parser = (
  markdownLanguage.parser as unknown as {
    configure(spec: unknown): {
      parse(text: string): { iterate(spec: { enter(node: Node): void; leave?(): void }): void };
    };
  }
).configure(boundedMarkdown);

function nodesIn(text: string): { names: Set<string>; depth: number } {
  const names = new Set<string>();
  let [depth, deepest] = [0, 0];
  parser.parse(text).iterate({
    enter({ name }) {
      names.add(name);
      depth += 1;
      deepest = Math.max(deepest, depth);
    },
    leave() {
      depth -= 1;
    },
  });
  return { names, depth: deepest };
}

describe('highlighting in the editor', () => {
  it('is what it was for texts of usual size', () => {
    const text = '# *Plan*\n\n> **a** `b` [c](d)\n\n- x\n\n[e]: f\n';
    const plain = markdownLanguage.parser.parse(text).toString();
    expect(String(parser.parse(text))).toBe(plain);
  });

  it('leaves out what is inside of a paragraph that is too long, or holds too many marks', () => {
    for (const text of ['*a* '.repeat(600), `${'word '.repeat(3_000)}*a*`]) {
      expect(isTooMuch(text)).toBe(true);
      expect(nodesIn(`# *b*\n\n${text}`).names).toContain('Emphasis');
      expect(nodesIn(text).names).not.toContain('Emphasis');
    }
    expect(nodesIn('*a* '.repeat(200)).names).toContain('Emphasis');
  });

  it('does not follow nesting without end', () => {
    for (const text of ['>'.repeat(5_000), `${'- '.repeat(5_000)}a\nb`])
      expect(nodesIn(text).depth).toBeLessThan(2 * MAX_DEPTH + 10);
  });
});
