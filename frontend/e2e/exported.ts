/** Diagrams to be exported, and what can be read of an exported file where something else than the editor shows it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Visit } from './stage';

export interface Content {
  name: string;
  nodes: { id: string; type: string; label: string }[];
  edges: { id: string; label: string; direction: 'forward' | 'both' | 'none' }[];
}

const NAMES = [
  'A "quoted" <b>name</b> & more',
  '</svg><script>window.hit = 1</script>',
  "It's `code` [brackets] {braces} (round) |pipe|",
  'end',
  '👩‍👩‍👧‍👦 Familie 🚀',
  'データベース、とても長い名前のサービス',
  'x'.repeat(120),
  'Eine sehr lange Bezeichnung für einen Dienst, der alles Mögliche tut, und noch etwas mehr, bis hundertzwanzig Zeichen 12',
  '%% not a comment; $$x$$ #35; fa:fa-user <br/> \\n',
  'graph subgraph end style class click',
];
const TYPES = [
  'service',
  'database',
  'queue',
  'user',
  'cache',
  'gateway',
  'worker',
  'external',
  'stream',
  'cdn',
];

/** Everything that could go wrong on the way out: signs of every format, long names, nested and locked groups. */
export function nastyDiagram() {
  const groups = [
    {
      id: 'outer',
      type: 'group',
      label: 'A group whose name is rather long',
      locked: true,
      position: { x: 0, y: 0 },
    },
    { id: 'inner', type: 'group', label: 'subgraph "end"', parent: 'outer', position: { x: 24, y: 40 } },
  ];
  const nodes = NAMES.map((label, at) => ({
    id: at === 3 ? 'end' : `n${at}`,
    type: TYPES[at],
    label,
    technology: at % 2 ? 'Some <i>tech</i> [v1]' : '',
    parent: at < 2 ? 'inner' : at < 4 ? 'outer' : null,
    position: {
      x: (at < 4 ? 24 : 1000) + (at % 2) * 420,
      y: Math.floor((at < 4 ? at : at - 4) / 2) * 260 + 50,
    },
  }));
  const edges = nodes.slice(1).map(({ id, label }, at) => ({
    id: `e${at}`,
    source: nodes[at]?.id,
    target: id,
    label: at === 7 ? '' : `${label} ${at % 2 ? label : ''}`.trim().slice(0, 200),
    kind: ['sync', 'async', 'data', 'dependency'][at % 4],
    direction: ['forward', 'both', 'none'][at % 3],
  }));
  return { nodes: [...groups, ...nodes], edges };
}

export const NASTY_TEXT = `# The plan

The [first](#node/n0) talks to [nobody](#node/gone); see [the table](#the-table).

- [x] done
- [ ] to do

## The table

| Part | Price |
|---|--:|
| API | 12 |

\`\`\`python
print("<b>")
\`\`\`

\`\`\`mermaid
flowchart LR
  a[Alpha] --> b[Beta]
\`\`\`

<script>window.hit = 1</script> <img src="https://example.org/x.png" onerror="window.hit = 1">

![A picture](https://example.org/y.png)
`;

/** A workspace with this, and what it holds. */
export async function workspaceWith(visit: Visit, body: object): Promise<{ id: string; content: Content }> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', body);
  const { name, diagram } = await visit.api<{ name: string; diagram: Omit<Content, 'name'> }>(
    'GET',
    `/workspaces/${id}`,
  );
  return { id, content: { name, ...diagram } };
}

/** A file that was downloaded: where it is on this computer, what it is called, what it holds. */
export interface Saved {
  path: string;
  name: string;
  text: () => string;
}

/** Save what the dialog offers now. */
export async function saved(page: Page): Promise<Saved> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  const path = await download.path();
  await page.locator('dialog').waitFor({ state: 'detached' });
  return { path, name: download.suggestedFilename(), text: () => readFileSync(path, 'utf8') };
}

export interface Seen {
  nodes: Record<string, string>;
  labels: Record<string, string>;
  /** Arrow heads of each edge whose line is longer than nothing. */
  heads: Record<string, number>;
  /** What stands outside of the picture, or what a text reaches out of; in words. */
  outside: string[];
}

