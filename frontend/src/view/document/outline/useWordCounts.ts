/** The words of each section's own text, counted while the browser is idle. Not here: what a word is. */
import { useEffect, useRef, useState } from 'react';
import type { Heading } from '../../../model/text/outline';
import { wordCount } from '../../../model/text/wordCount';
import { whenIdle } from '../../ui/loading/whenIdle';

/** So long one turn takes; then keys and frames come first. */
const TURN_MS = 8;

/** The sums of words up to each heading, and up to the end of the text; null until they are counted. */
export function useWordCounts(text: string, headings: readonly Heading[]): readonly number[] | null {
  const [sums, setSums] = useState<readonly number[] | null>(null);
  const known = useRef<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    const ends = [...headings.map(({ from }) => from), text.length];
    const counted = new Map<string, number>();
    const fresh: number[] = [];
    const turn = () => {
      const until = performance.now() + TURN_MS;
      while (fresh.length < ends.length && performance.now() < until) {
        const piece = text.slice(ends[fresh.length - 1] ?? 0, ends[fresh.length]);
        const count = counted.get(piece) ?? known.current.get(piece) ?? wordCount(piece);
        counted.set(piece, count);
        fresh.push((fresh.at(-1) ?? 0) + count);
      }
      if (fresh.length < ends.length) {
        cancel = whenIdle(turn);
        return;
      }
      known.current = counted;
      setSums(fresh);
    };
    let cancel = whenIdle(turn);
    return () => cancel();
  }, [text, headings]);
  return sums?.length === headings.length + 1 ? sums : null;
}
