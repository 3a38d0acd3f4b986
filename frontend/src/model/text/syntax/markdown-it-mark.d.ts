/** The package has no types of its own. */
declare module 'markdown-it-mark' {
  import type { MarkdownIt } from 'markdown-it';
  export default function mark(markdown: MarkdownIt): void;
}
