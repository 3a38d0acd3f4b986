import { markdownLanguage } from '@codemirror/lang-markdown';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../src/model/core/textDiff';
import { withoutCode } from '../src/model/text/codeSpans';
import { boundedStretches, compareTexts, foldSame } from '../src/model/text/compareText';
import { examine, guessFormat, unreadOf } from '../src/model/text/importFormats';
import { nodeLinksIn } from '../src/model/text/links';
import { headingsOf, markdownToHtml } from '../src/model/text/markdown';
import { describeMermaid, mermaidReason, withoutHandlers } from '../src/model/text/mermaidSource';
import { nameFinder } from '../src/model/text/nodeNames';
import { RenderedDocument } from '../src/model/text/renderedDocument';
import { tasksOf } from '../src/model/text/tasks';
import { rankByWords } from '../src/model/words/search';
import { wordChanges } from '../src/sync/text/merge';
import { mathsSyntax } from '../src/view/document/editor/language';
import { boundedMarkdown } from '../src/view/document/editor/parserBounds';
import { excessOf } from './growth';
import { HOSTILE } from './hostileTexts';

const parser = (
  markdownLanguage.parser as unknown as {
    configure(spec: unknown): { parse(text: string): { length: number } };
  }
).configure([boundedMarkdown, mathsSyntax]);
const names = nameFinder(Array.from({ length: 500 }, (_, at) => ({ id: `n${at}`, label: `aaa ${at}` })));

/** What the page does with the text of a document or of a model, as a whole. */
const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  'the outline': headingsOf,
  'a part as prose': (text) => new RenderedDocument().partAt(text, 0),
  'a part as prose after a key': (text) => {
    const rendered = new RenderedDocument();
    rendered.partAt(text, 0);
    rendered.partAt(`${text.slice(0, -5)}x${text.slice(-5)}`, 0);
  },
  'the whole as prose': markdownToHtml,
  tasks: tasksOf,
  'links to nodes': (text) => nodeLinksIn(`${text} #node/a`),
  code: withoutCode,
  'a comparison': (text) => boundedStretches(foldSame(compareTexts(text, `${text.slice(5)}x`).lines)),
  'a comparison with its reverse': (text) => compareTexts(text, text.split('\n').reverse().join('\n')),
  'changes to another text': (text) => changesBetween(text, text.split('\n').reverse().join('\n')),
  'changes by words': (text) => wordChanges(text, text.split(' ').reverse().join(' ')),
  'highlighting in the editor': (text) => parser.parse(text),
  'names in an answer': (text) => names?.(text),
  'words for a Mermaid diagram': describeMermaid,
  'handlers in a Mermaid diagram': withoutHandlers,
  'the reason of an error': mermaidReason,
  'what an import is': (text) => [guessFormat('', text), examine('markdown', text), unreadOf(text)],
  'a search': (text) => rankByWords([{ title: text.slice(0, 200), words: text }], 'ab c'),
};

describe.each(Object.keys(WORK))('%s', (what) => {
  it('takes time in proportion to the text, whatever it says', () => {
    const work = WORK[what] as (text: string) => unknown;
    const bad = Object.entries(HOSTILE).flatMap(([name, grown]) => {
      const excess = excessOf((size) => {
        const text = grown(size);
        return () => work(text);
      });
      return excess === null ? [] : [`${name}: ${excess}`];
    });
    expect(bad).toEqual([]);
  });
});
