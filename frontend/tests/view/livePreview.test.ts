// @vitest-environment jsdom
/** Live preview: what is hidden and what is shown, and that all blocks are known, whatever was changed. */
import { forceParsing, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../../e2e/timeout';
import { tableIn } from '../../src/model/text/syntax/tables';
import { cells } from '../../src/view/document/editor/extensions';
import { documentLanguage } from '../../src/view/document/editor/language';
import { blockBetween } from '../../src/view/document/editor/live/blocks';
import { laterPaints } from '../../src/view/document/editor/live/inline';
import { livePreview } from '../../src/view/document/editor/live/preview';
import { looks, setLook } from '../../src/view/document/editor/looks';
import { nodeLinks } from '../../src/view/document/editor/nodeLinks';
import { sourceShown } from '../../src/view/document/editor/partState';
import { seeds } from '../sync/random';

const views: EditorView[] = [];

afterEach(() => {
  for (const view of views.splice(0)) view.destroy();
  document.body.replaceChildren();
});

interface Opened {
  view: EditorView;
  /** How often the text was changed. */
  changes: () => number;
}

function open(doc: string, isLive = true): Opened {
  let count = 0;
  const view = new EditorView({
    parent: document.body,
    state: EditorState.create({
      doc,
      extensions: [
        documentLanguage(),
        nodeLinks(() => undefined),
        cells(() => undefined),
        looks(isLive ? livePreview() : null),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) count++;
        }),
      ],
    }),
  });
  views.push(view);
  forceParsing(view, doc.length, 10_000);
  return { view, changes: () => count };
}

const lines = (view: EditorView): (string | null)[] =>
  [...view.contentDOM.querySelectorAll('.cm-line')].map((line) => line.textContent);

/** Put the caret somewhere, with the keyboard in the editor. */
async function caretAt(view: EditorView, anchor: number): Promise<void> {
  view.focus();
  await Promise.resolve();
  view.dispatch({ selection: { anchor } });
}

/** All blocks that a widget stands for, by place. */
function blocksIn(state: EditorState): string[] {
  const found: string[] = [];
  for (let at = 0; at <= state.doc.length; ) {
    const block = blockBetween(state, at, state.doc.length);
    if (!block) break;
    found.push(`${block.from}-${block.to}`);
    at = block.to + 1;
  }
  return found;
}

/** The line breaks that are shown as blanks. */
const blanksIn = (state: EditorState): string[] =>
  state.facet(EditorView.decorations).flatMap((decorations) => {
    const found: string[] = [];
    if (typeof decorations !== 'function')
      decorations.between(0, state.doc.length, (from, to, { spec }) => {
        if (!spec.block) found.push(`${from}-${to}`);
      });
    return found;
  });

/** All tables of the syntax tree. */
function tablesOf(state: EditorState): string[] {
  const found: string[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    if (node.name === 'Table' && tableIn(state.sliceDoc(from, to))) found.push(`${from}-${to}`);
  }
  return found;
}

const TABLE = '| a | b |\n| --- | --- |\n| c | d |';

