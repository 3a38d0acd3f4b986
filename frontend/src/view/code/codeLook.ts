/** The CSS class of each part of code, the same in Write, Read and exports; styled in `styles/code.css`. */
import '../styles/code.css';
import { type Highlighter, tagHighlighter, tags } from '@lezer/highlight';

export const codeTags = [
  { tag: tags.comment, class: 'code-comment' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.atom, tags.escape, tags.color, tags.unit], class: 'code-number' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName],
    class: 'code-function',
  },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.variableName)],
    class: 'code-type',
  },
  {
    tag: [tags.propertyName, tags.attributeName, tags.labelName, tags.definition(tags.propertyName)],
    class: 'code-property',
  },
  { tag: [tags.tagName, tags.meta, tags.processingInstruction, tags.heading], class: 'code-tag' },
  { tag: tags.inserted, class: 'code-inserted' },
  { tag: tags.deleted, class: 'code-deleted' },
];

export const codeLook: Highlighter = tagHighlighter(codeTags);

/** Longer code stays plain. */
export const MAX_CODE = 20_000;
