/** Synchronises scrolling of editor and preview, by source lines; the one that is scrolled leads. */
import { type RefObject, useEffect } from 'react';
import type { EditorHandle } from './editorHandle';
import type { ProseHandle } from './Prose';

const SIGNS = ['pointerenter', 'pointerdown', 'wheel', 'keydown', 'touchstart', 'focusin'] as const;

interface Half {
  scroller: HTMLElement;
  topLine(): number;
  scrollToLine(line: number): void;
}

export function useScrollStep(
  editor: EditorHandle | null,
  prose: RefObject<ProseHandle | null>,
  isBoth: boolean,
): void {
  useEffect(() => {
    const read = prose.current;
    if (!isBoth || !editor || !read) return;
    return inStep(editor, read);
  }, [editor, prose, isBoth]);
}

function inStep(one: Half, other: Half): () => void {
  const ends = new AbortController();
  const how = { signal: ends.signal, passive: true };
  let leader: Half | null = null;
  for (const [half, follower] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const sign of SIGNS)
      half.scroller.addEventListener(
        sign,
        () => {
          leader = half;
        },
        how,
      );
    half.scroller.addEventListener(
      'scroll',
      () => {
        if (leader === half) follower.scrollToLine(half.topLine());
      },
      how,
    );
  }
  other.scrollToLine(one.topLine());
  return () => ends.abort();
}