describe('marks', () => {
  it('are hidden, except in the line of the caret', async () => {
    const { view } = open(
      '# Plan\n\n**bold** and _soft_, `code`, ~~gone~~, \\* and [docs](https://a.example)\n\nx',
    );
    expect(lines(view)).toEqual(['Plan', '', 'bold and soft, code, gone, * and docs', '', 'x']);
    await caretAt(view, 12);
    expect(lines(view)[0]).toBe('Plan');
    expect(lines(view)[2]).toBe('**bold** and _soft_, `code`, ~~gone~~, \\* and [docs](https://a.example)');
    await caretAt(view, 0);
    expect(lines(view)[0]).toBe('# Plan');
    expect(lines(view)[2]).toBe('bold and soft, code, gone, * and docs');
  });

  it('of lists, quotes and code have a look of their own', async () => {
    const { view } = open(
      '- one\n  - two\n- [x] done\n\n> said\n\n3. three\n\n```js\nlet a\n```\n\n---\n\nx',
    );
    expect(lines(view).slice(0, 5)).toEqual(['•one', '◦two', 'done', '', 'said']);
    expect(lines(view)[6]).toBe('3. three');
    expect(lines(view).slice(8, 11)).toEqual(['js', 'let a', '']);
    expect(view.contentDOM.querySelector('hr')).not.toBeNull();
    expect(view.contentDOM.querySelector<HTMLInputElement>('input[aria-label=done]')?.checked).toBe(true);
    await caretAt(view, view.state.doc.toString().indexOf('let a'));
    expect(lines(view).slice(8, 11)).toEqual(['```js', 'let a', '```']);
  });

  it('of what goes on in another line stay as they are', () => {
    const text = 'see [words](\n#node/orders) and ![image](\nimages/a.png)\n\n- \n  [ ] later\n\nx';
    expect(lines(open(text).view)).toEqual(text.replaceAll('(\n', '( ').replace('  [', '[').split('\n'));
  });

  it('are shown where a change is proposed', () => {
    const { view } = open('**one**\n\n**two**');
    expect(lines(view)).toEqual(['one', '', 'two']);
    const state = EditorState.create({
      doc: view.state.doc,
      extensions: [
        documentLanguage(),
        nodeLinks(() => undefined),
        cells(() => undefined),
        livePreview(),
        sourceShown.of([{ from: 0, to: 7 }]),
      ],
    });
    view.setState(state);
    forceParsing(view, state.doc.length, 10_000);
    expect(lines(view)).toEqual(['**one**', '', 'two']);
  });

  it('say in a link which node it is, or that there is none', () => {
    const { view } = open('see [Orders](#node/orders)');
    expect(lines(view)).toEqual(['see Orders']);
    expect(
      view.contentDOM.querySelector('.live-node-icon.is-missing ~ .cm-nodeLink.is-missing'),
    ).not.toBeNull();
  });
});

describe('the text', () => {
  it('is not changed by opening, changing the look, moving the caret and closing', async () => {
    const text = `# Plan  \r\n\n${TABLE}\n\n- [ ] a\\\n\n\n\t* b  \n\n~~~\n`;
    const { view, changes } = open(text);
    const before = view.state.doc.toString();
    for (const preview of [null, livePreview(), null, livePreview()]) {
      setLook(view, preview);
      for (let at = 0; at <= view.state.doc.length; at++) await caretAt(view, at);
    }
    expect(changes()).toBe(0);
    expect(view.state.doc.toString()).toBe(before);
  });

  it('changes by one sign where a box is ticked', () => {
    const { view } = open('- [ ] a\n- [x] b\n\n1. [ ] c');
    for (const box of [0, 1, 2]) {
      forceParsing(view, view.state.doc.length, 10_000);
      view.contentDOM.querySelectorAll<HTMLInputElement>('.live-checkbox')[box]?.click();
    }
    expect(view.state.doc.toString()).toBe('- [x] a\n- [ ] b\n\n1. [x] c');
  });
});

describe('paragraphs', () => {
  it('flow over their line breaks, except where the caret is and where a break is meant', async () => {
    const { view } = open('one\n  two\nthree\\\nfour  \nfive\n\n> said\n> twice\n\nsix\nseven\n\nx');
    expect(lines(view)).toEqual([
      'one two three\\',
      'four  ',
      'five',
      '',
      'said',
      'twice',
      '',
      'six seven',
      '',
      'x',
    ]);
    await caretAt(view, 5);
    expect(lines(view).slice(0, 3)).toEqual(['one', '  two', 'three\\']);
    expect(lines(view)).toContain('six seven');
    const long = open('x\n\none\ntwo\nthree\nfour').view;
    await caretAt(long, 4);
    expect(lines(long)).toEqual(['x', '', 'one', 'two', 'three', 'four']);
    view.dispatch({ changes: { from: 0, insert: 'zero\n' } });
    await caretAt(view, view.state.doc.length);
    expect(lines(view)[0]).toBe('zero one two three\\');
  });
});

