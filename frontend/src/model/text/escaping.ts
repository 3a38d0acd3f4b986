/** Plain text as it is written in Markdown: what would be taken for a mark is escaped, and nothing else. Pure. */

const INLINE: readonly [RegExp, string][] = [
  [/\\(?=[!-/:-@[-`{-~])/g, '\\\\'],
  [/`/g, '\\`'],
  // Marks of emphasis: not between blanks, and of underscores not within words.
  [/\*(?=\S)|(?<=\S)\*/g, '\\*'],
  [/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_'],
  [/~~/g, '\\~~'],
  [/<(?=[A-Za-z/!?])/g, '\\<'],
  [/&(?=#?\w{1,31};)/g, '\\&'],
  [/\](?=[([:])/g, '\\]'],
];

/** At the start of a line. */
const LEADING: readonly [RegExp, string][] = [
  [/^(\s{0,3})(#{1,6}(?:\s|$)|>|[-+](?:\s|$)|={2,}\s*$|-{2,}\s*$|~{3})/gm, '$1\\$2'],
  [/^(\s{0,3}\d{1,9})([.)](?:\s|$))/gm, '$1\\$2'],
];

export const escapedText = (text: string): string =>
  [...INLINE, ...LEADING].reduce((now, [mark, escaped]) => now.replace(mark, escaped), text);
