import { describe, expect, it } from 'vitest';
import { pastedFile } from '../../../src/model/imports/pasted';

const MODEL = '<mxGraphModel><root><mxCell id="0"/></root></mxGraphModel>';

describe('a text on the clipboard', () => {
  it.each([
    [MODEL, 'Pasted.drawio'],
    [`\uFEFF<?xml version="1.0"?>\n<mxfile><diagram>${MODEL}</diagram></mxfile>`, 'Pasted.drawio'],
    ['{"type": "excalidraw/clipboard", "elements": []}', 'Pasted.excalidraw'],
    ['{\n  "type": "excalidraw",\n  "version": 2, "elements": []\n}', 'Pasted.excalidraw'],
    ['{"format":"draftsmith/1","name":"Shop"}', 'Pasted.json'],
    ['digraph { a -> b }', 'Pasted.dot'],
    ['// drawn by hand\n/* twice */ strict graph "Shop" {\n a -- b\n}', 'Pasted.dot'],
    ['graph shop {\n a -- b\n}', 'Pasted.dot'],
    ['# ours\nworkspace "Shop" "About it" {\n  model {\n  }\n}', 'Pasted.dsl'],
    ['name: shop\nservices:\n  web:\n    image: a\n', 'compose.yaml'],
    ['apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n', 'Pasted.yaml'],
  ])('%j is a file: %s', (text, name) => {
    expect(pastedFile(text)?.name).toBe(name);
  });

  it.each([
    'flowchart LR\n a{Choice} --> b',
    'graph TD; a{Choice} --> b',
    'graph LR\n subgraph one {\n',
    'sequenceDiagram\n A->>B: hi',
    'just words',
    'We sell these services: many.\nThe graph { of } it.',
    '{"type": "other", "elements": []}',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '# A heading\n\nworkspaces are { nice }',
    'apiVersion: v1',
    '',
  ])('%j is none', (text) => {
    expect(pastedFile(text)).toBeNull();
  });

  it('is decoded where draw.io has encoded what it copies', () => {
    expect(pastedFile(encodeURIComponent(MODEL))).toEqual({ name: 'Pasted.drawio', text: MODEL });
    expect(pastedFile('%3CmxGraphModel%3E%zz')).toBeNull();
  });
});