describe('blocks', () => {
  it('are all that there are, whatever was changed', () => {
    const parts = [
      '\n',
      '\n\n',
      '```\n',
      TABLE,
      'words',
      '| x',
      '> ',
      '- ',
      '| --- | --- |\n',
      '    ',
      '<div>\n',
      'one\ntwo',
    ];
    for (const random of seeds(20)) {
      const { view } = open(
        Array.from({ length: 6 }, () => `${random.pick(parts)}\n\n${TABLE}`).join('\n\n'),
      );
      for (let step = 0; step < 25; step++) {
        const { length } = view.state.doc;
        const from = random.below(length + 1);
        const to = Math.min(length, from + random.below(12));
        view.dispatch({ changes: { from, to, insert: random.below(2) ? random.pick(parts) : '' } });
        const text = view.state.doc.toString();
        forceParsing(view, text.length, 10_000);
        expect(blocksIn(view.state), `seed ${random.seed}, step ${step}: ${JSON.stringify(text)}`).toEqual(
          tablesOf(view.state),
        );
        if (step % 5 === 4) expect(blanksIn(view.state)).toEqual(blanksIn(open(text).view.state));
      }
    }
  });

  it('show their source where the caret is put into them', async () => {
    const { view } = open(`x\n\n${TABLE}\n\ny`);
    expect(view.contentDOM.querySelectorAll('.live-table')).toHaveLength(1);
    await caretAt(view, 8);
    expect(view.contentDOM.querySelectorAll('.live-table')).toHaveLength(0);
    await caretAt(view, 0);
    expect(view.contentDOM.querySelectorAll('.live-table')).toHaveLength(1);
  });
});

describe('what comes a moment later', () => {
  beforeAll(() => import('../../src/view/document/editor/live/tablesAndImages'));
  // Not known to jsdom.
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => new EventTarget());
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  async function openWhole(doc: string): Promise<EditorView> {
    const { view } = open(doc);
    const isThere = () => expect(view.state.facet(laterPaints)).not.toHaveLength(0);
    await vi.waitFor(isThere, { timeout: TIMEOUT_MS });
    return view;
  }

  const imagesOf = (view: EditorView) => [
    ...view.contentDOM.querySelectorAll<HTMLImageElement>('.live-image img'),
  ];

  it('an own image stands in place of its reference, and behind it in the line of the caret', async () => {
    const address = `images/${'0a'.repeat(32)}.png`;
    const source = [
      `![cat](${address}) here`,
      `<img src="${address}" alt="dog" width="320">`,
      `and <img src="${address}" alt="cow">`,
      '![far](https://a.example/b.png)',
      `\`![code](${address})\``,
      `![wide](\n${address})`,
    ];
    const view = await openWhole(source.join('\n\n'));
    expect(imagesOf(view).map(({ alt, dataset }) => [alt, dataset.image])).toEqual(
      ['cat', 'dog', 'cow'].map((alt) => [alt, address]),
    );
    expect(imagesOf(view)[1]?.width).toBe(320);
    const read = [' here', '', 'and ', 'far', `![code](${address})`, `![wide]( ${address})`];
    expect(lines(view).filter((_, at) => at % 2 === 0)).toEqual(read);
    await caretAt(view, 2);
    expect(lines(view)[0]).toBe(source[0]);
    expect(imagesOf(view).map(({ alt }) => alt)).toEqual(['cat', 'dog', 'cow']);
  });

  it('a front matter is a small table, and source where the caret is in it', async () => {
    const front = ['---', 'title: Plan', 'tags:', '  - one', '---'];
    const view = await openWhole([...front, '', '# Head', '', '---'].join('\n'));
    const rows = () => [...view.contentDOM.querySelectorAll('.live-front tr')].map((row) => row.textContent);
    expect(rows()).toEqual(['titlePlan', 'tagsone']);
    expect(lines(view)).toEqual(['', 'Head', '', '']);
    await caretAt(view, 5);
    expect(rows()).toEqual([]);
    expect(lines(view).slice(0, 5)).toEqual(front);
    expect(view.contentDOM.querySelectorAll('.live-heading')).toHaveLength(1);
    view.dispatch({ changes: { from: 4, to: 9, insert: 'name' } });
    await caretAt(view, view.state.doc.length);
    expect(rows()).toEqual(['namePlan', 'tagsone']);
    expect(view.state.doc.toString()).toBe('---\nname: Plan\ntags:\n  - one\n---\n\n# Head\n\n---');
  });

  it('a front matter with lines that are no fields stays source', async () => {
    const text = '---\ntitle: Plan\nno field\n---\n\nx';
    const view = await openWhole(text);
    expect(lines(view)).toEqual(text.split('\n'));
    expect(view.contentDOM.querySelector('.live-heading')).toBeNull();
  });
});
