/** The CSS class of each part of Markdown; styled in `styles/editor.css`. */
import { type Highlighter, tagHighlighter, tags } from '@lezer/highlight';

export const markdownLook: Highlighter = tagHighlighter([
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
]);
