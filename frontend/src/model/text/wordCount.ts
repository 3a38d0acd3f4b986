/** Words of a text as it reads, without marks and addresses of links; also where words have no blanks between them. Pure. */

/** Scripts in which words are written without blanks. */
const JOINED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.,_-][\p{L}\p{N}\p{M}]+)*/gu;
const ADDRESS = /\]\([^()\s]*\)|\bhttps?:\/\/[^\s<>)]+/g;

let segmenter: Intl.Segmenter | null = null;

export function wordCount(text: string): number {
  const read = text.replace(ADDRESS, ' ');
  if (!JOINED.test(read)) return read.match(WORD)?.length ?? 0;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(read)) if (isWordLike) count += 1;
  return count;
}
