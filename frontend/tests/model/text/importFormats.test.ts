import { describe, expect, it } from 'vitest';
import {
  examine,
  fileNameOf,
  guessFormat,
  isOfAnotherTool,
  placeInWords,
  unreadOf,
} from '../../../src/model/text/importFormats';

describe('guessing a format', () => {
  it.each([
    ['orders.json', '', 'json'],
    ['README.md', 'flowchart TD', 'markdown'],
    ['x.mmd', '', 'mermaid'],
    ['Shop.diagram.txt', '# Orders', 'text'],
    ['Shop.Diagram.TXT', '', 'text'],
    ['diagram.txt', '# Orders', 'markdown'],
    ['', '{"format": "draftsmith/1"}', 'json'],
    ['notes.txt', '# Orders', 'markdown'],
    ['notes.txt', '[link](https://example.org) first', 'markdown'],
    ['', '%% a comment\n\nflowchart LR\n a-->b', 'mermaid'],
    ['', '%%{init: {\n  "theme": "base"\n}}%%\n%% by hand\nC4Context\n Person(a, "A")', 'mermaid'],
    ['', '---\ntitle: Orders\n---\ngraph TD\n a-->b', 'mermaid'],
    ['', '---\ntitle: Orders\n---\n# Orders', 'markdown'],
    ['', 'sequenceDiagram\n A->>B: hi', 'mermaid'],
    ['', 'graphs are fun', 'markdown'],
  ])('%s with %j is %s', (name, content, format) => {
    expect(guessFormat(name, content)).toBe(format);
  });
});

describe('a file of another tool', () => {
  it.each([
    ['json', '{"model": {"people": []}}', true],
    ['json', '[{"kind": "Pod"}]', true],
    ['json', '{"format": "draftsmith/2"}', false],
    ['json', '{"kind": oops', false],
    ['json', '"words"', false],
    ['drawio', '<svg><metadata>excalidraw</metadata></svg>', true],
    ['drawio', '<svg content="&lt;mxfile>"></svg>', false],
    ['drawio', '<mxGraphModel/>', false],
    ['drawio', 'iVBORw0KGgo', false],
    ['drawio', btoa('\x89PNG\r\n\x1a\n tEXt application/vnd.excalidraw+json {}'), true],
    ['drawio', btoa('\x89PNG\r\n\x1a\n tEXt mxfile %3Cmxfile%3E'), false],
    ['drawio', 'iVBORw0KGgo no base 64 !', false],
    ['markdown', '{}', false],
  ] as const)('by its ending %s, with %j: %s', (format, content, isOne) => {
    expect(isOfAnotherTool(format, content)).toBe(isOne);
  });
});

describe('examining what is to be imported', () => {
  it('says what an export holds, and suggests its name', () => {
    const content = JSON.stringify({
      format: 'draftsmith/1',
      name: 'Orders',
      diagram: { nodes: [{}, {}], edges: [{}] },
    });
    expect(examine('json', content)).toMatchObject({
      isReadable: true,
      name: 'Orders',
      facts: '2 nodes, 1 connection and the document, just as they were.',
    });
  });

  it('takes the name from the first heading, else from the file', () => {
    expect(examine('markdown', 'Intro\n\n# Orders #\n', 'x.md')).toMatchObject({ name: 'Orders' });
    expect(examine('markdown', 'no heading', 'folder/Design notes.md')).toMatchObject({
      name: 'Design notes',
    });
    expect(examine('mermaid', 'graph TD\n a-->b', 'flow.mmd')).toMatchObject({ name: 'flow' });
    expect(examine('text', 'A -> B\nC\n', 'My shop.diagram.txt')).toMatchObject({
      name: 'My shop',
      facts: '2 lines. Each is a node or a connection; those that are neither are listed.',
    });
  });

  it('says where JSON breaks off', () => {
    expect(examine('json', '{\n  "a": 1,\n  oops\n}')).toMatchObject({
      isReadable: false,
      title: 'This is not valid JSON',
      advice: expect.stringContaining('line 3, column 3'),
    });
  });

  it('tells JSON of others from ours', () => {
    expect(examine('json', '{"format": "excalidraw"}')).toMatchObject({
      isReadable: false,
      advice: expect.stringContaining('“excalidraw”'),
    });
    expect(examine('json', 'null')).toMatchObject({ isReadable: false });
    expect(examine('json', '[1]')).toMatchObject({ isReadable: false });
  });

  it('tells drawings by name or content', () => {
    for (const name of ['a.drawio', 'a.xml', 'a.drawio.svg', 'a.drawio.PNG'])
      expect(guessFormat(name, '')).toBe('drawio');
    expect(guessFormat('', ' <mxfile host="x">')).toBe('drawio');
    expect(guessFormat('', '<p>Orders</p>')).toBe('markdown');
    expect(
      examine('drawio', '<mxfile><diagram/><diagram name="b"/></mxfile>', 'shop.drawio.svg'),
    ).toMatchObject({
      name: 'shop',
      facts: expect.stringMatching(/^2 pages/),
    });
    expect(unreadOf('Shape a-1 was not taken over: it has no end. “x”')).toEqual({
      place: 'Shape a-1',
      reason: 'it has no end',
      text: 'x',
    });
  });

  it('refuses what is empty, binary or another kind of chart', () => {
    expect(examine('markdown', ' \n ')).toMatchObject({ title: 'There is nothing in it' });
    expect(examine('markdown', 'PK\u0003\u0000')).toMatchObject({ title: 'This is not a text file' });
    expect(examine('mermaid', 'gantt\n')).toMatchObject({ title: 'This is a Mermaid gantt' });
  });

  it('takes every chart of Mermaid that the server reads', () => {
    for (const word of [
      'graph TD',
      'C4Context',
      'architecture-beta',
      'classDiagram',
      'stateDiagram-v2',
      'erDiagram',
    ])
      expect(guessFormat('', `${word}\n`), word).toBe('mermaid');
    expect(examine('mermaid', 'sequenceDiagram\n', 'pay.mmd')).toMatchObject({
      isReadable: true,
      name: 'pay',
    });
  });
});

describe('places and names', () => {
  it('counts as people do', () => {
    expect(placeInWords('/import/content/diagram/nodes/3/type')).toBe('node 4, type');
    expect(placeInWords('/import/content/diagram/edges/0')).toBe('connection 1');
    expect(placeInWords('/import/content/document/text')).toBe('document, text');
    expect(placeInWords('/import/content')).toBe('');
  });

  it('takes the word about an unread line apart', () => {
    expect(unreadOf('Line 4 was not taken over: it is odd. “b ->> c”')).toEqual({
      place: 'Line 4',
      reason: 'it is odd',
      text: 'b ->> c',
    });
    expect(unreadOf('Something else.')).toEqual({ place: '', reason: 'Something else.', text: '' });
  });

  it('makes names of files that any system takes', () => {
    expect(fileNameOf('Orders: v2 / final?', 'md')).toBe('Orders v2 final.md');
    expect(fileNameOf(' .. ', 'json')).toBe('workspace.json');
  });
});
