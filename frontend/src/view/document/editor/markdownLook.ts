/** The CSS class of each part of Markdown and of code in it; styled in `styles/editor.css` and `styles/code.css`. */
import { markdownLanguage } from '@codemirror/lang-markdown';
import { languageDataProp } from '@codemirror/language';
import type { NodeType } from '@lezer/common';
import { type Highlighter, tagHighlighter, tags } from '@lezer/highlight';
import { codeTags } from '../../code/codeLook';

const marks = [
  { tag: tags.heading1, class: 'md-heading md-h1' },
  { tag: tags.heading2, class: 'md-heading md-h2' },
  { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-struck' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.literal, class: 'md-block' },
  { tag: tags.quote, class: 'md-quote' },
  { tag: tags.link, class: 'md-link' },
  { tag: [tags.url, tags.labelName, tags.string], class: 'md-dim' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.atom], class: 'md-dim' },
];

const isMarkdown = (type: NodeType): boolean => type.prop(languageDataProp) === markdownLanguage.data;

/** For Markdown alone. */
export const markdownLook: Highlighter = tagHighlighter(marks, { scope: isMarkdown });
/** For code within it, as in Read. */
export const nestedLook: Highlighter = tagHighlighter(codeTags, { scope: (type) => !isMarkdown(type) });