/** What a browser shows of an SVG on the page it is at: texts, lines, and whatever is cut off or covered. */
export function seenIn(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const svg = document.querySelector('svg') as SVGSVGElement;
    const all = <T extends Element>(query: string, from: Element = svg) =>
      [...from.querySelectorAll<T>(query)] as T[];
    const text = (thing: Element) =>
      all('text.label tspan', thing)
        .map((one) => one.textContent)
        .join('')
        .replace(/[\s-]+/g, '');
    const id = (thing: Element) => thing.getAttribute('data-id') ?? thing.getAttribute('data-edge') ?? '';
    const picture = svg.getBoundingClientRect();
    const outside: string[] = [];
    const holds = (outer: DOMRect, inner: DOMRect, slack: number, words: string) => {
      const isIn =
        inner.left >= outer.left - slack &&
        inner.top >= outer.top - slack &&
        inner.right <= outer.right + slack &&
        inner.bottom <= outer.bottom + slack;
      if (!isIn) outside.push(words);
    };
    const cards = all<SVGGElement>('.node');
    for (const thing of all<SVGGraphicsElement>('.group, .node, .edge, .edge-label, .key'))
      holds(
        picture,
        thing.getBoundingClientRect(),
        0.5,
        `${thing.getAttribute('class')} ${id(thing)} of the picture`,
      );
    for (const thing of all<SVGGraphicsElement>('.group, .node')) {
      const box = all('.box', thing)[0]?.getBoundingClientRect() as DOMRect;
      for (const one of all('text', thing))
        holds(box, one.getBoundingClientRect(), 0.5, `a text of ${id(thing)}`);
    }
    for (const label of all<SVGGraphicsElement>('.edge-label text')) {
      const box = label.getBoundingClientRect();
      for (const card of cards) {
        const other = (card.querySelector('.box') as Element).getBoundingClientRect();
        const isOver =
          box.left < other.right - 1 &&
          other.left < box.right - 1 &&
          box.top < other.bottom - 1 &&
          other.top < box.bottom - 1;
        if (isOver) outside.push(`the label “${label.textContent}” under ${id(card)}`);
      }
    }
    const heads = all<SVGGElement>('.edge').map((edge) => {
      const length = (edge.querySelector('.line') as SVGPathElement).getTotalLength();
      return [id(edge), length > 10 ? all('.arrow', edge).length : -1] as const;
    });
    return {
      nodes: Object.fromEntries([...all('.group'), ...cards].map((one) => [id(one), text(one)])),
      labels: Object.fromEntries(all('.edge-label').map((one) => [id(one), text(one)])),
      heads: Object.fromEntries(heads),
      outside,
    };
  });
}

/** Without what a broken line may add: blanks, and hyphens within words. */
const plain = (text: string) => text.replace(/[\s-]+/g, '');

/** The whole text where that was cut as it may be: after its first 16 characters, with an ellipsis. */
export function wholeTexts({ nodes, labels, ...rest }: Seen, { nodes: named, edges }: Content): Seen {
  const texts = new Map([...named, ...edges].map(({ id, label }) => [id, label]));
  const whole = (shown: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(shown).map(([id, text]) => {
        const label = texts.get(id) ?? '';
        const isCut =
          text.endsWith('…') &&
          plain(label).startsWith(text.slice(0, -1)) &&
          text.length > plain(label.slice(0, 16)).length;
        return [id, isCut ? plain(label) : text];
      }),
    );
  return { nodes: whole(nodes), labels: whole(labels), ...rest };
}

const HEADS = { forward: 1, both: 2, none: 0 };

/** What is to be seen of a diagram. */
export function toBeSeen({ nodes, edges }: Content): Seen {
  return {
    nodes: Object.fromEntries(nodes.map(({ id, label }) => [id, plain(label)])),
    labels: Object.fromEntries(edges.filter(({ label }) => label).map(({ id, label }) => [id, plain(label)])),
    heads: Object.fromEntries(edges.map(({ id, direction }) => [id, HEADS[direction]])),
    outside: [],
  };
}

const MERMAID = createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js');

interface Mermaid {
  initialize: (settings: object) => void;
  render: (id: string, source: string) => Promise<{ svg: string }>;
}

/** How Mermaid itself draws a source, with the settings it comes with. Throws with its own words where it cannot. */
export async function mermaidOf(page: Page, source: string) {
  if (!(await page.evaluate(() => 'mermaid' in window))) await page.addScriptTag({ path: MERMAID });
  return page.evaluate(async (source) => {
    const { mermaid } = window as unknown as { mermaid: Mermaid };
    mermaid.initialize({ startOnLoad: false });
    const { svg: text } = await mermaid.render('drawn', source);
    const svg = new DOMParser().parseFromString(text, 'text/html').body;
    const texts = (query: string) =>
      [...svg.querySelectorAll(query)]
        .map((one) => (one.textContent ?? '').replace(/\s+/g, ''))
        .filter(Boolean);
    return {
      nodes: texts('.node'),
      groups: texts('.cluster-label'),
      labels: texts('.edgeLabels .edgeLabel:not(span)'),
      lines: svg.querySelectorAll('path.flowchart-link').length,
    };
  }, source);
}
