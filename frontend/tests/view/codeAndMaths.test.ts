// @vitest-environment jsdom
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { highlightTree } from '@lezer/highlight';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../../e2e/timeout';
import { documentTokens, markdownToHtml } from '../../src/model/text/markdown';
import {
  colourAtOnce,
  colourBlocks,
  coloured,
  highlighted,
  highlightedNow,
} from '../../src/view/code/codeBlocks';
import { languageOf } from '../../src/view/code/languages';
import { documentLanguage } from '../../src/view/document/editor/language';
import { markdownLook, nestedLook } from '../../src/view/document/editor/markdownLook';
import { drawMaths, mathsToMathML } from '../../src/view/maths/mathsBlocks';
import { sanitised } from '../../src/view/prose/sanitise';
import { seeds } from '../sync/random';

function shown(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitised(markdownToHtml(markdown)));
  return element;
}

/** What has a class, by class. */
const classesOf = (element: ParentNode) =>
  [...element.querySelectorAll('span[class^="code-"]')].map((one) => `${one.className} ${one.textContent}`);

describe('code in a document', () => {
  // Code that takes long stays plain, and here it depends on nothing else that the machine does how long it takes.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['ts', 'const a: number = 1; // b', ['code-keyword const', 'code-type number', 'code-comment // b']],
    [
      'PYTHON title="x"',
      'def f():\n    return "s"',
      ['code-keyword def', 'code-function f', 'code-string "s"'],
    ],
    ['yaml', 'a: true # b', ['code-property a', 'code-comment # b']],
    ['sh', 'echo "x" # y', ['code-string "x"', 'code-comment # y']],
    ['sql', "select 'a' -- b", ['code-keyword select', "code-string 'a'", 'code-comment -- b']],
    ['json', '{"a": 1}', ['code-property "a"', 'code-number 1']],
    ['go', 'func main() {}', ['code-keyword func']],
  ])('is coloured by its language: %s', async (language, code, parts) => {
    const made = await highlighted(code, language);
    expect(made?.textContent).toBe(code);
    expect(classesOf(made as DocumentFragment)).toEqual(expect.arrayContaining(parts));
    expect(highlightedNow(code, language)?.textContent).toBe(code);
  });

  it.each(['', 'nothing', 'mermaid', '__proto__', 'constructor'])('stays plain in %j', async (language) => {
    expect(await highlighted('const a = 1', language)).toBeNull();
  });

  it('stays plain where it is long, or takes long', async () => {
    expect(await highlighted('a '.repeat(10_001), 'js')).toBeNull();
    await languageOf('js')?.load();
    const parser = languageOf('js')?.support?.language.parser;
    let time = 0;
    expect(parser && coloured('a + b;\n'.repeat(2_000), parser, () => (time += 60))).toBeNull();
  });

  it('is coloured where it stands, and stays the text that it is', async () => {
    const text = '```js\nconst a = "<img src=x onerror=hit()>";\n```\n\n```nothing\nconst\n```\n';
    const element = shown(text);
    const before = element.textContent;
    await colourBlocks(element);
    expect(element.textContent).toBe(before);
    expect(classesOf(element)).toContain('code-keyword const');
    expect(element.querySelector('img')).toBeNull();
    const again = shown('```js\nlet b\n```');
    colourAtOnce(again);
    expect(classesOf(again)).toEqual(['code-keyword let']);
  });

  it('has the same colours in Write, beside the marks of Markdown', async () => {
    await languageOf('js')?.load();
    const doc = `# Title\n\n\`\`\`js\nconst a = "b"\n\`\`\`\n\n\`\`\`js\n${'let c\n'.repeat(4_000)}\`\`\`\n`;
    const look = () => {
      const state = EditorState.create({ doc, extensions: [documentLanguage()] });
      const found: string[] = [];
      const tree = ensureSyntaxTree(state, doc.length, 10_000);
      if (tree)
        highlightTree(tree, [markdownLook, nestedLook], (from, to, names) => {
          found.push(`${names} ${doc.slice(from, to)}`);
        });
      return found;
    };
    // Plain until the languages are there.
    await expect
      .poll(look, { timeout: TIMEOUT_MS })
      .toContainEqual(expect.stringMatching(/code-keyword const$/));
    const found = look();
    expect(found.some((one) => /md-h1 .*Title/.test(one))).toBe(true);
    expect(found.some((one) => /code-string "b"$/.test(one))).toBe(true);
    expect(found.some((one) => /code-\w+ #/.test(one))).toBe(false);
    expect(
      found.some((one) => /code-keyword let/.test(one)),
      'long code',
    ).toBe(false);
  });
});

const mathsIn = (markdown: string) =>
  [...shown(markdown).querySelectorAll('.maths')].map(
    (one) => `${one.classList.contains('maths-block') ? 'block' : 'line'} ${one.textContent?.trim()}`,
  );

