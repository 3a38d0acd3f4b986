/** The page of which the server makes a PDF, made without a DOM. */
import { describe, expect, it } from 'vitest';
import type { PictureImages } from '../../../src/model/export/nodeImages';
import { paperFor } from '../../../src/model/export/paper';
import { edge, node } from '../../builders';

const HASH = 'a'.repeat(64);
const TEXT = `# Plan

<script>hit()</script>

## One

[Api](#node/api), [one](#one), <a name="place"></a>a place, \`data-image="images/x"\`

## Two

![Figure](images/${HASH}.png)

![Elsewhere](https://example.org/x.png)
`;

const page = (shown: PictureImages = {}) =>
  paperFor({
    ...shown,
    name: 'Shop',
    revision: 7,
    date: { words: 'November 28, 2026', iso: '2026-11-28T00:00:00.000Z' },
    diagram: {
      nodes: [node('api', { technology: 'Kafka 4' }), node('db', { position: { x: 400, y: 0 } })],
      edges: [edge('api', 'db')],
    },
    text: TEXT,
  });

describe('the page of a PDF', () => {
  it('has contents, the diagram and the document, with places that links lead to', () => {
    expect(typeof document).toBe('undefined');
    const html = page();
    for (const part of [
      '<nav class="contents"',
      '<a href="#two">Two</a>',
      '<h2 id="two"',
      'id="place"',
      'id="node/api"',
      'href="#node/api"',
      'revision 7 · <time',
    ])
      expect(html).toContain(part);
  });

  it('names images for those who have them, and loads none from elsewhere', () => {
    const html = page();
    expect(html).toContain(`src="image:${HASH}.png"`);
    expect(html.match(/ src="/g)).toHaveLength(1);
    expect(html).toContain('<code>data-image=&quot;images/x&quot;</code>');
    expect(html).not.toContain('<script');
  });

  it('holds images of nodes and icons of technologies that are there', () => {
    const data = 'data:image/svg+xml;base64,PHN2Zy8+';
    const html = page({ images: { 'icons/kafka': data }, icons: { 'Kafka 4': 'icons/kafka' } });
    expect(html).toContain(`href="${data}"`);
    expect(page({ icons: { 'Kafka 4': 'icons/kafka' } })).not.toContain('<image');
  });

  it('is white, with colours of its own', () => {
    const html = page();
    expect(html).not.toContain('class="ground"');
    expect(html.match(/<svg.*<\/svg>/s)?.[0]).not.toContain('var(');
  });
});