describe('maths in a document', () => {
  it.each([
    ['a $x_1 + y_1$ b', ['line $x_1 + y_1$']],
    ['($x$), $y$.', ['line $x$', 'line $y$']],
    ['$$\na +\nb\n$$', ['block $$\na +\nb\n$$']],
    ['a $$x$$ b', ['block $$x$$']],
    ['```math\na\n```', ['block a']],
    ['| $a$ |\n|---|', ['line $a$']],
    ['from $5 and $6', []],
    ['$5-$6, US$5 or 6$', []],
    ['$HOME and $PATH', []],
    ['a $ b $ c', []],
    ['\\$x$ and $x\\$', []],
    ['`$x$`', []],
    ['$$$$ and $$', []],
    ['$x', []],
  ])('is told from prices as on code hosts: %s', (text, found) => {
    expect(mathsIn(text)).toEqual(found);
  });

  it('is found in Write where Read finds it, whatever the text', () => {
    const parts = [
      '$',
      '$',
      '$$',
      'x',
      '5',
      ' ',
      '\\',
      '`',
      '**',
      '_',
      '[',
      '](b)',
      '\n',
      '\n\n> ',
      '\n- ',
      '\n# ',
    ];
    // The blanks ahead of a line are not those of a list that it goes on with.
    const onOneLine = (source: string) => source.replace(/\n */g, ' ');
    let count = 0;
    for (const random of seeds(1500)) {
      const text = Array.from({ length: 14 }, () => random.pick(parts)).join('');
      const read = documentTokens(text).flatMap(({ children }) =>
        (children ?? []).flatMap(({ type, meta }) =>
          type === 'maths' ? [onOneLine(String(meta?.source))] : [],
        ),
      );
      const state = EditorState.create({ doc: text, extensions: [documentLanguage()] });
      const written: string[] = [];
      ensureSyntaxTree(state, text.length, 10_000)?.iterate({
        enter({ name, from, to }) {
          if (name === 'Maths') written.push(onOneLine(text.slice(from, to)));
        },
      });
      expect(written, `seed ${random.seed}: ${JSON.stringify(text)}`).toEqual(read);
      count += read.length;
    }
    expect(count).toBeGreaterThan(100);
  });

  it('becomes MathML, with nothing of HTML in it', async () => {
    const element = shown('$\\frac{a}{b}$ and\n\n$$\\sum_{i=1}^n i$$\n');
    await drawMaths(element);
    const [line, block] = element.querySelectorAll('math');
    expect(line?.querySelector('mfrac')).not.toBeNull();
    expect(block?.getAttribute('display')).toBe('block');
    expect(element.querySelector('[style], [class*="katex"], annotation, code')).toBeNull();
    expect(element.textContent).not.toContain('\\frac');
  });

  it('is shown as it is written where it cannot be drawn, and says why', async () => {
    const element = shown('$\\nothing{x}$');
    await drawMaths(element);
    const source = element.querySelector('code');
    expect(source?.textContent).toBe('$\\nothing{x}$');
    expect(source?.title).toContain('Undefined control sequence: \\nothing');
  });

  it.each([
    '\\href{javascript:hit()}{x}',
    '\\htmlData{a=b}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\includegraphics{https://example.org/a.png}',
    '\\text{<img src=x onerror=hit()>}',
    '\\text{</math><script>hit()</script>}',
    '\\url{https://example.org}',
  ])('lets nothing of %s act', (tex) => {
    const made = mathsToMathML(tex, true);
    if ('error' in made) return;
    const whole = document.createElement('div');
    whole.append(made.mathml);
    expect(whole.querySelector('img, script, a, [href], [style], [src], mglyph')).toBeNull();
    for (const element of whole.querySelectorAll('*'))
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on/);
  });

  it.each([
    ['\\def\\a{\\a\\a}\\a', 'macros without end'],
    [`\\def\\a#1{#1#1}${'\\a{'.repeat(20)}x${'}'.repeat(20)}`, 'macros that double'],
    ['{'.repeat(5_000), 'braces'],
    [`${'\\frac{'.repeat(500)}`, 'fractions'],
    [`${'x^{'.repeat(1_000)}y${'}'.repeat(1_000)}`, 'powers'],
    ['x'.repeat(5_001), 'length'],
    ['\\sqrt'.repeat(1_000), 'roots'],
  ])('does not draw what is too much: %#', (tex) => {
    expect(mathsToMathML(tex, false)).toHaveProperty('error');
  });

  it('draws a rule no larger than the page', () => {
    const made = mathsToMathML('\\rule{9999em}{9999em}', false);
    const html =
      'mathml' in made ? [...made.mathml.querySelectorAll('*')].map((one) => one.outerHTML).join('') : '';
    expect(html).not.toContain('9999em');
  });
});
